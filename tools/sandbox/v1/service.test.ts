import { connect } from 'node:net';
import { test as base, expect } from '@playwright/test';
import { startSandbox } from '../index.ts';
import { startReceiver, V1SandboxClient, type V1SandboxReply } from './v1-sandbox-client.test-support.ts';

const test = base.extend<{ client: V1SandboxClient }>({
  client: async ({}, use) => {
    const sandbox = await startSandbox({ control: true, seed: 'service' });
    await use(new V1SandboxClient(sandbox));
    await sandbox.close();
  },
});

const REQUEST_ID = '11111111-2222-4333-8444-555555555555';

/** The documented error shape, with the rate headers that every answer has. */
function expectError({ status, headers, body }: V1SandboxReply, expected: number): void {
  expect(status).toBe(expected);
  expect(headers.get('content-type')).toBe('application/json; charset=utf-8');
  expect(headers.get('x-ratelimit-limit')).toBe('500');
  expect(headers.get('x-ratelimit-remaining')).toMatch(/^\d+$/);
  expect(body).toMatchObject({ status: false, status_code: expected, message: expect.any(String) });
  const texts = expected === 422 ? Object.values(body.errors).flat() : body.errors;
  expect(texts).toEqual(expect.arrayContaining([expect.any(String)]));
}

/** Writes bytes to the service and gives everything that comes back. */
function wire(client: V1SandboxClient, bytes: string): Promise<string> {
  const { hostname, port } = new URL(client.sandbox.addresses.v1);
  return new Promise((resolve, reject) => {
    let seen = '';
    const socket = connect(Number(port), hostname, () => socket.write(bytes));
    socket.on('data', (chunk) => {
      seen += chunk;
    });
    socket.on('close', () => resolve(seen));
    socket.on('error', reject);
  });
}

test('the same seed gives the same identifiers', async ({ client }) => {
  const other = await startSandbox({ seed: 'service' });
  try {
    expect(other.credentials.v1).toEqual(client.sandbox.credentials.v1);
    expect((await new V1SandboxClient(other).create()).body.uuid).toBe((await client.create()).body.uuid);
  } finally {
    await other.close();
  }
});

