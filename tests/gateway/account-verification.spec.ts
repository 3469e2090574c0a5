import {
  assertPromise,
  expect,
  FINAL_STATES,
  type GatewayClient,
  hasTransactions,
  ISSUER_STEPS,
  type PaymentOptions,
  type PlacedOrder,
  requireSeen,
  rule,
  shownSum,
  test,
  twice,
  UnofferedError,
} from '#harness';
import { expectNoneApproved } from './support/approved-at-once.ts';
import { seeApproved } from './support/approved-payment.ts';
import { expectRefusedWithout } from './support/nothing-done.ts';
import { expectNoFailure } from './support/other-requestors.ts';
import { byOwnId } from './support/own-id.ts';
import { BOOKED, OTHER_REQUESTORS } from './support/payment-ways.ts';

const verify = (gateway: GatewayClient, payment?: PaymentOptions) => gateway.pay('accountVerification', payment);

test('answers an account verification with a StatusResponse', rule('GW-VER-01'), async ({ gateway, target }) => {
  expect((await verify(gateway)).reply).toAnswer(200);
  await expectNoFailure('GW-VER-01', target, async (requestor) => (await verify(gateway, { requestor })).reply);
});

test('approves the verification of a valid card', rule('GW-VER-02'), async ({ gateway }) => {
  const { reply, order } = await verify(gateway);
  expect(await gateway.pollUntilFinal(order, reply)).toBe('APPROVED');
});

test(
  'approves the verification of a valid card for another requestor',
  rule('GW-VER-02', { needs: ['requestor.second'] }),
  async ({ gateway, target }) => {
    const requestor = target.gateway!.requestors.second!;
    await seeApproved(gateway, 'sale', { requestor });
    const { reply, order } = await gateway.pay('accountVerification', { requestor });
    test.skip(reply.status !== 200, 'the second requestor verifies no card');
    expect(await gateway.pollUntilFinal(order, reply)).toBe('APPROVED');
  },
);

test('does not approve the verification of a card that is not active', rule('GW-VER-03'), async ({ gateway }) => {
  await gateway.arrangeApproved('accountVerification');
  const { state } = await gateway.payAndFollow('accountVerification', { card: 'inactive' });
  expect(state).not.toBe('APPROVED');
  const isOver = state === 'refused' || FINAL_STATES.includes(state);
  requireSeen(isOver ? state : undefined, 'the outcome of the verification');
});

test(
  'does not approve the verification of a card that is not active at once with one that is',
  rule('GW-VER-03'),
  async ({ gateway, together }) => expectNoneApproved({ gateway, together }, 'accountVerification', 'inactive'),
);

test(
  'does not approve the verification of a card that is not active for another requestor',
  rule('GW-VER-03', { needs: ['card.inactive', 'requestor.second'] }),
  async ({ gateway, target }) => {
    const requestor = target.gateway!.requestors.second!;
    const { state: good } = await gateway.payAndFollow('accountVerification', { requestor });
    test.skip(good !== 'APPROVED', 'the second requestor verifies no card');
    expect((await gateway.payAndFollow('accountVerification', { card: 'inactive', requestor })).state).not.toBe(
      'APPROVED',
    );
  },
);

for (const [card, how] of [
  ['approved', ''],
  ['inactive', ' where the card is not active'],
  ['filtered', ' where it is filtered'],
  ['error', ' where it fails'],
  ['pending', ' where its outcome is waited for'],
] as const)
  test(
    `leaves the balances alone${how}`,
    rule('GW-VER-04', { needs: [`card.${card}`] }),
    async ({ gateway, lookups }) => {
      const unmoved = await lookups.leavesBalances(async () => {
        const { reply, order } = await verify(gateway, { card });
        if (reply.status === 200) await gateway.pollUntilFinal(order, reply);
      });
      expect(unmoved).toBe(true);
    },
  );

for (const { step, card } of ISSUER_STEPS)
  test(
    `leaves the balances alone after 3-D Secure (${step})`,
    rule('GW-VER-04', { needs: [card, 'browser'] }),
    async ({ lookups, threeDS, issuer }) => {
      const unmoved = await lookups.leavesBalances(() =>
        threeDS.arrangeAuthenticated(step, issuer, { by: 'accountVerification' }),
      );
      expect(unmoved).toBe(true);
    },
  );

