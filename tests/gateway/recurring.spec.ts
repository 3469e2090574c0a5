import {
  type ApiReply,
  expect,
  FINAL_STATES,
  type GatewayClient,
  type GatewayFixtures,
  ISSUER_STEPS,
  type PlacedOrder,
  passMoment,
  rule,
  test,
} from '#harness';
import { seeApproved } from './support/approved-payment.ts';
import { FAILING_CARDS, failingCardsOf, payInVain } from './support/failing-payments.ts';
import { payMany } from './support/many-others.ts';
import { unknownAs } from './support/nobody.ts';

/** Registers the card of an order, for which a cardId has to come back. @returns the cardId */
async function expectRegistered(recurring: GatewayFixtures['recurring'], order: PlacedOrder): Promise<string> {
  const reply = await recurring.registerCard(order);
  expect(reply, 'GW-REC-04').toAnswer(200);
  return expectCardId(recurring, reply);
}

/** Registers the card of another requestor's order. Where that is not open to this one, the check ends here. @returns the cardId */
async function seeRegistered(recurring: GatewayFixtures['recurring'], order: PlacedOrder): Promise<string> {
  const reply = await recurring.registerCard(order);
  expect(reply, 'GW-REC-04').not.toAnswer(500);
  test.skip(reply.status !== 200, 'that requestor has no card registered');
  return expectCardId(recurring, reply);
}

/** @returns the cardId that a registration is answered with */
function expectCardId(recurring: GatewayFixtures['recurring'], reply: ApiReply): string {
  const cardId = recurring.readCardId(reply);
  expect(String(cardId ?? ''), 'GW-REC-04').toMatch(/\S/);
  return cardId!;
}

/** Pays by a cardId, whatever kind of order it came from. */
async function expectPays(gateway: GatewayClient, cardId: string): Promise<void> {
  const { reply, order } = await gateway.pay('sale', { cardId });
  expect(reply, 'GW-REC-01').toAnswer(200);
  expect(await gateway.pollUntilFinal(order, reply), 'GW-REC-01').toBe('APPROVED');
}

for (const by of ['sale', 'auth', 'accountVerification'] as const) {
  test(
    `registers the card of an approved order, and takes it for a payment (${by})`,
    rule('GW-REC-04', 'GW-REC-01'),
    async ({ gateway, recurring }) =>
      expectPays(gateway, await expectRegistered(recurring, await gateway.arrangeApproved(by))),
  );
}

for (const by of ['sale', 'auth'] as const) {
  test(
    `registers the card of an approved order that was paid on the hosted form, and takes it for a payment (${by})`,
    rule('GW-REC-04', 'GW-REC-01', { needs: ['form', 'browser'] }),
    async ({ gateway, hostedForm, recurring }) =>
      expectPays(gateway, await expectRegistered(recurring, await hostedForm.arrangeApproved(`${by}Form`))),
  );

  for (const { step, card } of ISSUER_STEPS)
    test(
      `registers the card of an approved order whose cardholder was authenticated, and takes it for a payment (${by}, ${step})`,
      rule('GW-REC-04', 'GW-REC-01', { needs: [card, 'browser'] }),
      async ({ gateway, recurring, threeDS, issuer }) => {
        const cardId = await expectRegistered(recurring, await threeDS.arrangeAuthenticated(step, issuer, { by }));
        // What the issuer of such a card says without a cardholder there is up to the issuer.
        expect((await gateway.pay('sale', { cardId })).reply, 'GW-REC-01').toAnswer(200);
      },
    );
}

test(
  'registers the card of a verification whose issuer answered twice alike',
  rule('GW-REC-04', { needs: ['card.challenge', 'browser'] }),
  async ({ gateway, recurring, threeDS, issuer }) => {
    const waiting = await threeDS.arrangeStep('CREQ', { by: 'accountVerification' });
    const value = await issuer.obtainAnswer(waiting);
    const reply = await threeDS.forwardAnswer('threeDSCRes', waiting, value);
    const state = await gateway.pollUntilFinal(waiting.order, reply);
    test.skip(state !== 'APPROVED', `the verification is ${state}`);
    // A caller that saw no answer forwards it again.
    await threeDS.forwardAnswer('threeDSCRes', waiting, value);
    await expectRegistered(recurring, waiting.order);
  },
);

