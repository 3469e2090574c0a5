import { gzipSync } from 'node:zlib';
import { expect, test } from '@playwright/test';
import type { ApiReply } from './api-reply.ts';
import { NoAnswerError } from './failures.ts';
import { openStubClient, type StubBehaviour, startStubServer, stubTarget } from './stub-server.test-support.ts';

const MIB = 1024 * 1024;
const answer = (
  body: string | Buffer,
  head = 'HTTP/1.1 200 OK\r\nContent-Type: application/json',
  length?: number,
): StubBehaviour => {
  return (socket) => {
    const bytes = Buffer.from(body);
    socket.write(`${head}\r\nContent-Length: ${length ?? bytes.length}\r\n\r\n`);
    socket.write(bytes);
  };
};
const raw = (text: string, then: 'end' | 'stay' | 'reset' = 'end'): StubBehaviour => {
  return (socket) => {
    socket.write(text, 'latin1', () => {
      if (then === 'end') socket.end();
      if (then === 'reset') socket.resetAndDestroy();
    });
  };
};
/** Writes pieces for as long as somebody reads. */
const forever = (head: string, piece: string | Buffer, pause = 0): StubBehaviour => {
  return (socket) => {
    socket.write(head, 'latin1');
    const timer = setInterval(() => {
      while (!socket.destroyed && socket.write(piece) && pause === 0);
    }, pause || 1);
    socket.on('close', () => clearInterval(timer));
  };
};
const gzip = (body: Buffer): StubBehaviour =>
  answer(gzipSync(body), 'HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Encoding: gzip');
const OK = 'HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n';

/** Behaviours that give no answer: the check that meets one is broken, with this reason. */
const BROKEN: readonly (readonly [string, StubBehaviour, RegExp])[] = [
  ['closes the connection at once', (socket) => void socket.end(), /closed before the answer/],
  ['resets the connection at once', (socket) => void socket.resetAndDestroy(), /reset|closed/],
  ['says nothing', () => {}, /in time/],
  ['stops in the status line', raw('HTTP/1.1 2'), /closed|not HTTP/],
  ['stops in the headers', raw('HTTP/1.1 200 OK\r\nContent-Ty'), /closed|not HTTP/],
  ['stops in the headers and stays', raw('HTTP/1.1 200 OK\r\nContent-Ty', 'stay'), /in time/],
  ['sends half of the body', raw(`${OK}Content-Length: 100\r\n\r\n{"half":`), /closed|not as long/],
  ['sends half of the body and stays', raw(`${OK}Content-Length: 100\r\n\r\n{"half":`, 'stay'), /in time/],
  ['resets in the middle of the body', raw(`${OK}Content-Length: 100\r\n\r\n{"half":`, 'reset'), /reset|closed/],
  ['sends a chunk without its end', raw(`${OK}Transfer-Encoding: chunked\r\n\r\n5\r\n{"a":\r\n`), /closed/],
  ['sends a chunk size that is none', raw(`${OK}Transfer-Encoding: chunked\r\n\r\nzz\r\n{}\r\n0\r\n\r\n`), /not HTTP/],
  [
    'announces a gigabyte and starts sending it',
    forever(`${OK}Content-Length: 1073741824\r\n\r\n`, Buffer.alloc(MIB, 32)),
    /exceeds 8 MiB/,
  ],
  ['sends a body without end', forever(`${OK}\r\n`, Buffer.alloc(64 * 1024, 32)), /exceeds 8 MiB/],
  [
    'sends chunks without end',
    forever(`${OK}Transfer-Encoding: chunked\r\n\r\n`, `1000\r\n${' '.repeat(4096)}\r\n`),
    /exceeds 8 MiB/,
  ],
  ['sends a byte now and then', forever(`${OK}\r\n`, ' ', 100), /in time/],
  ['sends header bytes now and then', forever('HTTP/1.1 200 OK\r\nX: ', 'x', 100), /in time/],
  ['sends one header of a megabyte', raw(`HTTP/1.1 200 OK\r\nX-Bomb: ${'x'.repeat(MIB)}\r\n\r\n`), /headers exceed/],
  [
    'sends ten thousand headers',
    raw(`HTTP/1.1 200 OK\r\n${'X-Bomb: yes, indeed\r\n'.repeat(10_000)}\r\n`),
    /headers exceed/,
  ],
  ['sends headers without end', forever('HTTP/1.1 200 OK\r\n', 'X-More: more\r\n'.repeat(100)), /headers exceed/],
  [
    'sends interim answers without end',
    forever('', 'HTTP/1.1 100 Continue\r\n\r\n', 50),
    /in time|closed before the answer/,
  ],
  ['announces two lengths', raw(`${OK}Content-Length: 2\r\nContent-Length: 3\r\n\r\n{}`), /not HTTP|not as long/],
  [
    'announces a length and chunks',
    raw(`${OK}Content-Length: 2\r\nTransfer-Encoding: chunked\r\n\r\n2\r\n{}\r\n0\r\n\r\n`),
    /not HTTP|not as long/,
  ],
  ['announces a length below zero', raw(`${OK}Content-Length: -1\r\n\r\n{}`), /not HTTP/],
  ['announces a length that is no number', raw(`${OK}Content-Length: many\r\n\r\n{}`), /not HTTP/],
  ['speaks another protocol', raw('220 mail.example ESMTP\r\n'), /not HTTP/],
  ['speaks TLS on a plain port', raw('\x16\x03\x01\x00\xa5\x01\x00\x00\xa1'), /not HTTP/],
  ['sends a status that is no number', raw('HTTP/1.1 abc OK\r\n\r\n'), /not HTTP/],
  [
    'switches protocols',
    raw('HTTP/1.1 101 Switching Protocols\r\nUpgrade: h2c\r\nConnection: Upgrade\r\n\r\n', 'stay'),
    /upgrade|closed|not HTTP|in time/i,
  ],
  ['packs a bomb', gzip(Buffer.alloc(64 * MIB, 32)), /exceeds 8 MiB when unpacked/],
  ['says gzip and means it not', answer('{}', `${OK}Content-Encoding: gzip`), /is not gzip/],
  ['nests a million arrays', answer('['.repeat(1_000_000)), /nested deeper/],
  ['nests a hundred thousand objects', answer(`${'{"a":'.repeat(100_000)}1${'}'.repeat(100_000)}`), /nested deeper/],
];

