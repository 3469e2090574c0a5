import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from '@playwright/test';
import { findBeforehand } from './call-group.ts';
import { NoAnswerError, UnarrangedError, UnofferedError } from './failures.ts';
import { RateBudget } from './rate-budget.ts';
import { openStubClient, type StubBehaviour, startStubServer, stubTarget } from './stub-server.test-support.ts';
import { takeBackObjects } from './take-back.ts';
import { createTargetTime, performControl, type TargetTime } from './target-time.ts';
import { acquireLock } from './worker-lock.ts';

let folder: string;
test.beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'assay-state-'));
});
test.afterEach(() => rmSync(folder, { recursive: true, force: true }));

/** An answer that announces room for many calls. */
const ROOMY = 'HTTP/1.1 200 OK\r\nX-RateLimit-Limit: 500\r\nX-RateLimit-Remaining: 400\r\nContent-Length: 2\r\n\r\n{}';

/** A time that only remembers how long it was asked to wait. */
function patience(): TargetTime & { readonly waited: number[] } {
  const waited: number[] = [];
  return {
    waited,
    steered: true,
    passed: 0,
    isReadable: true,
    lever: () => 'moves',
    noteLever: () => {},
    now: async () => 0,
    nowAtLeast: async () => 0,
    sleep: async (seconds) => {
      waited.push(seconds);
    },
  };
}

const announced = (left: number, limit = 500, status = 200) => ({
  status,
  headers: new Map([
    ['x-ratelimit-remaining', String(left)],
    ['x-ratelimit-limit', String(limit)],
  ]),
});

