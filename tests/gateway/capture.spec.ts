import {
  expect,
  type GatewayClient,
  identifiersOf,
  isTaken,
  type PaymentOptions,
  type PlacedOrder,
  passMoment,
  requireSeen,
  rule,
  test,
  twice,
} from '#harness';
import { seeApproved } from './support/approved-payment.ts';
import { FAILING_CARDS, failingCardsOf, payInVain } from './support/failing-payments.ts';
import { difference, sumListed } from './support/listed-sum.ts';
import { beyond32Bits } from './support/nobody.ts';
import { expectNoFailure } from './support/other-requestors.ts';
import { BY_SYSTEM_ID, byOwnId } from './support/own-id.ts';
import { BOOKED, OTHER_REQUESTORS, otherWays, PAYMENT_WAYS, UNUSUAL_WAYS } from './support/payment-ways.ts';
import { amountsAbove, hardPart } from './support/telling-amounts.ts';
import { expectEachDone } from './support/three-at-once.ts';

test('answers a capture with a StatusResponse', rule('GW-CAP-01'), async ({ gateway, target }) => {
  const order = await gateway.arrangeApproved('auth', { amount: 1000 });
  expect(await gateway.capture(order, 1000)).toAnswer(200);
  await expectNoFailure('GW-CAP-01', target, async (requestor) => {
    const { order, state } = await gateway.payAndFollow('auth', { requestor });
    return state === 'APPROVED' ? gateway.capture(order) : undefined;
  });
});

test('charges what was authorized', rule('GW-CAP-02'), async ({ gateway }) => {
  const order = await gateway.arrangeApproved('auth', { amount: 1000 });
  await expectCaptured(gateway, order, 1000);
});

test('captures everything when no amount is given', rule('GW-CAP-03'), async ({ gateway }) => {
  // An amount that binary fractions miss.
  const order = await gateway.arrangeApproved('auth', { amount: 1999 });
  await expectCaptured(gateway, order);
});

test('captures a part of the authorized amount', rule('GW-CAP-04'), async ({ gateway }) => {
  const order = await gateway.arrangeApproved('auth', { amount: 1000 });
  // An amount that binary fractions miss.
  await expectCaptured(gateway, order, 435);
  // Less than one of its currency, which is nothing as a whole number.
  await expectCaptured(gateway, await gateway.arrangeApproved('auth', { amount: 1000 }), 57);
});

for (const { how, needs, test } of otherWays('of a cardholder who was authenticated')) {
  test(
    `captures a part of what was authorized ${how}, takes back a part of that, and captures no more than is left`,
    rule('GW-CAP-04', 'GW-REV-05', 'GW-CAP-05', { needs }),
    async ({ arrangePaid, gateway }) => expectParts(gateway, await arrangePaid('auth')),
  );
}

for (const [requestor, what] of [...OTHER_REQUESTORS, ['main', 'a credit card']] as const)
  test(
    `captures a part of an authorization of ${what}, takes back a part of that, and captures no more than is left`,
    rule('GW-CAP-04', 'GW-REV-05', 'GW-CAP-05', {
      needs: requestor === 'main' ? ['card.credit'] : [`requestor.${requestor}`],
    }),
    async ({ gateway, target }) => {
      const by = target.gateway!.requestors[requestor]!;
      const card = requestor === 'main' ? 'credit' : 'approved';
      await expectParts(gateway, await seeAuthorized(gateway, { amount: 1000, card, requestor: by }));
    },
  );

/** Captures an amount of an order, or all of it, and finds just that captured. @param names what names the order otherwise */
async function expectCaptured(
  gateway: GatewayClient,
  order: PlacedOrder,
  amount?: number,
  names: Readonly<Record<string, unknown>> = {},
): Promise<void> {
  await gateway.capture(order, amount, names);
  const captured = { count: 1, sum: amount ?? order.amount };
  expect(await gateway.sumAfterPolling(order, 'capture')).toEqual(captured);
}

/** Captures a part of an authorization, takes a part of that back and captures more than is left, and finds no more done than may be. */
async function expectParts(gateway: GatewayClient, order: PlacedOrder): Promise<void> {
  const [captured, refunded] = [hardPart(order.amount, 0.6), hardPart(order.amount, 0.2)];
  await gateway.capture(order, captured);
  expect(await gateway.sumAfterPolling(order, 'capture'), 'GW-CAP-04').toEqual({ count: 1, sum: captured });
  // What is left of the block may be released by an entry of its own.
  const released = await gateway.sumAfterPolling(order, 'reversal');
  await gateway.reverse(order, refunded);
  const taken = difference(await gateway.sumAfterPolling(order, 'reversal'), released);
  expect(taken, 'GW-REV-05').toEqual({ count: 1, sum: refunded });
  for (const amount of amountsAbove(order.amount - captured)) await gateway.capture(order, amount);
  const { sum } = await gateway.sumAfterPolling(order, 'capture');
  expect(sum, 'GW-CAP-05').toBeLessThanOrEqual(order.amount);
}