test.describe('bad input', () => {
  for (const [name, raw] of Object.entries({
    'broken JSON': '{"amount": 1',
    'no JSON at all': 'amount=1',
    'a JSON array': '[]',
    'a JSON number': '7',
    'a JSON null': 'null',
    'an empty body': '',
    'arrays nested 100000 deep': `{"recipient": ${'['.repeat(100_000)}${']'.repeat(100_000)}}`,
    'objects nested 100000 deep': `{"payer": ${'{"a":'.repeat(100_000)}1${'}'.repeat(100_000)}}`,
    'a prototype in the body': '{"__proto__": {"amount": 1}, "constructor": 1}',
  })) {
    test(`${name} is refused in the documented shape`, async ({ client }) => {
      expectError(await client.send('POST', `transactions?account_uuid=${client.account}`, { raw }), 422);
      expectError(await client.send('POST', 'webhooks', { raw }), 422);
      expectError(await client.send('POST', client.documents, { raw }), 422);
      expect((await client.list()).body.transactions).toEqual([]);
    });
  }

  test('bytes that are no UTF-8 are refused', async ({ client }) => {
    const response = await fetch(`${client.sandbox.addresses.v1}/api/v1/webhooks`, {
      method: 'POST',
      headers: { authorization: `Bearer ${client.sandbox.credentials.v1.token}`, 'content-type': 'application/json' },
      body: Buffer.from([0x7b, 0x22, 0xff, 0xfe, 0x22, 0x3a, 0x31, 0x7d]),
    });
    expect(response.status).toBe(422);
  });

  for (const media of [
    'text/plain',
    'application/x-www-form-urlencoded',
    'multipart/form-data; boundary=x',
    'nonsense',
  ]) {
    test(`${media} is refused`, async ({ client }) => {
      const body = { account_uuid: client.account, amount: 1, payment_code: 'x' };
      const reply = await client.send('POST', `transactions?account_uuid=${client.account}`, {
        body,
        headers: { 'content-type': media },
      });
      expectError(reply, 422);
    });
  }

  test('a body of 10 MB is read, one of 20 MB is not, and the service goes on', async ({ client }) => {
    const content = 'A'.repeat(10 * 1024 * 1024);
    expect((await client.upload({ attachment: { content } })).status).toBe(200);
    const [first] = await Promise.allSettled([client.upload({ attachment: { content: content + content } })]);
    if (first.status === 'fulfilled') expectError(first.value, 413);
    expect((await client.send('GET', client.documents)).body).toHaveLength(1);
  });

  test('unknown methods and paths are answered 404 in the documented shape', async ({ client }) => {
    for (const method of ['PATCH', 'DELETE', 'OPTIONS', 'PUT']) expectError(await client.send(method, 'auth'), 404);
    for (const path of [
      '/',
      '/api/v1',
      '/api/v1/',
      '/api/v2/auth',
      '/api/v1/AUTH',
      '/api/v1/auth/',
      '/api/v1/%zz',
      '/api/v1/%00',
    ])
      expectError(await client.send('GET', path), 404);
    expectError(await client.send('GET', `transactions/${'x'.repeat(3000)}?account_uuid=${client.account}`), 404);
    const head = await wire(client, 'HEAD /api/v1/auth HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n');
    expect(head).toMatch(/^HTTP\/1\.1 404 /);
    expect(await wire(client, 'BREW /api/v1/auth HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n')).toMatch(
      /^HTTP\/1\.1 4\d\d /,
    );
  });

  test('of two Authorization headers the first one counts', async ({ client }) => {
    const [right, wrong] = [client.sandbox.credentials.v1.token, 'wrong'];
    for (const [one, other, status] of [
      [right, wrong, 200],
      [wrong, right, 401],
    ] as const) {
      const lines = [`authorization: Bearer ${one}`, `authorization: Bearer ${other}`, 'host: x', 'connection: close'];
      const seen = await wire(client, `GET /api/v1/auth HTTP/1.1\r\n${lines.join('\r\n')}\r\n\r\n`);
      expect(seen).toContain(`HTTP/1.1 ${status} `);
    }
  });

  test('an aborted upload leaves nothing behind and the service goes on', async ({ client }) => {
    const { hostname, port } = new URL(client.sandbox.addresses.v1);
    await new Promise<void>((resolve) => {
      const socket = connect(Number(port), hostname, () => {
        const head = `POST /api/v1/${client.documents} HTTP/1.1\r\nhost: x\r\nauthorization: Bearer ${client.sandbox.credentials.v1.token}`;
        socket.write(`${head}\r\ncontent-type: application/json\r\ncontent-length: 1000\r\n\r\n{"type"`, () => {
          socket.destroy();
          resolve();
        });
      });
    });
    expect((await client.send('GET', client.documents)).body).toEqual([]);
  });

  for (const authorization of ['', 'Bearer', 'Bearer ', 'Basic dGVzdA==', 'Bearer a b', 'Token x']) {
    test(`Authorization "${authorization}" is a missing or invalid token`, async ({ client }) => {
      expectError(await client.send('GET', 'auth', { token: null, headers: { authorization } }), 401);
    });
  }

  const broken: [field: string, value: unknown][] = [
    ['account_uuid', 5],
    ['amount', '10.00'],
    ['amount', null],
    ['amount', 1e-7],
    ['payer', 'someone'],
    ['payer', []],
    ['recipient', null],
    ['recipient.name', { name: 7 }],
    ['recipient.bank', { bank: 'x' }],
    ['recipient.bank.bic', { bank: { bic: [] } }],
    ['recipient.ultimate.name', { ultimate: { name: true } }],
    ['payment_details', 7],
    ['payment_code', {}],
    ['end_to_end_ident', false],
    ['payment_type', 1],
    ['payment_type', ''],
  ];
  for (const [field, value] of broken) {
    test(`${field} as ${JSON.stringify(value)} is refused by name`, async ({ client }) => {
      const reply = await client.create({ [field.split('.')[0]!]: value });
      expectError(reply, 422);
      expect(Object.keys(reply.body.errors)).toEqual([field]);
      expect((await client.list()).body.transactions).toEqual([]);
    });
  }

  test('every broken field of a body is named', async ({ client }) => {
    const reply = await client.webhook('PUT', { url: 'x', token: 'short', name: 1, description: 2, is_active: 'yes' });
    expect(Object.keys(reply.body.errors).sort()).toEqual(['description', 'is_active', 'name', 'token', 'url']);
  });

  for (const query of [
    'per_page=x',
    'per_page=1.5',
    'per_page=',
    'page=x',
    'sort=secret',
    'direction=up',
    'date_from=x',
  ]) {
    test(`a list with ${query} is refused by name`, async ({ client }) => {
      const reply = await client.list(query);
      expectError(reply, 422);
      expect(Object.keys(reply.body.errors)).toEqual([query.split('=')[0]]);
    });
  }
});

