import {
  type ApiReply,
  assertPromise,
  attributeTo,
  type CallbackInbox,
  type CommonFixtures,
  expect,
  FINAL_STATES,
  type GatewayClient,
  ISSUER_STEPS,
  isArranged,
  type PlacedOrder,
  requireSeen,
  rule,
  type Target,
  test,
} from '#harness';
import { showsCard } from './support/card-digits.ts';
import { FAILING_CARDS, payInVain } from './support/failing-payments.ts';
import { answerIssuer, waitAndForward } from './support/issuer-on-form.ts';
import { changeLater } from './support/later-change.ts';
import { goThroughSequences } from './support/order-sequences.ts';
import { byOwnId } from './support/own-id.ts';
import { keepsQuery, OWN_QUERY } from './support/own-query.ts';
import { OTHER_REQUESTORS, otherWays, REQUESTORS } from './support/payment-ways.ts';
import { hardPart } from './support/telling-amounts.ts';

/** Whether a callback says of an order what an answer says. */
const saysSame = (callbacks: CallbackInbox, reply: ApiReply) => (one: ApiReply) =>
  JSON.stringify(callbacks.snapshot(one)) === JSON.stringify(callbacks.snapshot(reply));

/**
 * Waits for a callback that says what status says.
 * @param counts which callbacks; one of an earlier change may say the same
 */
async function expectSame(
  callbacks: CallbackInbox,
  order: PlacedOrder,
  reply: ApiReply,
  counts: (callback: ApiReply) => boolean = () => true,
): Promise<void> {
  const status = JSON.stringify(callbacks.snapshot(reply));
  // Under which name it holds the caller's id, if at all, is not shown.
  const names = Object.keys(reply.object).filter((name) => reply.object[name] === order.merchantId);
  const isNamedAlike = (one: ApiReply) =>
    names.every((name) => String(one.object[name] ?? order.merchantId) === order.merchantId) &&
    callbacks.isNamedAlike(order, one);
  const says = saysSame(callbacks, reply);
  const is = (one: ApiReply) => counts(one) && says(one) && isNamedAlike(one);
  const came = (await callbacks.waitFor(order, is)) !== undefined;
  const others = callbacks.deliveriesAbout(order).length;
  const actual = others === 0 ? 'none' : `${others} that say something else`;
  assertPromise(came, `a callback that says ${status}`, actual, 'GW-CBK-03');
}

/** Whether a callback says that this order, and no other, is in a state. */
const tellsState = (callbacks: CallbackInbox, order: PlacedOrder, state: string) => (one: ApiReply) =>
  callbacks.isAbout(order, one) && callbacks.snapshot(one).state === state;

/** Whether a callback lists a transaction of a kind of this order, and of no other. */
const lists = (callbacks: CallbackInbox, order: PlacedOrder, kind: 'capture' | 'reversal') => (one: ApiReply) =>
  callbacks.isAbout(order, one) && callbacks.countListed(one, kind) > 0;

/** Where callbacks about an order came that do not end in a place. */
const pathsAstray = (
  { callbacks, receiver }: Pick<CommonFixtures, 'receiver'> & Pick<LaterChange, 'callbacks'>,
  order: PlacedOrder,
  place: string,
) =>
  receiver.deliveries
    .filter((one) => callbacks.isAbout(order, one))
    .map(({ path }) => path)
    .filter((path) => !path.endsWith(`/${place}`));

const needsOf = (name: (typeof REQUESTORS)[number][0]) => (name === 'main' ? [] : ([`requestor.${name}`] as const));

/** Arranges an approved order of a requestor, of which callbacks come to us. */
async function arrangeTold(
  name: (typeof REQUESTORS)[number][0],
  by: 'sale' | 'auth',
  { gateway, callbacks, target }: Pick<LaterChange, 'gateway' | 'callbacks' | 'target'>,
): Promise<PlacedOrder> {
  const requestor = target.gateway!.requestors[name]!;
  const isHeard = name === 'main' || (await callbacks.listenFor(requestor));
  test.skip(!isHeard, 'the address cannot be registered for that requestor');
  return gateway.arrangeApproved(by, { amount: 1000, requestor, callbackUrl: callbacks.url });
}

test('sends a StatusResponse as a callback', rule('GW-CBK-01'), async ({ gateway, callbacks }) => {
  for (const by of ['sale', 'auth'] as const) {
    const order = await gateway.arrangeApproved(by, { callbackUrl: callbacks.url });
    const callback = await callbacks.waitOrFail(order, `about an order by ${by}`);
    expect(typeof callback.object.orderState, by).toBe('string');
  }
});

for (const by of ['sale', 'auth'] as const) {
  const what = `a pending ${by === 'sale' ? 'order' : 'authorization'}`;
  test(`tells of ${what} when it comes to its end`, rule('GW-CBK-02'), async ({ gateway, callbacks }) => {
    const { reply, order } = await gateway.pay(by, { card: 'pending', callbackUrl: callbacks.url });
    const end = await gateway.pollUntilFinal(order, reply);
    expect(FINAL_STATES).toContain(end);
    await callbacks.waitOrFail(order, `about the end of ${what}`, (one) => callbacks.snapshot(one).state === end);
  });
}

test(
  'tells of the end of a payment that nobody asks about',
  rule('GW-CBK-02', { needs: ['card.pending'] }),
  async ({ gateway, callbacks, target }) => {
    const { reply, order } = await gateway.pay('sale', { card: 'pending', callbackUrl: callbacks.url });
    reply.requireStatus(200);
    if (target.control.finish !== undefined) await gateway.triggerControl('finish', order);
    // How long it takes shows another one, which is asked about.
    const other = await gateway.payAndFollow('sale', { card: 'pending' });
    test.skip(!FINAL_STATES.includes(other.state), `another payment is still ${other.state}`);
    const isEnd = (one: ApiReply) => FINAL_STATES.includes(callbacks.snapshot(one).state);
    const told = await callbacks.waitFor(order, isEnd);
    test.skip(told === undefined && !isEnd(await gateway.pollWhilePending(order)), 'the payment is still under way');
    assertPromise(told !== undefined, 'a callback about the end of a payment before status is asked', 'none');
  },
);