test('takes an amount of zero for no other', rule('GW-CAP-04'), async ({ gateway }) => {
  const order = await gateway.arrangeApproved('auth', { amount: 1000 });
  await gateway.capture(order, 0);
  expect((await gateway.sumAfterPolling(order, 'capture')).sum).toBe(0);
});

test(
  "captures no more than a part of an order that the caller's own id names",
  rule('GW-CAP-04'),
  async ({ gateway }) => {
    const order = await gateway.arrangeApproved('auth', { amount: 1000 });
    // An amount that binary fractions miss.
    await gateway.capture(order, 435, byOwnId(order));
    // Whether that id is enough is a rule of its own.
    expect([0, 435]).toContain((await gateway.sumAfterPolling(order, 'capture')).sum);
  },
);

test('does not capture one minor unit more than was authorized', rule('GW-CAP-05'), async ({ gateway }) => {
  const order = await gateway.arrangeApproved('auth', { amount: 1000 });
  await twice(() => gateway.capture(order, 1001));
  expect((await gateway.sumAfterPolling(order, 'capture')).sum).toBeLessThanOrEqual(1000);
});

test(
  'captures what was authorized on a registered card, all of it when no amount is given, and no more',
  rule('GW-CAP-02', 'GW-CAP-03', 'GW-CAP-05', { needs: ['recurring'] }),
  async ({ gateway, recurring }) => {
    const cardId = await recurring.arrangeRegistration();
    // Another amount than the order has whose card it is.
    await expectExactly(gateway, await gateway.arrangeApproved('auth', { amount: 1700, cardId }));
    await expectAll(gateway, await gateway.arrangeApproved('auth', { amount: 1999, cardId }));
  },
);

for (const [title, amount, requestor, card] of [
  ['still captures everything after a refused capture', 1000, 'main', 'approved'],
  ['captures one minor unit, and no more', 1, 'main', 'approved'],
  ['captures thousands, and no more', 123_456, 'main', 'approved'],
  ['captures what was authorized on a credit card, and no more', 1000, 'main', 'credit'],
  ['captures what another requestor authorized, and no more', 1000, 'second', 'approved'],
  ['captures what a requestor of several currencies authorized, and no more', 1000, 'multicurrency', 'approved'],
] as const)
  test(
    title,
    rule('GW-CAP-02', 'GW-CAP-05', ...(requestor === 'multicurrency' ? (['GW-CAP-03'] as const) : []), {
      needs: [
        ...(requestor === 'main' ? [] : ([`requestor.${requestor}`] as const)),
        ...(card === 'approved' ? [] : ([`card.${card}`] as const)),
      ],
    }),
    async ({ gateway, target }) => {
      const by = target.gateway!.requestors[requestor]!;
      await expectExactly(gateway, await seeAuthorized(gateway, { amount, card, requestor: by }));
      if (requestor !== 'multicurrency') return;
      const whole = await gateway.payAndFollow('auth', { amount: 1999, card, requestor: by });
      if (whole.state === 'APPROVED') await expectAll(gateway, whole.order);
    },
  );

test('captures no more than a part after a refused capture', rule('GW-CAP-04'), async ({ gateway }) => {
  const order = await gateway.arrangeApproved('auth', { amount: 1000 });
  await gateway.capture(order, 1001);
  const { sum } = await gateway.sumAfterPolling(order, 'capture');
  test.skip(sum > 0, 'a capture of more than was authorized is taken for one of all of it');
  await expectCaptured(gateway, order, 400);
});

test('still captures everything after a refused reversal', rule('GW-CAP-02'), async ({ gateway }) => {
  const order = await gateway.arrangeApproved('auth', { amount: 1000 });
  const reply = await gateway.reverse(order, 1001);
  test.skip(isTaken(reply), 'a reversal of more than was authorized is taken, maybe for one of all of it');
  await expectCaptured(gateway, order, 1000);
});

for (const { how, needs, test } of [...UNUSUAL_WAYS, PAYMENT_WAYS.threeDS, PAYMENT_WAYS.paReq])
  test(
    `captures what was authorized ${how}, and no more`,
    rule('GW-CAP-02', 'GW-CAP-05', { needs }),
    async ({ arrangePaid, gateway }) => expectExactly(gateway, await arrangePaid('auth', { amount: 1000 })),
  );

test(
  'captures everything that another requestor authorized when no amount is given',
  rule('GW-CAP-03', { needs: ['requestor.second'] }),
  async ({ gateway, target }) => {
    const requestor = target.gateway!.requestors.second!;
    await expectAll(gateway, await seeAuthorized(gateway, { amount: 1999, requestor }));
  },
);

