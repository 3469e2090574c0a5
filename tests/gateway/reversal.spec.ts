import {
  attributeTo,
  expect,
  FINAL_STATES,
  type GatewayClient,
  hasTransactions,
  isTaken,
  type PlacedOrder,
  requireSeen,
  rule,
  type TransactionSum,
  test,
  twice,
} from '#harness';
import { seeApproved } from './support/approved-payment.ts';
import { FAILING_CARDS, failingCardsOf, payInVain } from './support/failing-payments.ts';
import { difference, sumListed } from './support/listed-sum.ts';
import { beyond32Bits, unknownAs } from './support/nobody.ts';
import { expectNoFailure } from './support/other-requestors.ts';
import { byOwnId } from './support/own-id.ts';
import { BOOKED, OTHER_REQUESTORS, otherWays, PAYMENT_WAYS, UNUSUAL_WAYS } from './support/payment-ways.ts';
import { amountsAbove, hardPart } from './support/telling-amounts.ts';
import { expectEachDone } from './support/three-at-once.ts';

/** What {@link expectTakenBack} holds an order to. */
const TAKEN_BACK = ['GW-REV-04', 'GW-REV-05', 'GW-REV-06', 'GW-REV-07', 'GW-SAL-02'] as const;

test('answers a reversal with a StatusResponse', rule('GW-REV-01'), async ({ gateway, target }) => {
  const order = await gateway.arrangeApproved('sale', { amount: 1000 });
  expect(await gateway.reverse(order)).toAnswer(200);
  await expectNoFailure('GW-REV-01', target, async (requestor) => {
    const { order, state } = await gateway.payAndFollow('sale', { requestor });
    return state === 'APPROVED' ? gateway.reverse(order) : undefined;
  });
});

test('voids an authorization that was not captured', rule('GW-REV-02'), async ({ gateway }) => {
  const order = await gateway.arrangeApproved('auth', { amount: 1000 });
  expect(await gateway.reverse(order)).not.toBeRefused();
  expect((await gateway.sumAfterPolling(order, 'reversal')).count).toBe(1);
  await twice(() => gateway.capture(order, 1000));
  expect((await gateway.sumAfterPolling(order, 'capture')).count).toBe(0);
});

for (const operation of ['sale', 'auth'] as const) {
  test(
    `refunds ${operation === 'sale' ? 'a sale' : 'a captured authorization'}`,
    rule('GW-REV-03'),
    async ({ gateway }) => {
      // Two on the same card and of the same amount: what is taken back of one says nothing of the other.
      for (let times = 0; times < 2; times += 1) {
        const order = await gateway.arrangeApproved(operation, { amount: 1000 });
        if (operation === 'auth') await gateway.arrangeCapture(order);
        expect(await gateway.reverse(order, 1000)).not.toBeRefused();
        expect(await gateway.sumAfterPolling(order, 'reversal')).toEqual({ count: 1, sum: 1000 });
      }
    },
  );
}

test('refunds each of three sales at once', rule('GW-REV-03'), async ({ gateway, together }) =>
  expectEachDone({ gateway, together }, 'sale', 'reversal'),
);

for (const { how, needs, test } of [PAYMENT_WAYS.card, ...otherWays('to a cardholder who was authenticated')]) {
  test(
    `does not credit a refund${how && ` of a sale ${how}`} to the merchant`,
    rule('GW-REV-03', { needs: ['merchant', ...needs] }),
    async ({ arrangePaid, gateway, lookups }) => {
      // The sale may be booked before the refund.
      const isWithin = await lookups.growsAtMost(async () => {
        const order = await arrangePaid('sale', { amount: 1000 });
        await gateway.reverse(order, order.amount);
        await gateway.pollWhilePending(order);
        return order;
      });
      expect(isWithin).toBe(true);
    },
  );
}

for (const [by, { how, needs, test }] of [
  ['auth', PAYMENT_WAYS.card],
  ['auth', PAYMENT_WAYS.form],
  ['sale', PAYMENT_WAYS.form],
] as const)
  test(
    `credits neither of two refunds of a ${by === 'auth' ? 'captured authorization' : 'sale'}${how && ` ${how}`} to the merchant`,
    rule('GW-REV-03', { needs: ['merchant', ...needs] }),
    async ({ arrangePaid, gateway, lookups }) => {
      const isWithin = await lookups.growsAtMost(async () => {
        const order = await arrangePaid(by, { amount: 1000 });
        if (by === 'auth') await gateway.arrangeCapture(order);
        // The second is the larger: what the first takes, and a fee, would hide a credit of less.
        const first = hardPart(order.amount, 0.3);
        for (const amount of [first, order.amount - first]) {
          await gateway.reverse(order, amount);
          await gateway.pollWhilePending(order);
        }
        return order;
      });
      expect(isWithin).toBe(true);
    },
  );