test(
  'registers the card of a captured authorization, and leaves that as it is',
  rule('GW-REC-04', 'GW-STA-04'),
  async ({ gateway, recurring }) => {
    const order = await gateway.arrangeApproved('auth', { amount: 1000 });
    await gateway.arrangeCapture(order);
    await expectRegistered(recurring, order);
    expect((await gateway.pollWhilePending(order)).object.orderState, 'GW-STA-04').toBe('APPROVED');
  },
);

test(
  'registers the card of an order that was approved later than at once',
  rule('GW-REC-04', { needs: ['card.pending'] }),
  async ({ gateway, recurring }) => {
    const { order, state } = await gateway.payAndFollow('sale', { card: 'pending' });
    test.skip(state !== 'APPROVED', 'a payment that is not final at first is not approved in the end');
    await expectRegistered(recurring, order);
  },
);

test(
  'registers the card of an order that was approved weeks ago',
  rule('GW-REC-04', { needs: ['clock'] }),
  async ({ gateway, recurring }) => {
    const order = await gateway.arrangeApproved('sale');
    await gateway.sleep(20 * 86_400);
    const state = String((await gateway.pollWhilePending(order)).object.orderState);
    test.skip(state !== 'APPROVED', 'a sale does not stay approved for weeks');
    await expectRegistered(recurring, order);
  },
);

test('takes a registered card weeks later', rule('GW-REC-01', { needs: ['clock'] }), async ({ gateway, recurring }) => {
  const cardId = await recurring.arrangeRegistration();
  await gateway.sleep(20 * 86_400);
  const { reply, order } = await gateway.pay('sale', { cardId });
  expect(reply).toAnswer(200);
  expect(await gateway.pollUntilFinal(order, reply)).toBe('APPROVED');
});

test(
  'takes a registered card a moment later in real time',
  rule('GW-REC-01', { isIdle: true }),
  async ({ gateway, recurring }) => {
    const cardId = await recurring.arrangeRegistration();
    await passMoment();
    await expectPays(gateway, cardId);
  },
);

test(
  'takes a registered card after many other payments',
  rule('GW-REC-01'),
  async ({ gateway, recurring, clock, target, together }) => {
    const cardId = await recurring.arrangeRegistration();
    await payMany(gateway, { clock, target, together });
    await expectPays(gateway, cardId);
  },
);

for (const by of ['sale', 'auth'] as const)
  test(
    `takes a registered card after all of its ${by === 'sale' ? 'sale' : 'authorization'} was taken back`,
    rule('GW-REC-01'),
    async ({ gateway, recurring }) => {
      const order = await gateway.arrangeApproved(by);
      const registered = await recurring.registerCard(order);
      const cardId = registered.status === 200 ? recurring.readCardId(registered) : undefined;
      test.skip(cardId === undefined, 'the card is not registered');
      // What is paid for nothing but the card is given back.
      await gateway.reverse(order);
      await gateway.pollWhilePending(order);
      await expectPays(gateway, cardId!);
    },
  );

for (const by of ['sale', 'auth'] as const) {
  test(
    `takes a registered card for payment after payment (${by})`,
    rule('GW-REC-01'),
    async ({ gateway, recurring }) => {
      const cardId = await recurring.arrangeRegistration();
      const ids: string[] = [];
      for (const amount of [1000, 250, 1999]) {
        const { reply, order } = await gateway.pay(by, { cardId, amount });
        expect(reply).toAnswer(200);
        expect(await gateway.pollUntilFinal(order, reply)).toBe('APPROVED');
        ids.push(String(order.systemId));
      }
      const { order: again, state } = await gateway.payAndFollow(by, { cardId, amount: 1000 });
      // Whether as much is paid once more at once is up to the issuer; as an order of its own, it is.
      if (state === 'APPROVED' && again.systemId !== undefined) expect(ids).not.toContain(String(again.systemId));
    },
  );
}