test(
  'captures what is asked for of authorizations two days old, all when no amount is given, and no more by captures on different days',
  rule('GW-CAP-03', 'GW-CAP-02', 'GW-CAP-04', 'GW-CAP-05', { needs: ['clock'] }),
  async ({ gateway }) => {
    await gateway.learnLapse();
    const [untouched, begun, whole, exact, part] = [
      await gateway.arrangeApproved('auth', { amount: 1000 }),
      await gateway.arrangeApproved('auth', { amount: 1000 }),
      await gateway.arrangeApproved('auth', { amount: 1999 }),
      await gateway.arrangeApproved('auth', { amount: 1000 }),
      await gateway.arrangeApproved('auth', { amount: 1000 }),
    ];
    await gateway.arrangeCapture(begun, 400);
    await gateway.passDays(2);
    for (const [order, amount] of [
      [untouched, 1001],
      [begun, 601],
    ] as const) {
      await gateway.capture(order, amount);
      expect((await gateway.sumAfterPolling(order, 'capture')).sum, 'GW-CAP-05').toBeLessThanOrEqual(1000);
    }
    await expectAll(gateway, whole);
    for (const [id, order, amount] of [
      ['GW-CAP-02', exact, 1000],
      ['GW-CAP-04', part, 435],
    ] as const) {
      await gateway.capture(order, amount);
      expect(await gateway.sumAfterPolling(order, 'capture'), id).toEqual({ count: 1, sum: amount });
    }
  },
);

test(
  'does not capture more than was authorized after a capture of less than nothing',
  rule('GW-CAP-05'),
  async ({ gateway }) => {
    const order = await gateway.arrangeApproved('auth', { amount: 1000 });
    // What is listed of it, if anything, may count against the other one.
    await gateway.capture(order, -500);
    const before = await gateway.sumAfterPolling(order, 'capture');
    await gateway.capture(order, 1500);
    const { sum } = difference(await gateway.sumAfterPolling(order, 'capture'), before);
    expect(sum).toBeLessThanOrEqual(1000);
  },
);

test('does not capture twice or ten times what was authorized', rule('GW-CAP-05'), async ({ gateway }) => {
  const order = await gateway.arrangeApproved('auth', { amount: 900 });
  // The second is the smaller one where figures are compared as text.
  for (const amount of [1800, 1000, 9000]) {
    await gateway.capture(order, amount);
    expect((await gateway.sumAfterPolling(order, 'capture')).sum).toBeLessThanOrEqual(900);
  }
});

test(
  'has what was authorized, captured and taken back count a moment later in real time',
  rule('GW-CAP-02', 'GW-CAP-05', 'GW-REV-02', 'GW-REV-06', 'GW-STS-04', 'GW-STS-08', { isIdle: true }),
  async ({ gateway }) => {
    const blocked = await gateway.arrangeApproved('auth', { amount: 1000 });
    const voided = await gateway.arrangeApproved('auth', { amount: 1000 });
    await gateway.reverse(voided);
    const captured = await gateway.arrangeApproved('auth', { amount: 1000 });
    await gateway.arrangeCapture(captured, 600);
    const refunded = await gateway.arrangeApproved('sale', { amount: 1000 });
    await gateway.reverse(refunded, 600);
    const isVoid = (await gateway.sumAfterPolling(voided, 'reversal')).count === 1;
    const before = await gateway.sumAfterPolling(refunded, 'reversal');
    await passMoment();
    if (before.count > 0) expect(await gateway.sumAfterPolling(refunded, 'reversal'), 'GW-STS-08').toEqual(before);
    await gateway.capture(blocked);
    expect(await gateway.sumAfterPolling(blocked, 'capture'), 'GW-CAP-02').toEqual({ count: 1, sum: blocked.amount });
    if (isVoid) {
      await gateway.capture(voided, voided.amount);
      expect((await gateway.sumAfterPolling(voided, 'capture')).count, 'GW-REV-02').toBe(0);
    }
    if (identifiersOf(refunded).includes('byCorrelationId')) {
      const found = await gateway.status(refunded, 'byCorrelationId');
      expect(found, 'GW-STS-04').toAnswer(200);
      const { orderState } = (await gateway.status(refunded)).object;
      expect(found.object.orderState, 'GW-STS-04').toBe(orderState);
    }
    await gateway.capture(captured, 401);
    expect((await gateway.sumAfterPolling(captured, 'capture')).sum, 'GW-CAP-05').toBeLessThanOrEqual(1000);
    await gateway.reverse(refunded, 401);
    expect((await gateway.sumAfterPolling(refunded, 'reversal')).sum, 'GW-REV-06').toBeLessThanOrEqual(1000);
  },
);

test('does not capture more than was authorized by several captures', rule('GW-CAP-05'), async ({ gateway }) => {
  const order = await gateway.arrangeApproved('auth', { amount: 1000 });
  for (const amount of [600, 600, undefined]) {
    await gateway.capture(order, amount);
    expect((await gateway.sumAfterPolling(order, 'capture')).sum).toBeLessThanOrEqual(1000);
  }
});

for (const [count, isWhole, { how, needs, test }] of [
  [2, false, PAYMENT_WAYS.card],
  [5, false, PAYMENT_WAYS.card],
  [2, true, PAYMENT_WAYS.card],
  [2, false, PAYMENT_WAYS.cardId],
  [2, false, PAYMENT_WAYS.form],
  [2, false, PAYMENT_WAYS.threeDS],
] as const) {
  test(
    `does not capture more than was authorized${how && ` ${how}`} by ${count} captures ${isWhole ? 'of everything ' : ''}at once`,
    rule('GW-CAP-05', { needs }),
    async ({ arrangePaid, gateway, together }) => {
      const order = await arrangePaid('auth', { amount: 1000 });
      const amount = isWhole ? undefined : Math.ceil(order.amount * 0.6);
      await together(Array.from({ length: count }, () => () => gateway.capture(order, amount)));
      expect((await gateway.sumAfterPolling(order, 'capture')).sum).toBeLessThanOrEqual(order.amount);
    },
  );
}

