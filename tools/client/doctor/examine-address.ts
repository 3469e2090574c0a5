import { lookup } from 'node:dns/promises';
import { connect, type PeerCertificate, rootCertificates } from 'node:tls';
import { sendProbe } from './probe.ts';
import type { AddFinding, ExaminedTarget } from './types.ts';

const SKEW = 30;

/**
 * Name, connection, certificate and clock of one address.
 * @param probe path below the address that needs no rights
 * @returns whether somebody answers
 */
export async function examineAddress(
  patient: ExaminedTarget,
  line: string,
  address: string,
  probe: { readonly method: string; readonly path: string },
  tell: AddFinding,
): Promise<boolean> {
  const url = new URL(address);
  const name = url.hostname.replace(/^\[|\]$/g, '');
  const { proxy } = patient.target.connection;
  let where = name;
  if (proxy === undefined) {
    try {
      where = (await lookup(name)).address;
    } catch {
      tell(
        'dead',
        line,
        `the host name ${name} is unknown`,
        'check the spelling, and that this machine can look names up',
      );
      return false;
    }
  }
  const heard = await sendProbe(patient, probe.method, `${address}${probe.path}`);
  if (heard.status === 0) {
    tell('dead', line, `${url.host} (${where}): ${heard.text}`, advice(heard.text, url));
    return false;
  }
  const tls = url.protocol === 'https:' && proxy === undefined ? await certificate(patient, url) : undefined;
  const route = proxy === undefined ? where : 'through the proxy';
  tell('ok', line, `${url.host} (${route}) answers in ${Math.round(heard.milliseconds)} ms${tls ? `; ${tls}` : ''}`);
  if (url.protocol === 'http:' && !/^(127\.|::1$|localhost$)/.test(name))
    tell('note', line, 'tokens go over the wire unencrypted', 'use the https address');
  const date = Date.parse(heard.headers.get('date') ?? '');
  const skew = Math.round((Date.now() - date) / 1000);
  if (Math.abs(skew) > SKEW)
    tell(
      'note',
      line,
      `its clock is ${Math.abs(skew)} s ${skew > 0 ? 'behind' : 'ahead of'} ours; signatures carry our time`,
      'set the clock of the machine that is wrong',
    );
  return true;
}

function advice(text: string, { protocol, host }: URL): string {
  if (/CERT|certificate|SELF_SIGNED|ISSUER|ALTNAME/i.test(text))
    return 'give the authority of its certificate as connection.ca, or correct the host name';
  if (/SSL|TLS|EPROTO|wrong version/i.test(text)) return `is ${host} really served over ${protocol.slice(0, -1)}?`;
  return 'check the address, that the service is up, and whether a proxy (connection.proxy) is needed';
}

function certificate({ target }: ExaminedTarget, url: URL): Promise<string | undefined> {
  const { ca, certificate: cert, key, passphrase } = target.connection;
  const host = url.hostname.replace(/^\[|\]$/g, '');
  return new Promise((done) => {
    const socket = connect(
      {
        host,
        port: Number(url.port || 443),
        ...(/^[\d.:]+$/.test(host) ? {} : { servername: host }),
        ...(ca ? { ca: [...rootCertificates, ca] } : {}),
        ...(cert ? { cert } : {}),
        ...(key ? { key } : {}),
        ...(passphrase ? { passphrase } : {}),
      },
      () => {
        const until = (socket.getPeerCertificate() as PeerCertificate).valid_to;
        const days = Math.floor((Date.parse(until) - Date.now()) / 86_400_000);
        const protocol = socket.getProtocol();
        socket.destroy();
        done(`${protocol}, certificate for ${days} more days`);
      },
    );
    socket.setTimeout(target.manners.timeout * 1000, () => {
      socket.destroy();
      done(undefined);
    });
    socket.once('error', () => done(undefined));
  });
}