for (const [card, what, name, needs] of [
  ['credit', 'another one', 'main', ['card.credit']],
  ['approved', 'the same one', 'main', ['card.approved']],
  ['approved', 'the same one of another requestor', 'second', ['card.approved', 'requestor.second']],
] as const)
  test(
    `takes a registered card after ${what} was registered`,
    rule('GW-REC-01', { needs: [...needs] }),
    async ({ gateway, recurring, target }) => {
      const cardId = await recurring.arrangeRegistration();
      const requestor = target.gateway!.requestors[name]!;
      await recurring.registerCard(await gateway.arrangeApproved('sale', { card, requestor }));
      await expectPays(gateway, cardId);
    },
  );

test(
  'gives each of two cards that are registered at once an id of its own',
  rule('GW-REC-04', { needs: ['card.credit'] }),
  async ({ gateway, recurring, together }) => {
    const orders = [await gateway.arrangeApproved('sale'), await gateway.arrangeApproved('sale', { card: 'credit' })];
    const replies = await together(orders.map((order) => () => recurring.registerCard(order)));
    const ids = replies.filter(({ status }) => status === 200).map((reply) => recurring.readCardId(reply));
    // Whether as many are taken at once is not said.
    expect(new Set(ids).size).toBe(ids.length);
    test.skip(ids.length < 2, 'two cards are not registered at once');
  },
);

test(
  'takes the registered card of a requestor of several currencies',
  rule('GW-REC-04', 'GW-REC-01', { needs: ['requestor.multicurrency'] }),
  async ({ gateway, recurring, target }) => {
    const requestor = target.gateway!.requestors.multicurrency!;
    const cardId = await seeRegistered(recurring, await seeApproved(gateway, 'sale', { requestor }));
    for (const by of ['sale', 'auth'] as const)
      expect((await gateway.payAndFollow(by, { cardId, requestor })).state, 'GW-REC-01').toBe('APPROVED');
  },
);

test(
  'takes the registered card of another requestor for that one only',
  rule('GW-REC-04', 'GW-REC-01', 'GW-REC-02', { needs: ['requestor.second'] }),
  async ({ gateway, recurring, target, recorder }) => {
    const requestor = target.gateway!.requestors.second!;
    const cardId = await seeRegistered(recurring, await seeApproved(gateway, 'sale', { requestor }));
    for (const by of ['sale', 'auth'] as const)
      expect((await gateway.payAndFollow(by, { cardId, requestor })).state, 'GW-REC-01').toBe('APPROVED');
    // Ids that each requestor counts up for itself are those of several cards.
    if (/^\d{1,9}$/.test(String(cardId))) recorder.leaveOut('a short number may be the id of an own card as well');
    else expect((await gateway.payAndFollow('sale', { cardId })).state, 'GW-REC-02').not.toBe('APPROVED');
  },
);

for (const by of ['sale', 'auth', 'accountVerification'] as const) {
  test(
    `does not let a registered card pay for another requestor (${by})`,
    rule('GW-REC-02'),
    async ({ gateway, recurring, target }) => {
      const cardId = await recurring.arrangeRegistration();
      const { second, multicurrency } = target.gateway!.requestors;
      // Of these it has paid for its owner in one.
      if (by === 'auth') await gateway.payAndFollow(by, { cardId });
      // One of them may be of the same merchant, or be the owner.
      const others = [second!, multicurrency ?? second!].filter(({ id }) => id !== gateway.requestor.id);
      // What is refused may be let through when it comes again.
      for (const requestor of [...others, ...others]) {
        const { order, state } = await gateway.payAndFollow(by, { cardId, requestor });
        expect(state).not.toBe('APPROVED');
        // What is refused is not carried out, either.
        const shown = await gateway.status(order, 'orderMerchantId');
        if (shown.status === 200) expect(shown.object.orderState).not.toBe('APPROVED');
      }
    },
  );
}