for (const [name, whose] of OTHER_REQUESTORS)
  test(
    `does not capture more than was authorized for ${whose} by two captures at once`,
    rule('GW-CAP-05', { needs: [`requestor.${name}`] }),
    async ({ gateway, target, together }) => {
      const requestor = target.gateway!.requestors[name]!;
      const order = await seeAuthorized(gateway, { amount: 1000, requestor });
      await together([600, 600].map((amount) => () => gateway.capture(order, amount)));
      expect((await gateway.sumAfterPolling(order, 'capture')).sum).toBeLessThanOrEqual(order.amount);
    },
  );

test(
  'does not capture more than was authorized by captures at once that name the order apart',
  rule('GW-CAP-05'),
  async ({ gateway, together }) => {
    const order = await gateway.arrangeApproved('auth', { amount: 1000 });
    const byMerchantId = byOwnId(order);
    await together([byMerchantId, {}, byMerchantId].map((name) => () => gateway.capture(order, 600, name)));
    expect((await gateway.sumAfterPolling(order, 'capture')).sum).toBeLessThanOrEqual(1000);
  },
);

for (const { how, needs, test } of [PAYMENT_WAYS.card, ...otherWays('to a cardholder who was authenticated')])
  test(
    `captures nothing more of a sale${how && ` ${how}`}`,
    rule('GW-CAP-05', { needs }),
    async ({ arrangePaid, gateway }) => expectCapturedAlready(gateway, await arrangePaid('sale', { amount: 1000 })),
  );

for (const [name, whose] of OTHER_REQUESTORS)
  test(
    `captures nothing more of a sale of ${whose}`,
    rule('GW-CAP-05', { needs: [`requestor.${name}`] }),
    async ({ gateway, target }) => {
      const requestor = target.gateway!.requestors[name]!;
      await expectCapturedAlready(gateway, await seeApproved(gateway, 'sale', { amount: 1000, requestor }));
    },
  );

/** Asks for the capture of a sale, which is one already, and finds none that was not there before. */
async function expectCapturedAlready(gateway: GatewayClient, order: PlacedOrder): Promise<void> {
  // A sale may be listed as an authorization and its capture.
  const before = await gateway.sumAfterPolling(order, 'capture');
  await twice(() => gateway.capture(order));
  await gateway.capture(order, 100);
  expect(await gateway.sumAfterPolling(order, 'capture')).toEqual(before);
}

for (const card of ['unknown', 'chain'] as const)
  test(
    `charges what was paid with the card ${card}, once it is approved`,
    rule('GW-CAP-02', 'GW-SAL-02', { needs: [`card.${card}`] }),
    async ({ gateway }) => {
      const sold = await gateway.payAndFollow('sale', { card, amount: 1000 });
      const held = await gateway.payAndFollow('auth', { card, amount: 1000 });
      const isApproved = sold.state === 'APPROVED' && held.state === 'APPROVED';
      test.skip(!isApproved, 'a payment that is not final at first is not approved in the end');
      await gateway.capture(held.order, 600);
      expect(await gateway.sumAfterPolling(held.order, 'capture'), 'GW-CAP-02').toEqual({ count: 1, sum: 600 });
      await gateway.reverse(sold.order, 400);
      expect(await gateway.sumAfterPolling(sold.order, 'reversal'), 'GW-SAL-02').toEqual({ count: 1, sum: 400 });
    },
  );

for (const [card, what] of FAILING_CARDS) {
  test(
    `charges nothing of an authorization that ${what}`,
    rule('GW-CAP-02', { needs: [`card.${card}`] }),
    async ({ gateway }) => {
      const { order, reply } = await gateway.pay('auth', { card });
      expect(await gateway.pollUntilFinal(order, reply)).not.toBe('APPROVED');
      await twice(() => gateway.capture(order));
      await gateway.capture(order, order.amount);
      expect(sumListed(gateway, await gateway.pollWhilePending(order), 'capture')).toBe(0);
    },
  );

  test(
    `charges nothing of an authorization on the hosted form that ${what}`,
    rule('GW-CAP-02', { needs: [`card.${card}`, 'form', 'browser'] }),
    async ({ gateway, hostedForm }) => {
      const { order } = await payInVain(hostedForm, 'authForm', card);
      await twice(() => gateway.capture(order));
      await gateway.sleepPollGap();
      expect(sumListed(gateway, await gateway.status(order), 'capture')).toBe(0);
    },
  );
}