for (const [card, by] of [
  ['unknown', 'sale'],
  ['unknown', 'auth'],
  ['chain', 'sale'],
  ['pending', 'accountVerification'],
] as const)
  test(
    `tells of an order with the card ${card} when it comes to its end (${by})`,
    rule('GW-CBK-02', { needs: [`card.${card}`] }),
    async ({ gateway, callbacks }) => {
      const { reply, order } = await gateway.pay(by, { card, callbackUrl: callbacks.url });
      const end = await gateway.pollUntilFinal(order, reply);
      test.skip(!FINAL_STATES.includes(end), `the order is still ${end}`);
      await callbacks.waitOrFail(order, `that says ${end}`, (one) => callbacks.snapshot(one).state === end);
    },
  );

test(
  "tells of another requestor's pending order when it comes to its end",
  rule('GW-CBK-02', { needs: ['requestor.second'] }),
  async ({ gateway, callbacks, target }) => {
    const requestor = target.gateway!.requestors.second!;
    test.skip(!(await callbacks.listenFor(requestor)), 'the address cannot be registered for the second requestor');
    const { reply, order } = await gateway.pay('sale', { card: 'pending', requestor, callbackUrl: callbacks.url });
    test.skip(reply.status !== 200, `another requestor's payment was answered ${reply.status}`);
    const end = await gateway.pollUntilFinal(order, reply);
    test.skip(!FINAL_STATES.includes(end), `the order is still ${end}`);
    await callbacks.waitOrFail(order, `that says ${end}`, (one) => callbacks.snapshot(one).state === end);
  },
);

for (const by of ['saleForm', 'authForm'] as const)
  test(
    `tells of a form that the customer left, where that ends the order (${by})`,
    rule('GW-CBK-02', { needs: ['form', 'browser'] }),
    async ({ gateway, hostedForm, callbacks }) => {
      const started = await hostedForm.start(by, { callbackUrl: callbacks.url });
      await hostedForm.cancel(started);
      await gateway.sleepPollGap();
      const end = String((await gateway.status(started.order)).object.orderState);
      test.skip(!FINAL_STATES.includes(end), `the order is still ${end}`);
      await callbacks.waitOrFail(started.order, `that says ${end}`, (one) => callbacks.snapshot(one).state === end);
    },
  );

for (const [what, by, capture, ...reversals] of [
  ['a sale', 'sale', undefined],
  ['an account verification', 'accountVerification', undefined],
  ['an authorization', 'auth', undefined],
  ['a captured authorization', 'auth', 600],
  ['a refunded sale', 'sale', undefined, 300],
  // By the same amount: one is not the other come again.
  ['a sale refunded twice', 'sale', undefined, 300, 300],
] as const) {
  test(`says of ${what} what status says`, rule('GW-CBK-03'), async ({ gateway, callbacks }) => {
    const order = await gateway.arrangeApproved(by, { amount: 1000, callbackUrl: callbacks.url });
    if (capture !== undefined) await gateway.capture(order, capture);
    for (const amount of reversals) {
      await gateway.reverse(order, amount);
      await gateway.pollWhilePending(order);
    }
    await expectSame(callbacks, order, await gateway.pollWhilePending(order));
  });
}

for (const [card, by] of [
  ['declined', 'sale'],
  ['declined', 'auth'],
  ['filtered', 'sale'],
  ['error', 'sale'],
] as const) {
  test(
    `says of a payment with a card that is ${card} what status says (${by})`,
    rule('GW-CBK-03', { needs: [`card.${card}`] }),
    async ({ gateway, callbacks }) => {
      const { reply, order } = await gateway.pay(by, { card, callbackUrl: callbacks.url });
      await gateway.pollUntilFinal(order, reply);
      await expectSame(callbacks, order, await gateway.status(order));
    },
  );
}

for (const { step, card, forward } of ISSUER_STEPS)
  for (const [what, ask] of [
    ['passed', 'obtainAnswer'],
    ['did not pass', 'obtainRefusal'],
  ] as const)
    test(
      `says of an order whose cardholder ${what} 3-D Secure what status says (${step})`,
      rule('GW-CBK-03', { needs: [card, 'browser'] }),
      async ({ gateway, threeDS, issuer, callbacks }) => {
        const waiting = await threeDS.arrangeStep(step, { callbackUrl: callbacks.url });
        const { order } = waiting;
        const end = await gateway.pollUntilFinal(
          order,
          await threeDS.forwardAnswer(forward, waiting, await issuer[ask](waiting)),
        );
        test.skip(!FINAL_STATES.includes(end), `the order is still ${end}`);
        await expectSame(callbacks, order, await gateway.status(order));
      },
    );

test(
  'says of a sale on the hosted form whose cardholder passed 3-D Secure what status says',
  rule('GW-CBK-03', { needs: ['card.challenge', 'form', 'browser'] }),
  async ({ gateway, hostedForm, threeDS, issuer, callbacks }) => {
    const way = { by: 'saleForm', card: 'challenge', refuses: false, callbackUrl: callbacks.url } as const;
    const started = await answerIssuer({ hostedForm, issuer }, way);
    await waitAndForward({ gateway, hostedForm, threeDS }, started);
    const end = await gateway.pollUntilFinal(started.order);
    test.skip(!FINAL_STATES.includes(end), `the order is still ${end}`);
    await expectSame(callbacks, started.order, await gateway.status(started.order));
  },
);

