import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { connect, createServer, type Socket } from 'node:net';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { Redactor } from './redact.ts';

/** Milliseconds in which a worker reaches the exchange, and in which what the last ones said arrives. */
const PATIENCE = 5000;

/** Where the processes of a run tell each other which digests none of them may show. */
export interface DigestExchange {
  /** What a worker joins with. */
  readonly address: string;
  /** Resolves when all that was said by processes that have ended is known. */
  close(): Promise<void>;
}

/**
 * Lets the processes of a run know each other's digests: a service may answer one worker with the hash of a body that another sent.
 * They go from memory to memory; no file holds one.
 * @param folder that only this user may enter
 * @param redactor learns every digest
 */
export async function openDigestExchange(folder: string, redactor: Redactor): Promise<DigestExchange> {
  const name = `digests-${randomBytes(6).toString('hex')}`;
  const address = process.platform === 'win32' ? `\\\\.\\pipe\\${name}` : join(folder, name);
  const open = new Set<Socket>();
  const known: string[] = [];
  const server = createServer((socket) => {
    open.add(socket);
    socket.on('error', () => {}).on('close', () => open.delete(socket));
    if (known.length > 0) socket.write(known.join(''));
    readDigests(socket, (digests, line) => {
      redactor.learnDigests(digests);
      known.push(line);
      for (const other of open) if (other !== socket) other.write(line);
    });
  });
  server.listen(address);
  await once(server, 'listening');
  return {
    address,
    async close() {
      const deadline = setTimeout(() => {
        for (const socket of open) socket.destroy();
      }, PATIENCE);
      const closed = once(server, 'close');
      server.close();
      await closed;
      clearTimeout(deadline);
    },
  };
}

/**
 * Joins the exchange of a run: learns what the others know, and tells them what is learned here.
 * @param address absent: this process is by itself
 * @returns leaves it, when all that was said is on its way
 * @throws Error when nobody listens there
 */
export async function joinDigestExchange(
  address: string | undefined,
  redactor: Redactor,
): Promise<() => Promise<void>> {
  if (address === undefined) return async () => {};
  const socket = connect(address);
  await once(socket, 'connect', { signal: AbortSignal.timeout(PATIENCE) });
  // Who opened it has ended; this process ends as well, in its own way.
  socket.on('error', () => {}).unref();
  readDigests(socket, (digests) => redactor.learnDigests(digests));
  redactor.shareDigests((digests) => {
    if (socket.writable) socket.write(`${digests.map((one) => Buffer.from(one).toString('base64')).join(' ')}\n`);
  });
  return async () => {
    if (socket.destroyed) return;
    const closed = once(socket, 'close');
    socket.ref();
    socket.end();
    await closed;
  };
}

function readDigests(socket: Socket, learn: (digests: readonly Uint8Array[], line: string) => void): void {
  createInterface({ input: socket })
    .on('line', (line) => {
      const digests = line.split(' ').map((one) => Buffer.from(one, 'base64'));
      learn(digests, `${line}\n`);
    })
    .on('error', () => {});
}