for (const [id, amount] of [
  ['GW-CAP-02', 1000],
  ['GW-CAP-04', 400],
] as const)
  test(
    `books no more than was captured${id === 'GW-CAP-04' ? ' of a part' : ''}`,
    rule(id, { needs: ['merchant'] }),
    async ({ gateway, lookups }) => {
      const isWithin = await lookups.growsAtMost(async () => {
        const order = await gateway.arrangeApproved('auth', { amount: 1000 });
        await gateway.arrangeCapture(order, amount);
        return { amount };
      });
      expect(isWithin).toBe(true);
    },
  );

test('finds the order by its system id alone', rule('GW-CAP-06'), async ({ gateway }) => {
  const order = await gateway.arrangeApproved('auth', { amount: 1000 });
  await expectCaptured(gateway, order, 1000, BY_SYSTEM_ID);
});

for (const [name, whose] of OTHER_REQUESTORS)
  test(
    `finds the order of ${whose} by its system id alone`,
    rule('GW-CAP-06', { needs: [`requestor.${name}`] }),
    async ({ gateway, target }) => {
      const order = await seeAuthorized(gateway, { amount: 1000, requestor: target.gateway!.requestors[name]! });
      await expectCaptured(gateway, order, 1000, BY_SYSTEM_ID);
    },
  );

test('captures of each of three orders at once what is asked of it', rule('GW-CAP-06'), async ({ gateway, together }) =>
  expectEachDone({ gateway, together }, 'auth', 'capture'),
);

test("finds the order by the caller's own id alone", rule('GW-CAP-07'), async ({ gateway }) => {
  const order = await gateway.arrangeApproved('auth', { amount: 1000 });
  await gateway.arrangeApproved('auth', { amount: 1000 });
  await expectCaptured(gateway, order, 1000, byOwnId(order));
});

for (const { how, needs, test } of [PAYMENT_WAYS.form, PAYMENT_WAYS.threeDS])
  test(
    `finds an authorization ${how} by its system id or the caller's own id alone`,
    rule('GW-CAP-06', 'GW-CAP-07', { needs }),
    async ({ arrangePaid, gateway }) => {
      const bySystemId = await arrangePaid('auth');
      const byMerchantId = await arrangePaid('auth');
      await gateway.capture(bySystemId, bySystemId.amount, BY_SYSTEM_ID);
      const first = await gateway.sumAfterPolling(bySystemId, 'capture');
      expect(first, 'GW-CAP-06').toEqual({ count: 1, sum: bySystemId.amount });
      await gateway.capture(byMerchantId, byMerchantId.amount, byOwnId(byMerchantId));
      const second = await gateway.sumAfterPolling(byMerchantId, 'capture');
      expect(second, 'GW-CAP-07').toEqual({ count: 1, sum: byMerchantId.amount });
    },
  );

test(
  "finds the order of a requestor of several currencies by the caller's own id alone",
  rule('GW-CAP-07', { needs: ['requestor.multicurrency'] }),
  async ({ gateway, target }) => {
    const requestor = target.gateway!.requestors.multicurrency!;
    const order = await seeAuthorized(gateway, { amount: 1000, requestor });
    await expectCaptured(gateway, order, 1000, byOwnId(order));
  },
);

test(
  "finds another requestor's order by the caller's own id alone, and captures no more than it should",
  rule('GW-CAP-07', 'GW-CAP-03', 'GW-CAP-05', { needs: ['requestor.second'] }),
  async ({ gateway, target }) => {
    const requestor = target.gateway!.requestors.second!;
    const order = await seeAuthorized(gateway, { amount: 1999, requestor });
    const byMerchantId = byOwnId(order);
    await gateway.capture(order, 2000, byMerchantId);
    const { sum } = await gateway.sumAfterPolling(order, 'capture');
    expect(sum, 'GW-CAP-05').toBeLessThanOrEqual(1999);
    // The first may be cut to what was authorized.
    if (sum > 0) return;
    await gateway.capture(order, undefined, byMerchantId);
    const whole = await gateway.sumAfterPolling(order, 'capture');
    expect(whole.count, 'GW-CAP-07').toBe(1);
    expect(whole.sum, 'GW-CAP-03').toBe(1999);
  },
);

test(
  "finds by the caller's own id no order of another requestor",
  rule('GW-CAP-07', { needs: ['requestor.second'] }),
  async ({ gateway, target }) => {
    const order = await gateway.arrangeApproved('auth', { amount: 1000 });
    const { merchantId } = order;
    const requestor = target.gateway!.requestors.second!;
    const { order: other, state } = await gateway.payAndFollow('auth', { amount: 1000, requestor, merchantId });
    test.skip(state !== 'APPROVED', 'the second requestor cannot use an id that the first one has used');
    await gateway.send('capture', { body: gateway.orderBody(order, 'capture', { orderMerchantId: merchantId }) });
    expect((await gateway.sumAfterPolling(other, 'capture')).sum).toBe(0);
  },
);

