import { connect } from 'node:net';
import { expect, test } from '@playwright/test';
import { type Sandbox, startSandbox } from '../start-sandbox.ts';
import { GatewaySandboxClient, type WireResponse } from './gateway-sandbox-client.test-support.ts';

let sandbox: Sandbox;
let wire: GatewaySandboxClient;

test.beforeAll(async () => {
  sandbox = await startSandbox({ control: true, seed: 'bad input' });
  wire = new GatewaySandboxClient(sandbox);
});
test.afterAll(() => sandbox.close());
test.afterEach(async () => {
  expect((await wire.sale()).body.orderState, 'still serves').toBe('APPROVED');
});

function expectError(came: WireResponse, status = 400): void {
  expect(came.status).toBe(status);
  expect(came.type).toBe('application/json; charset=utf-8');
  expect(came.body).toMatchObject({ errorCode: expect.any(Number), errorMessage: expect.any(String) });
  expect(came.body.errorCorrelationId).toMatch(/^[\da-f-]{36}$/);
}

const bodies: Record<string, string | undefined> = {
  'no body': undefined,
  'an empty body': '',
  'half an object': '{"order": {',
  'an array': '[]',
  'a string': '"sale"',
  null: 'null',
  'a number out of range': '1e999',
  'a byte order mark': '\uFEFF{}',
  'deep nesting': `${'['.repeat(200_000)}`,
  'deep nesting, closed': `{"order":${'['.repeat(50_000)}${']'.repeat(50_000)}}`,
  'deep objects': `${'{"a":'.repeat(50_000)}1${'}'.repeat(50_000)}`,
  'a body of 10 MB': JSON.stringify({ filler: 'x'.repeat(10 * 1024 * 1024) }),
  'a body of 20 MB': JSON.stringify({ filler: 'x'.repeat(20 * 1024 * 1024) }),
  'prototype names': '{"__proto__":{"order":{"orderAmount":"1"},"browser":{}},"constructor":{},"toString":1}',
};

for (const [name, body] of Object.entries(bodies)) {
  test(`answers ${name} with the documented error`, async () => {
    expectError(await wire.send('/payments/sale/1001', body));
  });
}

const fields: Record<string, [string, Record<string, unknown>]> = {
  'an amount of zero': ['order', { orderAmount: '0' }],
  'a negative amount': ['order', { orderAmount: '-1' }],
  'an amount finer than the currency': ['order', { orderAmount: '1.001' }],
  'an amount with an exponent': ['order', { orderAmount: '1e3' }],
  'an endless amount': ['order', { orderAmount: '9'.repeat(400) }],
  'an amount that is an object': ['order', { orderAmount: { toString: 1 } }],
  'an unknown currency': ['order', { orderAmount: '1', orderCurrencyCode: 'XYZ' }],
  'a currency that is a list': ['order', { orderAmount: '1', orderCurrencyCode: ['EUR'] }],
  'a card without number': ['card', { cvv2: '123', expireMonth: '1', expireYear: '2099' }],
  'a card number in words': ['card', { cardNumber: 'four', expireMonth: '1', expireYear: '2099' }],
  'a thirteenth month': ['card', { cardNumber: '5555444433331111', expireMonth: '13', expireYear: '2099' }],
  'a code in words': ['card', { cardNumber: '5555444433331111', cvv2: 'abc', expireMonth: '1', expireYear: '2099' }],
};

for (const [name, [field, value]] of Object.entries(fields)) {
  test(`refuses ${name}`, async () => {
    expectError(await wire.sale('approved', { [field]: value }));
  });
}

for (const amount of ['1', '1.00', '1.0', 1, '11.7', 11.7]) {
  test(`takes the amount ${JSON.stringify(amount)}`, async () => {
    const order = { orderAmount: amount, orderCurrencyCode: 'EUR' };
    const sale = await wire.sale('approved', { order });
    expect(sale.body.orderAmount).toBe(Number(amount).toFixed(2));
  });
}

test('writes amounts with the decimals of their currency', async () => {
  const yen = await wire.sale('approved', { order: { orderAmount: '1200', orderCurrencyCode: 'JPY' } });
  const dinar = await wire.sale('approved', { order: { orderAmount: '1.234', orderCurrencyCode: 'KWD' } });
  expect([yen.body.orderAmount, dinar.body.orderAmount]).toEqual(['1200', '1.234']);
  expectError(await wire.sale('approved', { order: { orderAmount: '1.5', orderCurrencyCode: 'JPY' } }));
});