test(
  'tells of no end of a payment before status does',
  rule('GW-CBK-03', { needs: ['card.pending'] }),
  async ({ gateway, callbacks }) => {
    const { order } = await gateway.pay('sale', { card: 'pending', callbackUrl: callbacks.url });
    const early = await callbacks.endToldEarly(order, () => true);
    expect(early, 'an end that status does not show').toBeUndefined();
  },
);

test(
  'tells of the end of a reversal, and not before status does',
  rule('GW-CBK-03', 'GW-CBK-06', { needs: ['card.pending'] }),
  async ({ gateway, callbacks }) => {
    const { order, reply } = await gateway.pay('sale', { card: 'pending', callbackUrl: callbacks.url });
    await gateway.pollUntilFinal(order, reply);
    await gateway.reverse(order, 200);
    const early = await callbacks.endToldEarly(order, (one) => callbacks.countListed(one, 'reversal') > 0);
    attributeTo('GW-CBK-03', () => expect(early, 'an end that status does not show').toBeUndefined());
    const end = callbacks.snapshot(await gateway.pollWhilePending(order));
    const isTold = await callbacks.waitFor(
      order,
      (one) => JSON.stringify(callbacks.snapshot(one)) === JSON.stringify(end),
    );
    assertPromise(isTold !== undefined, 'a callback about the end of a reversal', 'none', 'GW-CBK-06');
  },
);

test('says what status says in any sequence', rule('GW-CBK-03'), async ({ gateway, callbacks, clock }, info) => {
  const afterOperation = ({ order }: { order: PlacedOrder }, status: ApiReply) => expectSame(callbacks, order, status);
  const beforeSequence = () => callbacks.forget();
  await goThroughSequences(
    info,
    gateway,
    { rules: [], callbackUrl: callbacks.url, beforeSequence, afterOperation },
    { runs: clock.steered ? 5 : 2 },
  );
});

for (const [what, by] of [
  ['sale', 'sale'],
  ['authorization', 'auth'],
  ['account verification', 'accountVerification'],
] as const) {
  test(`tells of the outcome of a payment (${what})`, rule('GW-CBK-04'), async ({ gateway, callbacks }) => {
    const order = await gateway.arrangeApproved(by, { callbackUrl: callbacks.url });
    // That it is under way may have been told of before.
    const saysEnd = (one: ApiReply) => callbacks.snapshot(one).state === 'APPROVED';
    await callbacks.waitOrFail(order, `that says the ${what} is approved`, saysEnd);
  });
}

test('tells of each of many payments', rule('GW-CBK-04'), async ({ gateway, callbacks, clock }) => {
  for (let i = 0; i < (clock.steered ? 10 : 3); i += 1) {
    const order = await gateway.arrangeApproved('sale', { callbackUrl: callbacks.url });
    const saysEnd = tellsState(callbacks, order, 'APPROVED');
    await callbacks.waitOrFail(order, `that says payment ${i + 1} is approved`, saysEnd);
  }
});

for (const [card, by] of [
  ['declined', 'sale'],
  ['declined', 'accountVerification'],
  ['filtered', 'sale'],
  ['filtered', 'auth'],
  ['error', 'sale'],
  ['error', 'auth'],
  ['error', 'accountVerification'],
] as const) {
  test(
    `tells of the outcome of a payment with a ${card} card (${by})`,
    rule('GW-CBK-04', { needs: [`card.${card}`] }),
    async ({ gateway, callbacks }) => {
      const { reply, order } = await gateway.pay(by, { card, callbackUrl: callbacks.url });
      const end = await gateway.pollUntilFinal(order, reply);
      const saysEnd = (one: ApiReply) => callbacks.snapshot(one).state === end;
      await callbacks.waitOrFail(order, `about a payment with the ${card} card that says ${end}`, saysEnd);
    },
  );
}

for (const by of ['sale', 'auth'] as const) {
  test(
    `tells of the outcome of a payment with a registered card (${by})`,
    rule('GW-CBK-04', 'GW-CBK-03', { needs: ['recurring'] }),
    async ({ gateway, recurring, callbacks }) => {
      const cardId = await recurring.arrangeRegistration();
      const { reply, order } = await gateway.pay(by, { cardId, callbackUrl: callbacks.url });
      const end = await gateway.pollUntilFinal(order, reply);
      const saysEnd = (one: ApiReply) => callbacks.snapshot(one).state === end;
      await callbacks.waitOrFail(
        order,
        `about a payment with a registered card that says ${end}`,
        saysEnd,
        'GW-CBK-04',
      );
      await expectSame(callbacks, order, await gateway.status(order));
    },
  );
}

test(
  'tells of the outcome of a payment with a frictionless card',
  rule('GW-CBK-04', { needs: ['card.frictionless'] }),
  async ({ gateway, threeDS, callbacks }) => {
    const order = await threeDS.arrangeFrictionless({ callbackUrl: callbacks.url });
    const end = await gateway.pollUntilFinal(order);
    await callbacks.waitOrFail(order, `that says ${end}`, (one) => callbacks.snapshot(one).state === end);
  },
);

for (const [card, what] of FAILING_CARDS)
  test(
    `tells of a payment on the hosted form that ${what}`,
    rule('GW-CBK-04', { needs: [`card.${card}`, 'form', 'browser'] }),
    async ({ gateway, hostedForm, callbacks }) => {
      const { order, isBack } = await payInVain(hostedForm, 'saleForm', card, { callbackUrl: callbacks.url });
      test.skip(!isBack, 'the customer does not come back from a payment that does not go through');
      const end = await gateway.pollUntilFinal(order);
      await callbacks.waitOrFail(order, `that says ${end}`, tellsState(callbacks, order, end));
    },
  );

