import { connect, createServer as createTcp } from 'node:net';
import { createServer as createTls } from 'node:tls';
import { expect, test } from '@playwright/test';
import forge from 'node-forge';
import type { Target } from '#target';
import { examineTarget } from './doctor/examine-target.ts';
import { startStubServer, stubTarget } from './stub-server.test-support.ts';
import { Transport } from './transport.ts';

interface Pair {
  readonly key: string;
  readonly certificate: string;
}

/** A certificate for `localhost`, signed by itself. */
function issue(name: string, days = 30): Pair {
  const pair = forge.pki.rsa.generateKeyPair(1024);
  const certificate = forge.pki.createCertificate();
  certificate.publicKey = pair.publicKey;
  certificate.serialNumber = '01';
  certificate.validity.notBefore = new Date(Date.now() - 60 * 86_400_000);
  certificate.validity.notAfter = new Date(Date.now() + days * 86_400_000);
  const subject = [{ name: 'commonName', value: name }];
  certificate.setSubject(subject);
  certificate.setIssuer(subject);
  certificate.setExtensions([
    { name: 'basicConstraints', cA: true },
    { name: 'subjectAltName', altNames: [{ type: 2, value: name }] },
  ]);
  certificate.sign(pair.privateKey, forge.md.sha256.create());
  return { key: forge.pki.privateKeyToPem(pair.privateKey), certificate: forge.pki.certificateToPem(certificate) };
}

const ANSWER = 'HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 2\r\n\r\n{}';

/** An HTTPS server that answers `{}`; with `asks`, only to clients with that certificate. */
async function secure({ key, certificate }: Pair, asks?: Pair) {
  const server = createTls(
    // 1024 bits make a quick key and a weak one.
    {
      key,
      cert: certificate,
      ciphers: 'DEFAULT@SECLEVEL=0',
      ...(asks ? { requestCert: true, rejectUnauthorized: true, ca: asks.certificate } : {}),
    },
    (socket) => {
      socket.on('error', () => {});
      socket.on('data', () => socket.write(ANSWER));
    },
  );
  server.on('tlsClientError', () => {});
  await new Promise<void>((done) => server.listen(0, 'localhost', done));
  const { port } = server.address() as { port: number };
  return { address: `https://localhost:${port}`, close: () => void server.close() };
}

const get = async (target: Target, address: string): Promise<string> => {
  const transport = new Transport(target);
  try {
    return String((await transport.send({ method: 'GET', url: `${address}/x`, headers: [] })).status);
  } catch (error) {
    return (error as Error).message;
  } finally {
    await transport.close();
  }
};
const with_ = (target: Target, connection: Target['connection']): Target => ({ ...target, connection });

test('trusts the authority of the target file, and nobody else in its place', async () => {
  const mine = issue('localhost');
  const server = await secure(mine);
  const target = stubTarget(server.address);
  expect(await get(target, server.address)).toMatch(/SELF_SIGNED|self.signed/);
  expect(await get(with_(target, { ca: issue('localhost').certificate }), server.address)).toMatch(
    /SELF_SIGNED|self.signed|SIGNATURE/i,
  );
  expect(await get(with_(target, { ca: mine.certificate }), server.address)).toBe('200');
  server.close();
});

test('names a certificate for another host, one that has run out, and a port without TLS', async () => {
  const other = issue('elsewhere.example');
  const late = issue('localhost', -1);
  const [first, second] = [await secure(other), await secure(late)];
  const plain = createTcp((socket) => {
    socket.on('error', () => {});
    socket.end('HTTP/1.1 400 Bad Request\r\n\r\n');
  });
  await new Promise<void>((done) => plain.listen(0, '127.0.0.1', done));
  expect(await get(with_(stubTarget(first.address), { ca: other.certificate }), first.address)).toMatch(
    /ALTNAME|altname/,
  );
  expect(await get(with_(stubTarget(second.address), { ca: late.certificate }), second.address)).toMatch(
    /EXPIRED|expired/,
  );
  const wrong = `https://127.0.0.1:${(plain.address() as { port: number }).port}`;
  expect(await get(stubTarget(wrong), wrong)).toMatch(/SSL|wrong version|packet|TLS/i);
  first.close();
  second.close();
  plain.close();
});

test('shows its certificate where one is asked for', async () => {
  const mine = issue('localhost');
  const client = issue('client.example');
  const server = await secure(mine, client);
  const target = with_(stubTarget(server.address), { ca: mine.certificate });
  expect(await get(target, server.address)).not.toBe('200');
  const known = with_(target, { ca: mine.certificate, certificate: client.certificate, key: client.key });
  expect(await get(known, server.address)).toBe('200');
  server.close();
});

test('goes through the proxy, except to this machine itself', async () => {
  const server = await startStubServer((socket) => void socket.write(ANSWER));
  const asked: string[] = [];
  const proxy = createTcp((socket) => {
    socket.on('error', () => {});
    socket.once('data', (chunk) => {
      asked.push(chunk.toString('latin1').split('\r\n')[0]!);
      const onward = connect(server.port, '127.0.0.1', () => {
        socket.write('HTTP/1.1 200 Connection established\r\n\r\n');
        socket.pipe(onward).pipe(socket);
      });
      onward.on('error', () => socket.destroy());
    });
  });
  await new Promise<void>((done) => proxy.listen(0, '127.0.0.1', done));
  const uri = `http://127.0.0.1:${(proxy.address() as { port: number }).port}`;
  const outside = 'http://sandbox.invalid';
  expect(await get(with_(stubTarget(outside), { proxy: uri }), outside)).toBe('200');
  expect(asked).toEqual(['CONNECT sandbox.invalid:80 HTTP/1.1']);
  expect(await get(with_(stubTarget(server.address), { proxy: uri }), server.address)).toBe('200');
  expect(asked).toHaveLength(1);
  proxy.close();
  await server.close();
});

test('an examination tells a bad certificate, a skewed clock and a stranger at the address', async () => {
  const mine = issue('localhost');
  const server = await secure(mine);
  const blind = await examineTarget(stubTarget(server.address));
  expect(blind.symptoms).toContainEqual(
    expect.objectContaining({ mark: 'dead', line: 'gateway.address', fix: expect.stringContaining('connection.ca') }),
  );
  const seen = await examineTarget(with_(stubTarget(server.address), { ca: mine.certificate }));
  expect(seen.symptoms.find(({ line }) => line === 'gateway.address')?.text).toMatch(
    /TLSv1.*certificate for \d+ more days/,
  );
  server.close();
  const late = new Date(Date.now() - 3_600_000).toUTCString();
  const skewed = await startStubServer(
    (socket) => void socket.write(`HTTP/1.1 200 OK\r\nDate: ${late}\r\nContent-Length: 0\r\n\r\n`),
  );
  const { symptoms } = await examineTarget(stubTarget(skewed.address));
  expect(symptoms).toContainEqual(
    expect.objectContaining({ mark: 'note', text: expect.stringMatching(/clock is 36\d\d s behind/) }),
  );
  expect(symptoms).toContainEqual(
    expect.objectContaining({ mark: 'note', text: expect.stringContaining('without Authorization') }),
  );
  await skewed.close();
});
