import { type Callbacks, expect, FINAL, Finding, type Order, type Payment, type Reply, rule, test } from '#harness';
import { goThroughSequences } from './order-sequences.ts';

/** Waits for a callback that says what status says. */
async function expectSame(callbacks: Callbacks, order: Order, reply: Reply): Promise<void> {
  const status = JSON.stringify(callbacks.told(reply));
  const is = (one: Reply) => JSON.stringify(callbacks.told(one)) === status;
  if ((await callbacks.wait(order, is)) !== undefined) return;
  const others = callbacks.about(order).length;
  throw new Finding(
    `a callback that says ${status}`,
    others === 0 ? 'none' : `${others} that say something else`,
    'GW-CBK-03',
  );
}

test('sends a StatusResponse as a callback', rule('GW-CBK-01'), async ({ gateway, callbacks }) => {
  const order = await gateway.approved('sale', { callbackUrl: callbacks.url });
  const callback = await callbacks.demand(order, 'about a sale');
  expect(typeof callback.object.orderState).toBe('string');
});

test('tells of a pending order when it comes to its end', rule('GW-CBK-02'), async ({ gateway, callbacks }) => {
  const { reply, order } = await gateway.pay('sale', { card: 'pending', callbackUrl: callbacks.url });
  const end = await gateway.settle(order, reply);
  expect(FINAL).toContain(end);
  await callbacks.demand(order, 'about the end of a pending order', (one) => callbacks.told(one).state === end);
});

for (const [what, by, capture, reverse] of [
  ['a sale', 'sale', undefined, undefined],
  ['an authorization', 'auth', undefined, undefined],
  ['a captured authorization', 'auth', 600, undefined],
  ['a refunded sale', 'sale', undefined, 300],
] as const) {
  test(`says of ${what} what status says`, rule('GW-CBK-03'), async ({ gateway, callbacks }) => {
    const order = await gateway.approved(by, { amount: 1000, callbackUrl: callbacks.url });
    if (capture !== undefined) await gateway.capture(order, capture);
    if (reverse !== undefined) await gateway.reverse(order, reverse);
    await expectSame(callbacks, order, await gateway.rest(order));
  });
}

test('says what status says in any sequence', rule('GW-CBK-03'), async ({ gateway, callbacks, clock }, info) => {
  const carriedOut = ({ order }: { order: Order }, status: Reply) => expectSame(callbacks, order, status);
  const book = { rules: [], callbackUrl: callbacks.url, carriedOut };
  await goThroughSequences(info, gateway, book, { runs: clock.steered ? 5 : 2 });
});

const PAYMENTS: Record<string, Payment & { by: 'sale' | 'auth' | 'accountVerification' }> = {
  sale: { by: 'sale' },
  authorization: { by: 'auth' },
  'account verification': { by: 'accountVerification', amount: 0 },
};

for (const [what, { by, ...payment }] of Object.entries(PAYMENTS)) {
  test(`tells of the outcome of a payment (${what})`, rule('GW-CBK-04'), async ({ gateway, callbacks }) => {
    const order = await gateway.approved(by, { ...payment, callbackUrl: callbacks.url });
    await callbacks.demand(order, `about the ${what}`);
  });
}

for (const card of ['declined', 'frictionless'] as const) {
  test(
    `tells of the outcome of a payment with a ${card} card`,
    rule('GW-CBK-04', { needs: [`card.${card}`] }),
    async ({ gateway, callbacks }) => {
      const { reply, order } = await gateway.pay('sale', { card, callbackUrl: callbacks.url });
      await gateway.settle(order, reply);
      await callbacks.demand(order, `about a payment with a ${card} card`);
    },
  );
}

test(
  'tells of a payment on the hosted form',
  rule('GW-CBK-04', { needs: ['form', 'browser'] }),
  async ({ gateway, hostedForm, callbacks }) => {
    const started = await hostedForm.start('saleForm', { callbackUrl: callbacks.url });
    await hostedForm.pay(started);
    const end = await gateway.settle(started.order);
    await callbacks.demand(started.order, `that says ${end}`, (one) => callbacks.told(one).state === end);
  },
);

test('tells of a capture', rule('GW-CBK-05'), async ({ gateway, callbacks }) => {
  const order = await gateway.approved('auth', { amount: 1000, callbackUrl: callbacks.url });
  await callbacks.wait(order);
  await gateway.captured(order, 600);
  await callbacks.demand(order, 'that lists the capture', (one) => callbacks.lists(one, 'capture') === 1);
});

test('tells of each of several reversals', rule('GW-CBK-06'), async ({ gateway, callbacks }) => {
  const order = await gateway.approved('sale', { amount: 1000, callbackUrl: callbacks.url });
  await callbacks.wait(order);
  for (const count of [1, 2]) {
    await gateway.reverse(order, 200);
    await gateway.rest(order);
    await callbacks.demand(order, `that lists ${count}`, (one) => callbacks.lists(one, 'reversal') === count);
  }
});

test('tells of the completion of a challenge', rule('GW-CBK-07'), async ({ gateway, threeDS, issuer, callbacks }) => {
  const waiting = await threeDS.reach('CREQ', { callbackUrl: callbacks.url });
  const reply = await threeDS.forward('threeDSCRes', waiting, await issuer.answer(waiting));
  const end = await gateway.settle(waiting.order, reply);
  await callbacks.demand(waiting.order, `that says ${end}`, (one) => callbacks.told(one).state === end);
});

test(
  'tells of the completion of 3-D Secure 1.0.2',
  rule('GW-CBK-07', { needs: ['card.pareq'] }),
  async ({ gateway, threeDS, issuer, callbacks }) => {
    const waiting = await threeDS.reach('PAREQ', { callbackUrl: callbacks.url });
    const reply = await threeDS.forward('threeDSPaRes', waiting, await issuer.answer(waiting));
    const end = await gateway.settle(waiting.order, reply);
    await callbacks.demand(waiting.order, `that says ${end}`, (one) => callbacks.told(one).state === end);
  },
);

test('tells of a change long after the payment', rule('GW-CBK-08'), async ({ gateway, callbacks, clock, target }) => {
  const order = await gateway.approved('sale', { amount: 1000, callbackUrl: callbacks.url });
  await callbacks.wait(order);
  const before = JSON.stringify(callbacks.told(await gateway.status(order)));
  if (clock.steered) await gateway.sleep(8 * 86_400);
  if (target.control.chargeback !== undefined) await gateway.later('chargeback', order);
  else await gateway.later('later', order, { state: 'DECLINED' });
  await callbacks.demand(order, 'about the change', (one) => JSON.stringify(callbacks.told(one)) !== before);
});