for (const by of ['saleForm', 'authForm'] as const)
  test(
    `tells of ${by === 'saleForm' ? 'a payment' : 'an authorization'} on the hosted form, without the card number`,
    rule('GW-CBK-04', 'GW-CBK-03', 'GW-FRM-04'),
    async ({ gateway, hostedForm, callbacks, target }) => {
      const started = await hostedForm.start(by, { callbackUrl: callbacks.url });
      await hostedForm.pay(started);
      const end = await gateway.pollUntilFinal(started.order);
      const saysEnd = (one: ApiReply) => callbacks.snapshot(one).state === end;
      await callbacks.waitOrFail(started.order, `that says ${end}`, saysEnd, 'GW-CBK-04');
      await expectSame(callbacks, started.order, await gateway.pollWhilePending(started.order));
      // Whether what follows is taken and told of is for other checks.
      if (by === 'authForm') {
        await gateway.capture(started.order);
        await callbacks.waitFor(started.order, (one) => callbacks.countListed(one, 'capture') > 0);
      }
      await gateway.reverse(started.order, partOf(started.order));
      const status = await gateway.pollWhilePending(started.order);
      await callbacks.waitFor(started.order, saysSame(callbacks, status));
      const number = target.gateway!.cards.approved!.number;
      const shown = [status, ...callbacks.deliveriesAbout(started.order)];
      const holding = shown.filter(({ text }) => showsCard(text, number));
      expect(holding.length, 'GW-FRM-04').toBe(0);
    },
  );

test('tells of a capture', rule('GW-CBK-05'), async ({ gateway, callbacks }) => {
  const order = await gateway.arrangeApproved('auth', { amount: 1000, callbackUrl: callbacks.url });
  await callbacks.waitFor(order);
  await gateway.arrangeCapture(order, 600);
  await callbacks.waitOrFail(order, 'that lists the capture', (one) => callbacks.countListed(one, 'capture') === 1);
});

test(
  "tells of a capture of an order that the caller's own id names",
  rule('GW-CBK-05'),
  async ({ gateway, callbacks }) => {
    const order = await gateway.arrangeApproved('auth', { amount: 1000, callbackUrl: callbacks.url });
    await callbacks.waitFor(order);
    await gateway.capture(order, 600, byOwnId(order));
    const { count } = await gateway.sumAfterPolling(order, 'capture');
    test.skip(count === 0, 'the order is not captured');
    await callbacks.waitOrFail(order, 'that lists the capture', (one) => callbacks.countListed(one, 'capture') === 1);
  },
);

for (const [what, id, by, refused, done] of [
  ['a capture after one that was refused', 'GW-CBK-05', 'auth', 'capture', { kind: 'capture', amount: 600 }],
  ['a reversal after one that was refused', 'GW-CBK-06', 'sale', 'reverse', { kind: 'reversal', amount: 600 }],
  ['a void after a capture that was refused', 'GW-CBK-06', 'auth', 'capture', { kind: 'reversal', amount: undefined }],
] as const)
  test(`tells of ${what}`, rule(id), async ({ gateway, callbacks }) => {
    const order = await gateway.arrangeApproved(by, { amount: 1000, callbackUrl: callbacks.url });
    await callbacks.waitFor(order);
    await gateway[refused](order, 1001);
    const { count: before } = await gateway.sumAfterPolling(order, refused === 'capture' ? 'capture' : 'reversal');
    test.skip(before > 0, 'more is taken than there is');
    const { kind, amount } = done;
    await gateway[kind === 'capture' ? 'capture' : 'reverse'](order, amount);
    const { count } = await gateway.sumAfterPolling(order, kind);
    test.skip(count === 0, 'nothing is taken after what was refused');
    // One that was refused may be listed, too.
    const listed = callbacks.countListed(await gateway.status(order), kind);
    await callbacks.waitOrFail(
      order,
      `that lists the ${kind}`,
      (one) => callbacks.isAbout(order, one) && callbacks.countListed(one, kind) >= listed,
    );
  });

test('tells of a second capture', rule('GW-CBK-05'), async ({ gateway, callbacks }) => {
  const order = await gateway.arrangeApproved('auth', { amount: 1000, callbackUrl: callbacks.url });
  await gateway.arrangeCapture(order, 600);
  await callbacks.waitFor(order, (one) => callbacks.countListed(one, 'capture') === 1);
  await gateway.arrangeSecondCapture(order, 300);
  await callbacks.waitOrFail(order, 'that lists both captures', (one) => callbacks.countListed(one, 'capture') === 2);
});

for (const [by, name, of] of [
  ['auth', 'main', ''],
  ...REQUESTORS.map(([name, of]) => ['sale', name, of] as const),
] as const) {
  const what = by === 'sale' ? 'a sale' : 'a captured authorization';
  test(
    `tells of each of several reversals of ${what}${of}`,
    rule('GW-CBK-06', { needs: needsOf(name) }),
    async ({ gateway, callbacks, target }) => {
      const order = await arrangeTold(name, by, { gateway, callbacks, target });
      await callbacks.waitFor(order);
      if (by === 'auth') await gateway.arrangeCapture(order);
      for (const count of [1, 2, 3]) {
        await gateway.reverse(order, 200);
        const { count: shown } = await gateway.sumAfterPolling(order, 'reversal');
        test.skip(count > 2 && shown < count, 'the order is not reversed a third time');
        const lists = (one: ApiReply) => callbacks.countListed(one, 'reversal') === count;
        await callbacks.waitOrFail(order, `that lists ${count}`, lists);
      }
    },
  );
}

for (const [name, of] of REQUESTORS)
  test(
    `tells of a capture days after the authorization${of}, and of a reversal after it`,
    rule('GW-CBK-05', 'GW-CBK-06', { needs: ['clock', ...needsOf(name)] }),
    async ({ gateway, callbacks, target }) => {
      const order = await arrangeTold(name, 'auth', { gateway, callbacks, target });
      await callbacks.waitFor(order);
      await gateway.sleep(4.5 * 86_400);
      await expectToldOfBoth(gateway, callbacks, order);
    },
  );