for (const { how, needs, test } of [PAYMENT_WAYS.card, ...otherWays('of a cardholder who was authenticated')]) {
  test(
    `does not credit a void${how && ` of an authorization ${how}`} to the merchant`,
    rule('GW-REV-02', { needs: ['merchant', ...needs] }),
    async ({ arrangePaid, gateway, lookups }) => {
      const isCredited = await lookups.growsBalance(async () => {
        const order = await arrangePaid('auth', { amount: 1000 });
        await gateway.reverse(order);
        await gateway.pollWhilePending(order);
      });
      expect(isCredited).toBe(false);
    },
  );
}

for (const [name, whose] of OTHER_REQUESTORS)
  test(
    `credits neither a void nor a refund to the merchant of ${whose}`,
    rule('GW-REV-02', 'GW-REV-03', { needs: [...BOOKED[name]] }),
    async ({ gateway, lookups, target }) => {
      const requestor = target.gateway!.requestors[name]!;
      const balances = lookups.ofRequestor(name);
      const takeBack = async (by: 'sale' | 'auth') => {
        const order = await seeApproved(gateway, by, { amount: 1000, requestor });
        await gateway.reverse(order);
        await gateway.pollWhilePending(order);
        return order;
      };
      expect(await balances.growsBalance(() => takeBack('auth')), 'GW-REV-02').toBe(false);
      expect(await balances.growsAtMost(() => takeBack('sale')), 'GW-REV-03').toBe(true);
    },
  );

test(
  'pays nothing back of an authorization that was voided before',
  rule('GW-REV-06', { needs: ['merchant'] }),
  async ({ gateway, lookups }) => {
    const order = await gateway.arrangeApproved('auth', { amount: 1000 });
    await gateway.reverse(order);
    await gateway.pollWhilePending(order);
    const untouched = await lookups.leavesBalances(async () => {
      await gateway.reverse(order, 1000);
      await gateway.sleepPollGap();
    });
    expect(untouched).toBe(true);
  },
);

test(
  'pays nothing back of a part of an authorization that was not captured',
  rule('GW-REV-06', { needs: ['merchant'] }),
  async ({ gateway, lookups }) => {
    const order = await gateway.arrangeApproved('auth', { amount: 1000 });
    const untouched = await lookups.leavesBalances(async () => {
      await gateway.reverse(order, 400);
      await gateway.pollWhilePending(order);
    });
    // A part of the block may be released.
    expect(untouched).toBe(true);
  },
);

/**
 * An amount in parts, of which no service that counts in binary fractions takes the last one, whether it adds up what was taken back or
 * subtracts it from what was charged, all at once or part by part. The same part again is another reversal.
 */
const IN_PARTS = { amount: 1062, parts: [204, 115, 115, 187, 441] } as const;

for (const by of ['sale', 'auth'] as const) {
  const what = by === 'sale' ? 'a sale' : 'a captured authorization';
  const arrange = async (gateway: GatewayClient, amount: number) => {
    const order = await gateway.arrangeApproved(by, { amount });
    if (by === 'auth') await gateway.arrangeCapture(order);
    return order;
  };

  test(`takes back everything of ${what} when no amount is given`, rule('GW-REV-04'), async ({ gateway }) => {
    // An amount that binary fractions miss.
    const order = await arrange(gateway, 1999);
    await gateway.reverse(order);
    expect(await gateway.sumAfterPolling(order, 'reversal')).toEqual({ count: 1, sum: 1999 });
  });

  test(`carries out partial reversals of ${what} up to the captured amount`, rule('GW-REV-05'), async ({ gateway }) =>
    expectParts(gateway, await arrange(gateway, IN_PARTS.amount)),
  );

  test(
    `takes back what is asked for of ${what} two days old, all when no amount is given, and comes to a final state`,
    rule('GW-REV-04', 'GW-REV-05', 'GW-REV-07', { needs: ['clock'] }),
    async ({ gateway }) => {
      await gateway.learnLapse();
      const [whole, part] = [await arrange(gateway, 1999), await arrange(gateway, 1000)];
      await gateway.passDays(2);
      const reply = await gateway.reverse(whole);
      expect(FINAL_STATES, 'GW-REV-07').toContain(await gateway.pollUntilFinal(whole, reply));
      // How late money can be taken back is not shown.
      expect([0, 1999], 'GW-REV-04').toContain((await gateway.sumAfterPolling(whole, 'reversal')).sum);
      await gateway.reverse(part, 115);
      expect([0, 115], 'GW-REV-05').toContain((await gateway.sumAfterPolling(part, 'reversal')).sum);
    },
  );
}