test(
  'leaves the balances alone where the cardholder does not pass the challenge',
  rule('GW-VER-04', { needs: ['card.challenge', 'browser'] }),
  async ({ gateway, lookups, threeDS, issuer }) => {
    const unmoved = await lookups.leavesBalances(async () => {
      const waiting = await threeDS.arrangeStep('CREQ', { by: 'accountVerification' });
      const reply = await threeDS.forwardAnswer('threeDSCRes', waiting, await issuer.obtainRefusal(waiting));
      await gateway.pollUntilFinal(waiting.order, reply);
    });
    expect(unmoved).toBe(true);
  },
);

test('lists nothing that moves or blocks money', rule('GW-VER-04', 'GW-VER-05'), async ({ gateway }) => {
  const order = await gateway.arrangeApproved('accountVerification');
  const listed = (await gateway.statusesByBothIds(order)).filter(hasTransactions);
  test.skip(listed.length === 0, 'nothing is listed of a verification');
  for (const shown of listed)
    for (const [id, kind] of [
      ['GW-VER-04', 'sale'],
      ['GW-VER-05', 'authorization'],
    ] as const) {
      // By whichever name the entry of a verification goes: it is about no amount.
      const sum = shownSum(gateway.sumTransactions(shown, kind));
      if (sum !== undefined) expect(sum, id).toBe(0);
    }
});

test('leaves nothing to capture days later, either', rule('GW-VER-05', { needs: ['clock'] }), async ({ gateway }) => {
  const order = await gateway.arrangeApproved('accountVerification');
  await gateway.sleep(2 * 86_400);
  await twice(() => gateway.capture(order, 1));
  expect((await gateway.sumAfterPolling(order, 'capture')).sum).toBe(0);
});

for (const [name, whose] of OTHER_REQUESTORS)
  test(
    `leaves nothing to capture for ${whose}`,
    rule('GW-VER-05', { needs: [`requestor.${name}`] }),
    async ({ gateway, target }) => {
      const requestor = target.gateway!.requestors[name]!;
      const { order, state } = await gateway.payAndFollow('accountVerification', { requestor });
      test.skip(state !== 'APPROVED', `the verification is ${state}`);
      for (const amount of [undefined, 1]) await twice(() => gateway.capture(order, amount));
      expect((await gateway.sumAfterPolling(order, 'capture')).sum).toBe(0);
    },
  );

for (const [name, whose] of OTHER_REQUESTORS)
  test(
    `leaves the balances alone for ${whose}`,
    rule('GW-VER-04', { needs: [...BOOKED[name]] }),
    async ({ gateway, lookups, target }) => {
      const requestor = target.gateway!.requestors[name]!;
      const verify = () => gateway.payAndFollow('accountVerification', { requestor });
      expect(await lookups.ofRequestor(name).leavesBalances(verify)).toBe(true);
    },
  );

for (const amount of [undefined, 1]) {
  test(
    `leaves nothing to capture, ${amount === undefined ? 'all' : 'one minor unit'} of it`,
    rule('GW-VER-05'),
    async ({ gateway }) => {
      const { reply, order } = await verify(gateway);
      await gateway.pollUntilFinal(order, reply);
      await twice(() => gateway.capture(order, amount));
      await twice(() => gateway.capture(order, amount, byOwnId(order)));
      expect((await gateway.sumAfterPolling(order, 'capture')).sum).toBe(0);
    },
  );

  test(
    `leaves nothing to capture of a registered card, ${amount === undefined ? 'all' : 'one minor unit'} of it`,
    rule('GW-VER-05', { needs: ['recurring'] }),
    async ({ gateway, recurring }) => {
      const cardId = await recurring.arrangeRegistration();
      const { order, state } = await gateway.payAndFollow('accountVerification', { cardId });
      test.skip(state !== 'APPROVED', `the verification of a registered card is ${state}`);
      await twice(() => gateway.capture(order, amount));
      expect((await gateway.sumAfterPolling(order, 'capture')).sum).toBe(0);
    },
  );
}