test.describe('budget', () => {
  test('holds nothing back where nothing is announced', async () => {
    const clock = patience();
    const budget = new RateBudget(clock);
    for (let i = 0; i < 1000; i += 1) {
      await budget.noteAnswer('a', await budget.awaitCall('a'), { status: 200, headers: new Map() });
    }
    expect(clock.waited).toEqual([]);
  });

  test('waits a window before the last calls are spent, then goes on', async () => {
    const clock = patience();
    const budget = new RateBudget(clock);
    await budget.noteAnswer('a', await budget.awaitCall('a'), announced(400));
    await budget.noteAnswer('a', await budget.awaitCall('a'), announced(5));
    await budget.awaitCall('a');
    expect(clock.waited.map(Math.round)).toEqual([60]);
    await budget.noteAnswer('a', undefined, announced(499));
    await budget.awaitCall('a');
    expect(clock.waited).toHaveLength(1);
  });

  test('gives up with a reason when no window leaves a call, announced or by 429, and not before', async () => {
    for (const status of [200, 429]) {
      const clock = patience();
      const budget = new RateBudget(clock);
      for (let i = 0; i < 4; i += 1) {
        await budget.noteAnswer('a', await budget.awaitCall('a'), announced(0, 500, status));
      }
      await expect(budget.awaitCall('a')).rejects.toThrow(/3 windows in a row that no call is left/);
      expect(clock.waited).toHaveLength(3);
      await budget.awaitCall('b');
    }
    const clock = patience();
    const budget = new RateBudget(clock);
    for (let i = 0; i < 20; i += 1) {
      await budget.noteAnswer('a', await budget.awaitCall('a'), announced(i % 3 === 0 ? 1 : 0));
    }
    expect(clock.waited.length).toBeGreaterThan(10);
  });

  test('counts calls that are under way, so that a burst does not pass the limit', async () => {
    const clock = patience();
    const budget = new RateBudget(clock);
    await budget.noteAnswer('a', await budget.awaitCall('a'), announced(400));
    await budget.noteAnswer('a', await budget.awaitCall('a'), announced(8));
    for (let i = 0; i < 3; i += 1) await budget.awaitCall('a');
    expect(clock.waited).toEqual([]);
    await budget.awaitCall('a');
    expect(clock.waited.map(Math.round)).toEqual([60]);
  });

  test('keeps addresses apart, and workers together', async () => {
    const clock = patience();
    const [mine, theirs] = [new RateBudget(clock, folder), new RateBudget(clock, folder)];
    await mine.noteAnswer('a', await mine.awaitCall('a'), announced(2));
    await theirs.awaitCall('b');
    expect(clock.waited).toEqual([]);
    await theirs.awaitCall('a');
    expect(clock.waited).toHaveLength(1);
  });

  test('pauses for a minute after a 429, or for as long as was asked', async () => {
    const clock = patience();
    const budget = new RateBudget(clock);
    await budget.noteAnswer('a', undefined, announced(0, 500, 429));
    await budget.awaitCall('a');
    expect(clock.waited[0]).toBeGreaterThan(59);
    await budget.noteAnswer('a', await budget.takeCall('a'), {
      status: 429,
      headers: new Map([['retry-after', '90']]),
    });
    await budget.awaitCall('a');
    expect(clock.waited[1]).toBeGreaterThan(89);
  });

  test('works with a limit that is smaller than the usual reserve', async () => {
    const clock = patience();
    const budget = new RateBudget(clock);
    await budget.noteAnswer('a', await budget.awaitCall('a'), announced(3, 4));
    await budget.noteAnswer('a', await budget.awaitCall('a'), announced(2, 4));
    await budget.awaitCall('a');
    expect(clock.waited).toEqual([]);
  });

  test('leaves their last calls to the other machines of a run', async () => {
    const MACHINES = 8;
    const LIMIT = 100;
    const refusedWhen = async (sharers: number) => {
      let [used, refused, awake] = [0, 0, MACHINES];
      let sleepers: (() => void)[] = [];
      const passWindow = () => {
        if (awake > 0 || sleepers.length === 0) return;
        used = 0;
        awake = sleepers.length;
        for (const wake of sleepers.splice(0)) wake();
      };
      // The window passes when all machines wait for it.
      const sleep = () =>
        new Promise<void>((done) => {
          sleepers = [...sleepers, done];
          awake -= 1;
          passWindow();
        });
      const play = async () => {
        const budget = new RateBudget({ ...patience(), sleep }, undefined, sharers);
        for (let i = 0; i < 40; i += 1) {
          const ticket = await budget.awaitCall('a');
          used += 1;
          if (used > LIMIT) refused += 1;
          const left = Math.max(0, LIMIT - used);
          await new Promise((done) => setImmediate(done));
          await budget.noteAnswer('a', ticket, announced(left, LIMIT));
        }
        awake -= 1;
        passWindow();
      };
      await Promise.all(Array.from({ length: MACHINES }, play));
      return refused;
    };
    expect(await refusedWhen(MACHINES)).toBe(0);
    expect(await refusedWhen(1), 'a machine that takes the address for its own').toBeGreaterThan(0);
  });

  test('calls that leave together are all under way before one is answered, from the first use of an address on', async () => {
    const held: (() => void)[] = [];
    const server = await startStubServer((socket, head) => {
      if (!head.startsWith('POST')) return void socket.write(ROOMY);
      held.push(() => socket.write(ROOMY));
      if (held.length === 3) for (const answer of held) answer();
    });
    const { client, exchanges, close } = openStubClient(stubTarget(server.address), folder);
    try {
      const call = () => client.send({ api: 'v1', method: 'POST', url: `${server.address}/x`, headers: [] });
      const replies = await client.sendTogether('v1', [call, call, call]);
      expect(replies.map(({ status }) => status)).toEqual([200, 200, 200]);
      expect(exchanges().map(({ request }) => request.method)).toEqual(['GET', 'POST', 'POST', 'POST']);
      // One that comes to nothing is not waited for.
      held.splice(0, held.length, () => {});
      const fail = () => Promise.reject(new Error('nothing to send'));
      await expect(client.sendTogether<unknown>('v1', [call, fail, call])).rejects.toThrow('nothing to send');
      expect(held).toHaveLength(3);
    } finally {
      await close();
      await server.close();
    }
  });

  test('calls that leave together wait for no request that finds out what they have to know', async () => {
    const server = await startStubServer((socket) => void socket.write(ROOMY));
    const { client, exchanges, close } = openStubClient(stubTarget(server.address), folder);
    try {
      const ask = (path: string) => client.send({ api: 'v1', method: 'POST', url: server.address + path, headers: [] });
      let known: Promise<unknown> | undefined;
      const call = async () => {
        known ??= findBeforehand(() => ask('/days'));
        await known;
        return ask('/list');
      };
      await client.sendTogether('v1', [call, call, call]);
      const paths = exchanges().map(({ request }) => new URL(request.url).pathname);
      expect(paths.slice(-4)).toEqual(['/days', '/list', '/list', '/list']);
    } finally {
      await close();
      await server.close();
    }
  });

  test('never makes a service with a limit answer 429, four workers at a time', async () => {
    let used = 0;
    let refused = 0;
    const server = await startStubServer((socket) => {
      used += 1;
      if (used > 20) refused += 1;
      const left = Math.max(0, 20 - used);
      socket.write(
        `HTTP/1.1 ${used > 20 ? 429 : 200} X\r\nX-RateLimit-Limit: 20\r\nX-RateLimit-Remaining: ${left}\r\nContent-Length: 2\r\n\r\n{}`,
      );
    });
    // The window passes when somebody waits for it.
    const clock: TargetTime = {
      ...patience(),
      sleep: async () => {
        used = 0;
      },
    };
    // On a machine that has much to do an answer takes its time.
    const target = stubTarget(server.address, undefined, undefined, 30);
    const clients = Array.from({ length: 4 }, () => new RateBudget(clock, folder));
    const transport = openStubClient(target, folder);
    await Promise.all(
      clients.map(async (budget) => {
        for (let i = 0; i < 15; i += 1) {
          const ticket = await budget.awaitCall(server.address);
          const { Transport } = await import('./transport.ts');
          const wire = new Transport(target);
          const answer = await wire.send({ method: 'GET', url: `${server.address}/x`, headers: [] });
          await budget.noteAnswer(server.address, ticket, answer);
          await wire.close();
        }
      }),
    );
    expect(server.heads).toHaveLength(60);
    expect(refused).toBe(0);
    await transport.close();
    await server.close();
  });
});

