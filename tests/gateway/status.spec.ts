import {
  type ApiReply,
  assertPromise,
  attributeTo,
  expect,
  FINAL_STATES,
  type GatewayClient,
  hasTransactions,
  identifiersOf,
  isTaken,
  mixCalls,
  type OrderIdentifier,
  type PaymentOptions,
  type PlacedOrder,
  requireEntries,
  requireSeen,
  rule,
  type Target,
  test,
} from '#harness';
import { changeLater } from './support/later-change.ts';
import { sumListed } from './support/listed-sum.ts';
import { payMany } from './support/many-others.ts';
import { beyond32Bits } from './support/nobody.ts';
import { expectNoFailure } from './support/other-requestors.ts';
import { OTHER_REQUESTORS, PAYMENT_WAYS } from './support/payment-ways.ts';

test.beforeEach(({ gateway }) => gateway.askBySystemId());

const AMOUNTS = [1100, 1200, 1300];

/** Orders of different amounts, so that one cannot be taken for another. */
async function several(gateway: GatewayClient, payment: PaymentOptions = {}): Promise<PlacedOrder[]> {
  const orders: PlacedOrder[] = [];
  for (const amount of AMOUNTS) orders.push(await gateway.arrangeApproved('sale', { ...payment, amount }));
  return orders;
}

function expectAmount(gateway: GatewayClient, reply: ApiReply, amount: number): void {
  expect(reply).toAnswer(200);
  const listed = gateway.transactions(reply);
  const seen = listed.flatMap((one) => one.amount ?? []);
  if (listed.length > 0) requireEntries(seen, 'amounts of transactions');
  const actual = `transactions of ${seen.join(', ') || 'nothing'}`;
  const isAnothers = seen.some((one) => one !== amount && AMOUNTS.includes(one));
  assertPromise(seen.includes(amount) && !isAnothers, `the order of ${amount} minor units`, actual);
}

/** Finds an order by an identifier, and a second time. */
async function expectFound(gateway: GatewayClient, order: PlacedOrder, by: OrderIdentifier): Promise<void> {
  for (let time = 0; time < 2; time += 1) expectAmount(gateway, await gateway.status(order, by), order.amount);
}

/** Finds each of the payments that were made at once and approved. Whether as many are taken at once is not said. */
async function expectEachFound(
  gateway: GatewayClient,
  paid: readonly { readonly order: PlacedOrder; readonly reply: ApiReply }[],
  by: OrderIdentifier,
): Promise<void> {
  let compared = 0;
  for (const { order, reply } of paid) {
    if (reply.status !== 200 || (await gateway.pollUntilFinal(order, reply)) !== 'APPROVED') continue;
    compared += 1;
    await expectFound(gateway, order, by);
  }
  requireSeen(compared || undefined, 'an approved payment among those made at once');
}

/** Finds an order in a state by an identifier, and a second time. */
async function expectFoundAs(
  state: 'APPROVED' | 'DECLINED',
  gateway: GatewayClient,
  order: PlacedOrder,
  by: OrderIdentifier,
): Promise<void> {
  for (let time = 0; time < 2; time += 1) {
    const reply = await gateway.status(order, by);
    expect(reply).toAnswer(200);
    expect(reply.object.orderState).toBe(state);
  }
}

/** An order that a later answer about it names by its correlation id. */
function nameByAnswer(order: PlacedOrder, answer: ApiReply, target: Target): PlacedOrder {
  const { correlationId: place } = target.gateway!.wire.read;
  const id = answer.status === 200 ? answer.at(place) : undefined;
  return { ...order, correlationId: requireSeen(id, 'the correlation id of the answer') };
}

/** Finds an order by the correlation id of a later answer about it. */
async function expectFoundBy(
  answer: ApiReply,
  order: PlacedOrder,
  gateway: GatewayClient,
  target: Target,
): Promise<void> {
  const named = nameByAnswer(order, answer, target);
  await expectFound(gateway, named, 'byCorrelationId');
}

test('answers a status request with a StatusResponse', rule('GW-STS-01'), async ({ gateway, target }) => {
  // Of an order that need not be final: where status does not answer, none is followed to its end.
  const { reply, order } = await gateway.pay('sale', { card: 'approved' });
  reply.requireStatus(200);
  expect(await gateway.status(order)).toAnswer(200);
  await expectNoFailure('GW-STS-01', target, async (requestor) => {
    const { reply, order } = await gateway.pay('sale', { requestor });
    return reply.status === 200 ? gateway.status(order) : undefined;
  });
});