for (const [name, whose] of OTHER_REQUESTORS)
  test(
    `carries out partial reversals of a sale of ${whose} up to the captured amount, and none above it at once`,
    rule('GW-REV-05', 'GW-REV-06', { needs: [`requestor.${name}`] }),
    async ({ gateway, target, together }) => {
      const requestor = target.gateway!.requestors[name]!;
      const [inParts, atOnce] = [
        await seeApproved(gateway, 'sale', { amount: IN_PARTS.amount, requestor }),
        await seeApproved(gateway, 'sale', { amount: 1000, requestor }),
      ];
      await together([600, 600].map((amount) => () => gateway.reverse(atOnce, amount)));
      const { sum } = await gateway.sumAfterPolling(atOnce, 'reversal');
      expect(sum, 'GW-REV-06').toBeLessThanOrEqual(atOnce.amount);
      await expectParts(gateway, inParts);
    },
  );

for (const { how, needs, test } of [PAYMENT_WAYS.cardId, PAYMENT_WAYS.form, PAYMENT_WAYS.threeDS])
  test(
    `carries out partial reversals of a sale ${how} up to the captured amount`,
    rule('GW-REV-05', { needs }),
    async ({ arrangePaid, gateway }) => expectParts(gateway, await arrangePaid('sale', { amount: IN_PARTS.amount })),
  );

/** Takes {@link IN_PARTS} back, each part of which is listed. */
async function expectParts(gateway: GatewayClient, order: PlacedOrder): Promise<void> {
  let sum = 0;
  for (const [i, part] of IN_PARTS.parts.entries()) {
    sum += part;
    await gateway.reverse(order, part);
    expect(await gateway.sumAfterPolling(order, 'reversal'), 'GW-REV-05').toEqual({ count: i + 1, sum });
  }
}

test('reverses nothing more once everything is taken back in parts', rule('GW-REV-06'), async ({ gateway }) => {
  const order = await gateway.arrangeApproved('sale', { amount: 1000 });
  for (const amount of [400, 300, 300, 1, undefined]) {
    await gateway.reverse(order, amount);
    expect((await gateway.sumAfterPolling(order, 'reversal')).sum).toBeLessThanOrEqual(1000);
  }
});

test(
  'does not let partial reversals exceed the captured amount by one minor unit',
  rule('GW-REV-06'),
  async ({ gateway }) => {
    const order = await gateway.arrangeApproved('sale', { amount: 1000 });
    await gateway.reverse(order, 600);
    // One at a time: whether a second may be asked for while the first is under way is not shown.
    await gateway.pollWhilePending(order);
    await twice(() => gateway.reverse(order, 401));
    expect((await gateway.sumAfterPolling(order, 'reversal')).sum).toBeLessThanOrEqual(1000);
  },
);

test(
  'takes back what was sold on a registered card, all of it when no amount is given, and no more, as of an authorization',
  rule(...TAKEN_BACK, { needs: ['recurring'] }),
  async ({ gateway, recurring }) => {
    const cardId = await recurring.arrangeRegistration();
    for (const by of ['sale', 'auth'] as const) {
      // Other amounts than the order has whose card it is.
      await expectTakenBack(gateway, by, await gateway.arrangeApproved(by, { amount: 1700, cardId }));
      await expectAllTakenBack(gateway, by, await gateway.arrangeApproved(by, { amount: 1999, cardId }));
    }
  },
);

for (const { how, needs, test } of UNUSUAL_WAYS)
  test(
    `takes back what was sold ${how}, and no more`,
    rule(...TAKEN_BACK, { needs }),
    async ({ arrangePaid, gateway }) => expectTakenBack(gateway, 'sale', await arrangePaid('sale', { amount: 1000 })),
  );

for (const [what, amount, requestor] of [
  ['one minor unit', 1, 'main'],
  ['thousands', 234_567, 'main'],
  ['what another requestor sold', 1000, 'second'],
  ['what a requestor of several currencies sold', 1000, 'multicurrency'],
] as const)
  test(
    `takes back ${what}, and no more`,
    // Of one minor unit there is no part, and nothing is left of it once it was taken back.
    rule(...TAKEN_BACK.slice(amount === 1 ? TAKEN_BACK.indexOf('GW-REV-06') : 0), {
      needs: requestor === 'main' ? [] : [`requestor.${requestor}`],
    }),
    async ({ gateway, target }) => {
      const by = target.gateway!.requestors[requestor]!;
      const { order, state } = await gateway.payAndFollow('sale', { amount, requestor: by });
      // Which amounts are taken is not said.
      const sold = requireSeen(state === 'APPROVED' ? order : undefined, 'the sale to take back');
      await expectTakenBack(gateway, 'sale', sold);
      if (requestor === 'main') return;
      const held = await gateway.payAndFollow('auth', { amount, requestor: by });
      if (held.state === 'APPROVED') await expectTakenBack(gateway, 'auth', held.order);
      await expectAllTakenBack(gateway, 'sale', await seeApproved(gateway, 'sale', { amount: 1999, requestor: by }));
    },
  );