for (const card of ['challenge', 'pareq'] as const) {
  test(
    `says what 3-D Secure asks for as a payment does (${card})`,
    rule('GW-VER-06', { needs: [`card.${card}`] }),
    async ({ gateway, threeDS }) => {
      const { reply: first, order } = await verify(gateway, { card });
      const { reply, auth, state } = await threeDS.waitForStep(order, first);
      const { outputHtml, outputRedirectToUrl } = reply.object;
      const leadsOn = (outputHtml ?? outputRedirectToUrl ?? undefined) !== undefined;
      const isMissing = auth === undefined && leadsOn;
      assertPromise(!isMissing, 'threeDSAuth beside what leads the customer on', `${state} without it`);
      if (auth === undefined && FINAL_STATES.includes(state))
        throw new UnofferedError('card', `the issuer verifies the card ${card} without 3-D Secure`);
      expect(typeof auth?.threeDSAuthStep).toBe('string');
    },
  );
}

for (const part of ['order', 'browser'] as const)
  test(`refuses a verification without ${part}`, rule('GW-VER-07'), async ({ gateway }) => {
    (await verify(gateway)).reply.requireStatus(200);
    await expectRefusedWithout(gateway, part, 'accountVerification');
  });

test(
  "refuses another requestor's verification without order or browser",
  rule('GW-VER-07', { needs: ['requestor.second'] }),
  async ({ gateway, target }) => {
    const requestor = target.gateway!.requestors.second!;
    const { reply } = await gateway.pay('accountVerification', { requestor });
    test.skip(reply.status !== 200, 'the second requestor verifies no card');
    for (const part of ['order', 'browser'] as const)
      expect(await gateway.payWithout(part, 'accountVerification', { requestor }), part).toBeRefused();
  },
);

test(
  'refuses the verification of a registered card without order or browser',
  rule('GW-VER-07', { needs: ['recurring'] }),
  async ({ gateway, recurring }) => {
    const cardId = await recurring.arrangeRegistration();
    (await verify(gateway, { cardId })).reply.requireStatus(200);
    for (const part of ['order', 'browser'] as const)
      expect(await gateway.payWithout(part, 'accountVerification', { cardId }), part).toBeRefused();
  },
);

test('verifies a card by its raw data where paymentMethod is CARD', rule('GW-VER-08'), async ({ gateway }) => {
  const { reply, order } = await verify(gateway);
  expect(reply).toAnswer(200);
  expect(await gateway.pollUntilFinal(order, reply)).toBe('APPROVED');
});

test(
  'leaves the balances alone where a registered card is verified',
  rule('GW-VER-04', { needs: ['recurring'] }),
  async ({ gateway, lookups, recurring }) => {
    const cardId = await recurring.arrangeRegistration();
    const unmoved = await lookups.leavesBalances(async () => {
      const { reply, order } = await verify(gateway, { cardId });
      if (reply.status === 200) await gateway.pollUntilFinal(order, reply);
    });
    expect(unmoved).toBe(true);
  },
);

for (const [how, card, step] of [
  ['a challenge', 'challenge', 'CREQ'],
  ['a challenge that follows the 3DS method', 'method', 'CREQ'],
  ['3-D Secure 1.0.2', 'pareq', 'PAREQ'],
] as const)
  test(
    `leaves nothing to capture after ${how}`,
    rule('GW-VER-05', { needs: [`card.${card}`, 'browser'] }),
    async ({ gateway, threeDS, issuer }) => {
      const by = 'accountVerification';
      await expectNothingToCapture(gateway, await threeDS.arrangeAuthenticated(step, issuer, { by, card }));
    },
  );

test(
  'leaves nothing to capture where there is no challenge',
  rule('GW-VER-05', { needs: ['card.frictionless'] }),
  async ({ gateway, threeDS }) =>
    expectNothingToCapture(gateway, await threeDS.arrangeFrictionless({ by: 'accountVerification' })),
);

/** Asks for the capture of one minor unit, and finds none listed. */
async function expectNothingToCapture(gateway: GatewayClient, order: PlacedOrder): Promise<void> {
  await twice(() => gateway.capture(order, 1));
  expect((await gateway.sumAfterPolling(order, 'capture')).sum).toBe(0);
}
