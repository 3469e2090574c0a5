import {
  type ApiReply,
  assertPromise,
  callAbreast,
  expect,
  FINAL_STATES,
  type GatewayClient,
  type GatewayFixtures,
  hasTransactions,
  isTaken,
  type PlacedOrder,
  passMoment,
  requireEntries,
  requireSeen,
  rule,
  type Target,
  test,
} from '#harness';
import { expectNoneApproved } from './support/approved-at-once.ts';
import { seeApproved } from './support/approved-payment.ts';
import { FAILING_CARDS } from './support/failing-payments.ts';
import { NO_ANSWER } from './support/nobody.ts';
import { goThroughSequences } from './support/order-sequences.ts';
import { OTHER_REQUESTORS, PAYMENT_WAYS } from './support/payment-ways.ts';

/** Whether an answer lists nothing and is in the state in which an order is answered that there is not. */
async function isAsUnknown(gateway: GatewayClient, reply: ApiReply) {
  if (hasTransactions(reply)) return false;
  const unknown = await gateway.send('status', { body: { orderMerchantId: gateway.paymentBody().merchantId } });
  return unknown.status === 200 && unknown.object.orderState === reply.object.orderState;
}

/** By the card that leads to a final state: the rule that this end is said. */
const SAID = { declined: 'GW-STA-01', error: 'GW-STA-02', filtered: 'GW-STA-03' } as const;

test(
  'lets no declined payment pass for an approved one that is made at once',
  rule('GW-STA-01', { needs: ['card.declined'] }),
  async ({ gateway, together }) => expectNoneApproved({ gateway, together }, 'sale', 'declined'),
);

for (const [card, , state] of FAILING_CARDS) {
  const id = SAID[card];
  for (const [name, whose] of OTHER_REQUESTORS)
    test(
      `reports payments of ${whose} with a card that is ${card} as a 200 in state ${state}`,
      rule(id, { needs: [`card.${card}`, `requestor.${name}`] }),
      async ({ gateway, target }) => {
        const requestor = target.gateway!.requestors[name]!;
        for (const by of ['sale', 'auth'] as const) {
          await seeApproved(gateway, by, { requestor });
          const { reply, order } = await gateway.pay(by, { card, requestor });
          expect(reply, by).toAnswer(200);
          expect(await gateway.pollUntilFinal(order, reply), by).toBe(state);
        }
      },
    );

  for (const operation of ['sale', 'auth'] as const) {
    test(
      `reports ${operation} with a card that is ${card} as a 200 in state ${state}`,
      rule(id, { needs: [`card.${card}`] }),
      async ({ gateway }) => {
        // After an approved one, whose state is not that of this one.
        await gateway.pay(operation);
        const { reply, order } = await gateway.pay(operation, { card });
        expect(reply).toAnswer(200);
        expect(await gateway.pollUntilFinal(order, reply)).toBe(state);
      },
    );
  }
}

for (const [card] of FAILING_CARDS)
  test(
    `answers an account verification with a card that is ${card} with a 200`,
    rule(SAID[card], { needs: [`card.${card}`] }),
    async ({ gateway }) => {
      // A card that is declined is not thereby invalid: how the verification ends is open.
      const { reply } = await gateway.pay('accountVerification', { card });
      expect(reply).toAnswer(200);
    },
  );

/** The same of the rule that it stays. */
const STAYS = { approved: 'GW-STA-04', declined: 'GW-STA-05', error: 'GW-STA-06', filtered: 'GW-STA-07' } as const;

test(
  'approves no order in DECLINED that is sent what belongs to 3-D Secure',
  rule('GW-STA-05', { needs: ['card.declined'] }),
  async ({ gateway, threeDS, receiver }) => {
    const { order, state } = await gateway.payAndFollow('sale', { card: 'declined' });
    requireSeen(state === 'DECLINED' ? state : undefined, 'an order in DECLINED');
    const method = { order, reply: await gateway.status(order), cres: receiver.servePage('/cres-declined') };
    await threeDS.reportMethod(method, 'Y', { threeDSServerTransID: 'e3b0c442-98fc-4c14-9afb-f4c8996fb924' });
    // What is refused may show as the state of the order: what must not come of it is a payment.
    expect((await gateway.pollWhilePending(order)).object.orderState, 'a report on its method').not.toBe('APPROVED');
    for (const forward of ['threeDSCRes', 'threeDSPaRes'] as const) {
      await threeDS.forwardAnswer(forward, { order }, NO_ANSWER);
      expect((await gateway.pollWhilePending(order)).object.orderState, forward).not.toBe('APPROVED');
    }
  },
);

/** Cards, and the final state that each leads to. */
const ENDS = [['approved', 'was approved', 'APPROVED'], ...FAILING_CARDS] as const;

