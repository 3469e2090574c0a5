import {
  expect,
  type GatewayFixtures,
  ISSUER_STEPS,
  type PlacedOrder,
  rule,
  type Target,
  test,
  UnarrangedError,
} from '#harness';

/** Has an authorization approved, and finds nothing of it charged: no transaction, no balance. */
async function expectUncharged(
  arrange: () => Promise<PlacedOrder>,
  { gateway, lookups, target }: Pick<GatewayFixtures, 'gateway' | 'lookups'> & { target: Target },
): Promise<void> {
  const listNothing = async () => {
    const order = await arrange();
    expect(await gateway.sumAfterPolling(order, 'capture')).toEqual({ count: 0, sum: 0 });
    expect(await gateway.sumAfterPolling(order, 'sale')).toEqual({ count: 0, sum: 0 });
  };
  if (target.offers.has('merchant')) expect(await lookups.growsBalance(listNothing)).toBe(false);
  else await listNothing();
}

test('answers an authorization with a StatusResponse', rule('GW-ATH-01'), async ({ gateway }) => {
  const { reply } = await gateway.pay('auth', { card: 'approved' });
  expect(reply).toAnswer(200);
});

test('blocks the amount and charges nothing', rule('GW-ATH-02'), async ({ gateway, lookups, target }) => {
  const arrange = () => gateway.arrangeApproved('auth', { amount: 1000 });
  await expectUncharged(arrange, { gateway, lookups, target });
});

test(
  'charges nothing of a registered card',
  rule('GW-ATH-02', { needs: ['recurring'] }),
  async ({ gateway, lookups, recurring, target }) => {
    const cardId = await recurring.arrangeRegistration();
    const arrange = () => gateway.arrangeApproved('auth', { amount: 1000, cardId });
    await expectUncharged(arrange, { gateway, lookups, target });
  },
);

for (const { step, card } of ISSUER_STEPS)
  test(
    `charges nothing of a card whose holder was authenticated (${step})`,
    rule('GW-ATH-02', { needs: [card, 'browser'] }),
    async ({ gateway, lookups, threeDS, issuer, target }) => {
      const arrange = () => threeDS.arrangeAuthenticated(step, issuer, { by: 'auth', amount: 1000 });
      await expectUncharged(arrange, { gateway, lookups, target });
    },
  );

for (const [id, kind, card, days, lapsed] of [
  ['GW-ATH-03', 'debit', 'debit', 5, 10],
  ['GW-ATH-04', 'credit', 'credit', 20, 40],
] as const) {
  test(`still captures on a ${kind} card after ${days} days`, rule(id, { needs: ['clock'] }), async ({ gateway }) => {
    await gateway.learnLapse();
    const order = await gateway.arrangeApproved('auth', { amount: 1000, card });
    await gateway.passDays(days);
    await gateway.capture(order, 1000);
    expect(await gateway.sumAfterPolling(order, 'capture')).toEqual({ count: 1, sum: 1000 });
  });

  test(
    `no longer captures on a ${kind} card after ${lapsed} days`,
    rule(id, { needs: ['clock'] }),
    async ({ gateway }) => {
      await gateway.learnLapse();
      const order = await gateway.arrangeApproved('auth', { amount: 1000, card });
      await gateway.passDays(lapsed);
      await gateway.capture(order, 1000);
      expect(await gateway.sumAfterPolling(order, 'capture')).toEqual({ count: 0, sum: 0 });
    },
  );
}

test(
  'charges nothing of an authorization that lapses',
  rule('GW-ATH-02', { needs: ['clock'] }),
  async ({ gateway, lookups }) => {
    await gateway.learnLapse();
    const isCharged = await lookups.growsBalance(async () => {
      const order = await gateway.arrangeApproved('auth', { amount: 1000 });
      await gateway.passDays(40);
      expect(await gateway.sumAfterPolling(order, 'capture')).toEqual({ count: 0, sum: 0 });
    });
    expect(isCharged).toBe(false);
  },
);

test(
  'charges nothing of a card that was entered on the hosted form',
  rule('GW-ATH-02', { needs: ['form', 'browser'] }),
  async ({ gateway, hostedForm, lookups }) => {
    const isCharged = await lookups.growsBalance(async () => {
      const started = await hostedForm.start('authForm', { amount: 1000 });
      await hostedForm.pay(started);
      // The customer is at rest before the next form comes up.
      await hostedForm.waitForReturn(started.paid);
      const state = await gateway.pollUntilFinal(started.order);
      if (state !== 'APPROVED') throw new UnarrangedError(`an authorization on the hosted form ended in ${state}`);
      expect(await gateway.sumAfterPolling(started.order, 'capture')).toEqual({ count: 0, sum: 0 });
    });
    expect(isCharged).toBe(false);
  },
);