for (const by of ['sale', 'auth', 'accountVerification'] as const)
  test(
    `does not take for a registered card what nobody registered (${by})`,
    rule('GW-REC-02'),
    async ({ gateway, recurring }) => {
      const own = String(await recurring.arrangeRegistration());
      // What is cut off a short one may leave the id of another card.
      const cutShort = own.length < 8 ? [] : [own.slice(0, -1)];
      for (const cardId of ['unknown-card', ...(by === 'sale' ? ['%', ...cutShort] : [])])
        expect((await gateway.payAndFollow(by, { cardId })).state, cardId).not.toBe('APPROVED');
    },
  );

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
      await expectUnregistered(recurring, order);
    },
  );

test('registers no card of an order that there is not', rule('GW-REC-05'), async ({ gateway, recurring }) => {
  const order = await gateway.arrangeApproved('sale');
  const { merchantId } = gateway.paymentBody();
  await expectUnregistered(recurring, { ...order, systemId: unknownAs(order.systemId), merchantId });
});

/** Sees no card of an order registered, nor when that is asked for a second time. */
async function expectUnregistered(recurring: GatewayFixtures['recurring'], order: PlacedOrder): Promise<void> {
  for (let time = 0; time < 2; time += 1) {
    const registered = await recurring.registerCard(order);
    expect(registered.status === 200 ? recurring.readCardId(registered) : undefined).toBeUndefined();
  }
}

test(
  "registers no card of another requestor's orders that did not go through",
  rule('GW-REC-05', { needs: ['card.declined', 'requestor.second'] }),
  async ({ gateway, recurring, target }) => {
    const requestor = target.gateway!.requestors.second!;
    for (const [card, , end] of failingCardsOf(target))
      for (const by of ['sale', 'auth'] as const) {
        const { order, state } = await gateway.payAndFollow(by, { card, requestor });
        test.skip(state !== end, `the payment is ${state}`);
        await expectUnregistered(recurring, order);
      }
  },
);

for (const { step, card, forward } of ISSUER_STEPS)
  test(
    `registers no card of an order whose cardholder did not pass 3-D Secure (${step})`,
    rule('GW-REC-05', { needs: [card, 'browser'] }),
    async ({ gateway, recurring, threeDS, issuer }) => {
      const waiting = await threeDS.arrangeStep(step);
      const reply = await threeDS.forwardAnswer(forward, waiting, await issuer.obtainRefusal(waiting));
      const state = await gateway.pollUntilFinal(waiting.order, reply);
      test.skip(state === 'APPROVED', 'a payment is approved whose cardholder did not pass');
      await expectUnregistered(recurring, waiting.order);
    },
  );

for (const [card, what] of FAILING_CARDS)
  test(
    `registers no card of an order on the hosted form that ${what}`,
    rule('GW-REC-05', { needs: [`card.${card}`, 'form', 'browser'] }),
    async ({ hostedForm, recurring }) =>
      expectUnregistered(recurring, (await payInVain(hostedForm, 'saleForm', card)).order),
  );

test(
  'registers no card of an order whose outcome is waited for',
  rule('GW-REC-05', { needs: ['card.pending'] }),
  async ({ gateway, recurring }) => {
    const { reply, order } = await gateway.pay('sale', { card: 'pending' });
    test.skip(reply.status !== 200, 'a payment that is refused makes no order');
    const registered = await recurring.registerCard(order);
    // It may come to its end at any time.
    const shown = await gateway.status(order);
    const isWaiting = shown.status === 200 && !FINAL_STATES.includes(String(shown.object.orderState));
    test.skip(!isWaiting, 'the payment is final by then');
    expect(registered.status === 200 ? recurring.readCardId(registered) : undefined).toBeUndefined();
  },
);

test(
  'registers no card of an order that waits for 3-D Secure',
  rule('GW-REC-05', { needs: ['card.challenge'] }),
  async ({ recurring, threeDS }) => {
    const { order } = await threeDS.arrangeStep('CREQ');
    await expectUnregistered(recurring, order);
  },
);
