import { expect, test } from '@playwright/test';
import { type Sandbox, startSandbox } from '../start-sandbox.ts';
import {
  GatewaySandboxClient,
  passChallenge,
  passPaReq,
  reportMethod,
  sendCRes,
  sendPaRes,
  submitForm,
  transactionTypes,
} from './gateway-sandbox-client.test-support.ts';
import { sandboxCards } from './payments/sandbox-cards.ts';

let sandbox: Sandbox;
let wire: GatewaySandboxClient;

test.beforeEach(async () => {
  sandbox = await startSandbox({ control: true, seed: 'journeys' });
  wire = new GatewaySandboxClient(sandbox);
});
test.afterEach(async () => {
  wire.close();
  await sandbox.close();
});

test('names no card twice and gives every number a check digit', () => {
  expect(new Set(sandboxCards.map(({ name }) => name)).size).toBe(sandboxCards.length);
  expect(new Set(sandboxCards.map(({ number, code }) => `${number} ${code}`)).size).toBe(sandboxCards.length);
  for (const { number } of sandboxCards) {
    const sum = [...number].reverse().reduce((total, digit, index) => {
      const doubled = Number(digit) * (index % 2 === 0 ? 1 : 2);
      return total + (doubled > 9 ? doubled - 9 : doubled);
    }, 0);
    expect(sum % 10, number).toBe(0);
  }
});

test('declines expired cards and cards it does not know', async () => {
  const card = { cardNumber: '5555444433331111', cvv2: '123', expireMonth: '10', expireYear: '2020' };
  expect((await wire.sale('approved', { card })).body.orderState).toBe('DECLINED');
  const unknown = { ...card, cardNumber: '4111111111111111', expireYear: '2099' };
  expect((await wire.sale('approved', { card: unknown })).body.orderState).toBe('DECLINED');
});

test('leads 3DS method, challenge and approval through one order', async () => {
  const sale = await wire.sale('method');
  const method = await fetch(sale.body.threeDSAuth.threeDSMethodUrl);
  expect(await method.text()).toContain('has completed');
  const step = await reportMethod(wire, sale, 'Y');
  const { back, cres } = await passChallenge(wire, step);
  expect(back).toBe('http://127.0.0.1:9/cres');
  const done = await sendCRes(wire, step, cres);
  expect(done.body).toMatchObject({ orderState: 'APPROVED', transactions: [{ type: 'SALE', status: 'APPROVED' }] });
  expect(done.body.threeDSAuth).toBeUndefined();
  expect((await sendCRes(wire, step, cres)).status, 'a second time').toBe(400);
});

test('approves at once after a completed method where the issuer is content', async () => {
  expect((await reportMethod(wire, await wire.sale('method-frictionless'), 'Y')).body.orderState).toBe('APPROVED');
});

test('may be pending after a passed challenge', async () => {
  const sale = await wire.sale('challenge-pending');
  const done = await sendCRes(wire, sale, (await passChallenge(wire, sale)).cres);
  expect(done.body.orderState).toBe('PROCESSING');
  await wire.advance(5);
  expect((await wire.status(sale)).body.orderState).toBe('APPROVED');
});

test('declines after a refused challenge, takes CRes and PaRes only as issued', async () => {
  const sale = await wire.sale('challenge');
  const { cres } = await passChallenge(wire, sale);
  for (const altered of [
    `${cres}=`,
    cres.slice(1),
    encodeURIComponent(`${cres} `),
    Buffer.from(cres, 'base64url').toString(),
  ])
    expect((await sendCRes(wire, sale, altered)).status).toBe(400);
  const refused = await sendCRes(wire, sale, (await passChallenge(wire, sale, 'refuse')).cres);
  expect(refused.body.orderState).toBe('DECLINED');

  const old = await wire.sale('pareq');
  const answer = await passPaReq(wire, old, 'refuse');
  expect(answer.md).toBe('md "1"');
  expect((await sendPaRes(wire, old, answer.pares)).body.orderState).toBe('DECLINED');
});

test('does not take the answer of one order for another', async () => {
  const [one, other] = [await wire.sale('challenge'), await wire.sale('challenge')];
  expect((await sendCRes(wire, other, (await passChallenge(wire, one)).cres)).status).toBe(400);
  expect((await wire.status(other)).body.orderState).toBe('PROCESSING');
});