test('captures nothing where an order is named that there is not', rule('GW-CAP-09'), async ({ gateway }) => {
  const order = await gateway.arrangeApproved('auth', { amount: 1000 });
  const { merchantId: unknown } = gateway.paymentBody();
  const own = order.merchantId;
  // Of its own id, a part, more than that, and what stands for any letters in SQL.
  for (const orderMerchantId of [unknown, own.slice(0, -1), `${own}1`, `${own.slice(0, -1)}%`]) {
    await twice(() => gateway.send('capture', { body: gateway.orderBody(order, 'capture', { orderMerchantId }) }));
    expect(await gateway.sumAfterPolling(order, 'capture'), orderMerchantId).toEqual({ count: 0, sum: 0 });
  }
  const orderSystemId = beyond32Bits(order.systemId);
  if (orderSystemId === undefined) return;
  await gateway.send('capture', { body: { ...gateway.orderBody(order, 'capture'), orderSystemId } });
  expect(await gateway.sumAfterPolling(order, 'capture'), 'beyond 32 bits').toEqual({ count: 0, sum: 0 });
});

test('captures nothing where no order is named', rule('GW-CAP-09'), async ({ gateway }) => {
  const order = await gateway.arrangeApproved('auth', { amount: 1000 });
  for (const orderSystemId of [undefined, '']) {
    const unnamed = { orderSystemId, orderMerchantId: undefined };
    await twice(() => gateway.send('capture', { body: { ...gateway.orderBody(order, 'capture'), ...unnamed } }));
    expect(await gateway.sumAfterPolling(order, 'capture')).toEqual({ count: 0, sum: 0 });
  }
});

test(
  'declines a capture after the authorization has lapsed',
  rule('GW-CAP-08', { needs: ['clock'] }),
  async ({ gateway }) => {
    await expectDeclined(gateway, await gateway.arrangeAged('auth', 60, { amount: 1000 }));
  },
);

/** Has a capture of all that was authorized declined, which is answered as a payment is and not as an error. */
async function expectDeclined(gateway: GatewayClient, order: PlacedOrder): Promise<void> {
  const reply = await gateway.capture(order, order.amount);
  expect(reply).toAnswer(200);
  expect(['ERROR', 'FILTERED']).not.toContain(reply.object.orderState);
  await gateway.capture(order, order.amount);
  expect(await gateway.sumAfterPolling(order, 'capture')).toEqual({ count: 0, sum: 0 });
}

test(
  'captures nothing of an authorization that has lapsed since a capture was refused',
  rule('GW-CAP-08', { needs: ['clock', 'card.debit'] }),
  async ({ gateway }) => {
    await gateway.learnLapse();
    const [order, untried] = [
      await gateway.arrangeApproved('auth', { amount: 1000, card: 'debit' }),
      await gateway.arrangeApproved('auth', { amount: 1000, card: 'debit' }),
    ];
    await gateway.passDays(5);
    await gateway.capture(order, 1001);
    const { sum } = await gateway.sumAfterPolling(order, 'capture');
    test.skip(sum > 0, 'a capture of more than was authorized is taken for one of all of it');
    await gateway.passDays(5);
    await gateway.capture(untried, 1000);
    const { count } = await gateway.sumAfterPolling(untried, 'capture');
    test.skip(count > 0, 'an authorization on a debit card holds for more than ten days');
    await twice(() => gateway.capture(order, 1000));
    expect(await gateway.sumAfterPolling(order, 'capture')).toEqual({ count: 0, sum: 0 });
  },
);

test(
  'captures nothing more of an authorization that has lapsed since a part was captured',
  rule('GW-CAP-08', { needs: ['clock'] }),
  async ({ gateway }) => {
    await gateway.learnLapse();
    const order = await gateway.arrangeApproved('auth', { amount: 1000 });
    await gateway.arrangeCapture(order, 300);
    await gateway.passDays(60);
    await twice(() => gateway.capture(order, 700));
    expect(await gateway.sumAfterPolling(order, 'capture')).toEqual({ count: 1, sum: 300 });
  },
);

for (const [what, by, captured, amount] of [
  ['above the authorized amount', 'auth', false, 1001],
  ['of what was captured before', 'auth', true, 1000],
  ['of a sale', 'sale', false, 1000],
] as const) {
  test(
    `books nothing of a refused capture ${what}`,
    rule('GW-CAP-05', { needs: ['merchant'] }),
    async ({ gateway, lookups }) => {
      const order = await gateway.arrangeApproved(by, { amount: 1000 });
      if (captured) await gateway.arrangeCapture(order);
      // The first may be cut to what is left; the next has nothing left to take.
      expect(await lookups.leavesBalances(() => captureAgain(gateway, order, amount))).toBe(true);
    },
  );
}

PAYMENT_WAYS.form.test(
  'books nothing of a refused capture of what was authorized on the hosted form and captured before',
  rule('GW-CAP-05', { needs: ['merchant', ...PAYMENT_WAYS.form.needs] }),
  async ({ arrangePaid, gateway, lookups }) => {
    const order = await arrangePaid('auth');
    await gateway.arrangeCapture(order);
    expect(await lookups.leavesBalances(() => captureAgain(gateway, order, order.amount))).toBe(true);
  },
);

