import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, test } from '@playwright/test';
import { findLeaks } from '#evidence';
import { type LoggedExchange, type Sandbox, startSandbox } from '#sandbox';
import { createSandboxLog, type SandboxLog } from './sandbox-log.ts';

const CARD = '4000000000000101';
let sandbox: Sandbox;
let log: SandboxLog;

test.beforeEach(async () => {
  log = createSandboxLog();
  sandbox = await startSandbox({ control: true, seed: 'log', log, observe: log.observe });
});
test.afterEach(() => sandbox.close());

/** The log of the control plane, once it holds so many. */
async function exchanges(count: number): Promise<LoggedExchange[]> {
  const read = async () =>
    ((await (await fetch(`${sandbox.addresses.control}/log`)).json()) as { exchanges: LoggedExchange[] }).exchanges;
  await expect.poll(async () => (await read()).length).toBe(count);
  return read();
}

const pay = (more: object = {}, path = 'sale') =>
  fetch(`${sandbox.addresses.gateway}/payments/${path}/1001?access_token=${sandbox.credentials.gateway.main.token}`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${sandbox.credentials.gateway.main.token}`,
      'content-type': 'application/json',
    },
    body: JSON.stringify({
      order: { orderAmount: '10', orderCurrencyCode: 'EUR', orderDescription: `paid with ${CARD}` },
      browser: {},
      card: { cardNumber: CARD, cvv2: '872', expireMonth: '10', expireYear: '2099' },
      ...more,
    }),
  });

test('keeps request and answer of both services, with every secret taken out', async () => {
  await pay();
  await fetch(`${sandbox.addresses.v1}/api/v1/auth`, {
    headers: { authorization: `Bearer ${sandbox.credentials.v1.token}` },
  });
  const [sale, auth] = await exchanges(2);
  expect(sale).toMatchObject({ number: 1, api: 'gateway', message: 'request', response: { status: 200 } });
  expect(sale!.request.body).toContain('"orderAmount":"10"');
  expect(sale!.response!.body).toContain('threeDSAuth');
  expect(auth).toMatchObject({ number: 2, api: 'v1', response: { status: 200 } });
  const text = JSON.stringify([sale, auth]);
  expect(text).not.toMatch(/(?<!\d)872(?!\d)/);
  for (const secret of [CARD, sandbox.credentials.gateway.main.token, sandbox.credentials.v1.token])
    expect(text, secret).not.toContain(secret);
  expect(findLeaks('log', text)).toEqual([]);
});

test('keeps what was typed on the hosted form only as far as it may', async () => {
  const { outputRedirectToUrl } = (await (await pay({ customer: {} }, 'sale-form')).json()) as Record<string, string>;
  await fetch(outputRedirectToUrl!, {
    method: 'POST',
    redirect: 'manual',
    body: new URLSearchParams({ cardNumber: CARD, cvv2: '872', expireMonth: '10', expireYear: '2099', action: 'pay' }),
  });
  const [, typed] = await exchanges(2);
  expect(typed!.request.body).toContain('expireYear=2099');
  expect(JSON.stringify(typed)).not.toMatch(new RegExp(`${CARD}|872`));
});

test('keeps what is sent to receivers, and why one did not take it', async () => {
  const server = createServer((_request, answer) => answer.writeHead(503).end());
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  const webhookUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}/told`;
  await pay({
    card: { cardNumber: '5555444433331111', cvv2: '123', expireMonth: '10', expireYear: '2099' },
    urls: { webhookUrl },
  });
  const [, sent] = await exchanges(2);
  expect(sent).toMatchObject({
    message: 'orderCallback',
    request: { method: 'POST', url: webhookUrl, body: expect.stringContaining('APPROVED') },
    response: { status: 503 },
  });
  server.close();
  await fetch(`${sandbox.addresses.control}/clock/advance`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: '{"seconds":2}',
  });
  expect((await exchanges(3)).at(-1)).toMatchObject({ failure: 'ECONNREFUSED' });
});

test('remembers the latest five hundred, gives what is new, and cuts what is long', async () => {
  const { observe, since } = log;
  const take = (body: string) => {
    const request = { method: 'GET', url: 'http://127.0.0.1:1/', headers: [], body: Buffer.from(body) };
    observe({ api: 'v1', message: 'request', at: 0, wallTime: 0, duration: 1, request });
  };
  for (let number = 1; number < 510; number += 1) take('short');
  take(`${'lorem ipsum '.repeat(682)}${CARD.repeat(100)}`);
  await expect.poll(() => since(0).at(-1)?.number).toBe(510);
  expect(since(0)).toHaveLength(500);
  expect(since(508).map(({ number }) => number)).toEqual([509, 510]);
  const { body = '' } = since(509)[0]!.request;
  expect([body.length > 8000, body.length < 8200, body.endsWith('…'), /\d/.test(body)]).toEqual([
    true,
    true,
    true,
    false,
  ]);
});
