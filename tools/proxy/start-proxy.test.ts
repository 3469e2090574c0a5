import { createServer, type IncomingMessage, request, type Server, type ServerResponse } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { gzipSync } from 'node:zlib';
import { expect, test } from '@playwright/test';
import type { WatchedExchange } from '#evidence';
import { startSandbox } from '#sandbox';
import { type RunningProxy, startProxy } from './start-proxy.ts';

let upstream: Server;
let proxy: RunningProxy;
let answer: (request: IncomingMessage, response: ServerResponse, body: Buffer) => void;
let seen: WatchedExchange[] = [];
let arrived: { raw: readonly string[]; url: string; body: Buffer } | undefined;

test.beforeEach(async () => {
  seen = [];
  arrived = undefined;
  answer = (_request, response) => response.end('{}');
  upstream = createServer((asked, response) => {
    const pieces: Buffer[] = [];
    asked.on('data', (piece: Buffer) => pieces.push(piece));
    asked.on('end', () => {
      arrived = { raw: asked.rawHeaders, url: asked.url ?? '', body: Buffer.concat(pieces) };
      answer(asked, response, Buffer.concat(pieces));
    });
  });
  await new Promise<void>((done) => upstream.listen(0, '127.0.0.1', done));
  const { port } = upstream.address() as AddressInfo;
  proxy = await startProxy({
    routes: [{ name: 'it', api: 'v1', message: 'request', upstream: `http://127.0.0.1:${port}/base` }],
    observe: (exchange) => seen.push(exchange),
  });
});
test.afterEach(async () => {
  await proxy.close();
  upstream.closeAllConnections();
  await new Promise((done) => upstream.close(done));
});

/** Bytes that are no text, and more than fit in one piece. */
const BYTES = Buffer.from(Array.from({ length: 300_000 }, (_, i) => (i * 7) % 256));

test('hands on every byte, both ways, and the headers in their order and spelling', async () => {
  answer = (_request, response, body) => {
    response.writeHead(201, 'Made', ['X-Two', 'a', 'x-two', 'b', 'Content-Length', String(body.length)]);
    response.end(body);
  };
  const { port, pathname } = new URL(proxy.addresses['it']!);
  const got = await new Promise<{ raw: readonly string[]; body: Buffer; words: string }>((done) => {
    const headers = ['X-Odd', 'one', 'x-odd', '2', 'Host', `127.0.0.1:${port}`, 'Content-Length', String(BYTES.length)];
    const asked = request(
      { port, path: `${pathname}/a%2Fb?x=1&x=%20`, method: 'PUT', headers, setHost: false },
      (response) => {
        const pieces: Buffer[] = [];
        response.on('data', (piece: Buffer) => pieces.push(piece));
        response.on('end', () =>
          done({ raw: response.rawHeaders, body: Buffer.concat(pieces), words: response.statusMessage! }),
        );
      },
    );
    asked.end(BYTES);
  });
  expect(arrived!.url).toBe('/base/a%2Fb?x=1&x=%20');
  expect(arrived!.body.equals(BYTES)).toBe(true);
  expect(arrived!.raw.filter((_, i) => i % 2 === 0).slice(0, 4)).toEqual(['X-Odd', 'x-odd', 'Host', 'Content-Length']);
  expect(got.body.equals(BYTES)).toBe(true);
  expect([got.words, ...got.raw.slice(0, 4)]).toEqual(['Made', 'X-Two', 'a', 'x-two', 'b']);
  expect(seen).toHaveLength(1);
  expect(Buffer.from(seen[0]!.request.body).equals(BYTES)).toBe(true);
  expect(seen[0]!.request.url).toBe(`http://127.0.0.1:${(upstream.address() as AddressInfo).port}${arrived!.url}`);
});

test('hands on what comes piece by piece before the next piece is there', async () => {
  let goOn = () => {};
  answer = (_request, response) => {
    response.write('first');
    goOn = () => response.end('second');
  };
  const response = await fetch(proxy.addresses['it']!);
  const reader = response.body!.getReader();
  expect(Buffer.from((await reader.read()).value!).toString()).toBe('first');
  expect(seen).toEqual([]);
  goOn();
  expect(Buffer.from((await reader.read()).value!).toString()).toBe('second');
  await reader.read();
  await expect.poll(() => seen.length).toBe(1);
  expect(Buffer.from(seen[0]!.response!.body).toString()).toBe('firstsecond');
});

test('shows an observer what a packed answer says, and hands it on packed', async () => {
  answer = (_request, response) => response.writeHead(200, { 'content-encoding': 'gzip' }).end(gzipSync('{"a":1}'));
  expect(await (await fetch(proxy.addresses['it']!)).text()).toBe('{"a":1}');
  await expect.poll(() => seen.length).toBe(1);
  expect(Buffer.from(seen[0]!.response!.body).toString()).toBe('{"a":1}');
});

test('hands on that an answer broke off, and says so', async () => {
  answer = (_request, response) => {
    response.writeHead(200, { 'content-length': '100' });
    response.write('half');
    setTimeout(() => response.destroy(), 20);
  };
  const response = await fetch(proxy.addresses['it']!);
  await expect(response.text()).rejects.toThrow();
  await expect.poll(() => seen.length).toBe(1);
  expect(seen[0]).toMatchObject({ failure: 'the answer broke off', response: { status: 200 } });
});

test('answers 502 where nobody answers, and says why', async () => {
  await new Promise((done) => {
    upstream.closeAllConnections();
    upstream.close(done);
  });
  expect((await fetch(proxy.addresses['it']!)).status).toBe(502);
  expect(seen).toMatchObject([{ failure: 'ECONNREFUSED' }]);
  expect(seen[0]!.response).toBeUndefined();
});

test('speaks TLS to the upstream, and only to one that it can trust', async () => {
  const sandbox = await startSandbox({ tls: true });
  const routes = [{ name: 'it', api: 'gateway', message: 'request', upstream: sandbox.addresses.gateway }] as const;
  const observe = (exchange: WatchedExchange) => seen.push(exchange);
  const trusting = await startProxy({ routes, tls: { ca: sandbox.authority! }, observe });
  const doubting = await startProxy({ routes, observe });
  const ask = (to: RunningProxy) => fetch(`${to.addresses['it']}/payments/_Overview`, { method: 'HEAD' });
  expect((await ask(trusting)).status).toBe(200);
  expect((await ask(doubting)).status).toBe(502);
  expect(seen.map(({ request: { url } }) => url)).toEqual(
    Array(2).fill(`${sandbox.addresses.gateway}/payments/_Overview`),
  );
  await Promise.all([trusting.close(), doubting.close(), sandbox.close()]);
});

test('lets go of the upstream when the client goes away', async () => {
  let isGone = false;
  answer = (asked) => {
    asked.socket.once('close', () => {
      isGone = true;
    });
  };
  const { port, host } = new URL(proxy.addresses['it']!);
  const socket = connect(Number(port), '127.0.0.1', () => socket.write(`GET /base HTTP/1.1\r\nHost: ${host}\r\n\r\n`));
  await expect.poll(() => arrived?.url).toBe('/base');
  socket.destroy();
  await expect.poll(() => isGone).toBe(true);
});
