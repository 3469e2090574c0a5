import {
  type ApiReply,
  assertPromise,
  attributeTo,
  expect,
  type GatewayClient,
  hasTransactions,
  readThreeDSProgress,
  rule,
  test,
} from '#harness';
import { otherWays, PAYMENT_WAYS } from './support/payment-ways.ts';

/** Kinds of the transactions that an answer lists, if it lists any. */
function listedKinds(gateway: GatewayClient, reply: ApiReply): string[] {
  const isListed = reply.status === 200 && (reply.object.transactions ?? undefined) !== undefined;
  return isListed ? gateway.transactions(reply).map(({ kind }) => kind) : [];
}

for (const { how, needs, test } of [PAYMENT_WAYS.card, ...otherWays('of a cardholder who was authenticated')]) {
  test(
    `lists an authorization${how && ` ${how}`} and its capture, each for itself`,
    rule('GW-STR-01', 'GW-STS-08', { needs }),
    async ({ arrangePaid, gateway }) => {
      const order = await arrangePaid('auth');
      await gateway.capture(order, Math.ceil(order.amount * 0.7));
      const shown = await gateway.pollWhilePending(order);
      expect(hasTransactions(shown), 'GW-STS-08').toBe(true);
      for (const kind of ['authorization', 'capture'] as const)
        expect(gateway.sumTransactions(shown, kind).count, 'GW-STR-01').toBeGreaterThanOrEqual(1);
    },
  );
}

test('still lists an authorization after a second capture', rule('GW-STR-01'), async ({ gateway }) => {
  const order = await gateway.arrangeApproved('auth', { amount: 1000 });
  await gateway.arrangeCapture(order, 500);
  // Whether it is carried out is open.
  await gateway.capture(order, 400);
  expect(listedKinds(gateway, await gateway.pollWhilePending(order))).toEqual(
    expect.arrayContaining(['authorization', 'capture']),
  );
});

test('hides the authorization in no answer about a capture or a refund', rule('GW-STR-01'), async ({ gateway }) => {
  const order = await gateway.arrangeApproved('auth', { amount: 1000 });
  const latest = await gateway.arrangeApproved('auth', { amount: 2300 });
  const captured = await gateway.capture(order, 700);
  await gateway.pollWhilePending(order);
  const refunded = await gateway.reverse(order, 300);
  const shown = await gateway.pollWhilePending(order);
  expect(listedKinds(gateway, shown)).toEqual(expect.arrayContaining(['authorization', 'capture']));
  for (const reply of [captured, refunded, ...(await gateway.statusesByBothIds(order))]) {
    const kinds = listedKinds(gateway, reply);
    // What an answer lists nothing of, status lists.
    if (kinds.length === 0) continue;
    expect(kinds, reply.operation).toContain('authorization');
    expect(
      gateway.transactions(reply).map(({ amount }) => amount),
      reply.operation,
    ).not.toContain(latest.amount);
  }
});

test(
  'answers payments and status with one common object',
  rule('GW-STR-02', 'GW-STR-03', 'GW-STR-06'),
  async ({ gateway }) => {
    const { reply: verified } = await gateway.pay('accountVerification', { card: 'approved' });
    const { reply: authorized, order } = await gateway.pay('auth', { card: 'approved' });
    await gateway.pollUntilFinal(order, authorized);
    const captured = await gateway.capture(order);
    const shown = await gateway.pollWhilePending(order);
    const { reply: sold } = await gateway.pay('sale', { card: 'approved' });
    for (const reply of [verified, authorized, captured, shown, sold, await gateway.reverse(order)]) {
      expect(reply, 'GW-STR-02').toAnswer(200);
      expect(
        attributeTo('GW-STR-02', () => reply.object),
        'GW-STR-06',
      ).toHaveProperty('orderState');
    }
  },
);

test('gives HTML as text and redirects as addresses', rule('GW-STR-04', 'GW-STR-05'), async ({ gateway, target }) => {
  for (const operation of ['saleForm', 'authForm'] as const) await gateway.pay(operation);
  for (const card of ['challenge', 'pareq', 'method'] as const) {
    if (target.gateway?.cards[card] !== undefined) await gateway.arrangeThreeDS('sale', card);
  }
});