test(
  'finds each of the payments that two requestors make at once by orderMerchantId alone',
  rule('GW-STS-03', { needs: ['requestor.second'] }),
  async ({ gateway, together, target }) => {
    const requestor = target.gateway!.requestors.second!;
    const pay = (payment: PaymentOptions) => () => gateway.pay('sale', { card: 'approved', ...payment });
    const { ones, others } = await mixCalls(
      together,
      pay({ amount: AMOUNTS[0]! }),
      pay({ amount: AMOUNTS[1]!, requestor }),
    );
    await expectEachFound(gateway, [...ones, ...others], 'orderMerchantId');
  },
);

for (const [id, by] of [
  ['GW-STS-02', 'orderSystemId'],
  ['GW-STS-03', 'orderMerchantId'],
  ['GW-STS-04', 'byCorrelationId'],
] as const) {
  test(`finds each of several orders by ${by} alone`, rule(id), async ({ gateway }) => {
    const orders = await several(gateway);
    for (const order of orders) await expectFound(gateway, order, by);
  });

  for (const [what, operation] of [
    ['payments', 'sale'],
    ['authorizations', 'auth'],
  ] as const)
    test(
      `finds each of three ${what} that were made at once by ${by} alone`,
      rule(id),
      async ({ gateway, together }) => {
        const pay = (amount: number) => () => gateway.pay(operation, { card: 'approved', amount });
        await expectEachFound(gateway, await together(AMOUNTS.map(pay)), by);
      },
    );

  test(`finds an authorization that was captured in part by ${by} alone`, rule(id), async ({ gateway }) => {
    const order = await gateway.arrangeApproved('auth', { amount: 1300 });
    await gateway.arrangeCapture(order, 700);
    await expectFound(gateway, order, by);
  });

  for (const [what, paid] of [
    ['a sale', 'sale'],
    ['an authorization', 'auth'],
  ] as const)
    test(`finds ${what} that was taken back in full by ${by} alone`, rule(id), async ({ gateway }) => {
      const order = await gateway.arrangeApproved(paid, { amount: 1300 });
      await gateway.reverse(order);
      await gateway.pollWhilePending(order);
      await expectFound(gateway, order, by);
    });

  test(
    `finds a payment after 3-D Secure by ${by} alone, in the state that it came to`,
    rule(id, 'GW-STS-06', { needs: ['card.challenge', 'browser'] }),
    async ({ gateway, issuer, threeDS }) => {
      const waiting = await threeDS.arrangeStep('CREQ');
      const { order } = waiting;
      // What was shown before is not to be shown again.
      await gateway.status(order, by);
      const answer = await threeDS.forwardAnswer('threeDSCRes', waiting, await issuer.obtainAnswer(waiting));
      const end = await gateway.pollUntilFinal(order, answer, anotherThan(by));
      requireSeen(end === 'APPROVED' || undefined, 'a payment that is approved after 3-D Secure');
      const shown = await gateway.status(order, by);
      attributeTo(id, () => expectAmount(gateway, shown, order.amount));
      expect(shown.object.orderState, 'GW-STS-06').toBe(end);
    },
  );

  test(`finds an account verification by ${by} alone`, rule(id), async ({ gateway }) => {
    const order = await gateway.arrangeApproved('accountVerification');
    // After a sale, whose state is not that of this one.
    await gateway.pay('sale', { card: 'approved' });
    await expectFoundAs('APPROVED', gateway, order, by);
  });

  test(
    `finds a payment with a registered card by ${by} alone`,
    rule(id, { needs: ['recurring'] }),
    async ({ gateway, recurring }) => {
      const cardId = await recurring.arrangeRegistration();
      const { order, state } = await gateway.payAndFollow('sale', { cardId, amount: 1300 });
      test.skip(state !== 'APPROVED', `a payment with a registered card is ${state}`);
      await expectFound(gateway, order, by);
    },
  );

  test(
    `finds an order whose form nobody filled in yet by ${by} alone`,
    rule(id, { needs: ['form'] }),
    async ({ gateway }) => {
      const other = anotherThan(by);
      for (const form of ['saleForm', 'authForm'] as const) {
        const { order, reply } = await gateway.pay(form);
        test.skip(reply.status !== 200, `${form} was answered ${reply.status}`);
        const states = [(await gateway.status(order, other)).object.orderState];
        const shown = await gateway.status(order, by);
        expect(shown, form).toAnswer(200);
        states.push((await gateway.status(order, other)).object.orderState);
        // What an unknown order looks like is open; while nobody pays, each identifier shows the same.
        expect(states, form).toContain(shown.object.orderState);
      }
    },
  );

  for (const form of ['saleForm', 'authForm'] as const)
    test(
      `finds an order whose form was paid by ${by} alone (${form})`,
      rule(id, { needs: ['form', 'browser'] }),
      async ({ gateway, hostedForm }) => {
        const order = await hostedForm.arrangeApproved(form, { amount: 1300 }, anotherThan(by));
        // Comes after it, and is not to be taken for it.
        await gateway.pay('sale', { card: 'approved', amount: 1200 });
        await expectFound(gateway, order, by);
      },
    );

  test(`finds a declined payment by ${by} alone`, rule(id, { needs: ['card.declined'] }), async ({ gateway }) => {
    for (const paid of ['sale', 'auth'] as const) {
      const { order, state } = await gateway.payAndFollow(paid, { card: 'declined' });
      test.skip(state !== 'DECLINED', `the payment is ${state}`);
      // Comes after it, and is not to be taken for it.
      await gateway.pay('sale', { card: 'approved' });
      await expectFoundAs('DECLINED', gateway, order, by);
    }
  });

  test(`finds an order by ${by} days later, too`, rule(id, { needs: ['clock'] }), async ({ gateway }) => {
    const order = await gateway.arrangeApproved('sale', { amount: 1300 });
    await gateway.sleep(3 * 86_400);
    // How long an order is shown is not said; what names it is.
    const isShown = hasTransactions(await gateway.status(order, anotherThan(by)));
    test.skip(!isShown, 'the order is not shown any more');
    await expectFound(gateway, order, by);
  });

  for (const [requestor, whose] of [
    ['second', 'another requestor'],
    ['multicurrency', 'a multi-currency requestor'],
  ] as const)
    test(
      `finds each of several orders of ${whose} by ${by}`,
      rule(id, { needs: [`requestor.${requestor}`] }),
      async ({ gateway, target }) => {
        const orders = await several(gateway, { requestor: target.gateway!.requestors[requestor]! });
        for (const order of orders) await expectFound(gateway, order, by);
      },
    );
}

