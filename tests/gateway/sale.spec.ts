import { type ApiReply, expect, type GatewayClient, hasTransactions, ISSUER_STEPS, rule, test } from '#harness';
import { seeApproved } from './support/approved-payment.ts';
import { expectRefusedWithout } from './support/nothing-done.ts';
import { expectNoFailure } from './support/other-requestors.ts';
import { BOOKED, OTHER_REQUESTORS, otherWays, PAYMENT_WAYS } from './support/payment-ways.ts';

test('answers a sale with a StatusResponse', rule('GW-SAL-01'), async ({ gateway, target }) => {
  const { reply } = await gateway.pay('sale', { card: 'approved' });
  expect(reply).toAnswer(200);
  await expectNoFailure('GW-SAL-01', target, async (requestor) => (await gateway.pay('sale', { requestor })).reply);
});

test('has captured an approved sale, so that it can be refunded at once', rule('GW-SAL-02'), async ({ gateway }) => {
  const order = await gateway.arrangeApproved('sale', { amount: 1000 });
  await gateway.reverse(order, 400);
  expect(await gateway.sumAfterPolling(order, 'reversal')).toEqual({ count: 1, sum: 400 });
});

for (const { how, needs, test } of [PAYMENT_WAYS.card, ...otherWays('to a cardholder who was authenticated')]) {
  test(
    `books no more than was sold${how && ` ${how}`}`,
    rule('GW-SAL-02', { needs: ['merchant', ...needs] }),
    async ({ arrangePaid, lookups }) => {
      expect(await lookups.growsAtMost(() => arrangePaid('sale'))).toBe(true);
    },
  );
}

for (const [name, whose] of OTHER_REQUESTORS)
  test(
    `books no more than was sold for ${whose}`,
    rule('GW-SAL-02', { needs: [...BOOKED[name]] }),
    async ({ gateway, lookups, target }) => {
      const requestor = target.gateway!.requestors[name]!;
      const sell = () => seeApproved(gateway, 'sale', { amount: 1000, requestor });
      expect(await lookups.ofRequestor(name).growsAtMost(sell)).toBe(true);
    },
  );

test(
  'books no more than was sold later than at once, whoever looks at it meanwhile',
  rule('GW-SAL-02', { needs: ['merchant', 'card.pending'] }),
  async ({ gateway, lookups }) => {
    const isWithin = await lookups.growsAtMost(async () => {
      const { reply, order } = await gateway.pay('sale', { card: 'pending' });
      test.skip(reply.status !== 200, 'a payment that is not final at first is not taken');
      await gateway.status(order);
      await gateway.pollUntilFinal(order, reply);
      return order;
    });
    expect(isWithin).toBe(true);
  },
);

test(
  'books nothing of what another merchant sells and takes back',
  rule('GW-SAL-02', 'GW-REV-03', { needs: ['merchant', ...BOOKED.second] }),
  async ({ gateway, lookups, reports, target }) => {
    const requestor = target.gateway!.requestors.second!;
    const sell = () => seeApproved(gateway, 'sale', { amount: 1000, requestor });
    // Whose a sale is, is told by whose report has it.
    const sold = await sell();
    const theirs = await reports.ofRequestor('second').rows(sold, 1);
    const ours = await reports.rows(sold, () => true);
    test.skip(theirs.length === 0 || ours.length > 0, 'no report tells whom the second requestor sells for');
    expect(await lookups.leavesBalances(sell), 'GW-SAL-02').toBe(true);
    const takeBack = async () => {
      const order = await sell();
      await gateway.reverse(order, 400);
      await gateway.pollWhilePending(order);
    };
    expect(await lookups.leavesBalances(takeBack), 'GW-REV-03').toBe(true);
  },
);

test(
  'books no more than was sold without a challenge',
  rule('GW-SAL-02', { needs: ['merchant', 'card.frictionless'] }),
  async ({ gateway, lookups, threeDS }) => {
    const sell = async () => {
      const order = await threeDS.arrangeFrictionless({ amount: 1000 });
      await gateway.pollWhilePending(order);
      return order;
    };
    expect(await lookups.growsAtMost(sell)).toBe(true);
  },
);

test('takes raw card data where paymentMethod is CARD', rule('GW-SAL-03'), async ({ gateway }) => {
  const { reply, order } = await gateway.pay('sale', { card: 'approved' });
  expect(reply).toAnswer(200);
  expect(await gateway.pollUntilFinal(order, reply)).toBe('APPROVED');
});

