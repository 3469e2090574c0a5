import {
  expect,
  type GatewayClient,
  type GatewayFixtures,
  hasTransactions,
  type PlacedOrder,
  rule,
  test,
} from '#harness';
import { seeApproved } from './support/approved-payment.ts';
import { expectNoFailure } from './support/other-requestors.ts';
import { BOOKED, OTHER_REQUESTORS, otherWays, PAYMENT_WAYS, UNUSUAL_WAYS } from './support/payment-ways.ts';

/** Has an authorization approved, and finds nothing of it charged: no transaction, no balance. */
async function expectUncharged(
  arrange: () => Promise<PlacedOrder>,
  { gateway, lookups }: Pick<GatewayFixtures, 'gateway' | 'lookups'>,
): Promise<void> {
  const isCharged = await lookups.growsBalance(async () => {
    const order = await arrange();
    for (const kind of ['capture', 'sale'] as const)
      expect(await gateway.sumAfterPolling(order, kind)).toEqual({ count: 0, sum: 0 });
  });
  expect(isCharged).toBe(false);
}

test('answers an authorization with a StatusResponse', rule('GW-ATH-01'), async ({ gateway, target }) => {
  const { reply } = await gateway.pay('auth', { card: 'approved' });
  expect(reply).toAnswer(200);
  await expectNoFailure('GW-ATH-01', target, async (requestor) => (await gateway.pay('auth', { requestor })).reply);
});

for (const { how, needs, test } of [
  PAYMENT_WAYS.card,
  ...otherWays('of a cardholder who was authenticated'),
  ...UNUSUAL_WAYS,
])
  test(
    `blocks the amount and charges nothing${how && ` of what was authorized ${how}`}`,
    rule('GW-ATH-02', { needs }),
    async ({ arrangePaid, gateway, lookups }) =>
      expectUncharged(() => arrangePaid('auth', { amount: 1000 }), { gateway, lookups }),
  );

for (const [name, whose] of OTHER_REQUESTORS)
  test(
    `charges nothing for ${whose}`,
    rule('GW-ATH-02', { needs: [...BOOKED[name]] }),
    async ({ gateway, lookups, target }) => {
      const requestor = target.gateway!.requestors[name]!;
      const arrange = () => seeApproved(gateway, 'auth', { amount: 1000, requestor });
      await expectUncharged(arrange, { gateway, lookups: lookups.ofRequestor(name) });
    },
  );

for (const [id, kind, card, days, lapsed] of [
  ['GW-ATH-03', 'debit', 'debit', 5, 10],
  ['GW-ATH-04', 'credit', 'credit', 20, 40],
] as const) {
  test(`still captures on a ${kind} card after ${days} days`, rule(id, { needs: ['clock'] }), async ({ gateway }) => {
    const order = await gateway.arrangeAged('auth', days, { amount: 1000, card });
    await gateway.capture(order, 1000);
    expect(await gateway.sumAfterPolling(order, 'capture')).toEqual({ count: 1, sum: 1000 });
  });

  test(
    `no longer captures on a ${kind} card after ${lapsed} days`,
    rule(id, { needs: ['clock'] }),
    async ({ gateway }) => {
      const order = await gateway.arrangeAged('auth', days, { amount: 1000, card });
      // Who looks at it blocks nothing anew.
      await gateway.status(order);
      await gateway.passDays(lapsed - days);
      await gateway.capture(order, 1000);
      expect(await gateway.sumAfterPolling(order, 'capture')).toEqual({ count: 0, sum: 0 });
    },
  );
}

for (const { how, needs, test } of otherWays('of a cardholder who was authenticated')) {
  test(
    `still captures after three days what was authorized ${how}`,
    rule('GW-ATH-03', { needs: ['clock', ...needs] }),
    async ({ arrangePaid, gateway }) => {
      await gateway.learnLapse();
      // On a debit or a credit card: either holds longer.
      await expectHeld(gateway, await arrangePaid('auth'));
    },
  );
}

for (const [name, who] of OTHER_REQUESTORS)
  test(
    `still captures after three days what ${who} authorized`,
    rule('GW-ATH-03', { needs: ['clock', `requestor.${name}`] }),
    async ({ gateway, target }) => {
      await gateway.learnLapse();
      const requestor = target.gateway!.requestors[name]!;
      const { order, state } = await gateway.payAndFollow('auth', { amount: 1000, requestor });
      test.skip(state !== 'APPROVED', `${who} has no authorization approved`);
      await expectHeld(gateway, order);
    },
  );

test(
  'still captures after three days what was authorized on a debit card days after something else',
  rule('GW-ATH-03', { needs: ['clock', 'card.debit'] }),
  async ({ gateway }) => {
    await gateway.arrangeAged('auth', 5, { amount: 1000, card: 'debit' });
    await expectHeld(gateway, await gateway.arrangeApproved('auth', { amount: 1000, card: 'debit' }));
  },
);

/** Captures all of an authorization after three days. */
async function expectHeld(gateway: GatewayClient, order: PlacedOrder): Promise<void> {
  await gateway.passDays(3);
  await gateway.capture(order, order.amount);
  expect(await gateway.sumAfterPolling(order, 'capture')).toEqual({ count: 1, sum: order.amount });
}

test(
  'charges nothing of an authorization that lapses',
  rule('GW-ATH-02', { needs: ['clock'] }),
  async ({ gateway, lookups }) => {
    // Before balances are looked at, for it tries to capture.
    await gateway.learnLapse();
    await expectUncharged(() => gateway.arrangeAged('auth', 40, { amount: 1000 }), { gateway, lookups });
  },
);

test(
  'blocks once where a customer enters a card on a form that was filled in before',
  rule('GW-ATH-02', { needs: ['form', 'browser'] }),
  async ({ gateway, hostedForm }) => {
    const started = await hostedForm.start('authForm', { amount: 1000 });
    const { order } = started;
    await hostedForm.pay(started);
    await hostedForm.waitForReturn(started.paid);
    const end = await gateway.pollUntilFinal(order);
    test.skip(end !== 'APPROVED', `an authorization on the hosted form ended in ${end}`);
    const before = await gateway.pollWhilePending(order);
    test.skip(!hasTransactions(before), 'status lists no transaction of it');
    await hostedForm.payAgain(started);
    const blocked = gateway.sumTransactions(await gateway.pollWhilePending(order), 'authorization');
    expect(blocked.count).toBeLessThanOrEqual(gateway.sumTransactions(before, 'authorization').count);
  },
);