/** An identifier that tells how an order stands where it is to be seen whether this one leads to it. */
function anotherThan(by: OrderIdentifier): OrderIdentifier {
  return by === 'orderSystemId' ? 'orderMerchantId' : 'orderSystemId';
}

test(
  'shows to each of three who ask at once the order that they ask for',
  rule('GW-STS-02'),
  async ({ gateway, together }) => {
    const orders = await several(gateway);
    const replies = await together(orders.map((order) => () => gateway.status(order)));
    for (const [i, reply] of replies.entries()) expectAmount(gateway, reply, orders[i]!.amount);
  },
);

test(
  'finds an order by the correlation ids of the answers to a second capture and to a refund of both',
  rule('GW-STS-04'),
  async ({ gateway, target }) => {
    const order = await gateway.arrangeApproved('auth', { amount: 1300 });
    await gateway.arrangeCapture(order, 500);
    // A second capture may be refused: with a 200, that is an answer about the order all the same.
    for (const answer of [await gateway.capture(order, 300), await gateway.reverse(order, 400)]) {
      await gateway.pollWhilePending(order);
      if (answer.status !== 200) continue;
      await expectFoundBy(answer, order, gateway, target);
    }
  },
);

for (const { how, needs, test } of [PAYMENT_WAYS.card, PAYMENT_WAYS.form])
  for (const [what, by, operation, amount] of [
    ['a capture', 'auth', 'capture', 500],
    ['a reversal', 'sale', 'reverse', 500],
    ['its void', 'auth', 'reverse', undefined],
  ] as const)
    test(
      `finds an order${how && ` paid ${how}`} by the correlation id of the answer to ${what}`,
      rule('GW-STS-04', { needs }),
      async ({ arrangePaid, gateway, target }) => {
        const order = await arrangePaid(by, { amount: 1300 });
        const answer = await gateway[operation](order, amount);
        await gateway.pollWhilePending(order);
        await expectFoundBy(answer, order, gateway, target);
      },
    );

test(
  'finds an order, charges another and keeps the limit of a third after many others',
  rule('GW-STS-02', 'GW-STS-03', 'GW-STS-04', 'GW-CAP-02', 'GW-REV-06'),
  async ({ gateway, clock, target, together }) => {
    const [sold, authorized, reversed] = [
      await gateway.arrangeApproved('sale', { amount: 1300 }),
      await gateway.arrangeApproved('auth', { amount: 1000 }),
      await gateway.arrangeApproved('sale', { amount: 1000 }),
    ];
    await gateway.reverse(reversed, 600);
    await payMany(gateway, { clock, target, together });
    for (const [id, by] of [
      ['GW-STS-02', 'orderSystemId'],
      ['GW-STS-03', 'orderMerchantId'],
      ['GW-STS-04', 'byCorrelationId'],
    ] as const) {
      if (!identifiersOf(sold).includes(by)) continue;
      const reply = await gateway.status(sold, by);
      attributeTo(id, () => expectAmount(gateway, reply, sold.amount));
    }
    await gateway.capture(authorized, 1000);
    expect(await gateway.sumAfterPolling(authorized, 'capture'), 'GW-CAP-02').toEqual({ count: 1, sum: 1000 });
    await gateway.reverse(reversed, 401);
    expect((await gateway.sumAfterPolling(reversed, 'reversal')).sum, 'GW-REV-06').toBeLessThanOrEqual(1000);
  },
);