const json = (body: unknown, status = 200, head = ''): string => {
  const text = JSON.stringify(body);
  return `HTTP/1.1 ${status} X\r\nContent-Type: application/json\r\n${head}Content-Length: ${Buffer.byteLength(text)}\r\n\r\n${text}`;
};
const ok: StubBehaviour = (socket) => void socket.write(json({}));
const pay = (address: string, money: number, operation = 'sale') => ({
  api: 'gateway' as const,
  operation,
  method: 'POST',
  url: `${address}/payments/${operation}/1`,
  headers: [],
  body: Buffer.from('{}'),
  money,
});

test('a 429 that others caused breaks the check instead of judging the service', async () => {
  const server = await startStubServer((socket) => void socket.write(json({ status: false }, 429)));
  const { client, close } = openStubClient(stubTarget(server.address));
  const call = {
    api: 'v1' as const,
    operation: 'getAuth',
    method: 'GET',
    url: `${server.address}/api/v1/auth`,
    headers: [],
  };
  await expect(client.send(call)).rejects.toThrow(UnarrangedError);
  expect((await client.send({ ...call, unmetered: true })).status).toBe(429);
  await close();
  await server.close();
});

test.describe('money', () => {
  test('stops at the cap on calls, before sending', async () => {
    const server = await startStubServer(ok);
    const { client, close } = openStubClient(stubTarget(server.address, '', '{ calls: 2, total: 1000 }'));
    await client.send(pay(server.address, 100));
    await client.send(pay(server.address, 100, 'auth'));
    await expect(client.send(pay(server.address, 100))).rejects.toMatchObject({
      code: 'cost',
      message: expect.stringMatching(/2 calls.*manners\.money\.calls/),
    });
    await client.send(pay(server.address, 100, 'status'));
    expect(server.heads).toHaveLength(3);
    await close();
    await server.close();
  });

  test('stops at the cap on the sum, and a smaller payment still goes', async () => {
    const server = await startStubServer(ok);
    const { client, close } = openStubClient(stubTarget(server.address, '', '{ calls: 100, total: 25 }'));
    await client.send(pay(server.address, 1000));
    await client.send(pay(server.address, 1000));
    await expect(client.send(pay(server.address, 1000))).rejects.toThrow(UnofferedError);
    await client.send(pay(server.address, 500));
    expect(server.heads).toHaveLength(3);
    await close();
    await server.close();
  });

  test('is counted for all workers together', async () => {
    const server = await startStubServer(ok);
    const target = stubTarget(server.address, '', '{ calls: 1, total: 1000 }');
    const [one, two] = [openStubClient(target, folder), openStubClient(target, folder)];
    await one.client.send(pay(server.address, 100));
    await expect(two.client.send(pay(server.address, 100))).rejects.toThrow(UnofferedError);
    await Promise.all([one.close(), two.close()]);
    await server.close();
  });
});