/** Behaviours that are answers, however bad: what a check reads from them is a finding about the service. */
const ANSWERS: readonly (readonly [string, StubBehaviour, number, RegExp | undefined])[] = [
  ['answers 200 with an empty body', answer(''), 200, /an empty body/],
  ['answers 204 without a body', raw('HTTP/1.1 204 No Content\r\n\r\n', 'stay'), 204, /an empty body/],
  [
    'answers HTML',
    answer('<!doctype html><title>Login</title>', 'HTTP/1.1 200 OK\r\nContent-Type: text/html'),
    200,
    /not JSON/,
  ],
  ['answers broken JSON', answer('{"orderState": "APPRO'), 200, /not JSON/],
  ['answers JSON twice', answer('{}{}'), 200, /not JSON/],
  ['answers invalid UTF-8', answer(Buffer.from([0x7b, 0x22, 0xff, 0xfe, 0x22, 0x3a, 0x31, 0x7d])), 200, /not UTF-8/],
  ['answers UTF-16', answer(Buffer.from('{"a":1}', 'utf16le')), 200, /not UTF-8|not JSON/],
  ['answers null bytes', answer(Buffer.alloc(1000)), 200, /not JSON/],
  ['answers null', answer('null'), 200, undefined],
  ['answers a number', answer('1e400'), 200, undefined],
  [
    'answers with a key __proto__',
    answer('{"__proto__": {"polluted": true}, "constructor": {"prototype": 1}}'),
    200,
    undefined,
  ],
  ['answers a megabyte of text', answer(JSON.stringify({ text: 'x'.repeat(MIB) })), 200, undefined],
  ['answers packed', gzip(Buffer.from('{"packed":true}')), 200, undefined],
  [
    'redirects elsewhere',
    raw('HTTP/1.1 302 Found\r\nLocation: http://elsewhere.example/\r\nContent-Length: 0\r\n\r\n', 'stay'),
    302,
    /an empty body/,
  ],
  [
    'redirects to itself',
    raw('HTTP/1.1 307 Temporary Redirect\r\nLocation: /\r\nContent-Length: 0\r\n\r\n', 'stay'),
    307,
    /an empty body/,
  ],
  [
    'answers 500 with HTML',
    answer('<h1>Oops</h1>', 'HTTP/1.1 500 Internal Server Error\r\nContent-Type: text/html'),
    500,
    /not JSON/,
  ],
  [
    'answers a status nobody knows',
    answer('{}', 'HTTP/1.1 799 Whatever\r\nContent-Type: application/json'),
    799,
    undefined,
  ],
  ['answers HTTP/1.0 and closes', raw('HTTP/1.0 200 OK\r\nContent-Type: application/json\r\n\r\n{}'), 200, undefined],
  ['sends more than it announced', raw(`${OK}Content-Length: 2\r\n\r\n{}trailing rubbish`), 200, undefined],
];