for (const [card, , state] of ENDS) {
  const id = STAYS[card];
  for (const by of ['sale', 'auth'] as const) {
    const what = by === 'sale' ? 'an order' : 'an authorization';
    test(
      `leaves ${what} in ${state} while nothing is done to it`,
      rule(id, { needs: [`card.${card}`] }),
      async ({ gateway }) => {
        const { reply, order } = await gateway.pay(by, { card });
        const settled = await gateway.pollUntilFinal(order, reply);
        for (let polls = 0; FINAL_STATES.includes(settled) && polls < 3; polls += 1) {
          await gateway.sleepPollGap();
          expect((await gateway.status(order)).object.orderState).toBe(settled);
        }
        requireSeen(settled === state ? settled : undefined, `${what} in ${state}`);
      },
    );
  }

  const needs = [`card.${card}`, 'clock'] as const;
  test(`leaves orders in ${state} for days`, rule(id, { needs }), async ({ gateway, recurring, target }) => {
    await gateway.learnLapse();
    const settled: { by: string; order: PlacedOrder; end: string }[] = [];
    for (const by of ['sale', 'auth'] as const) {
      const { reply, order } = await gateway.pay(by, { card });
      settled.push({ by, order, end: await gateway.pollUntilFinal(order, reply) });
    }
    if (card === 'approved') {
      settled.push(...(await settleOthers(gateway)), ...(await settleElsewhere(gateway, target)));
      if (target.gateway!.wire.recurring !== undefined) settled.push(...(await settleByCardId(gateway, recurring)));
    }
    for (const days of [1, 2, 6, 20, 31]) {
      await gateway.passDays(days);
      const looked = settled
        .filter((one) => FINAL_STATES.includes(one.end))
        // A block lasts about a week; what an authorization shows when it has lapsed is not said.
        .filter(({ by }) => !(BLOCKING.includes(by) && card === 'approved' && days > 2));
      const statuses = looked.map(
        (one) => async () => (await gateway.statusesByBothIds(one.order)).map((shown) => ({ ...one, shown })),
      );
      for (const { by, end, shown } of (await callAbreast(statuses, target.manners.parallel)).flat()) {
        // Nor how long an order is shown.
        if (shown.status !== 200 || (shown.object.orderState !== end && (await isAsUnknown(gateway, shown)))) continue;
        expect(shown.object.orderState, by).toBe(end);
      }
    }
    requireEntries(
      settled.filter(({ end }) => end === state),
      `orders in ${state}`,
    );
  });
}

for (const { how, needs, test } of [PAYMENT_WAYS.form, PAYMENT_WAYS.threeDS]) {
  test(
    `leaves a sale ${how} in APPROVED while nothing is done to it`,
    rule('GW-STA-04', { needs }),
    async ({ arrangePaid, gateway }) => {
      const order = await arrangePaid('sale');
      for (let polls = 0; polls < 3; polls += 1) {
        await gateway.sleepPollGap();
        expect((await gateway.status(order)).object.orderState).toBe('APPROVED');
      }
    },
  );

  test(
    `leaves a sale ${how} in APPROVED for days`,
    rule('GW-STA-04', { needs: [...needs, 'clock'] }),
    async ({ arrangePaid, gateway }) => {
      await gateway.learnLapse();
      const order = await arrangePaid('sale');
      await gateway.passDays(2);
      const shown = await gateway.status(order);
      // How long an order is shown is not said.
      test.skip(shown.status !== 200 || !hasTransactions(shown), 'the order is not shown any more');
      expect(shown.object.orderState).toBe('APPROVED');
    },
  );
}

for (const [name, whose] of OTHER_REQUESTORS)
  test(
    `leaves an approved order of ${whose} as it is, however often it is asked for`,
    rule('GW-STA-04', { needs: [`requestor.${name}`] }),
    async ({ gateway, target }) => {
      const requestor = target.gateway!.requestors[name]!;
      const { order, state } = await gateway.payAndFollow('sale', { requestor });
      test.skip(state !== 'APPROVED', `${whose} has no payment approved`);
      for (let times = 0; times < 4; times += 1) {
        await gateway.sleepPollGap();
        expect((await gateway.status(order)).object.orderState).toBe('APPROVED');
      }
    },
  );

test(
  'leaves approved orders that something was done to as they are, however often they are asked for',
  rule('GW-STA-04'),
  async ({ gateway }) => {
    const settled = (await settleOthers(gateway)).filter(({ end }) => FINAL_STATES.includes(end));
    for (let times = 0; times < 4; times += 1) {
      await gateway.sleepPollGap();
      for (const { by, order, end } of settled) expect((await gateway.status(order)).object.orderState, by).toBe(end);
    }
    requireEntries(
      settled.filter(({ end }) => end === 'APPROVED'),
      'approved orders',
    );
  },
);