test('a lock is given to one at a time, and taken over from the dead', async () => {
  const free = await acquireLock(folder);
  let second = false;
  const waiting = acquireLock(folder, 5).then((give) => {
    second = true;
    give();
  });
  await new Promise((done) => setTimeout(done, 50));
  expect(second).toBe(false);
  free();
  await waiting;
  expect(second).toBe(true);
});

test.describe('taking back', () => {
  /** A v1 service that keeps documents and one webhook configuration. */
  function service(start: Record<string, unknown> | undefined, mute = false) {
    const documents = new Map([['u-theirs', 'passport.png']]);
    let hook = start;
    const puts: Record<string, unknown>[] = [];
    let serial = 0;
    const behave: StubBehaviour = (socket, head) => {
      const [method, path = ''] = head.split(' ');
      if (path.includes('/documents/') && method === 'DELETE') {
        documents.delete(path.split('/').at(-1)!);
        socket.write('HTTP/1.1 204 X\r\n\r\n');
      } else if (path.includes('/documents') && method === 'POST') {
        serial += 1;
        documents.set(`u-${serial}`, `assay-${serial}.png`);
        if (mute) socket.destroy();
        else socket.write('HTTP/1.1 200 X\r\nContent-Length: 0\r\n\r\n');
      } else if (path.includes('/documents'))
        socket.write(json([...documents].map(([uuid, file_name]) => ({ uuid, file_name }))));
      else if (method === 'GET') socket.write(hook === undefined ? json({}, 404) : json(hook));
      else {
        hook = { url: 'https://checks.example/assay-1', is_active: true, name: null, description: null };
        puts.push(hook);
        if (mute) socket.destroy();
        else socket.write(json(hook));
      }
    };
    return { behave, documents, puts };
  }
  const call = (address: string, operation: string, method: string, path: string, body?: unknown) => ({
    api: 'v1' as const,
    operation,
    method,
    url: `${address}/api/v1${path}`,
    headers: [['authorization', 'Bearer token-of-the-stub']] as const,
    ...(body === undefined ? {} : { body: Buffer.from(JSON.stringify(body)) }),
  });
  const DOCUMENTS = '/customers/c/accounts/a/documents';

  for (const shared of [false, true]) {
    test(`deletes the documents that were uploaded and no others${shared ? ', when another process asks' : ''}`, async () => {
      const v1 = service(undefined);
      const server = await startStubServer(v1.behave);
      const target = stubTarget(server.address);
      const state = shared ? folder : undefined;
      const { client, close } = openStubClient(target, state);
      await client.send(call(server.address, 'uploadDocument', 'POST', DOCUMENTS, { file_name: 'assay-1.png' }));
      await client.send(call(server.address, 'uploadDocument', 'POST', DOCUMENTS, { file_name: 'assay-2.png' }));
      await close();
      expect(v1.documents.size).toBe(3);
      const returned = await takeBackObjects(shared ? stubTarget(server.address) : target, state);
      expect(returned).toEqual([
        { what: 'document', id: 'u-1', restored: true },
        { what: 'document', id: 'u-2', restored: true },
      ]);
      expect([...v1.documents.keys()]).toEqual(['u-theirs']);
      expect(await takeBackObjects(target, state)).toEqual([]);
      await server.close();
    });
  }

  test('takes back what was done although no answer said so', async () => {
    const v1 = service({ url: 'https://shop.example/hook', is_active: true, name: 'shop', description: null }, true);
    const server = await startStubServer(v1.behave);
    const target = stubTarget(server.address);
    const known = { ...target, v1: { ...target.v1!, webhookToken: 'webhook-token-before' } };
    const { client, close } = openStubClient(known, folder);
    const upload = call(server.address, 'uploadDocument', 'POST', DOCUMENTS, { file_name: 'assay-1.png' });
    await expect(client.send(upload)).rejects.toThrow(NoAnswerError);
    await client.send(call(server.address, 'readWebhook', 'GET', '/webhooks'));
    await expect(client.send(call(server.address, 'replaceWebhook', 'PUT', '/webhooks', {}))).rejects.toThrow(
      NoAnswerError,
    );
    await close();
    const returned = await takeBackObjects(known, folder);
    expect([...v1.documents.keys()]).toEqual(['u-theirs']);
    expect(returned[0]).toEqual({ what: 'document', id: 'u-1', restored: true });
    expect(server.heads.at(-1)).toMatch(/^PUT \/api\/v1\/webhooks /);
    await server.close();
  });

  test('says nothing of what was asked for and refused', async () => {
    const server = await startStubServer((socket) => void socket.write(json({ message: 'NOT_FOUND' }, 404)));
    const target = stubTarget(server.address);
    const { client, close } = openStubClient(target, folder);
    await client.send(call(server.address, 'uploadDocument', 'POST', DOCUMENTS, { file_name: 'assay-1.png' }));
    await client.send(call(server.address, 'replaceWebhook', 'PUT', '/webhooks', {}));
    await close();
    expect(await takeBackObjects(target, folder)).toEqual([]);
    await server.close();
  });

  test('puts a webhook configuration back with the token of the target file', async () => {
    const before = { url: 'https://shop.example/hook', is_active: true, name: 'shop', description: null };
    const v1 = service(before);
    const server = await startStubServer(v1.behave);
    const target = stubTarget(server.address);
    const known = { ...target, v1: { ...target.v1!, webhookToken: 'webhook-token-before' } };
    const { client, close } = openStubClient(known, folder);
    await client.send(call(server.address, 'readWebhook', 'GET', '/webhooks'));
    await client.send(call(server.address, 'replaceWebhook', 'PUT', '/webhooks', {}));
    await close();
    expect(await takeBackObjects(known, folder)).toEqual([{ what: 'webhook', id: 'configuration', restored: true }]);
    expect(server.heads.at(-1)).toMatch(/^PUT \/api\/v1\/webhooks /);
    await server.close();
  });

  test('says so when it cannot be put back', async () => {
    const v1 = service({ url: 'https://shop.example/hook', is_active: true });
    const server = await startStubServer(v1.behave);
    const target = stubTarget(server.address);
    const { client, close } = openStubClient(target, folder);
    await client.send(call(server.address, 'readWebhook', 'GET', '/webhooks'));
    await client.send(call(server.address, 'replaceWebhook', 'PUT', '/webhooks', {}));
    await close();
    const [one] = await takeBackObjects(target, folder);
    expect(one).toMatchObject({ what: 'webhook', restored: false, reason: expect.stringContaining('v1.webhookToken') });
    await server.close();
  });

  test('leaves alone what nobody changed, and survives a host that is gone', async () => {
    const v1 = service({ url: 'https://shop.example/hook', is_active: true });
    const server = await startStubServer(v1.behave);
    const target = stubTarget(server.address);
    const { client, close } = openStubClient(target, folder);
    await client.send(call(server.address, 'readWebhook', 'GET', '/webhooks'));
    expect(await takeBackObjects(target, folder)).toEqual([]);
    expect(v1.puts).toEqual([]);
    await client.send(call(server.address, 'uploadDocument', 'POST', DOCUMENTS, { file_name: 'assay-1.png' }));
    await close();
    await server.close();
    expect(await takeBackObjects(target, folder)).toMatchObject([{ what: 'document', restored: false }]);
  });
});