for (const [what, by, operation] of [
  ['capture', 'auth', 'capture'],
  ['reversal', 'sale', 'reverse'],
] as const)
  test(
    `finds an order by the correlation id of the answer to a refused ${what}`,
    rule('GW-STS-04'),
    async ({ gateway, target }) => {
      const order = await gateway.arrangeApproved(by, { amount: 1300 });
      const answer = await gateway[operation](order, 1301);
      test.skip(answer.status !== 200, `a ${what} above what there is is answered without an order`);
      await gateway.pollWhilePending(order);
      await expectFoundBy(answer, order, gateway, target);
    },
  );

for (const [operation, step, card, by] of [
  ['threeDSCRes', 'CREQ', 'challenge', 'sale'],
  ['threeDSCRes', 'CREQ', 'challenge', 'auth'],
  ['threeDSPaRes', 'PAREQ', 'pareq', 'sale'],
] as const)
  test(
    `finds an order by the correlation id of the answer to what its issuer said after a ${step} (${by})`,
    rule('GW-STS-04', { needs: [`card.${card}`, 'browser'] }),
    async ({ gateway, threeDS, issuer, target }) => {
      const waiting = await threeDS.arrangeStep(step, { by, amount: 1300 });
      const { order } = waiting;
      const answer = await threeDS.forwardAnswer(operation, waiting, await issuer.obtainAnswer(waiting));
      await gateway.pollUntilFinal(order, answer);
      await expectFoundBy(answer, order, gateway, target);
    },
  );

test(
  'finds an order that waits for 3-D Secure by the correlation id of the answer to its payment and to the report on its method',
  rule('GW-STS-04', { needs: ['card.method'] }),
  async ({ gateway, threeDS, target }) => {
    const waiting = await threeDS.arrangeStep('THREEDS_METHOD', { amount: 1300 });
    const { order } = waiting;
    // Comes after it, and is not to be taken for it.
    await gateway.pay('sale', { card: 'approved' });
    const expectNamed = async (named: PlacedOrder) => {
      const before = (await gateway.status(order)).object.orderState;
      const found = [await gateway.status(named, 'byCorrelationId'), await gateway.status(named, 'byCorrelationId')];
      const after = (await gateway.status(order)).object.orderState;
      for (const shown of found) expect(shown).toAnswer(200);
      // What an unknown order looks like is open; as long as it stands still, each identifier shows the same.
      if (before === after) expect(found.map(({ object }) => object.orderState)).toEqual([after, after]);
    };
    await expectNamed(order);
    await expectNamed(nameByAnswer(order, await threeDS.reportMethod(waiting, 'U'), target));
  },
);

test(
  "takes the order's currency beside the identifier",
  rule('GW-STS-05', { needs: ['requestor.multicurrency'] }),
  async ({ gateway, target }) => {
    const requestor = target.gateway!.requestors.multicurrency!;
    // Comes first, and is not to be taken for the other.
    await gateway.pay('sale', { card: 'approved', amount: 1200, requestor });
    const { reply, order } = await gateway.pay('sale', { card: 'approved', amount: 1100, requestor });
    reply.requireStatus(200);
    const beside = { orderCurrencyCode: order.currency };
    expect(await gateway.status(order, 'orderSystemId', beside)).toAnswer(200);
    const state = await gateway.pollUntilFinal(order, reply);
    requireSeen(state === 'APPROVED' ? state : undefined, 'an approved sale of the multi-currency requestor');
    expectAmount(gateway, await gateway.status(order, 'orderSystemId', beside), 1100);
    for (const by of identifiersOf(order).slice(1)) {
      const shown = await gateway.status(order, by, beside);
      expect(shown, by).toAnswer(200);
      // Whether it is found by the others is for other checks.
      if (hasTransactions(shown)) expectAmount(gateway, shown, 1100);
    }
  },
);

for (const kind of ['sale', 'auth', 'accountVerification'] as const)
  test(
    `shows the state an order came to, whatever the first answer was (${kind})`,
    rule('GW-STS-06', { needs: ['card.pending'] }),
    async ({ gateway }) => {
      const { reply, order } = await gateway.pay(kind, { card: 'pending' });
      const end = await gateway.pollUntilFinal(order, reply);
      expect(['APPROVED', 'DECLINED', 'ERROR', 'FILTERED']).toContain(end);
      for (const by of identifiersOf(order).slice(1)) {
        const shown = await gateway.status(order, by);
        // Whether it is found by this one is for another check.
        if (hasTransactions(shown)) expect(shown.object.orderState, by).toBe(end);
      }
    },
  );