for (const { how, needs, test } of [
  PAYMENT_WAYS.form,
  { ...PAYMENT_WAYS.threeDS, how: 'with a cardholder who was authenticated' },
  PAYMENT_WAYS.paReq,
]) {
  test(
    `takes back what was sold, or captured of an authorization, ${how}, and no more`,
    rule(...TAKEN_BACK, { needs }),
    async ({ arrangePaid, gateway }) => {
      for (const by of ['sale', 'auth'] as const) await expectTakenBack(gateway, by, await arrangePaid(by));
    },
  );

  test(
    `takes back all that was sold, or captured of an authorization, ${how}, when no amount is given`,
    rule('GW-REV-04', 'GW-REV-07', { needs }),
    async ({ arrangePaid, gateway }) => {
      for (const by of ['sale', 'auth'] as const) await expectAllTakenBack(gateway, by, await arrangePaid(by));
    },
  );
}

/** What is listed as taken back of an order, for a rule. */
async function seeTakenBack(id: string, gateway: GatewayClient, order: PlacedOrder): Promise<TransactionSum> {
  const shown = await gateway.pollWhilePending(order);
  return attributeTo(id, () => gateway.sumTransactions(shown, 'reversal', order.currency));
}

/** Takes an order back, in part or without an amount, and waits until that is over. */
async function takeBack(gateway: GatewayClient, order: PlacedOrder, amount?: number): Promise<void> {
  const reply = await gateway.reverse(order, amount);
  expect(FINAL_STATES, 'GW-REV-07').toContain(await gateway.pollUntilFinal(order, reply));
}

/**
 * Takes back a part of an order, captured before where it was authorized, and the same part again; then more than is left, and then what
 * no amount is given for.
 */
async function expectTakenBack(gateway: GatewayClient, by: 'sale' | 'auth', order: PlacedOrder): Promise<void> {
  if (by === 'auth') await gateway.arrangeCapture(order);
  const part = hardPart(order.amount, 0.3);
  const most = 2 * part <= order.amount ? 2 * part : part;
  await takeBack(gateway, order, part);
  // What was sold and not captured cannot be taken back at all.
  const charged = by === 'sale' ? 'GW-SAL-02' : 'GW-REV-05';
  const first = await seeTakenBack(charged, gateway, order);
  expect(first.count, charged).toBe(1);
  expect(first, 'GW-REV-05').toEqual({ count: 1, sum: part });
  if (most > part) {
    await takeBack(gateway, order, part);
    expect(await seeTakenBack('GW-REV-05', gateway, order), 'GW-REV-05').toEqual({ count: 2, sum: most });
  }
  for (const amount of amountsAbove(order.amount - most)) await gateway.reverse(order, amount);
  const { sum } = await seeTakenBack('GW-REV-06', gateway, order);
  expect(sum, 'GW-REV-06').toBeLessThanOrEqual(order.amount);
  await gateway.reverse(order);
  // Whether what is left is everything, or nothing can be taken back in full any more, is open.
  expect([sum, order.amount], 'GW-REV-04').toContain((await seeTakenBack('GW-REV-04', gateway, order)).sum);
}

/** Takes an order back without an amount, captured before where it was authorized, and finds all of it taken back. */
async function expectAllTakenBack(gateway: GatewayClient, by: 'sale' | 'auth', order: PlacedOrder): Promise<void> {
  if (by === 'auth') await gateway.arrangeCapture(order);
  await takeBack(gateway, order);
  expect(await seeTakenBack('GW-REV-04', gateway, order), 'GW-REV-04').toEqual({ count: 1, sum: order.amount });
}

