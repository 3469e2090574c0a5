import { connect } from 'node:net';
import { API_NAMES, byApi } from '#apis';
import type { RunLine } from '#evidence';
import { listDanglingReferences, listReferences, resolveTarget, type WrittenTarget } from '#target';
import { Trouble } from '#trouble';

/**
 * Resolves what the run will need and knocks at each address, so that a wrong file or a dead host ends before the first check.
 * @throws Trouble (usage) for unresolved references, the last of them after the others were printed, Trouble (incomplete) for an address nobody answers at
 */
export async function reachTarget(written: WrittenTarget): Promise<RunLine['target']['hosts']> {
  if (written.root.kind === 'embedded') return byApi(() => 'embedded');
  if (listReferences(written).some(({ scheme }) => scheme === 'embedded')) resolveTarget(written);
  const lost = listDanglingReferences(written);
  for (const trouble of lost.slice(0, -1)) console.error(trouble.toString());
  if (lost.length > 0) throw lost.at(-1);
  const target = resolveTarget(written);
  const hosts: Record<string, string> = {};
  for (const api of API_NAMES) {
    const address = target[api]?.address;
    if (address === undefined) continue;
    const url = new URL(address);
    hosts[api] = `${url.protocol}//${url.host}${url.pathname.replace(/\/$/, '')}`;
    if (target.connection.proxy === undefined) await knock(url, target.manners.timeout * 1000, written);
  }
  return hosts;
}

function knock(url: URL, timeout: number, written: WrittenTarget): Promise<void> {
  const port = Number(url.port || (url.protocol === 'https:' ? 443 : 80));
  return new Promise((done, fail) => {
    const refuse = (reason: string) =>
      fail(
        new Trouble('incomplete', `nobody answers at ${url.host}`, {
          place: { file: written.file },
          reason,
          fix: 'check the address in the target file, and that the service is up',
        }),
      );
    const socket = connect({ host: url.hostname.replace(/^\[|\]$/g, ''), port }, () => {
      socket.destroy();
      done();
    });
    socket.setTimeout(timeout, () => {
      socket.destroy();
      refuse(`no connection within ${timeout / 1000} s`);
    });
    socket.once('error', (error: NodeJS.ErrnoException & { errors?: Error[] }) =>
      refuse(error.message || error.errors?.[0]?.message || String(error.code)),
    );
  });
}