for (const [name, whose] of OTHER_REQUESTORS) {
  test(
    `shows the state an order of ${whose} came to, whatever the first answer was`,
    rule('GW-STS-06', { needs: ['card.pending', `requestor.${name}`] }),
    async ({ gateway, target }) => {
      const requestor = target.gateway!.requestors[name]!;
      const { reply, order } = await gateway.pay('sale', { card: 'pending', requestor });
      test.skip(reply.status !== 200, `a payment of ${whose} was answered ${reply.status}`);
      expect(FINAL_STATES).toContain(await gateway.pollUntilFinal(order, reply));
    },
  );

  test(
    `lists the transactions of an order of ${whose}`,
    rule('GW-STS-08', { needs: [`requestor.${name}`] }),
    async ({ gateway, target }) => {
      const requestor = target.gateway!.requestors[name]!;
      const { order, state } = await gateway.payAndFollow('sale', { requestor });
      test.skip(state !== 'APPROVED', `${whose} has no sale approved`);
      expect((await gateway.status(order)).list('/transactions').length).toBeGreaterThan(0);
    },
  );
}

test('shows a capture and a reversal as soon as they are done', rule('GW-STS-07'), async ({ gateway }) => {
  const order = await gateway.arrangeApproved('auth', { amount: 1000 });
  await gateway.capture(order, 1000);
  expect((await gateway.sumAfterPolling(order, 'capture')).count).toBe(1);
  await gateway.reverse(order, 400);
  expect((await gateway.sumAfterPolling(order, 'reversal')).count).toBe(1);
});

for (const { how, needs, test } of [
  PAYMENT_WAYS.card,
  PAYMENT_WAYS.cardId,
  PAYMENT_WAYS.form,
  { ...PAYMENT_WAYS.threeDS, how: 'after 3-D Secure' },
])
  for (const [what, by, kinds] of [
    [`a capture and a reversal${how && ` of an authorization ${how}`}`, 'auth', ['capture', 'reversal']],
    [`a reversal of a sale${how && ` ${how}`}`, 'sale', ['reversal']],
  ] as const)
    test(
      `shows ${what} by whichever identifier it is asked`,
      rule('GW-STS-07', { needs }),
      async ({ arrangePaid, gateway }) => {
        const order = await arrangePaid(by, { amount: 1000 });
        // What was shown before is not to be shown again.
        for (const id of identifiersOf(order).slice(1)) await gateway.status(order, id);
        if (by === 'auth') {
          await gateway.arrangeCapture(order);
          for (const id of identifiersOf(order).slice(1)) await gateway.status(order, id);
        }
        await gateway.reverse(order, Math.ceil(order.amount * 0.4));
        await gateway.pollWhilePending(order);
        for (const id of identifiersOf(order)) {
          const reply = await gateway.status(order, id);
          const counts = kinds.map((kind) => gateway.sumTransactions(reply, kind).count);
          expect(counts, id).toEqual(kinds.map(() => 1));
        }
      },
    );

for (const form of ['saleForm', 'authForm'] as const)
  test(
    `shows by whichever identifier it is asked that a form was paid (${form})`,
    rule('GW-STS-06', { needs: ['form', 'browser'] }),
    async ({ gateway, hostedForm }) => {
      const started = await hostedForm.start(form);
      // What was shown before is not to be shown again.
      for (const by of identifiersOf(started.order)) await gateway.status(started.order, by);
      await hostedForm.pay(started);
      await hostedForm.waitForReturn(started.paid);
      const end = await gateway.pollUntilFinal(started.order);
      for (const by of identifiersOf(started.order)) {
        const shown = await gateway.status(started.order, by);
        // Whether it is found by this one is for another check.
        if (hasTransactions(shown)) expect(shown.object.orderState, by).toBe(end);
      }
    },
  );