for (const [count, isWhole, by, { how, needs, test }] of [
  [2, false, 'sale', PAYMENT_WAYS.card],
  [5, false, 'auth', PAYMENT_WAYS.card],
  [2, true, 'sale', PAYMENT_WAYS.card],
  [2, false, 'sale', PAYMENT_WAYS.cardId],
  [2, false, 'sale', PAYMENT_WAYS.threeDS],
  [2, false, 'sale', PAYMENT_WAYS.form],
  [2, true, 'auth', PAYMENT_WAYS.form],
  // Whose refunds may take their time, too.
  [2, false, 'sale', PAYMENT_WAYS.pending],
] as const) {
  test(
    `does not let ${count} ${isWhole ? 'full ' : ''}reversals at once exceed what was ${by === 'sale' ? 'sold' : 'captured'}${how && ` ${how}`}`,
    rule('GW-REV-06', { needs }),
    async ({ arrangePaid, gateway, together }) => {
      const order = await arrangePaid(by, { amount: 1000 });
      if (by === 'auth') await gateway.arrangeCapture(order);
      const amount = isWhole ? undefined : Math.ceil(order.amount * 0.6);
      await together(Array.from({ length: count }, () => () => gateway.reverse(order, amount)));
      expect((await gateway.sumAfterPolling(order, 'reversal')).sum).toBeLessThanOrEqual(order.amount);
    },
  );
}

for (const [card, how] of FAILING_CARDS) {
  for (const by of ['sale', 'auth'] as const)
    test(
      `reverses nothing of ${by === 'sale' ? 'a sale' : 'an authorization'} that ${how}`,
      rule('GW-REV-06', { needs: [`card.${card}`] }),
      async ({ gateway }) => {
        const { order, reply } = await gateway.pay(by, { card });
        expect(await gateway.pollUntilFinal(order, reply)).not.toBe('APPROVED');
        await twice(() => gateway.reverse(order, 1000));
        // Of an authorization, that is a void.
        if (by === 'sale') await gateway.reverse(order);
        expect(sumListed(gateway, await gateway.pollWhilePending(order), 'reversal')).toBe(0);
      },
    );

  test(
    `reverses nothing of a sale on the hosted form that ${how}`,
    rule('GW-REV-06', { needs: [`card.${card}`, 'form', 'browser'] }),
    async ({ gateway, hostedForm }) => {
      const { order } = await payInVain(hostedForm, 'saleForm', card);
      await twice(() => gateway.reverse(order, order.amount));
      await gateway.sleepPollGap();
      expect(sumListed(gateway, await gateway.status(order), 'reversal')).toBe(0);
    },
  );
}

test(
  "pays nothing back for another requestor's payments that did not go through, or its verification",
  rule('GW-REV-06', { needs: ['card.declined', 'requestor.second'] }),
  async ({ gateway, target }) => {
    const requestor = target.gateway!.requestors.second!;
    for (const [by, card, end] of [
      ...failingCardsOf(target).flatMap(([card, , end]) => [
        ['sale', card, end] as const,
        ['auth', card, end] as const,
      ]),
      ['accountVerification', 'approved', 'APPROVED'] as const,
    ]) {
      const { order, state } = await gateway.payAndFollow(by, { card, requestor });
      if (state !== end) continue;
      await twice(() => gateway.reverse(order, 1000));
      const shown = await gateway.pollWhilePending(order);
      expect(sumListed(gateway, shown, 'reversal'), `${by} ${card}`).toBe(0);
    }
  },
);

test('pays nothing back for an account verification', rule('GW-REV-06'), async ({ gateway }) => {
  const order = await gateway.arrangeApproved('accountVerification');
  await twice(() => gateway.reverse(order, 1000));
  expect(sumListed(gateway, await gateway.pollWhilePending(order), 'reversal')).toBe(0);
});

test(
  'takes nothing back of a sale that waits for 3-D Secure',
  rule('GW-REV-06', { needs: ['card.challenge'] }),
  async ({ gateway, threeDS }) => {
    const { order } = await threeDS.arrangeStep('CREQ', { amount: 1000 });
    // A part: all of it may be given up, which some list as a void.
    await twice(() => gateway.reverse(order, 400));
    for (let polls = 0; polls < 3; polls += 1) {
      await gateway.sleepPollGap();
      const shown = await gateway.status(order);
      expect(sumListed(gateway, shown, 'reversal')).toBe(0);
    }
  },
);

test(
  'takes nothing from the merchant for a reversal of a sale that waits for 3-D Secure',
  rule('GW-REV-06', { needs: ['card.challenge', 'merchant'] }),
  async ({ gateway, lookups, threeDS }) => {
    const { order } = await threeDS.arrangeStep('CREQ', { amount: 1000 });
    const untouched = await lookups.leavesBalances(async () => {
      await gateway.reverse(order, 1000);
      await gateway.sleepPollGap();
    });
    expect(untouched).toBe(true);
  },
);