test(
  'tells of a reversal weeks after the sale',
  rule('GW-CBK-06', { needs: ['clock'] }),
  async ({ gateway, callbacks }) => {
    const order = await gateway.arrangeApproved('sale', { amount: 1000, callbackUrl: callbacks.url });
    await callbacks.waitFor(order);
    await gateway.sleep(20 * 86_400);
    await gateway.reverse(order, 400);
    const { count } = await gateway.sumAfterPolling(order, 'reversal');
    test.skip(count === 0, 'the sale is not reversed any more');
    await callbacks.waitOrFail(order, 'that lists the reversal', (one) => callbacks.countListed(one, 'reversal') > 0);
  },
);

test('tells of a void', rule('GW-CBK-06'), async ({ gateway, callbacks }) => {
  const order = await gateway.arrangeApproved('auth', { amount: 1000, callbackUrl: callbacks.url });
  await callbacks.waitFor(order);
  await gateway.reverse(order);
  const { count } = await gateway.sumAfterPolling(order, 'reversal');
  test.skip(count === 0, 'the authorization is not voided');
  await callbacks.waitOrFail(order, 'that lists the void', (one) => callbacks.countListed(one, 'reversal') === count);
});

for (const { step, card, forward } of ISSUER_STEPS)
  for (const by of ['sale', 'auth', 'accountVerification'] as const)
    test(
      `tells of the completion of 3-D Secure (${step}, ${by})`,
      rule('GW-CBK-07', { needs: [card] }),
      async ({ gateway, threeDS, issuer, callbacks }) => {
        const waiting = await threeDS.arrangeStep(step, { by, callbackUrl: callbacks.url });
        const reply = await threeDS.forwardAnswer(forward, waiting, await issuer.obtainAnswer(waiting));
        const end = await gateway.pollUntilFinal(waiting.order, reply);
        await callbacks.waitOrFail(waiting.order, `that says ${end}`, (one) => callbacks.snapshot(one).state === end);
      },
    );

for (const { step, card, forward } of ISSUER_STEPS)
  for (const by of ['sale', 'auth', 'accountVerification'] as const)
    test(
      `tells of 3-D Secure that the cardholder did not pass (${step}, ${by})`,
      rule('GW-CBK-07', { needs: [card] }),
      async ({ gateway, threeDS, issuer, callbacks }) => {
        const waiting = await threeDS.arrangeStep(step, { by, callbackUrl: callbacks.url });
        const reply = await threeDS.forwardAnswer(forward, waiting, await issuer.obtainRefusal(waiting));
        const end = await gateway.pollUntilFinal(waiting.order, reply);
        test.skip(!FINAL_STATES.includes(end), 'the payment does not end when its cardholder does not pass');
        await callbacks.waitOrFail(waiting.order, `that says ${end}`, (one) => callbacks.snapshot(one).state === end);
      },
    );

for (const { step, card, forward } of ISSUER_STEPS)
  for (const [what, ask] of [
    ['the completion of 3-D Secure', 'obtainAnswer'],
    ['3-D Secure that the cardholder did not pass', 'obtainRefusal'],
  ] as const)
    test(
      `tells of ${what} for another requestor (${step})`,
      rule('GW-CBK-07', { needs: [card, 'requestor.second'] }),
      async ({ gateway, threeDS, issuer, callbacks, target }) => {
        const requestor = target.gateway!.requestors.second!;
        test.skip(!(await callbacks.listenFor(requestor)), 'the address cannot be registered for the second requestor');
        const waiting = await threeDS.arrangeStep(step, { requestor, callbackUrl: callbacks.url });
        const reply = await threeDS.forwardAnswer(forward, waiting, await issuer[ask](waiting));
        const end = await gateway.pollUntilFinal(waiting.order, reply);
        test.skip(!FINAL_STATES.includes(end), `the order is still ${end}`);
        await callbacks.waitOrFail(waiting.order, `that says ${end}`, (one) => callbacks.snapshot(one).state === end);
      },
    );

for (const by of ['sale', 'auth', 'accountVerification'] as const)
  test(
    `tells of the completion of a challenge that follows the 3DS method (${by})`,
    rule('GW-CBK-07', { needs: ['card.method'] }),
    async ({ gateway, threeDS, issuer, callbacks }) => {
      const first = await threeDS.arrangeStep('THREEDS_METHOD', { by, callbackUrl: callbacks.url });
      const { order } = first;
      const { auth, reply } = await threeDS.waitForStep(order, await threeDS.reportMethod(first, 'Y'), first.auth);
      test.skip(auth?.threeDSAuthStep !== 'CREQ', 'no challenge follows the method');
      const waiting = { ...first, auth: auth!, reply };
      const answer = await threeDS.forwardAnswer('threeDSCRes', waiting, await issuer.obtainAnswer(waiting));
      const end = await gateway.pollUntilFinal(order, answer);
      await callbacks.waitOrFail(order, `that says ${end}`, (one) => callbacks.snapshot(one).state === end);
    },
  );

for (const by of ['sale', 'auth'] as const)
  test(
    `tells of the completion of 3-D Secure by its method alone (${by})`,
    rule('GW-CBK-07', { needs: ['card.frictionless'] }),
    async ({ gateway, threeDS, callbacks }) => {
      const { reply, order } = await threeDS.arrangeMethodAlone(by, { callbackUrl: callbacks.url });
      const end = await gateway.pollUntilFinal(order, reply);
      await callbacks.waitOrFail(order, `that says ${end}`, (one) => callbacks.snapshot(one).state === end);
    },
  );

interface LaterChange {
  readonly gateway: GatewayClient;
  readonly callbacks: CallbackInbox;
  readonly clock: { readonly steered: boolean };
  readonly target: Target;
}

