import {
  type ApiReply,
  assertPromise,
  attributeTo,
  expect,
  FINAL_STATES,
  type GatewayClient,
  type GatewayFixtures,
  hasTransactions,
  ISSUER_STEPS,
  identifiersOf,
  isSameThreeDSAuth,
  type MerchantThreeDS,
  type ReceivedThreeDSAuth,
  readIssuerAnswer,
  readThreeDSProgress,
  requireEntries,
  rule,
  test,
  twice,
  type WaitingOrder,
} from '#harness';
import { seeApproved } from './support/approved-payment.ts';
import { sumListed } from './support/listed-sum.ts';
import { NO_ANSWER } from './support/nobody.ts';
import { keepsQuery, OWN_QUERY } from './support/own-query.ts';
import { OTHER_REQUESTORS } from './support/payment-ways.ts';

/** Where a step takes place: of one and the same step there is one answer to that, whoever gives it. */
const placesOf = (auth: ReceivedThreeDSAuth | undefined) =>
  [auth?.threeDSMethodUrl, auth?.acsUrl].map((url) => String(url ?? '').replace(/[?#].*/, ''));

/** Whether an answer to what an issuer said says more than that the same step is due. */
const isPast = (reply: ApiReply, { auth }: WaitingOrder) =>
  reply.status === 200 && !isSameThreeDSAuth(readThreeDSProgress(reply).auth, auth);

/** Holds an order to not being approved for what was just forwarded: neither now nor, where the answer goes past the step, in the end. */
async function expectNoApproval(gateway: GatewayClient, reply: ApiReply, waiting: WaitingOrder, message?: string) {
  expect(readThreeDSProgress(await gateway.status(waiting.order)).state, message).not.toBe('APPROVED');
  if (isPast(reply, waiting)) expect(await gateway.pollUntilFinal(waiting.order), message).not.toBe('APPROVED');
  await gateway.requireApprovals();
}

const FAILED = ['DECLINED', 'ERROR', 'FILTERED'];

for (const by of ['sale', 'auth'] as const) {
  test(
    `asks for 3-D Secure where the card of a payment needs it (${by})`,
    rule('GW-TDS-01'),
    async ({ gateway, threeDS }) => {
      const { reply: first, order } = await gateway.pay(by, { card: 'challenge' });
      const { reply, state } = await threeDS.waitForStep(order, first);
      assertPromise(readThreeDSProgress(reply).auth !== undefined, 'threeDSAuth', `${state} without it`);
    },
  );
}

for (const by of ['sale', 'auth', 'accountVerification'] as const)
  test(
    `leads no customer on to 3-D Secure without saying what it asks for (${by})`,
    rule('GW-TDS-01'),
    async ({ gateway, target }) => {
      const { cards, requestors } = target.gateway!;
      const others = OTHER_REQUESTORS.map(([name]) => ['challenge', requestors[name]] as const);
      let isAnyLed = false;
      for (const [card, requestor] of [
        ...(['challenge', 'pareq', 'method'] as const).map((card) => [card, gateway.requestor] as const),
        ...others,
      ]) {
        if (cards[card] === undefined || requestor === undefined) continue;
        const { reply } = await gateway.pay(by, { card, requestor });
        const { outputHtml, outputRedirectToUrl } = reply.object;
        const isLed = [outputHtml, outputRedirectToUrl].some((one) => typeof one === 'string' && one !== '');
        // It may be answered before it is known what the issuer asks for.
        if (!isLed) continue;
        isAnyLed = true;
        const isAsked = readThreeDSProgress(reply).auth !== undefined;
        assertPromise(isAsked, 'threeDSAuth beside the way on', `the way on alone (${card})`);
      }
      test.skip(!isAnyLed, 'the answer leads nobody on');
    },
  );

for (const by of ['sale', 'auth', 'accountVerification'] as const)
  test(
    `names the step that is due wherever it asks for 3-D Secure (${by})`,
    rule('GW-TDS-24', { needs: ['card.challenge', 'card.pareq'] }),
    async ({ gateway, threeDS }) => {
      for (const card of ['challenge', 'pareq'] as const) {
        const { reply, order } = await gateway.pay(by, { card });
        const { auth, state } = await threeDS.waitForStep(order, reply);
        test.skip(auth === undefined && by === 'accountVerification', `a verification is ${state} without 3-D Secure`);
        const step = (one: typeof auth) => String(one?.threeDSAuthStep ?? '');
        expect(step(auth), card).not.toBe('');
        const { auth: shown } = readThreeDSProgress(await gateway.status(order));
        // A method that nobody reports on gives way to a challenge in time.
        if (shown !== undefined && step(auth) !== 'THREEDS_METHOD') expect(step(shown), card).toBe(step(auth));
        if (isSameThreeDSAuth(shown, auth)) expect(placesOf(shown), card).toEqual(placesOf(auth));
      }
    },
  );

test('says as an object what 3-D Secure asks for', rule('GW-TDS-15'), async ({ gateway }) => {
  const { threeDSAuth } = (await gateway.arrangeThreeDS('sale', 'challenge')).object;
  expect(threeDSAuth instanceof Object && !Array.isArray(threeDSAuth)).toBe(true);
});

for (const by of ['sale', 'auth', 'accountVerification'] as const)
  test(`names the 3DS method by address and transaction id (${by})`, rule('GW-TDS-16'), async ({ threeDS }) => {
    const { auth } = await threeDS.arrangeStep('THREEDS_METHOD', { by });
    expect(URL.canParse(String(auth.threeDSMethodUrl))).toBe(true);
    expect(auth.threeDSMethodTransactionId).toBeDefined();
    const { threeDSMethodTransactionId: other } = (await threeDS.arrangeStep('THREEDS_METHOD', { by })).auth;
    // An id that two of them share names neither.
    if (typeof other === 'string' && other !== '') expect(auth.threeDSMethodTransactionId).not.toBe(other);
  });

for (const { step, card } of [{ step: 'THREEDS_METHOD', card: 'card.method' }, ...ISSUER_STEPS] as const)
  for (const operation of ['sale', 'auth', 'accountVerification'] as const)
    test(
      `shows in status that an order waits for 3-D Secure (${operation}, ${step})`,
      rule('GW-TDS-24', { needs: [card] }),
      async ({ gateway, threeDS }) => {
        const { order, auth: asked } = await threeDS.arrangeStep(step, { by: operation });
        const { auth, state } = readThreeDSProgress(await gateway.status(order));
        expect(auth?.threeDSAuthStep).toBe(step);
        if (isSameThreeDSAuth(auth, asked)) expect(placesOf(auth)).toEqual(placesOf(asked));
        for (const by of identifiersOf(order).slice(1)) {
          const reply = await gateway.status(order, by);
          // Whether it is found by this one is for another check. An order that waits may list nothing; one that there is not may be UNKNOWN.
          const isFound = hasTransactions(reply) || !['UNKNOWN', 'ERROR'].includes(state);
          if (isFound && reply.object.orderState === state)
            expect(readThreeDSProgress(reply).auth?.threeDSAuthStep, by).toBe(step);
        }
      },
    );

for (const { step, card, forward } of ISSUER_STEPS)
  test(
    `leads a customer on by what status shows (${step})`,
    rule('GW-TDS-24', { needs: [card, 'browser'] }),
    async ({ gateway, threeDS, issuer }) => {
      const [other, latest] = [await threeDS.arrangeStep(step), await threeDS.arrangeStep(step)];
      for (const waiting of [other, latest]) {
        await gateway.status((waiting === latest ? other : latest).order);
        const reply = await gateway.status(waiting.order);
        const { auth, state } = readThreeDSProgress(reply);
        assertPromise(auth !== undefined, 'threeDSAuth', `${state} without it`);
        const posted = await issuer.authenticate({ ...waiting, auth, reply });
        assertPromise(posted !== undefined, "a customer who comes back to the merchant's page", 'none');
        // What the issuer says of another order gets this one nowhere.
        const moved = await threeDS.forwardAnswer(forward, waiting, readIssuerAnswer(posted!));
        expect(moved).toAnswer(200);
        expect(FAILED).not.toContain(await gateway.pollUntilFinal(waiting.order, moved));
      }
    },
  );

for (const { step, card, forward } of ISSUER_STEPS)
  test(
    `still asks for 3-D Secure when another payment on the card was not authenticated (${step})`,
    rule('GW-TDS-24', { needs: [card, 'browser'] }),
    async ({ gateway, threeDS, issuer }) => {
      const [lost, waiting] = [await threeDS.arrangeStep(step), await threeDS.arrangeStep(step)];
      await threeDS.forwardAnswer(forward, lost, await issuer.obtainRefusal(lost));
      expect(readThreeDSProgress(await gateway.status(waiting.order)).auth?.threeDSAuthStep).toBe(step);
    },
  );

for (const by of ['sale', 'auth', 'accountVerification'] as const) {
  test(`encodes a creq in base64url (${by})`, rule('GW-TDS-17'), async ({ threeDS }) => {
    expect(String((await threeDS.arrangeStep('CREQ', { by })).auth.creq)).toMatch(/^[\w-]+={0,2}$/);
  });

  test(`hands out a challenge as a creq and its ACS (${by})`, rule('GW-TDS-18'), async ({ threeDS }) => {
    const { creq, acsUrl } = (await threeDS.arrangeStep('CREQ', { by })).auth;
    expect(creq ?? undefined).toBeDefined();
    expect(URL.canParse(String(acsUrl))).toBe(true);
  });

  test(`hands out 3-D Secure 1.0.2 as a paReq and its ACS (${by})`, rule('GW-TDS-19'), async ({ threeDS }) => {
    const { paReq, acsUrl } = (await threeDS.arrangeStep('PAREQ', { by })).auth;
    expect(paReq ?? undefined).toBeDefined();
    expect(URL.canParse(String(acsUrl))).toBe(true);
  });
}

for (const [step, card, ...ids] of [
  ['THREEDS_METHOD', 'method', 'GW-TDS-16'],
  ['CREQ', 'challenge', 'GW-TDS-17', 'GW-TDS-18'],
  ['PAREQ', 'pareq', 'GW-TDS-19'],
] as const)
  test(
    `hands out to another requestor what 3-D Secure asks for, in status as well (${step})`,
    rule(...ids, 'GW-TDS-24', { needs: [`card.${card}`, 'requestor.second'] }),
    async ({ gateway, threeDS, target }) => {
      const requestor = target.gateway!.requestors.second!;
      // What comes with the step is held against its schema.
      const { order } = await threeDS.arrangeStep(step, { requestor });
      const { auth } = readThreeDSProgress(await gateway.status(order));
      // A method that nobody reports on gives way to a challenge in time.
      const steps = step === 'THREEDS_METHOD' ? [step, 'CREQ', 'PAREQ'] : [step];
      expect(steps, 'GW-TDS-24').toContain(auth?.threeDSAuthStep);
    },
  );

test('answers a report on the 3DS method with a StatusResponse', rule('GW-TDS-02'), async ({ threeDS }) => {
  expect(await threeDS.reportMethod(await threeDS.arrangeStep('THREEDS_METHOD'), 'U')).toAnswer(200);
});

/** Goes on from a 3DS method when it is reported on. @returns what is asked for then */
async function expectToGoOn(
  threeDS: MerchantThreeDS,
  waiting: WaitingOrder,
  indicator: 'Y' | 'N' | 'U',
  message?: string,
): Promise<ReceivedThreeDSAuth | undefined> {
  const reply = await threeDS.reportMethod(waiting, indicator);
  expect(reply, message).toAnswer(200);
  return expectPastMethod(threeDS, waiting, reply, message);
}

/** Finds an order past its 3DS method, by answers from the first on. @returns what is asked for then */
async function expectPastMethod(
  threeDS: MerchantThreeDS,
  waiting: WaitingOrder,
  first: ApiReply,
  message?: string,
): Promise<ReceivedThreeDSAuth | undefined> {
  const { auth, state } = await threeDS.waitForStep(waiting.order, first, waiting.auth);
  expect(FAILED, message).not.toContain(state);
  if (!FINAL_STATES.includes(state)) expect(isSameThreeDSAuth(auth ?? waiting.auth, waiting.auth), message).toBe(false);
  return auth;
}

for (const by of ['sale', 'auth', 'accountVerification'] as const)
  test(
    `goes on after the 3DS method ran in a hidden iframe (${by})`,
    rule('GW-TDS-03', { needs: ['browser'] }),
    async ({ threeDS, issuer }) => {
      const waiting = await threeDS.arrangeStep('THREEDS_METHOD', { by });
      await issuer.runMethod(waiting);
      await expectToGoOn(threeDS, waiting, 'Y');
    },
  );

for (const [id, indicator, what] of [
  ['GW-TDS-04', 'N', 'did not complete'],
  ['GW-TDS-05', 'U', 'could not run'],
] as const) {
  for (const by of ['sale', 'auth', 'accountVerification'] as const)
    test(`goes on after a 3DS method that ${what} (${by}, ${indicator})`, rule(id), async ({ threeDS }) => {
      await expectToGoOn(threeDS, await threeDS.arrangeStep('THREEDS_METHOD', { by }), indicator);
    });

  test(
    `asks for a challenge after a 3DS method that ${what} (${indicator})`,
    rule('GW-TDS-06', 'GW-TDS-24'),
    async ({ gateway, threeDS }) => {
      for (const by of ['sale', 'auth'] as const) {
        const waiting = await threeDS.arrangeStep('THREEDS_METHOD', { by });
        const others = identifiersOf(waiting.order).slice(1);
        // What was shown before is not to be shown again.
        for (const other of others) await gateway.status(waiting.order, other);
        const reply = await threeDS.reportMethod(waiting, indicator);
        const { auth } = await threeDS.waitForStep(waiting.order, reply, waiting.auth);
        expect(['CREQ', 'PAREQ'], 'GW-TDS-06').toContain(auth?.threeDSAuthStep);
        const { auth: shown } = readThreeDSProgress(await gateway.status(waiting.order));
        if (isSameThreeDSAuth(shown, auth)) expect(placesOf(shown), 'GW-TDS-24').toEqual(placesOf(auth));
        for (const other of others) {
          // Whether it is found by this one, and shows a step at all, is for another check.
          const reply = await gateway.status(waiting.order, other);
          const { threeDSAuthStep } = (reply.status === 200 && readThreeDSProgress(reply).auth) || {};
          if (threeDSAuthStep != null && shown?.threeDSAuthStep === auth?.threeDSAuthStep)
            expect(threeDSAuthStep, 'GW-TDS-24').toBe(shown?.threeDSAuthStep);
        }
      }
    },
  );
}

test(
  'goes on with each of two payments whose 3DS method is reported on at once',
  rule('GW-TDS-04'),
  async ({ gateway, threeDS, together }) => {
    const both = [await threeDS.arrangeStep('THREEDS_METHOD'), await threeDS.arrangeStep('THREEDS_METHOD')];
    const replies = await together(both.map((waiting) => () => threeDS.reportMethod(waiting, 'N')));
    const taken = both.filter((_, i) => replies[i]!.status === 200);
    // Whether both are taken at once is not said; what is answered may be about the other.
    requireEntries(taken, 'reports that are taken');
    for (const waiting of taken) await expectPastMethod(threeDS, waiting, await gateway.status(waiting.order));
  },
);

test(
  'goes on after the 3DS method of another requestor, however it went, and asks for a challenge where it did not complete',
  rule('GW-TDS-03', 'GW-TDS-04', 'GW-TDS-05', 'GW-TDS-06', { needs: ['requestor.second', 'browser'] }),
  async ({ gateway, threeDS, issuer, target }) => {
    const requestor = target.gateway!.requestors.second!;
    await seeApproved(gateway, 'sale', { requestor });
    for (const [id, indicator] of [
      ['GW-TDS-03', 'Y'],
      ['GW-TDS-04', 'N'],
      ['GW-TDS-05', 'U'],
    ] as const) {
      const waiting = await threeDS.arrangeStep('THREEDS_METHOD', { requestor });
      if (indicator === 'Y') await issuer.runMethod(waiting);
      const end = await expectToGoOn(threeDS, waiting, indicator, id);
      if (indicator !== 'Y') expect(['CREQ', 'PAREQ'], 'GW-TDS-06').toContain(end?.threeDSAuthStep);
    }
  },
);

const METHOD_FIELDS = ['orderSystemId', 'browser', 'threeDSServerTransID', 'cresUrl', 'threeDSCompInd'];

for (const field of METHOD_FIELDS) {
  test(`refuses a report on the 3DS method without ${field}`, rule('GW-TDS-20'), async ({ gateway, threeDS }) => {
    const waiting = await threeDS.arrangeStep('THREEDS_METHOD');
    await twice(async () => expect(await threeDS.reportMethod(waiting, 'Y', { [field]: undefined })).toBeRefused());
    const { auth, state } = readThreeDSProgress(await gateway.status(waiting.order));
    expect(state).not.toBe('APPROVED');
    expect(auth?.threeDSAuthStep ?? 'THREEDS_METHOD').toBe('THREEDS_METHOD');
  });
}

for (const [by, indicator] of [
  ['auth', 'N'],
  ['accountVerification', 'U'],
] as const)
  test(`refuses a report on the 3DS method that lacks a field (${by})`, rule('GW-TDS-20'), async ({ threeDS }) => {
    const waiting = await threeDS.arrangeStep('THREEDS_METHOD', { by });
    for (const field of METHOD_FIELDS)
      expect(await threeDS.reportMethod(waiting, indicator, { [field]: undefined }), field).toBeRefused();
  });

const LETTERS = {
  CREQ: ['CRes', { answer: 'GW-TDS-08', back: 'GW-TDS-09', passed: 'GW-TDS-10', whole: 'GW-TDS-21' }],
  PAREQ: ['PaRes', { answer: 'GW-TDS-11', back: 'GW-TDS-12', passed: 'GW-TDS-13', whole: 'GW-TDS-22' }],
} as const;

/** Has a customer pass a step; the issuer's answer has to be posted to the merchant's page. @returns its value */
async function expectPosted(
  issuer: GatewayFixtures['issuer'],
  waiting: WaitingOrder,
  letter: 'CRes' | 'PaRes',
  id: 'GW-TDS-09' | 'GW-TDS-12',
): Promise<string> {
  const posted = await issuer.authenticate(waiting);
  assertPromise(posted !== undefined, `a POST of the ${letter} to the merchant's page`, 'none', id);
  const value = readIssuerAnswer(posted);
  assertPromise(value !== undefined, `the ${letter} in what is posted`, 'a form without it', id);
  return value;
}

/**
 * Forwards what the issuer said of a customer who passed, untouched: it is taken for this order, which does not fail, and for no other one.
 * @param ids the rules that it is answered, and that the order goes on
 * @returns the answer, and the state that the order ended in
 */
async function expectTaken(
  { gateway, threeDS }: Pick<GatewayFixtures, 'gateway' | 'threeDS'>,
  [waiting, other]: readonly [WaitingOrder, WaitingOrder],
  { forward, value }: { forward: (typeof ISSUER_STEPS)[number]['forward']; value: string },
  ids: { answer: string; passed: string },
): Promise<{ reply: ApiReply; end: string }> {
  const reply = await threeDS.forwardAnswer(forward, waiting, value);
  expect(reply, ids.answer).toAnswer(200);
  // What another order waits for is no state of this one.
  expect(isPast(reply, other), ids.passed).toBe(true);
  // Whether it ends at all is a should of its own.
  const end = await gateway.pollUntilFinal(waiting.order, reply);
  expect(FAILED, ids.passed).not.toContain(end);
  // What authenticated this customer authenticates nobody else.
  const again = await threeDS.forwardAnswer(forward, other, value);
  await expectNoApproval(gateway, again, other, 'GW-TDS-26');
  return { reply, end };
}

/** What else is held of an authorization whose cardholder passed. */
const AUTHORIZED = ['GW-TDS-23', 'GW-CAP-03', 'GW-CAP-05'] as const;

for (const { step, card, forward } of ISSUER_STEPS) {
  const [letter, ids] = LETTERS[step];
  for (const by of ['sale', 'auth'] as const)
    test(
      `has the ${letter} posted to the merchant's page, and the state after authentication in the answer to it (${by})`,
      rule(ids.back, ids.answer, ids.passed, 'GW-TDS-26', ...(by === 'auth' ? AUTHORIZED : [])),
      async ({ gateway, threeDS, issuer }) => {
        // Beside a later order, whose step and address are not to be mistaken for this one's.
        const waiting = await threeDS.arrangeStep(step, { by });
        const other = await threeDS.arrangeStep(step, { by });
        const value = await expectPosted(issuer, waiting, letter, ids.back);
        const { reply, end } = await expectTaken({ gateway, threeDS }, [waiting, other], { forward, value }, ids);
        expect(isPast(reply, waiting), ids.passed).toBe(true);
        if (by !== 'auth') return;
        expect(FINAL_STATES, 'GW-TDS-23').toContain(end);
        if (end !== 'APPROVED') return;
        // A caller that saw no answer forwards it again.
        await threeDS.forwardAnswer(forward, waiting, value);
        await gateway.capture(waiting.order, waiting.order.amount + 1);
        const { sum } = await gateway.sumAfterPolling(waiting.order, 'capture');
        expect(sum, 'GW-CAP-05').toBeLessThanOrEqual(waiting.order.amount);
        await gateway.capture(waiting.order);
        const whole = await gateway.sumAfterPolling(waiting.order, 'capture');
        expect(whole, 'GW-CAP-03').toEqual({ count: 1, sum: waiting.order.amount });
      },
    );

  for (const by of ['sale', 'auth', 'accountVerification'] as const)
    test(
      `has the ${letter} posted to an address of the merchant that has a query (${by})`,
      rule(ids.back, { needs: [card] }),
      async ({ threeDS, issuer, receiver }) => {
        receiver.pageQuery = OWN_QUERY;
        const posted = await issuer.authenticate(await threeDS.arrangeStep(step, { by }));
        assertPromise(posted !== undefined, `a POST of the ${letter} to the merchant's page`, 'none');
        expect(keepsQuery(posted)).toBe(true);
      },
    );

  test(
    `approves no payment for a ${letter} that says no where another is forwarded at once that was passed`,
    rule('GW-TDS-26', ids.passed, { needs: [card] }),
    async ({ gateway, threeDS, issuer, together }) => {
      const [passed, refused] = [await threeDS.arrangeStep(step), await threeDS.arrangeStep(step)];
      const values = [await issuer.obtainAnswer(passed), await issuer.obtainRefusal(refused)] as const;
      const [taken, turnedDown] = await together(
        [passed, refused].map((waiting, i) => () => threeDS.forwardAnswer(forward, waiting, values[i])),
      );
      await expectNoApproval(gateway, turnedDown!, refused, 'GW-TDS-26');
      // Whether both are taken at once is not said.
      if (taken!.status !== 200) return;
      expect(FAILED, ids.passed).not.toContain(await gateway.pollUntilFinal(passed.order, taken!));
    },
  );

  test(
    `does not fail a verification for an untouched ${letter}, and approves no other for it`,
    rule(ids.passed, 'GW-TDS-23', 'GW-TDS-26', { needs: [card] }),
    async ({ gateway, threeDS, issuer }) => {
      const other = await threeDS.arrangeStep(step, { by: 'accountVerification' });
      const waiting = await threeDS.arrangeStep(step, { by: 'accountVerification' });
      const value = await issuer.obtainAnswer(waiting);
      // Asking for an order that waits does nothing to what it waits for.
      await gateway.status(waiting.order);
      const { passed } = ids;
      const sent = { forward, value };
      const { end } = await expectTaken({ gateway, threeDS }, [waiting, other], sent, { answer: passed, passed });
      expect(FINAL_STATES, 'GW-TDS-23').toContain(end);
    },
  );

  test(
    `takes an untouched ${letter} for another requestor's payment, and for no other one`,
    rule(ids.back, ids.answer, ids.passed, 'GW-TDS-23', 'GW-TDS-26', { needs: [card, 'requestor.second'] }),
    async ({ gateway, threeDS, issuer, target }) => {
      const requestor = target.gateway!.requestors.second!;
      for (const by of ['sale', 'auth'] as const) {
        await seeApproved(gateway, by, { requestor });
        const waiting = await threeDS.arrangeStep(step, { by, requestor });
        const other = await threeDS.arrangeStep(step, { by, requestor });
        const value = await expectPosted(issuer, waiting, letter, ids.back);
        const { reply, end } = await expectTaken({ gateway, threeDS }, [waiting, other], { forward, value }, ids);
        expect(isPast(reply, waiting), ids.passed).toBe(true);
        expect(FINAL_STATES, 'GW-TDS-23').toContain(end);
      }
    },
  );

  test(
    `approves no payment of another requestor for a ${letter} that says no, or that was changed on its way`,
    rule('GW-TDS-26', ...(step === 'PAREQ' ? (['GW-TDS-14'] as const) : []), { needs: [card, 'requestor.second'] }),
    async ({ gateway, threeDS, issuer, target }) => {
      const requestor = target.gateway!.requestors.second!;
      await seeApproved(gateway, 'sale', { requestor });
      const refused = await threeDS.arrangeStep(step, { requestor });
      const reply = await threeDS.forwardAnswer(forward, refused, await issuer.obtainRefusal(refused));
      await expectNoApproval(gateway, reply, refused, 'GW-TDS-26');
      if (step !== 'PAREQ') return;
      const waiting = await threeDS.arrangeStep(step, { requestor });
      const changed = CHANGES[1]![1](await issuer.obtainAnswer(waiting));
      const answered = await threeDS.forwardAnswer(forward, waiting, changed);
      await expectNoApproval(gateway, answered, waiting, 'GW-TDS-14');
    },
  );

  test(
    `has the ${letter} of a verification posted to the merchant's page`,
    rule(ids.back),
    async ({ threeDS, issuer }) => {
      await threeDS.arrangeStep(step, { by: 'accountVerification' });
      await expectPosted(issuer, await threeDS.arrangeStep(step, { by: 'accountVerification' }), letter, ids.back);
    },
  );

  test(
    `comes to a final state after an untouched ${letter}, and can be refunded as far as it was paid`,
    rule('GW-TDS-23', 'GW-SAL-02', 'GW-REV-04', 'GW-REV-06', { needs: [card] }),
    async ({ gateway, threeDS, issuer, recorder }) => {
      const waiting = await threeDS.arrangeStep(step, { amount: 1000 });
      const { order } = waiting;
      const value = await issuer.obtainAnswer(waiting);
      const end = await gateway.pollUntilFinal(order, await threeDS.forwardAnswer(forward, waiting, value));
      expect(FINAL_STATES, 'GW-TDS-23').toContain(end);
      if (end !== 'APPROVED') return recorder.leaveOut(`a payment that ended in ${end} has nothing to refund`);
      const most = Math.ceil(order.amount * 0.6);
      await gateway.reverse(order, most);
      expect(await gateway.sumAfterPolling(order, 'reversal'), 'GW-SAL-02').toEqual({ count: 1, sum: most });
      await gateway.reverse(order, most);
      const before = await gateway.pollWhilePending(order);
      const taken = gateway.sumTransactions(before, 'reversal').sum;
      expect(taken, 'GW-REV-06').toBeLessThanOrEqual(order.amount);
      await gateway.reverse(order);
      // Whether what is left is everything, or nothing can be taken back in full any more, is open.
      const { sum } = await gateway.sumAfterPolling(order, 'reversal');
      expect([taken, order.amount], 'GW-REV-04').toContain(sum);
      // A caller that saw no answer forwards it again.
      await threeDS.forwardAnswer(forward, waiting, value);
      const after = await gateway.pollWhilePending(order);
      const paid = (shown: ApiReply) =>
        gateway.sumTransactions(shown, 'sale').sum + gateway.sumTransactions(shown, 'capture').sum;
      expect(paid(after), 'GW-SAL-02').toBeLessThanOrEqual(order.amount);
      expect(paid(after), 'GW-SAL-02').toBe(paid(before));
    },
  );

  test(
    `refuses a ${letter} without the order's system id, and takes it for no other order`,
    rule(ids.whole, 'GW-TDS-26', { needs: [card] }),
    async ({ gateway, threeDS, issuer }) => {
      const [waiting, other] = [await threeDS.arrangeStep(step), await threeDS.arrangeStep(step)];
      const value = await issuer.obtainAnswer(other);
      await twice(async () => {
        const nameless = await threeDS.forwardAnswer(forward, other, value, { orderSystemId: undefined });
        expect(nameless, ids.whole).toBeRefused();
      });
      expect(readThreeDSProgress(await gateway.status(other.order)).state, ids.whole).not.toBe('APPROVED');
      const reply = await threeDS.forwardAnswer(forward, waiting, value);
      await expectNoApproval(gateway, reply, waiting, 'GW-TDS-26');
    },
  );

  test(
    `refuses a ${letter} request without its value, and approves no payment for one that no issuer wrote`,
    rule(ids.whole, 'GW-TDS-26'),
    async ({ gateway, threeDS }) => {
      const waiting = await threeDS.arrangeStep(step);
      await twice(async () =>
        expect(await threeDS.forwardAnswer(forward, waiting, undefined), ids.whole).toBeRefused(),
      );
      expect(readThreeDSProgress(await gateway.status(waiting.order)).state, ids.whole).not.toBe('APPROVED');
      const reply = await threeDS.forwardAnswer(forward, waiting, NO_ANSWER);
      await expectNoApproval(gateway, reply, waiting, 'GW-TDS-26');
    },
  );
}

test(
  "has the CRes posted to the merchant's page where a challenge follows the 3DS method, at an address that has a query",
  rule('GW-TDS-09', { needs: ['card.method'] }),
  async ({ threeDS, issuer, receiver }) => {
    receiver.pageQuery = OWN_QUERY;
    const waiting = await threeDS.arrangeStep('THREEDS_METHOD');
    const { auth } = await threeDS.waitForStep(waiting.order, await threeDS.reportMethod(waiting, 'N'), waiting.auth);
    test.skip(auth?.threeDSAuthStep !== 'CREQ', 'no challenge follows the 3DS method');
    const posted = await issuer.authenticate({ ...waiting, auth: auth! });
    assertPromise(posted !== undefined, "a POST of the CRes to the merchant's page", 'none');
    expect(keepsQuery(posted)).toBe(true);
  },
);

for (const [due, what, given, forward, needs] of [
  ['CREQ', 'a challenge', 'PAREQ', 'threeDSPaRes', ['card.challenge', 'card.pareq']],
  ['PAREQ', 'a PaRes', 'CREQ', 'threeDSCRes', ['card.challenge', 'card.pareq']],
  ['THREEDS_METHOD', 'its 3DS method', 'CREQ', 'threeDSCRes', ['card.challenge', 'card.method']],
] as const)
  test(
    `approves no payment that waits for ${what} where an issuer's answer to a ${given} comes`,
    rule('GW-TDS-26', { needs: [...needs] }),
    async ({ gateway, threeDS, issuer }) => {
      const value = await issuer.obtainAnswer(await threeDS.arrangeStep(given));
      const waiting = await threeDS.arrangeStep(due);
      const reply = await threeDS.forwardAnswer(forward, waiting, value);
      await expectNoApproval(gateway, reply, waiting);
    },
  );

test(
  'does not approve a payment after a challenge that follows the 3DS method and was not passed',
  rule('GW-TDS-26', { needs: ['card.method'] }),
  async ({ gateway, threeDS, issuer }) => {
    const waiting = await threeDS.arrangeStep('THREEDS_METHOD');
    const reported = await threeDS.reportMethod(waiting, 'N');
    const { auth, reply } = await threeDS.waitForStep(waiting.order, reported, waiting.auth);
    test.skip(auth?.threeDSAuthStep !== 'CREQ', 'no challenge follows the 3DS method');
    const challenged = { ...waiting, auth: auth!, reply };
    const refused = await threeDS.forwardAnswer('threeDSCRes', challenged, await issuer.obtainRefusal(challenged));
    await expectNoApproval(gateway, refused, challenged);
  },
);

/** Replaces the first match of a pattern after a share of a text. */
const changeAfter = (share: number, pattern: RegExp, change: (letter: string) => string) => (text: string) => {
  const at = Math.floor(text.length * share);
  return text.slice(0, at) + text.slice(at).replace(pattern, change);
};
/** A letter that base64 tells from this one by the first two bits, which count before the padding, too. */
const otherLetter = (letter: string) => (/[A-P]/.test(letter) ? 'w' : 'A');
const otherCase = (letter: string) => (letter === letter.toLowerCase() ? letter.toUpperCase() : letter.toLowerCase());

const CHANGES = [
  ['changed near its beginning', changeAfter(0.05, /./s, otherLetter)],
  ['changed in the middle', changeAfter(0.5, /./s, otherLetter)],
  ['changed near its end', changeAfter(0.9, /./s, otherLetter)],
  ['changed in its last letter', changeAfter(0, /\w(?=\W*$)/, otherLetter)],
  ['changed in the case of a letter', changeAfter(0.5, /[a-z]/i, otherCase)],
  ['made longer by a letter', (text: string) => `${text}A`],
] as const;

for (const by of ['sale', 'auth', 'accountVerification'] as const)
  test(
    `does not take a PaRes for authentication that was changed on its way (${by})`,
    rule('GW-TDS-14'),
    async ({ gateway, threeDS, issuer }) => {
      test.setTimeout(240_000);
      const arrange = async () => {
        const waiting = await threeDS.arrangeStep('PAREQ', { by });
        return { waiting, value: await issuer.obtainAnswer(waiting) };
      };
      let tried = 0;
      const tryChange = async ([how, change]: (typeof CHANGES)[number], one: Awaited<ReturnType<typeof arrange>>) => {
        const { waiting, value } = one;
        if (change(value) === value) return;
        tried += 1;
        const reply = await threeDS.forwardAnswer('threeDSPaRes', waiting, change(value));
        await expectNoApproval(gateway, reply, waiting, how);
      };
      const first = await arrange();
      for (const change of CHANGES) await tryChange(change, first);
      test.skip(tried === 0, 'nothing in this PaRes can be changed');
      // Where it still counts as it came, each was refused for its change; else each is tried on an order of its own.
      const untouched = await threeDS.forwardAnswer('threeDSPaRes', first.waiting, first.value);
      const isTaken = isPast(untouched, first.waiting);
      if (isTaken && (await gateway.pollUntilFinal(first.waiting.order, untouched)) === 'APPROVED') return;
      for (const change of CHANGES) await tryChange(change, await arrange());
    },
  );

for (const [what, ...operations] of [
  ['payment', 'sale', 'auth'],
  ['verification', 'accountVerification'],
] as const)
  test(`approves no ${what} whose 3DS method nobody reports on`, rule('GW-TDS-07'), async ({ gateway, threeDS }) => {
    const waiting = [];
    for (const by of operations) waiting.push(await threeDS.arrangeStep('THREEDS_METHOD', { by }));
    for (const days of [2, 5]) {
      await gateway.sleep(days * 86_400);
      for (const { order } of waiting)
        expect(readThreeDSProgress(await gateway.status(order)).state).not.toBe('APPROVED');
    }
    await gateway.requireApprovals();
  });

test(
  'approves no payment of another requestor whose 3DS method nobody reports on',
  rule('GW-TDS-07', { needs: ['requestor.second'] }),
  async ({ gateway, threeDS, target }) => {
    const requestor = target.gateway!.requestors.second!;
    const { order } = await threeDS.arrangeStep('THREEDS_METHOD', { requestor });
    await gateway.sleep(2 * 86_400);
    expect(readThreeDSProgress(await gateway.status(order)).state).not.toBe('APPROVED');
    await seeApproved(gateway, 'sale', { requestor });
  },
);

test(
  'refuses reports on the 3DS method of another requestor that are not as they must be',
  rule('GW-TDS-20', 'GW-TDS-25', { needs: ['requestor.second'] }),
  async ({ gateway, threeDS, target }) => {
    const requestor = target.gateway!.requestors.second!;
    await seeApproved(gateway, 'sale', { requestor });
    const waiting = await threeDS.arrangeStep('THREEDS_METHOD', { requestor });
    for (const field of METHOD_FIELDS)
      expect(await threeDS.reportMethod(waiting, 'Y', { [field]: undefined }), 'GW-TDS-20').toBeRefused();
    expect(await threeDS.reportMethod(waiting, 'Y', { threeDSCompInd: 'X' }), 'GW-TDS-25').toBeRefused();
  },
);

test('refuses a report on the 3DS method with another indicator', rule('GW-TDS-25'), async ({ gateway, threeDS }) => {
  const waiting = await threeDS.arrangeStep('THREEDS_METHOD');
  for (const threeDSCompInd of ['X', 'YN'])
    await twice(async () =>
      expect(await threeDS.reportMethod(waiting, 'Y', { threeDSCompInd }), threeDSCompInd).toBeRefused(),
    );
  const { auth, state } = readThreeDSProgress(await gateway.status(waiting.order));
  expect(state).not.toBe('APPROVED');
  expect(auth?.threeDSAuthStep ?? 'THREEDS_METHOD').toBe('THREEDS_METHOD');
});

for (const { step, card, forward } of ISSUER_STEPS) {
  const [letter, ids] = LETTERS[step];
  for (const by of ['sale', 'auth', 'accountVerification'] as const)
    test(
      `does not approve a payment after a ${step} that the cardholder did not pass, however often the ${letter} comes (${by})`,
      rule('GW-TDS-26', ids.answer, ...(by === 'auth' ? ['GW-CAP-02'] : []), ...(by === 'sale' ? ['GW-REV-06'] : []), {
        needs: [card],
      }),
      async ({ gateway, threeDS, issuer }) => {
        const waiting = await threeDS.arrangeStep(step, { by });
        const value = await issuer.obtainRefusal(waiting);
        const reply = await threeDS.forwardAnswer(forward, waiting, value);
        const shown = reply.status === 200 ? reply : await gateway.status(waiting.order);
        const { auth, state } = attributeTo(ids.answer, () => readThreeDSProgress(shown));
        expect(state, 'GW-TDS-26').not.toBe('APPROVED');
        const isDue = isSameThreeDSAuth(auth, waiting.auth);
        // Whether it ends the payment is not said.
        if (FAILED.includes(state) && !isDue) expect(reply, ids.answer).toAnswer(200);
        const isPending = reply.status === 200 && isDue;
        if (!isPending) expect(await gateway.pollUntilFinal(waiting.order), 'GW-TDS-26').not.toBe('APPROVED');
        const again = await threeDS.forwardAnswer(forward, waiting, value);
        await expectNoApproval(gateway, again, waiting, 'GW-TDS-26');
        if (by === 'sale') {
          // A part: all of it may be given up, which some list as a void.
          await gateway.reverse(waiting.order, Math.ceil(waiting.order.amount * 0.4));
          await gateway.sleepPollGap();
          const left = await gateway.status(waiting.order);
          expect(sumListed(gateway, left, 'reversal'), 'GW-REV-06').toBe(0);
        }
        if (by !== 'auth') return;
        const captured = await gateway.capture(waiting.order);
        const { order } = waiting;
        const rest = await (captured.status === 200 ? gateway.pollWhilePending(order) : gateway.status(order));
        // An order of which nothing was approved may list nothing at all.
        expect(sumListed(gateway, rest, 'capture'), 'GW-CAP-02').toBe(0);
      },
    );
}