/** Where time is not the reason, there is enough of it on a machine that has much to do. */
const hostileTarget = (address: string, reason?: RegExp) =>
  stubTarget(address, undefined, undefined, /in time/.test(reason?.source ?? '') ? 1 : 15);

const status = (address: string) => ({
  api: 'gateway' as const,
  operation: 'status',
  method: 'POST',
  url: `${address}/payments/status/1`,
  headers: [['content-type', 'application/json']] as const,
  body: Buffer.from('{"orderMerchantId":"x"}'),
});

test('is a table of at least forty behaviours', () => {
  expect(BROKEN.length + ANSWERS.length).toBeGreaterThanOrEqual(40);
});

for (const [name, behave, reason] of BROKEN) {
  test(`a server that ${name} gives a reason`, async () => {
    const server = await startStubServer(behave);
    const { client, exchanges, close } = openStubClient(hostileTarget(server.address, reason));
    const before = process.memoryUsage().rss;
    const began = Date.now();
    const error = await client.send(status(server.address)).catch((one: unknown) => one);
    expect(error).toBeInstanceOf(NoAnswerError);
    expect((error as Error).message).toMatch(reason);
    expect(Date.now() - began).toBeLessThan(20_000);
    expect(process.memoryUsage().rss - before).toBeLessThan(256 * MIB);
    expect(exchanges()).toHaveLength(1);
    expect(exchanges()[0]!.failure).toMatch(reason);
    // A payment whose answer was lost is never sent twice.
    expect(server.heads).toHaveLength(1);
    await close();
    await server.close();
  });
}

for (const [name, behave, code, finding] of ANSWERS) {
  test(`a server that ${name} is an answer to judge`, async () => {
    const server = await startStubServer(behave);
    const { client, exchanges, close } = openStubClient(hostileTarget(server.address));
    const reply = await client.send(status(server.address));
    expect(reply.status).toBe(code);
    expect(exchanges()).toHaveLength(1);
    if (finding === undefined) {
      expect(() => reply.json).not.toThrow();
      expect(({} as { polluted?: unknown }).polluted).toBeUndefined();
    } else expect(() => reply.json).toThrow(finding);
    expect(server.heads).toHaveLength(1);
    await close();
    await server.close();
  });
}

test('a host that dies in between leaves the next call with a reason, and the one after its return with an answer', async () => {
  let alive = true;
  const server = await startStubServer((socket, head, count) => {
    if (alive) answer('{}')(socket, head, count);
    else socket.destroy();
  });
  const { client, exchanges, close } = openStubClient(stubTarget(server.address));
  await client.send(status(server.address));
  alive = false;
  await expect(client.send(status(server.address))).rejects.toThrow(NoAnswerError);
  alive = true;
  expect((await client.send(status(server.address))).status).toBe(200);
  expect(exchanges().map(({ failure }) => failure === undefined)).toEqual([true, false, true]);
  await close();
  await server.close();
});

test('nobody at the address, and a name nobody knows, are told apart', async () => {
  const server = await startStubServer(() => {});
  await server.close();
  const gone = openStubClient(stubTarget(server.address));
  await expect(gone.client.send(status(server.address))).rejects.toThrow(/refused/);
  await gone.close();
  const nameless = openStubClient(stubTarget('http://no-such-host.invalid'));
  await expect(nameless.client.send(status('http://no-such-host.invalid'))).rejects.toThrow(/unknown|looked up/);
  await nameless.close();
});

test('a read whose connection fails is sent once more, and both tries are on record', async () => {
  const server = await startStubServer((socket, head, count) =>
    count === 1 ? void socket.destroy() : answer('{}')(socket, head, count),
  );
  const { client, exchanges, close } = openStubClient(stubTarget(server.address));
  const reply: ApiReply = await client.send({
    api: 'v1',
    operation: 'getAuth',
    method: 'GET',
    url: `${server.address}/api/v1/auth`,
    headers: [],
  });
  expect(reply.status).toBe(200);
  expect(exchanges().map(({ failure }) => failure === undefined)).toEqual([false, true]);
  await close();
  await server.close();
});

test('a host the target does not name is never called', async () => {
  const named = await startStubServer(answer('{}'));
  const other = await startStubServer(answer('{}'));
  const { client, exchanges, close } = openStubClient(stubTarget(named.address));
  await expect(client.send(status(other.address))).rejects.toThrow(/not a host of target/);
  expect(other.heads).toEqual([]);
  expect(exchanges()).toEqual([]);
  await close();
  await named.close();
  await other.close();
});