test(
  'leaves orders as they are a moment later in real time',
  rule('GW-STA-04', 'GW-STA-05', 'GW-STA-06', 'GW-STA-07', {
    needs: ['card.declined', 'card.error', 'card.filtered'],
    isIdle: true,
  }),
  async ({ gateway, recorder }) => {
    const settled: { id: string; order: PlacedOrder; state: string }[] = [];
    for (const [card, , state] of ENDS) {
      const id = STAYS[card];
      const paid = [await gateway.payAndFollow('sale', { card }), await gateway.payAndFollow('auth', { card })];
      const ended = paid.filter((one) => one.state === state);
      if (ended.length === 0) recorder.leaveOut(`no order with card ${card} ended in ${state}`, id);
      settled.push(...ended.map(({ order }) => ({ id, order, state })));
    }
    await passMoment();
    for (const { id, order, state } of settled)
      for (const shown of await gateway.statusesByBothIds(order)) expect(shown.object.orderState, id).toBe(state);
  },
);

/** Orders of which a block is left. */
const BLOCKING = ['auth', 'voided', 'captured in part'];

/** Approved orders that something else was done to: verified, captured, refunded, voided. */
async function settleOthers(gateway: GatewayClient) {
  const verified = await gateway.arrangeApproved('accountVerification');
  const captured = await gateway.arrangeApproved('auth', { amount: 1000 });
  await gateway.arrangeCapture(captured);
  const refunded = await gateway.arrangeApproved('sale', { amount: 1000 });
  await gateway.reverse(refunded, 400);
  const settled = [];
  const voided = await gateway.arrangeApproved('auth', { amount: 1000 });
  await gateway.reverse(voided);
  const part = await gateway.arrangeApproved('auth', { amount: 1000 });
  await gateway.arrangeCapture(part, 400);
  for (const [by, order] of Object.entries({ verified, captured, refunded, voided, 'captured in part': part }))
    settled.push({ by, order, end: String((await gateway.pollWhilePending(order)).object.orderState) });
  return settled;
}

/** Sales of the other requestors. */
async function settleElsewhere(gateway: GatewayClient, target: Target) {
  const settled = [];
  for (const [name, whose] of OTHER_REQUESTORS) {
    const requestor = target.gateway!.requestors[name];
    if (requestor === undefined) continue;
    const { order, state } = await gateway.payAndFollow('sale', { requestor });
    settled.push({ by: `sale of ${whose}`, order, end: state });
  }
  return settled;
}

/** A sale on a registered card, where it can be registered. */
async function settleByCardId(gateway: GatewayClient, recurring: GatewayFixtures['recurring']) {
  const registered = await recurring.registerCard(await gateway.arrangeApproved('sale'));
  const cardId = registered.status === 200 ? recurring.readCardId(registered) : undefined;
  if (cardId === undefined) return [];
  const { order, state } = await gateway.payAndFollow('sale', { cardId });
  return [{ by: 'sale on a registered card', order, end: state }];
}

for (const [id, card, state] of [
  ['GW-STA-08', 'pending', 'PROCESSING'],
  ['GW-STA-09', 'unknown', 'UNKNOWN'],
  ['GW-STA-10', 'chain', 'CHAIN_STEP'],
] as const) {
  for (const [by, what] of [
    ['sale', 'an order'],
    ['auth', 'an authorization'],
    ['accountVerification', 'a verification'],
  ] as const) {
    test(`brings ${what} in ${state} to a final state`, rule(id, { needs: [`card.${card}`] }), async ({ gateway }) => {
      const { reply, order } = await gateway.pay(by, { card });
      const shown = [reply, await gateway.status(order)].map(({ object }) => object.orderState);
      const last = await gateway.pollUntilFinal(order, reply);
      assertPromise(FINAL_STATES.includes(last), 'a final state after polling', last);
      requireSeen(shown.includes(state) ? state : undefined, `${what} in ${state}`);
    });
  }

  test(
    `brings another requestor's orders in ${state} to a final state`,
    rule(id, { needs: [`card.${card}`, 'requestor.second'] }),
    async ({ gateway, target }) => {
      for (const by of ['sale', 'auth'] as const) {
        const { reply, order } = await gateway.pay(by, { card, requestor: target.gateway!.requestors.second! });
        test.skip(reply.status !== 200, `another requestor's payment was answered ${reply.status}`);
        const last = await gateway.pollUntilFinal(order, reply);
        assertPromise(FINAL_STATES.includes(last), 'a final state after polling', last);
      }
    },
  );
}