test('leads the customer on where 3-D Secure is required', rule('GW-SAL-04'), async ({ gateway, target }) => {
  for (const card of ['challenge', 'pareq', 'method'] as const) {
    if (target.gateway?.cards[card] === undefined) continue;
    const { outputHtml, outputRedirectToUrl } = (await gateway.arrangeThreeDS('sale', card)).object;
    expect(outputHtml ?? outputRedirectToUrl ?? undefined, card).toBeDefined();
  }
});

test(
  "leads another requestor's customer on where 3-D Secure is required",
  rule('GW-SAL-04', { needs: ['requestor.second'] }),
  async ({ gateway, threeDS, target }) => {
    const { requestors, cards } = target.gateway!;
    let isAnyLed = false;
    for (const card of ['challenge', 'pareq', 'method'] as const) {
      if (cards[card] === undefined) continue;
      const { reply: first, order } = await gateway.pay('sale', { card, requestor: requestors.second! });
      if (first.status !== 200) continue;
      const { reply, auth } = await threeDS.waitForStep(order, first);
      // The issuer may ask less of one requestor than of another.
      if (auth === undefined) continue;
      isAnyLed = true;
      const { outputHtml, outputRedirectToUrl } = reply.object;
      expect(outputHtml ?? outputRedirectToUrl ?? undefined, card).toBeDefined();
    }
    test.skip(!isAnyLed, 'no card of the second requestor needs 3-D Secure');
  },
);

/** What a sale has to have, by the rule that says so. */
const REQUIRED = [
  ['GW-SAL-05', 'order'],
  ['GW-SAL-06', 'browser'],
] as const;

for (const [id, field] of REQUIRED)
  test(`refuses a sale without ${field}`, rule(id), async ({ gateway }) => {
    (await gateway.pay('sale')).reply.requireStatus(200);
    await expectRefusedWithout(gateway, field, 'sale');
  });

test(
  "refuses another requestor's sale without order or browser",
  rule('GW-SAL-05', 'GW-SAL-06', { needs: ['requestor.second'] }),
  async ({ gateway, target }) => {
    const requestor = target.gateway!.requestors.second!;
    const { reply } = await gateway.pay('sale', { requestor });
    test.skip(reply.status !== 200, 'the second requestor sells nothing');
    for (const [id, field] of REQUIRED)
      expect(await gateway.payWithout(field, 'sale', { requestor }), id).toBeRefused();
  },
);

test(
  'refuses a sale on a registered card that lacks what it has to have',
  rule('GW-SAL-05', 'GW-SAL-06', { needs: ['recurring'] }),
  async ({ gateway, recurring }) => {
    const cardId = await recurring.arrangeRegistration();
    (await gateway.pay('sale', { cardId })).reply.requireStatus(200);
    for (const [id, field] of REQUIRED) expect(await gateway.payWithout(field, 'sale', { cardId }), id).toBeRefused();
  },
);

for (const { step, card, forward } of ISSUER_STEPS)
  test(
    `charges once where a caller forwards what the issuer said twice at once (${step})`,
    rule('GW-SAL-02', { needs: [card, 'browser'] }),
    async ({ gateway, threeDS, issuer, together }) => {
      const waiting = await threeDS.arrangeStep(step, { amount: 1000 });
      const { order } = waiting;
      const value = await issuer.obtainAnswer(waiting);
      const send = () => threeDS.forwardAnswer(forward, waiting, value);
      await together([send, send]);
      const shown = await gateway.pollWhilePending(order);
      test.skip(!hasTransactions(shown), 'the payment does not go through');
      expect(sumCharged(gateway, shown)).toBeLessThanOrEqual(order.amount);
    },
  );

test(
  'charges once where a customer pays on a form that was paid before',
  rule('GW-SAL-02', { needs: ['form', 'browser'] }),
  async ({ gateway, hostedForm }) => {
    const started = await hostedForm.start('saleForm', { amount: 1000 });
    const { order } = started;
    await hostedForm.pay(started);
    await hostedForm.waitForReturn(started.paid);
    const end = await gateway.pollUntilFinal(order);
    test.skip(end !== 'APPROVED', `a payment on the hosted form ended in ${end}`);
    await hostedForm.payAgain(started);
    const shown = await gateway.pollWhilePending(order);
    expect(sumCharged(gateway, shown)).toBeLessThanOrEqual(order.amount);
  },
);

/** What an order charges, sold or captured, in minor units. */
function sumCharged(gateway: GatewayClient, shown: ApiReply): number {
  return gateway.sumTransactions(shown, 'sale').sum + gateway.sumTransactions(shown, 'capture').sum;
}