test(
  'does not reverse more than was captured after a reversal of less than nothing',
  rule('GW-REV-06'),
  async ({ gateway }) => {
    const order = await gateway.arrangeApproved('sale', { amount: 1000 });
    // What is listed of it, if anything, may count against the other one.
    await gateway.reverse(order, -500);
    const before = await gateway.sumAfterPolling(order, 'reversal');
    await gateway.reverse(order, 1500);
    const { sum } = difference(await gateway.sumAfterPolling(order, 'reversal'), before);
    expect(sum).toBeLessThanOrEqual(1000);
  },
);

test('does not reverse more than was captured at once', rule('GW-REV-06'), async ({ gateway }) => {
  const order = await gateway.arrangeApproved('auth', { amount: 1000 });
  await gateway.arrangeCapture(order, 900);
  // The second is the smaller one where figures are compared as text.
  for (const amount of [901, 1000, 9000]) {
    await gateway.reverse(order, amount);
    expect((await gateway.sumAfterPolling(order, 'reversal')).sum).toBeLessThanOrEqual(900);
  }
});

test('still reverses the rest after a refused reversal', rule('GW-REV-05', 'GW-REV-06'), async ({ gateway }) => {
  const order = await gateway.arrangeApproved('sale', { amount: 1000 });
  for (const amount of [700, 700, 300]) {
    await gateway.reverse(order, amount);
    await gateway.pollWhilePending(order);
  }
  const { count, sum } = await gateway.sumAfterPolling(order, 'reversal');
  expect(sum, 'GW-REV-06').toBeLessThanOrEqual(1000);
  expect({ count, sum }, 'GW-REV-05').toEqual({ count: 2, sum: 1000 });
});

test(
  'comes to a final state with a refund without waiting for the statement',
  rule('GW-REV-07'),
  async ({ gateway }) => {
    const order = await gateway.arrangeApproved('sale', { amount: 1000 });
    const reply = await gateway.reverse(order, 1000);
    expect(FINAL_STATES).toContain(await gateway.pollUntilFinal(order, reply));
    const shown = await gateway.pollWhilePending(order);
    const isListed = hasTransactions(shown) && gateway.sumTransactions(shown, 'reversal').count > 0;
    requireSeen(isListed || undefined, 'the refund');
  },
);

/** A reversal of more than was paid, until what comes of it is there. The first may be cut to what is left; the next has nothing left to take. */
async function reverseTooMuch(gateway: GatewayClient, order: PlacedOrder): Promise<void> {
  await gateway.reverse(order, order.amount + 1);
  await gateway.pollWhilePending(order);
}

/** What a reversal has to name, by the rule that says so. */
const REQUIRED = [
  ['GW-REV-08', 'orderSystemId'],
  ['GW-REV-09', 'reversalReason'],
] as const;

/** The body of a reversal that names all but one of these. */
function bodyWithout(gateway: GatewayClient, order: PlacedOrder, field: (typeof REQUIRED)[number][1]) {
  const { [field]: _, ...body } = {
    ...gateway.orderBody(order, 'reversal'),
    orderMerchantId: order.merchantId,
    reversalReason: 'Conformance check',
  } as Record<string, unknown>;
  return body;
}

/** Asks for reversals of an order that lack a part, of all and of a part of it, and finds none carried out. */
async function expectNoneWithout(gateway: GatewayClient, by: 'sale' | 'auth', order: PlacedOrder): Promise<void> {
  const { id, token } = order.requestor;
  const countReversals = async () => (await gateway.sumAfterPolling(order, 'reversal')).count;
  const expectStill = async (count: number, amount?: number) => {
    for (const [rule, field] of REQUIRED) {
      const body = { ...bodyWithout(gateway, order, field), ...gateway.amountMember('reversalAmount', amount) };
      await twice(() => gateway.send('reversal', { path: { requestorId: id }, token, body }));
      expect(await countReversals(), rule).toBe(count);
    }
  };
  await expectStill(0);
  if (by === 'auth') await gateway.arrangeCapture(order);
  const part = Math.ceil(order.amount * 0.4);
  await expectStill(0, part);
  // One that is whole, and then one more like those.
  await gateway.reverse(order, Math.ceil(order.amount * 0.3));
  await expectStill(await countReversals(), part);
}

for (const by of ['sale', 'auth'] as const) {
  const what = by === 'sale' ? 'a sale' : 'an authorization';

  for (const { how, needs, test } of [PAYMENT_WAYS.card, PAYMENT_WAYS.cardId, PAYMENT_WAYS.form])
    test(
      `does not carry out a reversal of ${what}${how && ` ${how}`} without system id or reason`,
      rule('GW-REV-08', 'GW-REV-09', { needs }),
      async ({ arrangePaid, gateway }) => expectNoneWithout(gateway, by, await arrangePaid(by, { amount: 1000 })),
    );

  test(
    `does not carry out a reversal of ${what} of another requestor without system id or reason`,
    rule('GW-REV-08', 'GW-REV-09', { needs: ['requestor.second'] }),
    async ({ gateway, target }) => {
      const requestor = target.gateway!.requestors.second!;
      await expectNoneWithout(gateway, by, await seeApproved(gateway, by, { amount: 1000, requestor }));
    },
  );
}