test('declines when nothing is reported about the method in time', async () => {
  const sale = await wire.sale('method');
  await wire.advance(899);
  expect((await wire.status(sale)).body.orderState).toBe('PROCESSING');
  await wire.advance(2);
  expect((await wire.status(sale)).body.orderState).toBe('DECLINED');
});

test('registers cards of approved orders only', async () => {
  const declined = await wire.sale('declined');
  const came = await wire.post('/recurring/register-cards/1001', { orderSystemId: declined.body.orderSystemId });
  expect(came.status).toBe(400);
});

test('lets the hosted form be corrected, paid once, and cancelled', async () => {
  const order = await wire.form('sale');
  const wrong = await submitForm(wire, order, 'pay', { cardNumber: '12' });
  expect([wrong.status, wrong.page.includes('role="alert"')]).toEqual([422, true]);
  expect((await submitForm(wire, order, 'pay')).status).toBe(303);
  expect((await submitForm(wire, order, 'pay')).status).toBe(404);
  expect((await wire.status(order)).body.orderState).toBe('APPROVED');
  const cancelled = await wire.form('sale');
  await submitForm(wire, cancelled, 'cancel');
  expect((await wire.status(cancelled)).body.orderState).toBe('DECLINED');
});

test('runs 3-D Secure itself behind the hosted form', async () => {
  const order = await wire.form('sale');
  const { location } = await submitForm(wire, order, 'pay', { cardNumber: '4000000000000200' });
  const page = await (await fetch(location!)).text();
  const answer = /name="answer" value="([^"]+)"/.exec(page)?.[1] ?? '';
  const back = await wire.submit(location!, { answer });
  expect([back.status, back.location]).toEqual([303, 'http://127.0.0.1:9/result']);
  expect((await wire.status(order)).body.orderState).toBe('APPROVED');
});

test('lets an untouched form lapse', async () => {
  const order = await wire.form('auth');
  await wire.advance(3601);
  expect((await wire.status(order)).body.orderState).toBe('DECLINED');
});

test('repeats callbacks with growing gaps until the receiver takes them', async () => {
  const webhookUrl = await wire.receiver(500, 404);
  await wire.sale('approved', { urls: { webhookUrl } });
  await wire.callbacks(1, 2000);
  await expect.poll(() => wire.steer('/gateway/deliveries').then((all) => all.length)).toBe(1);
  await wire.advance(2);
  await wire.callbacks(2, 2000);
  await expect.poll(() => wire.steer('/gateway/deliveries').then((all) => all.length)).toBe(2);
  await wire.advance(5);
  await wire.callbacks(3, 2000);
  await expect.poll(() => wire.steer('/gateway/deliveries').then((all) => all.length)).toBe(3);
  await wire.advance(100_000);
  const deliveries = (await wire.steer('/gateway/deliveries')) as {
    attempt: number;
    result: number;
    delivered: boolean;
  }[];
  expect(deliveries.map(({ attempt, result, delivered }) => [attempt, result, delivered])).toEqual([
    [1, 500, false],
    [2, 404, false],
    [3, 200, true],
  ]);
});

test('calls the registered address back, and the address of the order before it', async () => {
  const url = await wire.receiver();
  expect((await fetch(`${sandbox.addresses.control}/gateway/callback`, { method: 'POST' })).status).toBe(400);
  await wire.steer('/gateway/callback', { requestorId: 1001, url });
  const sale = await wire.sale('approved', { urls: {} });
  await wire.callbacks(1, 2000);
  await wire.sale('approved', { urls: { webhookUrl: 'http://127.0.0.1:9/elsewhere' } });
  await wire.sale('approved', { urls: {} });
  const bodies = await wire.callbacks(2, 2000);
  expect(bodies[0].orderSystemId).toBe(sale.body.orderSystemId);
  expect(bodies[1].orderSystemId).toBe(sale.body.orderSystemId + 2);
});

