import { connect, type Socket } from 'node:net';
import { expect, test } from '@playwright/test';
import { Recorder, Redactor } from '#evidence';
import type { Target } from '#target';
import { MAX_MESSAGE_BYTES, MessageReceiver } from './message-receiver.ts';

const MIB = 1024 * 1024;
let recorder: Recorder;
let receiver: MessageReceiver;
let port: number;
const sockets: Socket[] = [];

test.beforeEach(async () => {
  recorder = new Recorder('c0000001', new Redactor());
  receiver = await MessageReceiver.open({} as Target, recorder);
  receiver.expectPath('/callback-1');
  port = Number(new URL(receiver.address).port);
});
test.afterEach(async () => {
  for (const socket of sockets.splice(0)) socket.destroy();
  await receiver.close();
});

/** Opens a connection and writes. */
async function dial(text: string): Promise<Socket> {
  const socket = connect(port, '127.0.0.1');
  sockets.push(socket);
  socket.on('error', () => {});
  await new Promise((done) => socket.once('connect', done));
  socket.write(text);
  return socket;
}

const head = (path: string, length: number) =>
  `POST ${path} HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\ncontent-length: ${length}\r\n\r\n`;

/** A delivery as the service makes it. @returns its status */
async function deliver(path = '/callback-1', body = '{"orderState":"APPROVED"}'): Promise<number> {
  return (await fetch(receiver.address + path, { method: 'POST', body })).status;
}

test('a request that ends halfway is on record and breaks nothing', async () => {
  for (const path of ['/callback-1', '/elsewhere']) {
    const socket = await dial(`${head(path, 100)}{"half":`);
    await new Promise((done) => setTimeout(done, 30));
    socket.resetAndDestroy();
  }
  await expect.poll(() => receiver.incomplete).toBe(1);
  expect(recorder.count).toBe(1);
  expect(await deliver()).toBe(202);
  expect(receiver.deliveries).toHaveLength(1);
  expect(receiver.failure).toBeUndefined();
});

test('whoever looks whether somebody is there brings no message', async () => {
  for (const method of ['HEAD', 'OPTIONS'])
    expect((await fetch(`${receiver.address}/callback-1`, { method })).status, method).toBe(200);
  expect(receiver.deliveries).toEqual([]);
  expect(await deliver()).toBe(202);
  expect(receiver.deliveries).toHaveLength(1);
});

test('a message of more than a MiB is refused, announced or not, and none of it is kept', async () => {
  const before = process.memoryUsage().rss;
  expect(await deliver('/callback-1', 'x'.repeat(MAX_MESSAGE_BYTES))).toBe(202);
  expect(await deliver('/callback-1', 'x'.repeat(MAX_MESSAGE_BYTES + 1))).toBe(413);
  const socket = await dial('POST /callback-1 HTTP/1.1\r\nhost: x\r\ntransfer-encoding: chunked\r\n\r\n');
  let answer = '';
  socket.on('data', (chunk) => {
    answer += chunk;
  });
  let closed = false;
  socket.once('close', () => {
    closed = true;
  });
  const piece = `100000\r\n${'4'.repeat(MIB)}\r\n`;
  for (let sent = 0; sent < 100 && !closed; sent += 1) {
    if (!socket.write(piece))
      await Promise.race(['drain', 'close'].map((name) => new Promise((d) => socket.once(name, d))));
  }
  await expect.poll(() => closed).toBe(true);
  expect(answer === '' || answer.startsWith('HTTP/1.1 413')).toBe(true);
  expect(receiver.incomplete).toBe(2);
  expect(receiver.deliveries).toHaveLength(1);
  expect(process.memoryUsage().rss - before).toBeLessThan(64 * MIB);
});

test('what comes to other addresses is counted, answered 404 and neither kept nor recorded', async () => {
  for (let i = 0; i < 20; i += 1) expect(await deliver(`/callback-2?${i}`)).toBe(404);
  expect(receiver.ignored).toBe(20);
  expect(receiver.deliveries).toEqual([]);
  expect(recorder.count).toBe(0);
  expect(await deliver('/callback-1?sent=again')).toBe(202);
});

test('a thousand idle connections and a flood leave room for a delivery', async () => {
  test.setTimeout(60_000);
  for (let i = 0; i < 1000; i += 1) await dial(i % 2 === 0 ? '' : 'POST /callback-1 HTTP/1.1\r\nx-slow:');
  expect(await deliver()).toBe(202);
  const flood = Array.from({ length: 3000 }, () => dial(`${head('/elsewhere', 2)}{}`));
  expect(await deliver()).toBe(202);
  await Promise.all(flood);
  expect(await deliver()).toBe(202);
  expect(receiver.deliveries).toHaveLength(3);
});

test('keeps a bounded number of messages, and takes more when a check lets go of them', async () => {
  expect(await deliver()).toBe(202);
  while (receiver.deliveries.length < 1999) receiver.deliveries.push(receiver.deliveries[0]!);
  expect([await deliver(), await deliver(), receiver.deliveries.length]).toEqual([202, 503, 2000]);
  receiver.deliveries.length = 0;
  expect([await deliver(), receiver.deliveries.length]).toEqual([202, 1]);
});

test('what goes wrong with us while a message is taken is kept for the check, and the caller is answered', async () => {
  receiver.answer = () => {
    throw new Error('a defect');
  };
  expect(await deliver()).toBe(500);
  expect(String(receiver.failure)).toContain('a defect');
});