test(
  "books nothing of another requestor's captures and reversals that are refused",
  rule('GW-CAP-05', 'GW-REV-06', { needs: [...BOOKED.second] }),
  async ({ gateway, lookups, target }) => {
    const requestor = target.gateway!.requestors.second!;
    const balances = lookups.ofRequestor('second');
    const held = await seeApproved(gateway, 'auth', { amount: 1000, requestor });
    const sold = await seeApproved(gateway, 'sale', { amount: 1000, requestor });
    expect(await balances.leavesBalances(() => captureAgain(gateway, held, 1001)), 'GW-CAP-05').toBe(true);
    const reverse = async () => {
      await gateway.reverse(sold, 1001);
      await gateway.pollWhilePending(sold);
    };
    expect(await balances.leavesBalances(reverse), 'GW-REV-06').toBe(true);
  },
);

test(
  'books nothing of a capture after the authorization has lapsed',
  rule('GW-CAP-08', { needs: ['clock', 'merchant'] }),
  async ({ gateway, lookups }) => {
    const order = await gateway.arrangeAged('auth', 60, { amount: 1000 });
    expect(await lookups.leavesBalances(() => captureAgain(gateway, order, 1000))).toBe(true);
  },
);

test(
  'books nothing of an authorization that was declined',
  rule('GW-CAP-02', { needs: ['card.declined', 'merchant'] }),
  async ({ gateway, lookups }) => {
    const { order, reply } = await gateway.pay('auth', { card: 'declined' });
    expect(await gateway.pollUntilFinal(order, reply)).not.toBe('APPROVED');
    expect(await lookups.leavesBalances(() => captureAgain(gateway, order))).toBe(true);
  },
);

test(
  "captures everything of an order that the caller's own id names when no amount is given",
  rule('GW-CAP-03'),
  async ({ gateway }) => {
    const order = await gateway.arrangeApproved('auth', { amount: 1999 });
    await gateway.capture(order, undefined, byOwnId(order));
    // Whether that id is enough is a rule of its own.
    expect([0, 1999]).toContain((await gateway.sumAfterPolling(order, 'capture')).sum);
  },
);

test(
  'charges what was authorized on the hosted form, all of it when no amount is given, and no more',
  rule('GW-CAP-02', 'GW-CAP-03', 'GW-CAP-05', { needs: ['form', 'browser'] }),
  async ({ gateway, hostedForm }) => {
    await expectExactly(gateway, await hostedForm.arrangeApproved('authForm', { amount: 1700 }));
    await expectAll(gateway, await hostedForm.arrangeApproved('authForm', { amount: 1999 }));
  },
);

test('captures no more than a second and a third part after a first one', rule('GW-CAP-04'), async ({ gateway }) => {
  const order = await gateway.arrangeApproved('auth', { amount: 1000 });
  await gateway.arrangeCapture(order, 400);
  await gateway.capture(order, 300);
  // Whether there may be a second one is open.
  const { sum } = await gateway.sumAfterPolling(order, 'capture');
  expect([400, 700]).toContain(sum);
  await gateway.capture(order, 115);
  expect([sum, sum + 115]).toContain((await gateway.sumAfterPolling(order, 'capture')).sum);
});

test(
  "does not capture more than was authorized of an order that the caller's own id names",
  rule('GW-CAP-05'),
  async ({ gateway }) => {
    const order = await gateway.arrangeApproved('auth', { amount: 1000 });
    await twice(() => gateway.capture(order, 1001, byOwnId(order)));
    expect((await gateway.sumAfterPolling(order, 'capture')).sum).toBeLessThanOrEqual(1000);
  },
);

test(
  "captures nothing of a lapsed authorization that the caller's own id names",
  rule('GW-CAP-08', { needs: ['clock'] }),
  async ({ gateway }) => {
    const order = await gateway.arrangeAged('auth', 60, { amount: 1000 });
    await twice(() => gateway.capture(order, 1000, byOwnId(order)));
    expect(await gateway.sumAfterPolling(order, 'capture')).toEqual({ count: 0, sum: 0 });
  },
);

for (const { how, needs, test } of otherWays()) {
  test(
    `captures nothing of a lapsed authorization ${how}`,
    rule('GW-CAP-08', { needs: ['clock', ...needs] }),
    async ({ arrangePaid, gateway }) => {
      await gateway.learnLapse();
      const order = await arrangePaid('auth');
      await gateway.passDays(60);
      await expectDeclined(gateway, order);
    },
  );
}

for (const [name, who] of OTHER_REQUESTORS)
  test(
    `captures nothing of a lapsed authorization of ${who}, and none when no amount is given`,
    rule('GW-CAP-08', { needs: ['clock', `requestor.${name}`] }),
    async ({ gateway, target }) => {
      await gateway.learnLapse();
      const requestor = target.gateway!.requestors[name]!;
      const { order, state } = await gateway.payAndFollow('auth', { amount: 1000, requestor });
      test.skip(state !== 'APPROVED', `${who} has no authorization approved`);
      await gateway.passDays(60);
      await expectDeclined(gateway, order);
      await gateway.capture(order);
      await gateway.capture(order, 1000, byOwnId(order));
      expect(await gateway.sumAfterPolling(order, 'capture')).toEqual({ count: 0, sum: 0 });
    },
  );