test('takes later states and chargebacks through the control plane', async () => {
  const sale = await wire.sale();
  const id = sale.body.orderSystemId;
  const before = (await wire.balance()).body.realBalance;
  await wire.steer(`/gateway/orders/${id}/chargeback`, {});
  expect(transactionTypes(await wire.status(sale))).toEqual(['SALE', 'CHARGEBACK']);
  expect(before - (await wire.balance()).body.realBalance).toBe(10);
  expect((await wire.reverse(sale, '1')).body.orderState).toBe('DECLINED');
  await wire.steer(`/gateway/orders/${id}/state`, { state: 'FILTERED' });
  expect((await wire.status(sale)).body.orderState).toBe('FILTERED');
  expect((await fetch(`${sandbox.addresses.control}/gateway/orders/1/chargeback`, { method: 'POST' })).status).toBe(
    404,
  );
});

test('books a sale on all three views of the balance and releases holds by settlement', async () => {
  const before = (await wire.balance()).body;
  await wire.sale('approved', { order: { orderAmount: '100.00', orderCurrencyCode: 'EUR' } });
  const after = (await wire.balance()).body;
  expect(after.realBalance - before.realBalance).toBe(100);
  expect(after.totalShortTermHold - before.totalShortTermHold).toBe(20);
  expect(after.totalRollingReserve - before.totalRollingReserve).toBe(5);
  expect((await wire.managed()).body.onlineBalanceLiveAmount).toBe(after.liveBalance);
  expect((await wire.balances()).body.merchantBalances[0]).toEqual(after);
  await wire.advance(3 * 86_400 + 1);
  expect((await wire.balance()).body.totalShortTermHold).toBe(before.totalShortTermHold);
  await wire.advance(178 * 86_400);
  expect((await wire.balance()).body.totalRollingReserve).toBe(before.totalRollingReserve);
});

test('keeps a pending refund among the processing amounts until it is final', async () => {
  const sale = await wire.sale('pending');
  await wire.advance(5);
  const before = (await wire.balance()).body;
  expect((await wire.reverse(sale, '4')).body.orderState).toBe('PROCESSING');
  expect((await wire.reverse(sale, '6.01')).body.orderState).toBe('DECLINED');
  const during = (await wire.balance()).body;
  expect(during.totalProcessingAmount - before.totalProcessingAmount).toBeCloseTo(4);
  await wire.advance(5);
  expect((await wire.balance()).body.realBalance).toBe(before.realBalance - 4);
});

test('captures in parts, releases nothing twice, refunds what was captured', async () => {
  const auth = await wire.auth();
  for (const captureAmount of ['4', '6'])
    expect((await wire.capture(auth, { captureAmount })).body.orderState).toBe('APPROVED');
  expect((await wire.capture(auth, { captureAmount: '0.01' })).body.orderState).toBe('DECLINED');
  expect((await wire.reverse(auth)).body.transactions.at(-1)).toMatchObject({ type: 'REVERSAL', amount: '10.00' });
  expect((await wire.reverse(auth)).body.orderState).toBe('DECLINED');
});

test('tells orders of one id apart by currency for a requestor with several', async () => {
  const { id, token } = wire.credentials.multicurrency;
  const paid = [];
  for (const orderCurrencyCode of ['EUR', 'USD'])
    paid.push(await wire.post(`/payments/sale/${id}`, wire.paying('approved', {}, { orderCurrencyCode }), { token }));
  for (const [index, orderCurrencyCode] of ['EUR', 'USD'].entries()) {
    const found = await wire.post(`/payments/status/${id}`, { orderMerchantId: 'own-1', orderCurrencyCode }, { token });
    expect(found.body.orderSystemId).toBe(paid[index]!.body.orderSystemId);
  }
});

test('serves bodies that public clients send: card id without method, flags as text, unknown fields', async () => {
  const sale = await wire.sale('approved', {
    browser: { javaEnabled: 'false', javascriptEnabled: true },
    extra: { a: [1] },
  });
  expect(sale.body.orderState).toBe('APPROVED');
  const { cardId } = (await wire.post('/recurring/register-cards/1001', { orderSystemId: sale.body.orderSystemId }))
    .body;
  expect((await wire.sale('approved', { card: undefined, cardId })).body.orderState).toBe('APPROVED');
  const missing = await wire.sale('approved', { card: undefined });
  expect(missing.body.errorMessage).toBe('cardId or card should be filled if paymentMethod = CARD');
});

test('forgets everything on reset', async () => {
  const sale = await wire.sale();
  sandbox.reset();
  expect((await wire.status(sale)).body.orderState).toBe('UNKNOWN');
  expect((await wire.balance()).body.realBalance).toBe(12500.75);
});