test.describe('transactions', () => {
  test('a transfer shows what was sent, when it was made, and who pays', async ({ client }) => {
    const recipient = {
      name: 'Example Recipient',
      iban: 'DE89370400440532013000',
      address: '1 Example Street',
      country_code: 'DE',
      ultimate: { name: 'Example Beneficiary' },
      bank: { bic: 'COBADEFFXXX', name: 'Example Bank', address: '2 Example Street', country_code: 'DE' },
    };
    const before = Math.floor(Date.now() / 1000);
    const { status, body } = await client.create({ recipient, payment_code: 'SALA', payment_type: 'swift' });
    expect(status).toBe(201);
    expect(body).toMatchObject({
      status: 'pending',
      amount: 10.25,
      currency: 'EUR',
      payment_type: 'SWIFT',
      payment_details: 'Invoice 42',
      payment_code: 'SALA',
      end_to_end_ident: null,
      payer: { name: 'First Account Holder' },
      recipient: { name: 'Example Recipient', agency_id: 'COBADEFFXXX', ultimate: { name: 'Example Beneficiary' } },
    });
    expect(body.created_at).toBeGreaterThanOrEqual(before);
    expect(body.operation_date_unix).toBe(Math.floor(Date.parse(body.operation_date_time) / 1000));
    expect(body.operation_date).toBe(body.operation_date_time.slice(0, 10));
    expect(body).not.toHaveProperty('aml_status');
    expect((await client.read(body.uuid)).body).toEqual(body);
    expect((await client.list()).body).toEqual({ account: { uuid: client.account }, transactions: [body] });
  });

  test('another account has neither the transaction nor a place for it in its history', async ({ client }) => {
    const { uuid } = (await client.create()).body;
    expectError(await client.send('GET', `transactions/${uuid}?account_uuid=${client.second}`), 404);
    const { transactions } = (await client.list('', client.second)).body;
    expect(transactions.map((one: { uuid: string }) => one.uuid)).not.toContain(uuid);
  });

  test('the account of the body has to be that of the query', async ({ client }) => {
    const reply = await client.create({ account_uuid: client.second });
    expectError(reply, 422);
    expect(reply.body.errors).toHaveProperty('account_uuid');
  });

  test('a repetition answers with the same transaction; a refused request may be mended under the same id', async ({
    client,
  }) => {
    const headers = { 'x-request-id': REQUEST_ID };
    expectError(await client.create({ amount: 0 }, { headers }), 422);
    const replies = await Promise.all(Array.from({ length: 20 }, () => client.create({}, { headers })));
    expect(new Set(replies.map(({ status }) => status))).toEqual(new Set([201]));
    expect(new Set(replies.map(({ body }) => body.uuid)).size).toBe(1);
    expect((await client.list()).body.transactions).toHaveLength(1);
    expect((await client.create({}, { headers: { 'x-request-id': REQUEST_ID.replaceAll('1', '2') } })).status).toBe(
      201,
    );
    expect((await client.list()).body.transactions).toHaveLength(2);
    expectError(await client.create({}, { headers: { 'x-request-id': 'no uuid' } }), 422);
  });

  test('entries of the same second keep their order on every page', async ({ client }) => {
    await client.insert({ count: 250, step: 0, date: '2026-03-02T09:30:00Z' });
    const seen: string[] = [];
    for (const page of [1, 2, 3, 4]) {
      const { transactions } = (await client.list(`per_page=100&page=${page}`)).body;
      seen.push(...transactions.map(({ uuid }: { uuid: string }) => uuid));
    }
    expect(seen).toHaveLength(250);
    expect(new Set(seen).size).toBe(250);
    const up = (await client.list('per_page=100&direction=asc')).body.transactions;
    expect(up.map(({ uuid }: { uuid: string }) => uuid)).toEqual(seen.reverse().slice(0, 100));
  });

  test('the period holds both of its days and nothing beyond', async ({ client }) => {
    for (const date of ['2026-03-01T23:59:59.999Z', '2026-03-02', '2026-03-03T23:59:59.999Z', '2026-03-04']) {
      await client.insert({ date, payment_details: date });
    }
    const query = `account_uuid=${client.account}&date_from=2026-03-02&date_to=2026-03-03&direction=asc`;
    const { transactions } = (await client.send('GET', `transactions?${query}`)).body;
    expect(transactions.map((one: { payment_details: string }) => one.payment_details)).toEqual([
      '2026-03-02',
      '2026-03-03T23:59:59.999Z',
    ]);
  });

  test('the clock of the sandbox dates what is created', async ({ client }) => {
    await client.control('/clock/advance', { seconds: 86_400 * 40 });
    const { created_at } = (await client.create()).body;
    expect(created_at - Date.now() / 1000).toBeGreaterThan(86_400 * 40 - 5);
  });
});