test('does not take an order that there is not for the latest', rule('GW-REV-08'), async ({ gateway }) => {
  const order = await gateway.arrangeApproved('sale', { amount: 1000 });
  const own = requireSeen(order.systemId, 'the system id of the order');
  for (const orderSystemId of [unknownAs(own), beyond32Bits(own) ?? unknownAs(own)]) {
    const body = gateway.orderBody(order, 'reversal', { orderSystemId, reversalReason: 'Conformance check' });
    await twice(() => gateway.send('reversal', { body }));
  }
  expect((await gateway.sumAfterPolling(order, 'reversal')).count).toBe(0);
});

test('takes an amount of zero for no other', rule('GW-REV-05'), async ({ gateway }) => {
  const order = await gateway.arrangeApproved('sale', { amount: 1000 });
  await gateway.reverse(order, 0);
  expect((await gateway.sumAfterPolling(order, 'reversal')).sum).toBe(0);
});

for (const { how, needs, test } of [PAYMENT_WAYS.card, PAYMENT_WAYS.form])
  test(
    `books nothing of a capture after a void${how && ` of an authorization ${how}`}`,
    rule('GW-REV-02', { needs: ['merchant', ...needs] }),
    async ({ arrangePaid, gateway, lookups }) => {
      const order = await arrangePaid('auth', { amount: 1000 });
      await gateway.reverse(order);
      expect((await gateway.sumAfterPolling(order, 'reversal')).count).toBe(1);
      const untouched = await lookups.leavesBalances(async () => {
        await gateway.capture(order, order.amount);
        await gateway.pollWhilePending(order);
      });
      expect(untouched).toBe(true);
    },
  );

test(
  'takes nothing for a refused reversal from the merchant',
  rule('GW-REV-06', { needs: ['merchant'] }),
  async ({ gateway, lookups }) => {
    const order = await gateway.arrangeApproved('sale', { amount: 1000 });
    expect(await lookups.leavesBalances(() => reverseTooMuch(gateway, order))).toBe(true);
  },
);

PAYMENT_WAYS.form.test(
  'takes nothing for a refused reversal of a sale on the hosted form from the merchant',
  rule('GW-REV-06', { needs: ['merchant', ...PAYMENT_WAYS.form.needs] }),
  async ({ arrangePaid, gateway, lookups }) => {
    const order = await arrangePaid('sale');
    expect(await lookups.leavesBalances(() => reverseTooMuch(gateway, order))).toBe(true);
  },
);

test('takes back what two captures charged, and no more', rule('GW-REV-05', 'GW-REV-06'), async ({ gateway }) => {
  const order = await gateway.arrangeApproved('auth', { amount: 1000 });
  await gateway.arrangeCapture(order, 300);
  await gateway.arrangeSecondCapture(order, 400);
  for (const amount of [600, 101, 100]) {
    await gateway.reverse(order, amount);
    await gateway.pollWhilePending(order);
  }
  const { sum } = await gateway.sumAfterPolling(order, 'reversal');
  expect(sum, 'GW-REV-06').toBeLessThanOrEqual(700);
  expect(sum, 'GW-REV-05').toBe(700);
});

test(
  'takes back no more than two captures charged with a refund between them',
  rule('GW-REV-06'),
  async ({ gateway }) => {
    const order = await gateway.arrangeApproved('auth', { amount: 1000 });
    await gateway.arrangeCapture(order, 600);
    await gateway.reverse(order, 600);
    await gateway.pollWhilePending(order);
    await gateway.arrangeSecondCapture(order, 400);
    await gateway.reverse(order, 1000);
    expect((await gateway.sumAfterPolling(order, 'reversal')).sum).toBeLessThanOrEqual(1000);
  },
);

test(
  'takes back no more than was captured of orders a month old, on different days',
  rule('GW-REV-06', { needs: ['clock'] }),
  async ({ gateway }) => {
    await gateway.learnLapse();
    const sold = await gateway.arrangeApproved('sale', { amount: 1000 });
    const captured = await gateway.arrangeApproved('auth', { amount: 1000 });
    await gateway.arrangeCapture(captured);
    for (const [days, amount] of [
      [40, 600],
      [2, 401],
    ] as const) {
      await gateway.passDays(days);
      for (const order of [sold, captured]) {
        await gateway.reverse(order, amount);
        expect((await gateway.sumAfterPolling(order, 'reversal')).sum).toBeLessThanOrEqual(1000);
      }
    }
  },
);