for (const [name, whose] of OTHER_REQUESTORS)
  test(
    `shows a capture and a reversal of ${whose}, and still the authorization`,
    rule('GW-STS-07', 'GW-STR-01', { needs: [`requestor.${name}`] }),
    async ({ gateway, target }) => {
      const requestor = target.gateway!.requestors[name]!;
      const { order, state } = await gateway.payAndFollow('auth', { amount: 1000, requestor });
      test.skip(state !== 'APPROVED', `${whose} has no authorization approved`);
      // What was shown before is not to be shown again.
      for (const by of identifiersOf(order).slice(1)) await gateway.status(order, by);
      const captured = await gateway.capture(order, 700);
      const { count: captures } = await gateway.sumAfterPolling(order, 'capture');
      if (isTaken(captured)) expect(captures, 'GW-STS-07').toBe(1);
      const refunded = await gateway.reverse(order, 400);
      const { count: refunds } = await gateway.sumAfterPolling(order, 'reversal');
      if (isTaken(refunded)) expect(refunds, 'GW-STS-07').toBeGreaterThanOrEqual(1);
      const shown = await gateway.pollWhilePending(order);
      if (!hasTransactions(shown)) return;
      expect(gateway.sumTransactions(shown, 'authorization').count, 'GW-STR-01').toBeGreaterThanOrEqual(1);
      const count = (reply: ApiReply) =>
        (['capture', 'reversal'] as const).map((kind) => gateway.sumTransactions(reply, kind).count);
      for (const by of identifiersOf(order).slice(1)) {
        const found = await gateway.status(order, by);
        // Whether it is found by this one is for another check.
        if (hasTransactions(found)) expect(count(found), 'GW-STS-07').toEqual(count(shown));
      }
    },
  );

test('shows a void by whichever identifier it is asked', rule('GW-STS-07'), async ({ gateway }) => {
  const order = await gateway.arrangeApproved('auth', { amount: 1000 });
  await gateway.reverse(order);
  const { count } = await gateway.sumAfterPolling(order, 'reversal');
  test.skip(count === 0, 'a void is not listed as a reversal');
  for (const by of identifiersOf(order).slice(1))
    expect(gateway.sumTransactions(await gateway.status(order, by), 'reversal').count, by).toBe(count);
});

test(
  'shows a change long after a payment by whichever identifier it is asked, and still the payment',
  rule('GW-STS-07', 'GW-STS-08', 'GW-STA-04', { needs: ['later'] }),
  async ({ gateway, target }) => {
    // On the same card, and of the same amount; nothing is done to it.
    const other = await gateway.arrangeApproved('sale', { amount: 1000 });
    const order = await gateway.arrangeApproved('sale', { amount: 1000 });
    const paid = countListed(gateway, await gateway.status(order), PAYING);
    requireSeen(paid || undefined, 'a payment among the transactions of its order');
    // What was shown before is not to be shown again.
    for (const by of identifiersOf(order)) await gateway.status(order, by);
    await changeLater(order, gateway, target);
    await gateway.sleepPollGap();
    for (const by of identifiersOf(order).slice(1)) {
      // The change may come while it is looked at.
      const replies = [await gateway.status(order), await gateway.status(order, by), await gateway.status(order)];
      const [before, own, after] = replies.map((shown) => describe(gateway, shown));
      expect([before, after], by).toContainEqual(own);
      for (const shown of replies) expect(countListed(gateway, shown, PAYING), 'GW-STS-08').toBeGreaterThan(0);
    }
    expect((await gateway.status(other)).object.orderState, 'GW-STA-04').toBe('APPROVED');
  },
);

/** Kinds of transactions by which an order is paid. */
const PAYING = ['sale', 'authorization', 'capture'];

/** How many transactions of these kinds an answer lists, whatever became of them. */
function countListed(gateway: GatewayClient, shown: ApiReply, kinds: readonly string[]): number {
  return gateway.transactions(shown).filter(({ kind }) => kinds.includes(kind)).length;
}

/** State and transactions that an answer shows, in no particular order. */
function describe(gateway: GatewayClient, shown: ApiReply): readonly string[] {
  const transactions = gateway
    .transactions(shown)
    .map(({ type, amount, state }) => `${type} ${amount} ${String(state)}`);
  return [String(shown.object.orderState), ...transactions.sort()];
}

/** Asks for two orders by the caller's own ids, for neither of which the other must be shown. Whether they are found is not looked at. */
async function expectApart(gateway: GatewayClient, order: PlacedOrder, other: PlacedOrder): Promise<void> {
  for (const [one, foreign] of [
    [order, other],
    [other, order],
  ] as const) {
    const found = await gateway.status(one, 'orderMerchantId');
    const isListed = found.status === 200 && Array.isArray(found.object.transactions);
    const shown = isListed ? gateway.transactions(found) : [];
    const amounts = shown.flatMap(({ amount }) => amount ?? []);
    if (shown.length > 0) requireEntries(amounts, 'amounts of transactions');
    expect(amounts).not.toContain(foreign.amount);
  }
}

test(
  "shows no requestor another's order of the same id",
  rule('GW-STS-03', { needs: ['requestor.second'] }),
  async ({ gateway, target }) => {
    const order = await gateway.arrangeApproved('sale', { amount: 1100 });
    const { merchantId } = order;
    const requestor = target.gateway!.requestors.second!;
    const { order: other, state } = await gateway.payAndFollow('sale', { amount: 1200, requestor, merchantId });
    test.skip(state !== 'APPROVED', 'the second requestor cannot use an id that the first one has used');
    // Whether an id that two have used is still found is not said; whose order it must not show is.
    await expectApart(gateway, order, other);
  },
);