test('refuses other media types, takes JSON with or without a charset or a type at all', async () => {
  const body = JSON.stringify(wire.paying('approved'));
  for (const type of ['text/plain', 'application/x-www-form-urlencoded', 'multipart/form-data; boundary=x', 'nonsense'])
    expectError(await wire.send('/payments/sale/1001', body, { headers: { 'content-type': type } }));
  for (const type of ['application/json; charset=utf-8', 'application/merge-patch+json', 'Application/JSON'])
    expect((await wire.send('/payments/sale/1001', body, { headers: { 'content-type': type } })).status).toBe(200);
});

test('answers other methods and paths with a plain 4xx', async () => {
  for (const method of ['GET', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'])
    expectError(await wire.send('/payments/sale/1001', undefined, { method }), 405);
  for (const path of ['/payments/sale', '/nothing', '/../../etc/passwd', '/payments//1001', '/%'])
    expect((await wire.send(path, '{}')).status, path).toBeGreaterThanOrEqual(400);
});

test('takes the last path segment for a number only when it is one', async () => {
  for (const segment of ['abc', '12a', '1.5', '-1', '0x3e9', '%20', '1e3', '99999999999999999999', 'NaN', '%00', '١٢'])
    expect(
      (await wire.send(`/payments/sale/${encodeURI(segment).replaceAll('%25', '%')}`, '{}')).body.errorCode,
      segment,
    ).toBe(-5);
});

test('survives requests that are cut, raw or too large in their head', async () => {
  const { port } = new URL(sandbox.addresses.gateway);
  const raw = (text: string) =>
    new Promise<string>((resolve) => {
      let came = '';
      const socket = connect(Number(port), '127.0.0.1', () => socket.write(text));
      socket.on('data', (chunk) => {
        came += chunk;
      });
      socket.on('close', () => resolve(came));
      socket.on('error', () => resolve(came));
      setTimeout(() => socket.destroy(), 300);
    });
  const head = 'POST /api/payments/sale/1001 HTTP/1.1\r\nHost: x\r\n';
  expect(await raw('BREW /pot HTTP/1.1\r\n\r\n')).toMatch(/^HTTP\/1.1 400|^$/);
  expect(await raw(`${head}Content-Length: 100\r\n\r\n{"order"`)).toBe('');
  expect(await raw(`${head}Content-Length: 2\r\nContent-Length: 3\r\n\r\n{}`)).toMatch(/^HTTP\/1.1 400/);
  expect(await raw(`${head}X: ${'x'.repeat(70_000)}\r\n\r\n`)).toMatch(/^HTTP\/1.1 431/);
  expect(
    await raw(
      `${head}Authorization: Bearer a\r\nAuthorization: Bearer b\r\nConnection: close\r\nContent-Length: 2\r\n\r\n{}`,
    ),
  ).toContain('Access token not found');
});

test('never shows an order of another requestor', async () => {
  const sale = await wire.sale('approved', { orderMerchantId: 'private-1' });
  const token = wire.credentials.second.token;
  const identifiers = [
    { orderSystemId: sale.body.orderSystemId },
    { orderMerchantId: 'private-1' },
    { byCorrelationId: sale.body.correlationId },
  ];
  for (const identifier of identifiers) {
    const found = await wire.post('/payments/status/1002', identifier, { token });
    expect(found.body).toMatchObject({ orderState: 'UNKNOWN', errorCode: -27 });
    expect(found.body.orderAmount).toBeUndefined();
  }
  const { orderSystemId } = sale.body;
  expectError(await wire.post('/payments/capture/1002', { orderSystemId }, { token }));
  expectError(await wire.post('/payments/reversal/1002', { orderSystemId, reversalReason: 'x' }, { token }));
  expectError(await wire.post('/recurring/register-cards/1002', { orderSystemId }, { token }));
});

test('finds an order by its id as a number and as text, in either place of the own id', async () => {
  const sale = await wire.sale('approved', {
    orderMerchantId: 'beside',
    order: { orderAmount: '1', orderMerchantId: 'inside' },
  });
  const inside = await wire.sale('approved', { order: { orderAmount: '1', orderMerchantId: 'only-inside' } });
  const ask = (body: unknown) => wire.post('/payments/status/1001', body);
  expect((await ask({ orderSystemId: String(sale.body.orderSystemId) })).body.orderMerchantId).toBe('beside');
  expect((await ask({ orderMerchantId: 'only-inside' })).body.orderSystemId).toBe(inside.body.orderSystemId);
  expectError(await ask({ orderSystemId: 'abc' }));
  expectError(await ask({}));
});