test(
  'takes back no more than the part that was captured when no amount is given',
  rule('GW-REV-06'),
  async ({ gateway }) => {
    const order = await gateway.arrangeApproved('auth', { amount: 1000 });
    await gateway.arrangeCapture(order, 600);
    const released = await gateway.sumAfterPolling(order, 'reversal');
    await gateway.reverse(order);
    const { count, sum } = await gateway.sumAfterPolling(order, 'reversal');
    // What is not captured any more may be let go with the capture, or now, and be listed by itself.
    const most = count > released.count + 1 ? 1000 : 600;
    expect(sum - released.sum).toBeLessThanOrEqual(most);
  },
);

test('takes back all of two captures when no amount is given', rule('GW-REV-04'), async ({ gateway }) => {
  const order = await gateway.arrangeApproved('auth', { amount: 1000 });
  await gateway.arrangeCapture(order, 300);
  await gateway.arrangeSecondCapture(order, 700);
  await gateway.reverse(order);
  expect((await gateway.sumAfterPolling(order, 'reversal')).sum).toBe(1000);
});

test(
  "leaves nothing to capture of a voided authorization that the caller's own id names",
  rule('GW-REV-02'),
  async ({ gateway }) => {
    const order = await gateway.arrangeApproved('auth', { amount: 1000 });
    await gateway.reverse(order);
    expect((await gateway.sumAfterPolling(order, 'reversal')).count).toBe(1);
    await twice(() => gateway.capture(order, 1000, byOwnId(order)));
    expect((await gateway.sumAfterPolling(order, 'capture')).count).toBe(0);
  },
);

for (const { how, needs, test } of otherWays()) {
  test(`voids an authorization ${how}`, rule('GW-REV-02', { needs }), async ({ arrangePaid, gateway }) => {
    await expectVoided(gateway, await arrangePaid('auth'));
  });
}

test('voids an authorization of which a capture was refused', rule('GW-REV-02'), async ({ gateway }) => {
  const order = await gateway.arrangeApproved('auth', { amount: 1000 });
  const reply = await gateway.capture(order, 1001);
  test.skip(isTaken(reply), 'a capture of more than was authorized is taken, maybe for one of all of it');
  await expectVoided(gateway, order);
});

test('voids an authorization on a credit card', rule('GW-REV-02', { needs: ['card.credit'] }), async ({ gateway }) => {
  await expectVoided(gateway, await gateway.arrangeApproved('auth', { amount: 1000, card: 'credit' }));
});

for (const [name, what] of OTHER_REQUESTORS)
  test(
    `voids an authorization of ${what}`,
    rule('GW-REV-02', { needs: [`requestor.${name}`] }),
    async ({ gateway, target }) => {
      const requestor = target.gateway!.requestors[name]!;
      const { order, state } = await gateway.payAndFollow('auth', { amount: 1000, requestor });
      await expectVoided(gateway, requireSeen(state === 'APPROVED' ? order : undefined, 'the authorization to void'));
    },
  );

/** Voids an authorization, and finds nothing left to capture. */
async function expectVoided(gateway: GatewayClient, order: PlacedOrder): Promise<void> {
  await gateway.reverse(order);
  expect((await gateway.sumAfterPolling(order, 'reversal')).count).toBe(1);
  await twice(() => gateway.capture(order, order.amount));
  await gateway.capture(order);
  expect((await gateway.sumAfterPolling(order, 'capture')).count).toBe(0);
}

test(
  'leaves nothing to capture days after a void, or after a void on the second day',
  rule('GW-REV-02', { needs: ['clock'] }),
  async ({ gateway }) => {
    await gateway.learnLapse();
    const order = await gateway.arrangeApproved('auth', { amount: 1000 });
    const late = await gateway.arrangeApproved('auth', { amount: 1000 });
    await gateway.reverse(order);
    await gateway.pollWhilePending(order);
    await gateway.passDays(2);
    await gateway.reverse(late);
    // How late a void is carried out is not shown.
    const isVoided = (await gateway.sumAfterPolling(late, 'reversal')).count > 0;
    for (const one of isVoided ? [order, late] : [order]) {
      await twice(() => gateway.capture(one, 1000));
      expect((await gateway.sumAfterPolling(one, 'capture')).count).toBe(0);
    }
    await gateway.passDays(3);
    await gateway.capture(order, 1000);
    expect((await gateway.sumAfterPolling(order, 'capture')).count).toBe(0);
  },
);