test.describe('webhooks', () => {
  test('nothing to read or replace at first; each user has a configuration of its own', async ({ client }) => {
    expectError(await client.send('GET', 'webhooks'), 404);
    expectError(await client.webhook('PUT'), 404);
    expect((await client.webhook('POST')).body).toMatchObject({ is_active: true, name: null, description: null });
    expectError(await client.send('GET', 'webhooks', { token: client.sandbox.credentials.v1.unprivileged }), 404);
  });

  test('a message that fails comes again with growing pauses, and waits while the configuration is inactive', async ({
    client,
  }) => {
    const to = await startReceiver(500);
    try {
      await client.webhook('POST', { url: to.url });
      await client.create();
      const counts: number[] = [];
      for (const seconds of [0.5, 1, 2, 4, 8]) {
        await client.control('/clock/advance', { seconds });
        counts.push(to.messages.length);
      }
      expect(counts).toEqual([1, 2, 3, 4, 5]);
      await client.webhook('PUT', { url: to.url, is_active: false });
      await client.control('/clock/advance', { seconds: 3600 });
      expect(to.messages).toHaveLength(5);
      await client.webhook('PUT', { url: to.url });
      await client.control('/clock/advance', { seconds: 86_400 });
      expect(to.messages.length).toBeGreaterThan(5);
    } finally {
      await to.close();
    }
  });

  test('the control plane lists what was delivered', async ({ client }) => {
    const to = await startReceiver(500, 202);
    try {
      await client.webhook('POST', { url: to.url });
      const { uuid } = (await client.create()).body;
      await client.control('/clock/advance', { seconds: 5 });
      const { deliveries } = (await (await fetch(`${client.sandbox.addresses.control}/v1/deliveries`)).json()) as {
        deliveries: unknown[];
      };
      expect(deliveries).toMatchObject([
        { family: 'transaction', event: 'transaction.created', settled: true, data: { uuid } },
      ]);
      expect(deliveries).toMatchObject([{ attempts: [{ outcome: 500 }, { outcome: 202, url: to.url }] }]);
      expect(to.messages[1]?.body).toEqual(to.messages[0]?.body);
    } finally {
      await to.close();
    }
  });

  test('a dead receiver harms nobody', async ({ client }) => {
    await client.webhook('POST', { url: 'http://127.0.0.1:1/' });
    await client.create();
    await client.control('/clock/advance', { seconds: 86_400 * 30 });
    expect((await client.list()).body.transactions).toHaveLength(1);
  });
});

test.describe('control plane', () => {
  test('failures come when asked for, in the documented shape', async ({ client }) => {
    for (const status of [400, 500]) {
      await client.control('/v1/failures', { status });
      const reply = await client.send('GET', 'auth');
      expectError(reply, status);
      expect(reply.body.message).toBe('INTERNAL_SERVER_ERROR');
      expect(await client.status('GET', 'auth')).toBe(200);
    }
  });

  test('the count of requests can be forgotten', async ({ client }) => {
    await client.send('GET', 'auth');
    await client.control('/v1/rate/reset');
    expect((await client.send('GET', 'auth')).headers.get('x-ratelimit-remaining')).toBe('499');
  });

  test('wrong orders are refused', async ({ client }) => {
    await expect(client.control('/v1/transactions', { date: 'x' })).rejects.toThrow('400');
    await expect(client.control('/v1/transactions', { count: 0 })).rejects.toThrow('400');
    await expect(client.control('/v1/transactions', { account_uuid: 'x' })).rejects.toThrow('400');
    await expect(client.control('/v1/transactions/x/status', { status: 'completed' })).rejects.toThrow('404');
    await expect(client.control('/v1/transactions/x/status', {})).rejects.toThrow('400');
    await expect(client.control('/v1/events', { family: 'weather' })).rejects.toThrow('400');
    await expect(client.control('/v1/failures', { status: 418 })).rejects.toThrow('400');
  });

  test('reset forgets everything', async ({ client }) => {
    await client.create({}, { headers: { 'x-request-id': REQUEST_ID } });
    await client.upload();
    await client.webhook('POST');
    await client.control('/reset');
    expect((await client.list()).body.transactions).toEqual([]);
    expect((await client.send('GET', client.documents)).body).toEqual([]);
    expect(await client.status('GET', 'webhooks')).toBe(404);
    await client.create({}, { headers: { 'x-request-id': REQUEST_ID } });
    expect((await client.list()).body.transactions).toHaveLength(1);
  });
});