/** An id of figures alone, another for another. */
const inFigures = (id: string) =>
  `7${BigInt(`0x${Buffer.from(id).toString('hex')}`)
    .toString()
    .slice(-13)}`;

for (const [where, alike] of [
  ['in case', (id: string) => [id, id.toUpperCase()]],
  ['by a letter at its end', (id: string) => [id, `${id}1`]],
  // In SQL it stands for any letter.
  ['in an underscore', (id: string) => [`${id}_a`, `${id}xa`]],
  ['in a zero in front', (id: string) => [inFigures(id), `0${inFigures(id)}`]],
  ['in an accent', (id: string) => [`${id}e`, `${id}é`]],
  // As long as a UUID.
  ['in the last of 36 letters', (id: string) => [id.padEnd(36, 'a'), `${id.padEnd(35, 'a')}b`]],
  ['in the last of 64 letters', (id: string) => [id.padEnd(64, 'a'), `${id.padEnd(63, 'a')}b`]],
  ['in a sign', (id: string) => [`${id}-a`, `${id}a`]],
  // Some databases hold all letters of four bytes for one.
  ['in a letter of four bytes', (id: string) => [`${id}📦`, `${id}🚚`]],
] as const)
  test(`takes no id for another that differs ${where} alone`, rule('GW-STS-03'), async ({ gateway }) => {
    const [merchantId, otherId] = alike(gateway.paymentBody().merchantId);
    const { order, state } = await gateway.payAndFollow('sale', { amount: 1100, merchantId: merchantId! });
    const other = await gateway.payAndFollow('sale', { amount: 1200, merchantId: otherId! });
    // A service may take the second for the first one come again, or refuse it.
    const isNew = other.state === 'APPROVED' && String(other.order.systemId) !== String(order.systemId);
    test.skip(state !== 'APPROVED' || !isNew, `no ids can be used that differ ${where} alone`);
    await expectApart(gateway, order, other.order);
  });

for (const [what, write] of [
  ['letters beyond ASCII', (id: string) => `${id}-é-Ж`],
  ['signs that addresses encode', (id: string) => `${id}/a+b%20c&d`],
  ['64 letters', (id: string) => id.padEnd(64, 'a')],
  ['figures alone and a zero in front', (id: string) => `0${inFigures(id)}`],
] as const)
  test(`finds an order by an id of ${what} that it took`, rule('GW-STS-03'), async ({ gateway }) => {
    const merchantId = write(gateway.paymentBody().merchantId);
    const { order, state } = await gateway.payAndFollow('sale', { amount: 1300, merchantId });
    // Which ids may be used is not said.
    test.skip(state !== 'APPROVED', `an id of ${what} cannot be used`);
    await expectFound(gateway, order, 'orderMerchantId');
  });

test('lists the transactions of an order', rule('GW-STS-08'), async ({ gateway }) => {
  const order = await gateway.arrangeApproved('sale', { amount: 1000 });
  expect((await gateway.status(order)).list('/transactions').length).toBeGreaterThan(0);
});

for (const [what, needs, arrange] of [
  ['an account verification', [], (gateway: GatewayClient) => gateway.arrangeApproved('accountVerification')],
  [
    'a declined payment',
    ['card.declined'],
    async (gateway: GatewayClient) => {
      const { order, state } = await gateway.payAndFollow('sale', { card: 'declined' });
      test.skip(state !== 'DECLINED', `the payment is ${state}`);
      return order;
    },
  ],
  [
    'a sale that was taken back in parts',
    [],
    async (gateway: GatewayClient) => {
      const order = await gateway.arrangeApproved('sale', { amount: 1000 });
      for (const amount of [300, 200]) {
        await gateway.reverse(order, amount);
        await gateway.pollWhilePending(order);
      }
      return order;
    },
  ],
] as const)
  test(
    `lists the transactions of ${what} by whichever identifier it is asked`,
    rule('GW-STS-08', { needs }),
    async ({ gateway }) => {
      const order = await arrange(gateway);
      const shown = await gateway.status(order);
      for (const by of identifiersOf(order).slice(1)) {
        const found = await gateway.status(order, by);
        // Whether it is found by this one is for another check.
        if (found.status !== 200 || found.object.orderState !== shown.object.orderState) continue;
        expect(gateway.transactions(found).length, by).toBe(gateway.transactions(shown).length);
      }
    },
  );