for (const { how, needs, test } of [PAYMENT_WAYS.card, PAYMENT_WAYS.cardId, PAYMENT_WAYS.form, PAYMENT_WAYS.threeDS]) {
  test(
    `brings an authorization${how && ` ${how}`} to a final state after each capture, refund and void`,
    rule('GW-STA-08', 'GW-REV-07', { needs }),
    async ({ arrangePaid, gateway }) => {
      const order = await arrangePaid('auth', { amount: 1000 });
      const voided = await arrangePaid('auth', { amount: 1000 });
      for (const [id, of, operate] of [
        ['GW-STA-08', order, () => gateway.capture(order, 400)],
        ['GW-STA-08', order, () => gateway.capture(order, 300)],
        ['GW-REV-07', order, () => gateway.reverse(order, 100)],
        ['GW-REV-07', order, () => gateway.reverse(order, 100)],
        ['GW-STA-08', voided, () => gateway.reverse(voided)],
      ] as const) {
        const reply = await operate();
        expect(await gateway.pollUntilFinal(of, reply), id).not.toBe('PROCESSING');
      }
      const isListed = hasTransactions(await gateway.status(order));
      requireSeen(isListed ? order : undefined, 'the transactions of what came to rest');
    },
  );
}

test(
  'brings an order on the hosted form in PROCESSING to a final state',
  rule('GW-STA-08', { needs: ['card.pending', 'form', 'browser'] }),
  async ({ gateway, hostedForm }) => {
    const started = await hostedForm.start('saleForm', { card: 'pending' });
    await hostedForm.pay(started, 'pending');
    const { orderState } = (await gateway.status(started.order)).object;
    const last = await gateway.pollUntilFinal(started.order);
    assertPromise(FINAL_STATES.includes(last), 'a final state after polling', last);
    requireSeen(orderState === 'PROCESSING' || undefined, 'an order on the hosted form in PROCESSING');
  },
);

for (const [name, whose] of OTHER_REQUESTORS)
  test(
    `brings an authorization of ${whose} to a final state after a capture and a void`,
    rule('GW-STA-08', { needs: [`requestor.${name}`] }),
    async ({ gateway, target }) => {
      const requestor = target.gateway!.requestors[name]!;
      for (const operate of ['capture', 'reverse'] as const) {
        const { order, state } = await gateway.payAndFollow('auth', { requestor });
        test.skip(state !== 'APPROVED', `${whose} has no authorization approved`);
        const reply = await gateway[operate](order);
        if (isTaken(reply)) expect(await gateway.pollUntilFinal(order, reply), operate).not.toBe('PROCESSING');
      }
    },
  );

test('shows no other states than the seven', rule('GW-STA-11'), async ({ gateway }) => {
  const { reply, order } = await gateway.pay('auth', { card: 'approved' });
  await gateway.pollUntilFinal(order, reply);
  await gateway.capture(order);
  await gateway.pollWhilePending(order);
  await gateway.statusesByBothIds(order);
  await gateway.reverse(order);
  await gateway.pollWhilePending(order);
  await gateway.statusesByBothIds(order);
});

test('shows no other states where a part was captured or taken back', rule('GW-STA-11'), async ({ gateway }) => {
  const order = await gateway.arrangeApproved('auth', { amount: 1000 });
  await gateway.capture(order, 400);
  await gateway.pollWhilePending(order);
  await gateway.reverse(order, 100);
  await gateway.pollWhilePending(order);
  const voided = await gateway.arrangeApproved('auth');
  await gateway.reverse(voided);
  await gateway.pollWhilePending(voided);
});

test(
  'shows no other states once a payment was charged back',
  rule('GW-STA-11', { needs: ['later'] }),
  async ({ gateway, target }) => {
    test.skip(target.control.chargeback === undefined, 'no control request charges an order back');
    const order = await gateway.arrangeApproved('sale', { amount: 1000 });
    await gateway.triggerControl('chargeback', order);
    await gateway.sleepPollGap();
    await gateway.pollWhilePending(order);
  },
);

/** What is promised of sequences in which no time passes. */
const AT_ONCE = [
  ...['GW-STA-04', 'GW-CAP-02', 'GW-CAP-03', 'GW-CAP-04', 'GW-CAP-05'],
  ...['GW-REV-02', 'GW-REV-03', 'GW-REV-04', 'GW-REV-05', 'GW-REV-06'],
  ...['GW-STS-02', 'GW-STS-04', 'GW-STS-08'],
];

test(
  'keeps to the limits of captures and reversals in any sequence',
  rule(...AT_ONCE),
  async ({ gateway, clock }, info) => {
    await goThroughSequences(info, gateway, { rules: AT_ONCE }, { runs: clock.lever('records') === 'moves' ? 20 : 3 });
  },
);

test(
  'captures nothing after the authorization has lapsed, in any sequence',
  rule('GW-STA-04', 'GW-CAP-08', { needs: ['clock'] }),
  async ({ gateway }, info) => {
    const rules = ['GW-STA-04', 'GW-CAP-08'];
    await goThroughSequences(info, gateway, { rules }, { runs: 24, lapses: 16 });
  },
);