for (const by of ['sale', 'auth', 'accountVerification'] as const)
  test(
    `sends a customer to a page that there is (${by})`,
    rule('GW-STR-05', { needs: ['card.challenge', 'card.pareq', 'browser'] }),
    async ({ gateway, threeDS, customer }) => {
      const addresses: string[] = [];
      for (const card of ['pareq', 'challenge'] as const) {
        const { reply, order } = await gateway.pay(by, { card });
        const due = (await threeDS.waitForStep(order, reply)).reply;
        for (const { object } of [due, await gateway.status(order)])
          if (typeof object.outputRedirectToUrl === 'string') addresses.push(object.outputRedirectToUrl);
      }
      test.skip(addresses.length === 0, 'no answer has an address to send a customer to');
      const statuses: number[] = [];
      for (const address of new Set(addresses)) statuses.push((await customer.visit(address)) ?? 0);
      test.skip(
        statuses.includes(0),
        'an address leads to no host that is named; pages in the target file would enable it',
      );
      expect(statuses.filter((status) => status >= 400)).toEqual([]);
    },
  );

for (const by of ['sale', 'auth', 'accountVerification'] as const)
  test(
    `leads a customer who sees the HTML as it is to a page that there is (${by})`,
    rule('GW-STR-04', { needs: ['card.challenge', 'card.pareq', 'browser'] }),
    async ({ gateway, threeDS, customer }) => {
      const statuses: number[] = [];
      for (const card of ['pareq', 'challenge'] as const) {
        const { reply, order } = await gateway.pay(by, { card });
        const due = await threeDS.waitForStep(order, reply);
        const { outputHtml } = due.reply.object;
        // What comes up unseen while the 3DS method runs leads nobody on.
        if (typeof outputHtml !== 'string' || due.auth?.threeDSAuthStep === 'THREEDS_METHOD') continue;
        statuses.push((await customer.followHtml(outputHtml)) ?? 0);
      }
      test.skip(statuses.length === 0, 'no answer has HTML to show a customer');
      test.skip(statuses.includes(0), 'the HTML leads to nothing that can be told, or to no host that is named');
      expect(statuses.filter((status) => status >= 400)).toEqual([]);
    },
  );

test(
  'leads the customers of two forms to a form each',
  rule('GW-STR-04', 'GW-STR-05', { needs: ['form'] }),
  async ({ gateway }) => {
    let seen = 0;
    for (const by of ['saleForm', 'authForm'] as const) {
      const [one, other] = [(await gateway.pay(by)).reply.object, (await gateway.pay(by)).reply.object];
      for (const [id, way] of [
        ['GW-STR-04', 'outputHtml'],
        ['GW-STR-05', 'outputRedirectToUrl'],
      ] as const) {
        if (typeof one[way] !== 'string' || one[way] === '') continue;
        seen += 1;
        attributeTo(id, () => assertPromise(one[way] !== other[way], 'a form of their own', 'that of another payment'));
      }
    }
    test.skip(seen === 0, 'no answer leads a customer on');
  },
);

for (const by of ['sale', 'auth', 'accountVerification'] as const)
  test(
    `leads each customer on to a payment of their own (${by})`,
    rule('GW-STR-04', 'GW-STR-05', { needs: ['card.challenge', 'card.pareq'] }),
    async ({ gateway, threeDS }) => {
      let seen = 0;
      for (const card of ['pareq', 'challenge'] as const) {
        // All that a customer brings along is the address or the page: one that leads to two payments leads to neither.
        const takenBy = new Map<unknown, string>();
        for (const payment of ['one', 'another']) {
          const { reply, order } = await gateway.pay(by, { card });
          const due = (await threeDS.waitForStep(order, reply)).reply;
          for (const answer of [due, await gateway.status(order)]) {
            const { outputHtml, outputRedirectToUrl } = answer.object;
            const { auth } = readThreeDSProgress(answer);
            if (auth === undefined) continue;
            if (typeof outputHtml === 'string' && outputHtml !== '')
              // Rendered as it is.
              expect(outputHtml, 'GW-STR-04').toMatch(/<[a-z!]/i);
            // While the 3DS method is due, a page may load what is the same for all.
            const page = auth.threeDSAuthStep === 'THREEDS_METHOD' ? undefined : outputHtml;
            for (const [id, way] of [
              ['GW-STR-04', page],
              ['GW-STR-05', outputRedirectToUrl],
            ] as const) {
              if (typeof way !== 'string' || way === '') continue;
              seen += 1;
              const isOwn = (takenBy.get(way) ?? payment) === payment;
              attributeTo(id, () => assertPromise(isOwn, 'a way on to this payment', 'that of another one'));
              takenBy.set(way, payment);
            }
          }
        }
      }
      test.skip(seen === 0, 'no answer leads a customer on');
    },
  );