test('still lists an authorization after its void', rule('GW-STS-08'), async ({ gateway }) => {
  const order = await gateway.arrangeApproved('auth', { amount: 1000 });
  await gateway.reverse(order);
  expect((await gateway.sumAfterPolling(order, 'authorization')).count).toBeGreaterThanOrEqual(1);
  for (const shown of await gateway.statusesByBothIds(order))
    expect(countListed(gateway, shown, ['authorization'])).toBeGreaterThanOrEqual(1);
});

test(
  'still lists an authorization after a capture days later',
  rule('GW-STS-08', { needs: ['clock'] }),
  async ({ gateway }) => {
    const order = await gateway.arrangeApproved('auth', { amount: 1000 });
    await gateway.sleep(3 * 86_400);
    await gateway.capture(order, 600);
    const shown = await gateway.pollWhilePending(order);
    test.skip(sumListed(gateway, shown, 'capture') === 0, 'nothing is captured days after the authorization');
    expect(countListed(gateway, shown, ['authorization'])).toBeGreaterThan(0);
  },
);

test('still lists a sale that was taken back in full', rule('GW-STS-08'), async ({ gateway }) => {
  const order = await gateway.arrangeApproved('sale', { amount: 1000 });
  await gateway.reverse(order);
  const shown = await gateway.pollWhilePending(order);
  expect(countListed(gateway, shown, PAYING)).toBeGreaterThan(0);
});

for (const [what, by, kinds] of [
  ['a sale', 'sale', PAYING],
  ['a capture', 'auth', ['capture']],
] as const)
  test(
    `still lists ${what} that was taken back in parts, and no more of it`,
    rule('GW-STS-08'),
    async ({ gateway }) => {
      const order = await gateway.arrangeApproved(by, { amount: 1000 });
      if (by === 'auth') await gateway.arrangeCapture(order);
      const before = await gateway.pollWhilePending(order);
      requireSeen(countListed(gateway, before, kinds) || undefined, `${what} among the transactions of its order`);
      for (const amount of [600, 400]) {
        await gateway.reverse(order, amount);
        const shown = await gateway.pollWhilePending(order);
        expect(countListed(gateway, shown, kinds)).toBeGreaterThan(0);
        for (const kind of ['sale', 'capture'] as const)
          expect(sumListed(gateway, shown, kind)).toBeLessThanOrEqual(sumListed(gateway, before, kind));
      }
    },
  );

test('still lists a capture after another one', rule('GW-STS-08'), async ({ gateway }) => {
  const order = await gateway.arrangeApproved('auth', { amount: 1000 });
  await gateway.arrangeCapture(order, 400);
  // Whether another one is carried out is open.
  await gateway.capture(order, 300);
  expect((await gateway.sumAfterPolling(order, 'capture')).sum).toBeGreaterThanOrEqual(400);
});

test(
  'lists what is booked of two captures',
  rule('GW-STS-08', { needs: ['merchant'] }),
  async ({ gateway, lookups }) => {
    /** @param most what may be booked; absent: what is listed */
    const booksAtMost = (most?: number) =>
      lookups.growsAtMost(async () => {
        const order = await gateway.arrangeApproved('auth', { amount: 1000 });
        await gateway.arrangeCapture(order, 300);
        await gateway.capture(order, 200);
        const { sum } = await gateway.sumAfterPolling(order, 'capture');
        return { amount: most ?? sum };
      });
    // What is booked beyond what was asked for is for the captures' own checks to say.
    expect((await booksAtMost()) || !(await booksAtMost(500))).toBe(true);
  },
);

test('shows no order to a request that names none', rule('GW-STS-09'), async ({ gateway, target }) => {
  const { systemId } = await gateway.arrangeApproved('sale');
  const { merchantId } = gateway.paymentBody();
  const orderSystemId = beyond32Bits(systemId);
  const nobodys = [
    {},
    ...(orderSystemId === undefined ? [] : [{ orderSystemId }]),
    { orderSystemId: '' },
    { byCorrelationId: '' },
    // Of no order, whatever ids look like here.
    { orderMerchantId: merchantId },
    { byCorrelationId: merchantId },
  ];
  // Asked again, there is none either.
  for (const body of [...nobodys, ...nobodys]) expectNoOrder(await gateway.send('status', { body }), body);
  const { second } = target.gateway!.requestors;
  if (second === undefined) return;
  await gateway.payAndFollow('sale', { requestor: second });
  const theirs = { path: { requestorId: second.id }, token: second.token };
  for (const body of nobodys) expectNoOrder(await gateway.send('status', { ...theirs, body }), body);
});

/** Holds an answer to showing no order. @param body what was asked for */
function expectNoOrder(reply: ApiReply, body: object): void {
  const shown = reply.status === 200 ? (reply.object.transactions ?? []) : [];
  expect(shown, JSON.stringify(body)).toEqual([]);
  if (reply.status === 200) expect(reply.object.orderState, JSON.stringify(body)).not.toBe('APPROVED');
}