/** Changes an order long after it was paid, of which a callback has to tell. */
async function expectLaterChangeTold(order: PlacedOrder, { gateway, callbacks, clock, target }: LaterChange, days = 8) {
  const write = (one: ApiReply) => JSON.stringify(callbacks.snapshot(one));
  const status = await gateway.status(order);
  const told = new Set([write(status)]);
  const isTold = (kind: 'capture' | 'reversal') => (one: ApiReply) =>
    callbacks.countListed(one, kind) >= callbacks.countListed(status, kind);
  await callbacks.waitFor(order, (one) => {
    told.add(write(one));
    return isTold('capture')(one) && isTold('reversal')(one);
  });
  if (clock.steered) await gateway.sleep(days * 86_400);
  await changeLater(order, gateway, target);
  await callbacks.waitOrFail(order, 'about the change', (one) => !told.has(write(one)));
  return { told, write };
}

test(
  'tells of a second change long after the payment',
  rule('GW-CBK-08'),
  async ({ gateway, callbacks, clock, target }) => {
    test.skip(target.control.later === undefined, 'nothing brings about a second change');
    const order = await gateway.arrangeApproved('sale', { amount: 1000, callbackUrl: callbacks.url });
    const { told, write } = await expectLaterChangeTold(order, { gateway, callbacks, clock, target });
    const first = await gateway.pollWhilePending(order);
    told.add(write(first));
    const state = first.object.orderState === 'DECLINED' ? 'APPROVED' : 'DECLINED';
    const isTaken = await isArranged(gateway.triggerControl('later', order, { state }));
    test.skip(!isTaken, 'the lever of the target takes no second change of an order');
    // An order that goes on showing what it showed before has not changed, as far as can be seen.
    test.skip(told.has(write(await gateway.pollWhilePending(order))), 'the order does not change a second time');
    await callbacks.waitOrFail(order, 'about the second change', (one) => !told.has(write(one)));
  },
);

for (const [what, by, refund, days] of [
  // Cardholders have some months to dispute a payment.
  ['the payment', 'sale', undefined, 65],
  ['a sale was refunded in part', 'sale', 300, 8],
  ['an authorization was captured', 'auth', undefined, 8],
] as const)
  test(`tells of a change long after ${what}`, rule('GW-CBK-08'), async ({ gateway, callbacks, clock, target }) => {
    const order = await gateway.arrangeApproved(by, { amount: 1000, callbackUrl: callbacks.url });
    if (by === 'auth') await gateway.arrangeCapture(order);
    if (refund !== undefined) {
      await gateway.reverse(order, refund);
      const { count } = await gateway.sumAfterPolling(order, 'reversal');
      test.skip(count === 0, 'the sale is not refunded in part');
    }
    await expectLaterChangeTold(order, { gateway, callbacks, clock, target }, days);
  });

test(
  'tells of a change long after an authorization was captured in two parts',
  rule('GW-CBK-08'),
  async ({ gateway, callbacks, clock, target }) => {
    const order = await gateway.arrangeApproved('auth', { amount: 1000, callbackUrl: callbacks.url });
    await gateway.arrangeCapture(order, 600);
    await gateway.arrangeSecondCapture(order, 300);
    await expectLaterChangeTold(order, { gateway, callbacks, clock, target });
  },
);

for (const [name, whose] of OTHER_REQUESTORS)
  test(
    `tells of a change long after the payment of an order of ${whose}`,
    rule('GW-CBK-08', { needs: [`requestor.${name}`] }),
    async ({ gateway, callbacks, clock, target }) => {
      const requestor = target.gateway!.requestors[name]!;
      test.skip(!(await callbacks.listenFor(requestor)), `the address cannot be registered for ${whose}`);
      const order = await gateway.arrangeApproved('sale', { requestor, callbackUrl: callbacks.url });
      await expectLaterChangeTold(order, { gateway, callbacks, clock, target });
    },
  );

for (const { how, needs, test } of otherWays()) {
  test(
    `tells of a change long after a sale ${how}`,
    rule('GW-CBK-08', { needs }),
    async ({ arrangePaid, gateway, callbacks, clock, target }) => {
      const order = await arrangePaid('sale', { callbackUrl: callbacks.url });
      await expectLaterChangeTold(order, { gateway, callbacks, clock, target });
    },
  );

  test(
    `tells of a capture and a reversal of an authorization ${how}`,
    rule('GW-CBK-05', 'GW-CBK-06', { needs }),
    async ({ arrangePaid, gateway, callbacks }) =>
      expectToldOfBoth(gateway, callbacks, await arrangePaid('auth', { callbackUrl: callbacks.url })),
  );

  test(
    `tells of a reversal of a sale ${how}`,
    rule('GW-CBK-06', { needs }),
    async ({ arrangePaid, gateway, callbacks }) => {
      const order = await arrangePaid('sale', { callbackUrl: callbacks.url });
      await expectToldOfReversal(gateway, callbacks, order, partOf(order));
    },
  );

  test(
    `tells of the void of an authorization ${how}`,
    rule('GW-CBK-06', { needs }),
    async ({ arrangePaid, gateway, callbacks }) => {
      const order = await arrangePaid('auth', { callbackUrl: callbacks.url });
      await expectToldOfReversal(gateway, callbacks, order);
    },
  );
}

/** Captures an authorization and takes a part of it back, of each of which a callback has to tell. */
async function expectToldOfBoth(gateway: GatewayClient, callbacks: CallbackInbox, order: PlacedOrder): Promise<void> {
  // One about the payment that comes late may say what came after it.
  await callbacks.waitFor(order, (one) => callbacks.isAbout(order, one));
  await gateway.arrangeCapture(order);
  await callbacks.waitOrFail(order, 'that lists the capture', lists(callbacks, order, 'capture'), 'GW-CBK-05');
  await expectToldOfReversal(gateway, callbacks, order, partOf(order));
}