for (const { how, needs, test } of otherWays('of a cardholder who was authenticated')) {
  test(
    `books no more than was captured of a part ${how}`,
    rule('GW-CAP-04', { needs: ['merchant', ...needs] }),
    async ({ arrangePaid, gateway, lookups }) => {
      const isWithin = await lookups.growsAtMost(async () => {
        const order = await arrangePaid('auth');
        const amount = hardPart(order.amount, 0.4);
        await gateway.arrangeCapture(order, amount);
        return { amount };
      });
      expect(isWithin).toBe(true);
    },
  );
}

for (const [name, whose] of OTHER_REQUESTORS)
  test(
    `books no more than was captured of a part for ${whose}`,
    rule('GW-CAP-04', { needs: [...BOOKED[name]] }),
    async ({ gateway, lookups, target }) => {
      const requestor = target.gateway!.requestors[name]!;
      const isWithin = await lookups.ofRequestor(name).growsAtMost(async () => {
        await gateway.arrangeCapture(await seeApproved(gateway, 'auth', { amount: 1000, requestor }), 400);
        return { amount: 400 };
      });
      expect(isWithin).toBe(true);
    },
  );

for (const { how, needs, test } of [PAYMENT_WAYS.card, PAYMENT_WAYS.form])
  test(
    `books no more than two captures charged${how && ` of what was authorized ${how}`}`,
    rule('GW-CAP-04', { needs: ['merchant', ...needs] }),
    async ({ arrangePaid, gateway, lookups }) => {
      const isWithin = await lookups.growsAtMost(async () => {
        const order = await arrangePaid('auth', { amount: 1000 });
        const [first, second] = [hardPart(order.amount, 0.3), hardPart(order.amount, 0.2)];
        await gateway.arrangeCapture(order, first);
        await gateway.arrangeSecondCapture(order, second);
        return { amount: first + second };
      });
      expect(isWithin).toBe(true);
    },
  );

/** An authorization to capture. Which amounts are taken, and from whom, is not said: one that is not approved is not seen. */
async function seeAuthorized(gateway: GatewayClient, payment: PaymentOptions): Promise<PlacedOrder> {
  const { order, state } = await gateway.payAndFollow('auth', payment);
  return requireSeen(state === 'APPROVED' ? order : undefined, 'the authorization to capture');
}

/** Holds an order to what was authorized: one minor unit more is not captured, and then all of it is. */
async function expectExactly(gateway: GatewayClient, order: PlacedOrder): Promise<void> {
  for (const amount of [...amountsAbove(order.amount), order.amount]) {
    await gateway.capture(order, amount);
    const { sum } = await gateway.sumAfterPolling(order, 'capture');
    expect(sum, 'GW-CAP-05').toBeLessThanOrEqual(order.amount);
  }
  expect(await gateway.sumAfterPolling(order, 'capture'), 'GW-CAP-02').toEqual({ count: 1, sum: order.amount });
}

/** Captures an order without an amount, and finds all of it captured. */
async function expectAll(gateway: GatewayClient, order: PlacedOrder): Promise<void> {
  await gateway.capture(order);
  expect(await gateway.sumAfterPolling(order, 'capture'), 'GW-CAP-03').toEqual({ count: 1, sum: order.amount });
}

/** A capture that is to be refused, by either id, until what comes of it is there. */
async function captureAgain(gateway: GatewayClient, order: PlacedOrder, amount?: number): Promise<void> {
  await gateway.capture(order, amount);
  await gateway.capture(order, amount, byOwnId(order));
  await gateway.pollWhilePending(order);
}

test(
  "charges nothing of another requestor's authorization that did not go through, and of one that waits for 3-D Secure",
  rule('GW-CAP-02', { needs: ['card.declined', 'card.challenge', 'requestor.second'] }),
  async ({ gateway, threeDS, target }) => {
    const requestor = target.gateway!.requestors.second!;
    const { order: waiting } = await threeDS.arrangeStep('CREQ', { by: 'auth', requestor });
    await gateway.capture(waiting);
    expect(sumListed(gateway, await gateway.status(waiting), 'capture')).toBe(0);
    for (const [card, , end] of failingCardsOf(target)) {
      const { order, state } = await gateway.payAndFollow('auth', { card, requestor });
      if (state !== end) continue;
      const reply = await gateway.capture(order);
      const shown = await (reply.status === 200 ? gateway.pollWhilePending(order) : gateway.status(order));
      expect(sumListed(gateway, shown, 'capture'), card).toBe(0);
    }
  },
);

test(
  'charges nothing of an authorization that waits for 3-D Secure',
  rule('GW-CAP-02', { needs: ['card.challenge'] }),
  async ({ gateway, threeDS }) => {
    const { order } = await threeDS.arrangeStep('CREQ', { by: 'auth' });
    const reply = await gateway.capture(order);
    // It goes on waiting: only a capture that was taken has something to come.
    const shown = await (reply.status === 200 ? gateway.pollWhilePending(order) : gateway.status(order));
    expect(sumListed(gateway, shown, 'capture')).toBe(0);
  },
);
