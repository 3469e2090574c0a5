import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, test } from '@playwright/test';
import { RateBudget } from './rate-budget.ts';
import { type StubServer, startStubServer, stubTarget } from './stub-server.test-support.ts';
import { closeControl, createTargetTime, type LeverEffect, performControl, type TargetTime } from './target-time.ts';

let server: StubServer;
test.beforeEach(async () => {
  server = await startStubServer((socket) => void socket.write('HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\n{}'));
});
test.afterEach(() => server.close());

test('connections of control actions stay open until they are closed, and are made anew after that', async () => {
  const closed: Promise<void>[] = [];
  const kept = createServer((_request, response) => response.end('{}'));
  kept.on('connection', (socket) => closed.push(new Promise((done) => socket.once('close', () => done()))));
  await new Promise<void>((done) => kept.listen(0, '127.0.0.1', done));
  const address = `http://127.0.0.1:${(kept.address() as AddressInfo).port}`;
  const target = stubTarget(address, `control: { advance: { url: "${address}/advance" } }\n`);
  for (const round of [1, 2]) {
    await performControl(target, 'advance', {});
    expect(closed.length).toBeGreaterThanOrEqual(round);
    const open = new Promise((done) => setTimeout(done, 100, 'open'));
    expect(await Promise.race([closed.at(-1)!.then(() => 'closed'), open])).toBe('open');
    await closeControl(target);
    await Promise.all(closed);
  }
  kept.close();
});

const timeOf = (control: string) => createTargetTime(stubTarget(server.address, `control: { ${control} }\n`));
const lever = (moves = '') => `advance: { url: "${server.address}/advance"${moves} }`;

test('a clock that is moved and that nothing reads shows no time, though it is known to be no less than the real one', async () => {
  const time = timeOf(lever());
  expect(time.isReadable).toBe(false);
  await expect(time.now()).rejects.toThrow(/nothing reads it; control\.now/);
  expect(Math.abs((await time.nowAtLeast()) - Date.now())).toBeLessThan(5000);
  const before = time.passed;
  await time.sleep(86_400);
  expect(time.passed - before).toBeGreaterThanOrEqual(86_400);
  // What stands shows the real time.
  time.noteLever('records', 'stands');
  expect(time.isReadable).toBe(true);
  expect(Math.abs((await time.now()) - Date.now())).toBeLessThan(5000);
});

test('a lever that says what it moves is used for that alone', async () => {
  const time = timeOf(`${lever(', moves: [limits]')}, now: { url: "${server.address}/now" }`);
  expect([time.steered, time.lever('limits'), time.lever('records')]).toEqual([false, 'moves', 'stands']);
  await time.sleep(61, 'limits');
  expect(server.heads).toHaveLength(1);
  await time.sleep(0.01);
  await time.sleep(0.01, 'deliveries');
  expect(Math.abs((await time.now()) - Date.now())).toBeLessThan(5000);
  expect(server.heads).toHaveLength(1);
  await expect(time.sleep(7 * 86_400)).rejects.toThrow(/control\.advance does not move records/);
});

test('a lever that says nothing is used until somebody saw a clock stand', async () => {
  const time = timeOf(lever());
  expect([time.steered, time.lever('deliveries')]).toEqual([true, 'unknown']);
  await time.sleep(0.01, 'deliveries');
  time.noteLever('deliveries', 'stands');
  await time.sleep(0.01, 'deliveries');
  expect(server.heads).toHaveLength(1);
  expect([time.lever('records'), time.lever('deliveries')]).toEqual(['unknown', 'stands']);
});

test('a lever that names a service moves the clock of that one, and says nothing of the other', async () => {
  const url = `${server.address}/\${service}/advance`;
  const target = stubTarget(server.address, `control: { advance: { url: "${url}" } }\n`);
  const [gateway, v1, both] = [
    createTargetTime(target, 'gateway'),
    createTargetTime(target, 'v1'),
    createTargetTime(target),
  ];
  for (const time of [gateway, v1, both]) await time.sleep(0.01);
  const moved = server.heads.map((head) => /^POST \/(\w+)\/advance/.exec(head)?.[1]);
  expect(moved).toEqual(['gateway', 'v1', 'gateway', 'v1']);
  gateway.noteLever('records', 'stands');
  expect([gateway.lever('records'), v1.lever('records')]).toEqual(['stands', 'unknown']);
  both.noteLever('limits', 'moves');
  expect([gateway.lever('limits'), v1.lever('limits'), both.lever('limits')]).toEqual(['moves', 'moves', 'moves']);
});

test('a window that is still open after it was passed by the lever is waited for from then on', async () => {
  const answer = (left: number) => ({
    status: 200,
    headers: new Map([
      ['x-ratelimit-remaining', String(left)],
      ['x-ratelimit-limit', '500'],
    ]),
  });
  for (const [left, seen] of [
    [3, 'stands'],
    [499, 'moves'],
  ] as const) {
    let effect: LeverEffect = 'unknown';
    const time: TargetTime = {
      steered: true,
      passed: 0,
      isReadable: true,
      lever: () => effect,
      noteLever: (_clock, found) => {
        effect = found;
      },
      now: async () => 0,
      nowAtLeast: async () => 0,
      sleep: async () => {},
    };
    const budget = new RateBudget(time);
    await budget.noteAnswer('one', undefined, answer(4));
    await budget.noteAnswer('one', await budget.awaitCall('one'), answer(left));
    expect(effect).toBe(seen);
  }
});

test('a clock that shows no time passing after it was advanced stands, and is waited for', async () => {
  const body = '{"now":"2026-03-04T05:06:07Z"}';
  await server.close();
  server = await startStubServer(
    (socket) => void socket.write(`HTTP/1.1 200 OK\r\ncontent-length: ${body.length}\r\n\r\n${body}`),
  );
  const time = timeOf(`${lever()}, now: { url: "${server.address}/now" }`);
  await time.sleep(0.01);
  expect(time.lever('records')).toBe('unknown');
  const began = Date.now();
  await time.sleep(2);
  expect([time.lever('records'), Date.now() - began >= 2000]).toEqual(['stands', true]);
  await expect(time.sleep(60 * 86_400)).rejects.toThrow(/control\.advance does not move records/);
});