/** A part of what is charged of an order. */
const partOf = ({ amount }: PlacedOrder) => hardPart(amount, 0.3);

/** Takes an amount back, or all, of which a callback has to tell. */
async function expectToldOfReversal(
  gateway: GatewayClient,
  callbacks: CallbackInbox,
  order: PlacedOrder,
  amount?: number,
): Promise<void> {
  await callbacks.waitFor(order, (one) => callbacks.isAbout(order, one));
  await gateway.reverse(order, amount);
  const { count } = await gateway.sumAfterPolling(order, 'reversal');
  test.skip(count === 0, 'nothing is taken back');
  await callbacks.waitOrFail(order, 'that lists the reversal', lists(callbacks, order, 'reversal'), 'GW-CBK-06');
}

test(
  "tells of a capture and a reversal of another requestor's authorization",
  rule('GW-CBK-05', 'GW-CBK-06', { needs: ['requestor.second'] }),
  async ({ gateway, callbacks, target }) => {
    const requestor = target.gateway!.requestors.second!;
    test.skip(!(await callbacks.listenFor(requestor)), 'the address cannot be registered for the second requestor');
    const order = await gateway.arrangeApproved('auth', { requestor, callbackUrl: callbacks.url });
    await expectToldOfBoth(gateway, callbacks, order);
  },
);

for (const [name, whose] of OTHER_REQUESTORS)
  test(
    `tells of a sale of ${whose} and of its reversal`,
    rule('GW-CBK-04', 'GW-CBK-06', { needs: [`requestor.${name}`] }),
    async ({ gateway, callbacks, target }) => {
      const requestor = target.gateway!.requestors[name]!;
      test.skip(!(await callbacks.listenFor(requestor)), `the address cannot be registered for ${whose}`);
      const order = await gateway.arrangeApproved('sale', { requestor, callbackUrl: callbacks.url });
      const saysEnd = tellsState(callbacks, order, 'APPROVED');
      await callbacks.waitOrFail(order, 'that says the sale is approved', saysEnd, 'GW-CBK-04');
      await expectToldOfReversal(gateway, callbacks, order, partOf(order));
    },
  );

for (const [name, whose] of OTHER_REQUESTORS)
  for (const [what, by, card] of [
    ['an authorization', 'auth', 'approved'],
    ['an account verification', 'accountVerification', 'approved'],
    ['a declined payment', 'sale', 'declined'],
    ['a declined verification', 'accountVerification', 'declined'],
    ['a filtered payment', 'sale', 'filtered'],
    ['a filtered authorization', 'auth', 'filtered'],
    ['a failed payment', 'sale', 'error'],
    ['a failed authorization', 'auth', 'error'],
  ] as const)
    test(
      `tells of the outcome of ${what} of ${whose}`,
      rule('GW-CBK-04', { needs: [`requestor.${name}`, `card.${card}`] }),
      async ({ gateway, callbacks, target }) => {
        const requestor = target.gateway!.requestors[name]!;
        test.skip(!(await callbacks.listenFor(requestor)), `the address cannot be registered for ${whose}`);
        const { reply, order } = await gateway.pay(by, { card, requestor, callbackUrl: callbacks.url });
        test.skip(reply.status !== 200, `${what} of ${whose} was answered ${reply.status}`);
        const end = await gateway.pollUntilFinal(order, reply);
        test.skip(!FINAL_STATES.includes(end), `the order is still ${end}`);
        await callbacks.waitOrFail(order, `that says ${end}`, tellsState(callbacks, order, end));
      },
    );

for (const [name, whose] of OTHER_REQUESTORS)
  test(
    `tells of the void of an authorization of ${whose}`,
    rule('GW-CBK-06', { needs: [`requestor.${name}`] }),
    async ({ gateway, callbacks, target }) => {
      const requestor = target.gateway!.requestors[name]!;
      test.skip(!(await callbacks.listenFor(requestor)), `the address cannot be registered for ${whose}`);
      const order = await gateway.arrangeApproved('auth', { requestor, callbackUrl: callbacks.url });
      await expectToldOfReversal(gateway, callbacks, order);
    },
  );

test(
  'tells of a payment, a capture and a reversal in one of several currencies',
  rule('GW-CBK-04', 'GW-CBK-05', 'GW-CBK-06', { needs: ['requestor.multicurrency'] }),
  async ({ gateway, callbacks, target }) => {
    const requestor = target.gateway!.requestors.multicurrency!;
    test.skip(!(await callbacks.listenFor(requestor)), 'the address cannot be registered for that requestor');
    const order = await gateway.arrangeApproved('auth', { requestor, callbackUrl: callbacks.url });
    const saysEnd = tellsState(callbacks, order, 'APPROVED');
    await callbacks.waitOrFail(order, 'that says the authorization is approved', saysEnd, 'GW-CBK-04');
    await expectToldOfBoth(gateway, callbacks, order);
  },
);

test(
  'tells of each of two payments at once',
  rule('GW-CBK-04', 'GW-CBK-03'),
  async ({ gateway, callbacks, together }) => {
    const pay = (amount: number) => () => gateway.pay('sale', { card: 'approved', amount, callbackUrl: callbacks.url });
    for (const { order, reply } of await together([pay(1100), pay(1200)])) {
      const end = await gateway.pollUntilFinal(order, reply);
      const saysEnd = tellsState(callbacks, order, end);
      await callbacks.waitOrFail(order, `about each payment that says ${end}`, saysEnd, 'GW-CBK-04');
      await expectSame(callbacks, order, await gateway.status(order));
    }
  },
);

