import { expect, type GatewayFixtures, type PlacedOrder, rule, test } from '#harness';
import { PAYMENT_WAYS } from './support/payment-ways.ts';

/** Registers the card of an order, for which a cardId has to come back. */
async function expectRegistered(recurring: GatewayFixtures['recurring'], order: PlacedOrder): Promise<void> {
  const reply = await recurring.registerCard(order);
  expect(reply).toAnswer(200);
  expect(String(recurring.readCardId(reply) ?? '')).toMatch(/\S/);
}

for (const by of ['sale', 'auth', 'accountVerification'] as const) {
  test(`registers the card of an approved order (${by})`, rule('GW-REC-04'), async ({ gateway, recurring }) => {
    await expectRegistered(recurring, await gateway.arrangeApproved(by));
  });
}

for (const [way, what] of [
  ['form', 'that was paid on the hosted form'],
  ['threeDS', 'whose cardholder was authenticated'],
] as const) {
  const { needs, test } = PAYMENT_WAYS[way];
  test(
    `registers the card of an approved order ${what}`,
    rule('GW-REC-04', { needs }),
    async ({ arrangePaid, recurring }) => expectRegistered(recurring, await arrangePaid('sale')),
  );
}

test('takes a registered card weeks later', rule('GW-REC-01', { needs: ['clock'] }), async ({ gateway, recurring }) => {
  const cardId = await recurring.arrangeRegistration();
  await gateway.sleep(20 * 86_400);
  const { reply, order } = await gateway.pay('sale', { cardId });
  expect(reply).toAnswer(200);
  expect(await gateway.pollUntilFinal(order, reply)).toBe('APPROVED');
});

for (const by of ['sale', 'auth'] as const) {
  test(
    `takes a registered card for payment after payment (${by})`,
    rule('GW-REC-01'),
    async ({ gateway, recurring }) => {
      const cardId = await recurring.arrangeRegistration();
      for (const amount of [1000, 250, 1999]) {
        const { reply, order } = await gateway.pay(by, { cardId, amount });
        expect(reply).toAnswer(200);
        expect(await gateway.pollUntilFinal(order, reply)).toBe('APPROVED');
      }
    },
  );
}

test(
  'takes a registered card after another one was registered',
  rule('GW-REC-01', { needs: ['card.credit'] }),
  async ({ gateway, recurring }) => {
    const cardId = await recurring.arrangeRegistration();
    await recurring.registerCard(await gateway.arrangeApproved('sale', { card: 'credit' }));
    const { reply, order } = await gateway.pay('sale', { cardId });
    expect(reply).toAnswer(200);
    expect(await gateway.pollUntilFinal(order, reply)).toBe('APPROVED');
  },
);

test(
  'takes the registered card of another requestor for that one',
  rule('GW-REC-01', { needs: ['requestor.second'] }),
  async ({ gateway, recurring, target }) => {
    const requestor = target.gateway!.requestors.second!;
    const { order, state } = await gateway.payAndFollow('sale', { requestor });
    const registered = state === 'APPROVED' ? await recurring.registerCard(order) : undefined;
    const cardId = registered?.status === 200 ? recurring.readCardId(registered) : undefined;
    test.skip(cardId === undefined, 'the second requestor has no card registered');
    for (const by of ['sale', 'auth'] as const)
      expect((await gateway.payAndFollow(by, { cardId: cardId!, requestor })).state, by).toBe('APPROVED');
  },
);

for (const by of ['sale', 'auth', 'accountVerification'] as const) {
  test(
    `does not let a registered card pay for another requestor (${by})`,
    rule('GW-REC-02'),
    async ({ gateway, recurring, target }) => {
      const cardId = await recurring.arrangeRegistration();
      const requestor = target.gateway!.requestors.second!;
      expect((await gateway.payAndFollow(by, { cardId, requestor })).state).not.toBe('APPROVED');
    },
  );
}

for (const [card, by] of [
  ['declined', 'sale'],
  ['declined', 'auth'],
  ['filtered', 'sale'],
  ['error', 'sale'],
  ['inactive', 'accountVerification'],
] as const)
  test(
    `registers no card of an order with a card that is ${card} (${by})`,
    rule('GW-REC-05', { needs: [`card.${card}`] }),
    async ({ gateway, recurring }) => {
      const { reply, order } = await gateway.pay(by, { card });
      test.skip(reply.status !== 200, 'a payment that is refused makes no order');
      expect(await gateway.pollUntilFinal(order, reply)).not.toBe('APPROVED');
      const registered = await recurring.registerCard(order);
      expect(registered.status === 200 ? recurring.readCardId(registered) : undefined).toBeUndefined();
    },
  );

test(
  'registers no card of an order that waits for 3-D Secure',
  rule('GW-REC-05', { needs: ['card.challenge'] }),
  async ({ recurring, threeDS }) => {
    const { order } = await threeDS.arrangeStep('CREQ');
    const registered = await recurring.registerCard(order);
    expect(registered.status === 200 ? recurring.readCardId(registered) : undefined).toBeUndefined();
  },
);