test.describe('control', () => {
  test('fills address, headers and body, and reads the time in three forms', async () => {
    for (const now of ['"2030-01-02T03:04:05.000Z"', '1893553445', '1893553445000']) {
      const server = await startStubServer((socket) => void socket.write(json({ clock: JSON.parse(now) })));
      const target = stubTarget(
        server.address,
        `control:\n  now: { url: "${server.address}/clock", method: GET, read: /clock }\n` +
          `  later: { url: "${server.address}/orders/\${orderSystemId}", headers: { x-key: env:W }, body: { to: "\${state}" } }\n`,
      );
      expect(await createTargetTime(target).now()).toBe(Date.parse('2030-01-02T03:04:05Z'));
      await performControl(target, 'later', { orderSystemId: '../a b', state: 'APPROVED' });
      expect(server.heads[1]).toMatch(/^POST \/orders\/\.\.%2Fa%20b HTTP/);
      expect(server.heads[1]).toContain('x-key: webhook-token-before');
      expect(target.secrets).toContain('webhook-token-before');
      await server.close();
    }
  });

  test('says what is missing, and what was refused', async () => {
    const server = await startStubServer((socket) => void socket.write(json({ message: 'no' }, 400)));
    const target = stubTarget(server.address, `control: { advance: { url: "${server.address}/clock" } }\n`);
    await expect(performControl(target, 'chargeback', {})).rejects.toThrow(/control\.chargeback/);
    await expect(createTargetTime(target).sleep(5)).rejects.toThrow(/refused: 400/);
    await server.close();
  });
});