for (const [kind, id, by] of [
  ['capture', 'GW-CBK-05', 'auth'],
  ['reversal', 'GW-CBK-06', 'sale'],
] as const)
  test(`tells of a ${kind} of each of two orders at once`, rule(id), async ({ gateway, callbacks, together }) => {
    const orders: PlacedOrder[] = [];
    for (let i = 0; i < 2; i += 1)
      orders.push(await gateway.arrangeApproved(by, { amount: 1000, callbackUrl: callbacks.url }));
    // What is told of the payments late may list what was done since.
    for (const order of orders) await callbacks.waitFor(order, (one) => callbacks.isAbout(order, one));
    const operation = kind === 'capture' ? 'capture' : 'reverse';
    await together(orders.map((order) => () => gateway[operation](order, 600)));
    let done = 0;
    for (const order of orders) {
      const { count } = await gateway.sumAfterPolling(order, kind);
      // Whether both are taken at once is not said.
      if (count === 0) continue;
      done += 1;
      await callbacks.waitOrFail(order, `that lists the ${kind}`, lists(callbacks, order, kind));
    }
    requireSeen(done || undefined, `a ${kind} that was carried out`);
  });

test(
  'says of an order that changed long after its payment what status says',
  rule('GW-CBK-03', { needs: ['later'] }),
  async ({ gateway, callbacks, target }) => {
    const order = await gateway.arrangeApproved('sale', { amount: 1000, callbackUrl: callbacks.url });
    await callbacks.waitFor(order);
    const before = JSON.stringify(callbacks.snapshot(await gateway.status(order)));
    const isNews = (one: ApiReply) => JSON.stringify(callbacks.snapshot(one)) !== before;
    await changeLater(order, gateway, target);
    // What was told of the payment while it was under way may be late; what status reads may lag behind.
    const isFinal = (one: ApiReply) => FINAL_STATES.includes(callbacks.snapshot(one).state);
    const news = await callbacks.waitFor(order, (one) => isNews(one) && isFinal(one));
    await gateway.sleepPollGap();
    // A change may show elsewhere than in state and transactions: then what was told before says the same.
    await expectSame(callbacks, order, await gateway.pollWhilePending(order), news && isNews);
  },
);

test(
  "sends nothing about another requestor's order to the address of one",
  rule('GW-CBK-09'),
  async ({ gateway, callbacks, receiver, target }) => {
    test.skip(!callbacks.isOwn, 'the address is held by a console, which may have it for several requestors');
    const own = await gateway.arrangeApproved('sale', { callbackUrl: callbacks.url });
    await callbacks.waitOrFail(own, 'about a sale', (one) => callbacks.isAbout(own, one));
    const requestor = target.gateway!.requestors.second!;
    const { order: other, state } = await gateway.payAndFollow('sale', { requestor });
    test.skip(state === 'refused', "another requestor's sale was refused");
    // Nothing is to come, so some time has to pass in which it would.
    await callbacks.waitFor(other, (one) => callbacks.isAbout(other, one));
    const strayed = receiver.deliveries.filter((one) => callbacks.isAbout(other, one));
    expect(strayed.length).toBe(0);
  },
);

for (const [name, whose] of OTHER_REQUESTORS)
  test(
    `tells of the order of ${whose} at the address for it, too`,
    rule('GW-CBK-09', 'GW-CBK-03', { needs: [`requestor.${name}`] }),
    async ({ gateway, callbacks, target }) => {
      const requestor = target.gateway!.requestors[name]!;
      test.skip(!(await callbacks.listenFor(requestor)), `the address cannot be registered for ${whose}`);
      const callbackUrl = callbacks.url + (callbacks.isNamed ? OWN_QUERY : '');
      const order = await gateway.arrangeApproved('sale', { requestor, callbackUrl });
      const isAbout = (one: ApiReply) => callbacks.isAbout(order, one);
      await callbacks.waitOrFail(order, `about the order of ${whose}`, isAbout, 'GW-CBK-09');
      if (callbacks.isNamed) expect(callbacks.deliveriesAbout(order).every(keepsQuery), 'GW-CBK-09').toBe(true);
      await expectSame(callbacks, order, await gateway.status(order));
    },
  );

test('sends a callback to an address that has a query', rule('GW-CBK-09'), async ({ gateway, callbacks }) => {
  test.skip(!callbacks.isNamed, 'requests do not name the address');
  const order = await gateway.arrangeApproved('sale', { callbackUrl: callbacks.url + OWN_QUERY });
  await callbacks.waitOrFail(order, 'about a sale');
  expect(callbacks.deliveriesAbout(order).every(keepsQuery)).toBe(true);
});

test(
  'sends callbacks about each of two orders, paid at once, to the address of its order',
  rule('GW-CBK-09'),
  async ({ gateway, callbacks, receiver, target, together }) => {
    test.skip(!callbacks.isNamed, 'requests do not name the address');
    const pay = async (place: string, amount: number) => {
      const callbackUrl = `${callbacks.url}/${place}`;
      return { place, order: await gateway.arrangeApproved('auth', { amount, callbackUrl }) };
    };
    // Of two amounts: one of them might be taken for the other, paid again.
    const orders = await together([() => pay('one', 1000), () => pay('other', 1100)]);
    for (const { order } of orders)
      await callbacks.waitOrFail(order, 'about each order', (one) => callbacks.isAbout(order, one));
    // What comes later goes there, too; whether it is told of is for another check.
    const { order: first } = orders[0]!;
    const expectNoneAstray = () => {
      for (const { place, order } of orders) expect(pathsAstray({ callbacks, receiver }, order, place)).toEqual([]);
    };
    const waitForSame = async () => {
      const says = saysSame(callbacks, await gateway.pollWhilePending(first));
      await callbacks.waitFor(first, (one) => callbacks.isAbout(first, one) && says(one));
    };
    await gateway.arrangeCapture(first, 600);
    await waitForSame();
    await gateway.reverse(first, 200);
    await waitForSame();
    expectNoneAstray();
    if ((target.control.chargeback ?? target.control.later) === undefined) return;
    await changeLater(first, gateway, target);
    await waitForSame();
    expectNoneAstray();
  },
);
