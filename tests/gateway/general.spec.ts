import {
  assertPromise,
  expect,
  type GatewayFixtures,
  PENDING_STATES,
  type PlacedOrder,
  requireEntries,
  rule,
  test,
} from '#harness';
import { seeApproved } from './support/approved-payment.ts';
import { NO_ANSWER, unknownAs } from './support/nobody.ts';

test('serves every operation below an address that ends in api', rule('GW-GEN-01'), async ({ requests, target }) => {
  expect(new URL(target.gateway!.address).pathname.split('/').at(-1)).toBe('api');
  for await (const one of requests.ofShownPath()) {
    const { place, answer } = await requests.locate(one);
    assertPromise(place !== 'nowhere', `${one.operation} below the base address`, answer);
  }
});

test('understands JSON and answers JSON, on every operation', rule('GW-GEN-02'), async ({ requests }) => {
  for await (const one of requests.all()) {
    // Which label an answer has is shown for errors only.
    expect(typeof (await requests.send(one)).json, one.operation).toBe('object');
    expect(typeof (await requests.send(one, { token: null })).json, one.operation).toBe('object');
  }
});

test(
  'understands JSON whose label names its charset, or is written in capitals',
  rule('GW-GEN-02', { needs: ['card.approved'] }),
  async ({ gateway }) => {
    const { systemId: orderSystemId } = await gateway.arrangeApproved('sale');
    // A media type is one in any case (RFC 9110, 8.3.1).
    for (const type of ['application/json; charset=utf-8', 'application/json;charset=UTF-8', 'Application/JSON'])
      expect(
        await gateway.send('status', { body: { orderSystemId }, headers: { 'content-type': type } }),
        type,
      ).toAnswer(200);
  },
);

test('understands JSON with white space around it', rule('GW-GEN-02'), async ({ gateway }) => {
  const { systemId: orderSystemId } = await gateway.arrangeApproved('sale');
  const body = `\r\n\t ${JSON.stringify({ orderSystemId })}\n`;
  expect(await gateway.send('status', { body })).toAnswer(200);
});

test(
  'answers JSON also to a client that accepts anything',
  rule('GW-GEN-02', { needs: ['card.approved'] }),
  async ({ gateway }) => {
    const { systemId: orderSystemId } = await gateway.arrangeApproved('sale');
    for (const accept of ['*/*', 'application/json, text/plain, */*'])
      for (const [operation, sent] of [
        ['status', { body: { orderSystemId } }],
        ['status', { body: { orderSystemId }, token: null }],
        ['sale', { body: {} }],
      ] as const) {
        const { json } = await gateway.send(operation, { ...sent, headers: { accept } });
        expect(typeof json, `${operation} for ${accept}`).toBe('object');
      }
  },
);

test(
  'answers with no other status than the four documented ones, on every operation',
  rule('GW-GEN-03'),
  async ({ requests }) => {
    for await (const one of requests.ofShownPath()) {
      const right = await requests.send(one);
      const bare = one.operation === 'balanceByMerchantAll' ? right : await requests.send(one, { body: {} });
      for (const { status } of [right, bare]) expect([200, 400, 401, 500], one.operation).toContain(status);
    }
  },
);

type Means = Pick<GatewayFixtures, 'gateway' | 'lookups' | 'recurring' | 'threeDS' | 'transfers'>;

/** A name that nothing has. */
const unusedName = ({ gateway }: Means) => gateway.paymentBody().merchantId;

for (const [what, needs, send] of [
  [
    'a capture above what was authorized',
    ['card.approved'],
    async ({ gateway }: Means) => gateway.capture(await gateway.arrangeApproved('auth', { amount: 1000 }), 1001),
  ],
  [
    'a reversal above what was captured',
    ['card.approved'],
    async ({ gateway }: Means) => gateway.reverse(await gateway.arrangeApproved('sale', { amount: 1000 }), 1001),
  ],
  [
    'a capture of an order that there is not',
    ['card.approved'],
    async ({ gateway }: Means) => {
      const order = await gateway.arrangeApproved('auth');
      const { merchantId: orderMerchantId } = gateway.paymentBody();
      return gateway.send('capture', { body: gateway.orderBody(order, 'capture', { orderMerchantId }) });
    },
  ],
  [
    "a reversal of another requestor's order",
    ['card.approved', 'requestor.second'],
    async ({ gateway }: Means, requestor: PlacedOrder['requestor']) =>
      gateway.reverse({ ...(await gateway.arrangeApproved('sale')), requestor }),
  ],
  [
    'a question about an order that there is not',
    [],
    (means: Means) => means.gateway.send('status', { body: { orderMerchantId: unusedName(means) } }),
  ],
  [
    "a CRes for another requestor's order",
    ['card.challenge', 'requestor.second'],
    async ({ threeDS }: Means, requestor: PlacedOrder['requestor']) => {
      const { order } = await threeDS.arrangeStep('CREQ');
      return threeDS.forwardAnswer('threeDSCRes', { order: { ...order, requestor } }, NO_ANSWER);
    },
  ],
  [
    'a CRes that comes from no issuer',
    ['card.challenge'],
    async ({ threeDS }: Means) => threeDS.forwardAnswer('threeDSCRes', await threeDS.arrangeStep('CREQ'), NO_ANSWER),
  ],
  [
    'a PaRes that comes from no issuer',
    ['card.pareq'],
    async ({ threeDS }: Means) => threeDS.forwardAnswer('threeDSPaRes', await threeDS.arrangeStep('PAREQ'), NO_ANSWER),
  ],
  [
    'a PaRes for an order that there is not',
    ['card.pareq'],
    async ({ threeDS }: Means) => {
      const { order } = await threeDS.arrangeStep('PAREQ');
      const systemId = unknownAs(order.systemId);
      return threeDS.forwardAnswer('threeDSPaRes', { order: { ...order, systemId } }, NO_ANSWER);
    },
  ],
  [
    'a report on the 3DS method of an order that there is not',
    ['card.method'],
    async ({ threeDS }: Means) => {
      const waiting = await threeDS.arrangeStep('THREEDS_METHOD');
      return threeDS.reportMethod(waiting, 'Y', { orderSystemId: unknownAs(waiting.order.systemId) });
    },
  ],
  [
    'a question about a balance that there is not',
    ['merchant'],
    (means: Means) => means.lookups.balance(unusedName(means)),
  ],
  [
    'a question of a manager about a balance that there is not',
    ['manager'],
    (means: Means) => means.lookups.managerBalance(unusedName(means)),
  ],
  ['a payment that is not JSON', [], ({ gateway }: Means) => gateway.send('sale', { body: '{"order":' })],
  [
    'a payment under an id that was used before',
    ['card.approved'],
    async ({ gateway }: Means) => {
      const { merchantId } = (await gateway.pay('sale', { card: 'approved' })).order;
      return (await gateway.pay('sale', { card: 'approved', merchantId })).reply;
    },
  ],
  [
    'a 3DS method that is reported again',
    ['card.method'],
    async ({ threeDS }: Means) => {
      const waiting = await threeDS.arrangeStep('THREEDS_METHOD');
      await threeDS.reportMethod(waiting, 'Y');
      return threeDS.reportMethod(waiting, 'Y');
    },
  ],
  ['a body that is not JSON', [], ({ gateway }: Means) => gateway.send('status', { body: '{"orderMerchantId":' })],
  [
    'a transfer that says nothing',
    ['oauth'],
    async ({ transfers }: Means) => (await transfers.send({ body: () => '{}' })).reply,
  ],
  [
    'a payment with a card that nobody registered',
    ['recurring'],
    async ({ gateway }: Means) => (await gateway.pay('sale', { cardId: 'unknown-card' })).reply,
  ],
  [
    "a payment with another requestor's card",
    ['recurring', 'requestor.second'],
    async ({ gateway, recurring }: Means, requestor: PlacedOrder['requestor']) =>
      (await gateway.pay('sale', { cardId: await recurring.arrangeRegistration(), requestor })).reply,
  ],
  [
    'a request that fails inside',
    ['gateway.fault'],
    (means: Means) =>
      means.gateway.sendFailing(() => means.gateway.send('status', { body: { orderMerchantId: unusedName(means) } })),
  ],
  ['a lookup of an unlisted card', ['client', 'card.unlisted'], ({ lookups }: Means) => lookups.cardInfo('unlisted')],
] as const)
  test(
    `answers ${what} with no other status than the four documented ones`,
    rule('GW-GEN-03', { needs }),
    async ({ gateway, lookups, recurring, threeDS, transfers, target }) => {
      const means = { gateway, lookups, recurring, threeDS, transfers };
      const { status } = await send(means, target.gateway!.requestors.second!);
      expect([200, 400, 401, 500]).toContain(status);
    },
  );

for (const [by, whose, needs] of [
  ['sale', '', []],
  ['auth', '', []],
  ['accountVerification', '', []],
  ['sale', ' of another requestor', ['requestor.second']],
] as const)
  test(
    `takes a payment${whose} with 200 also when its outcome is not there yet (${by})`,
    rule('GW-GEN-03', 'GW-GEN-04', { needs: ['card.pending', ...needs] }),
    async ({ gateway, target }) => {
      const { main, second } = target.gateway!.requestors;
      const requestor = whose === '' ? main : second!;
      if (whose !== '') await seeApproved(gateway, 'sale', { requestor });
      const { reply, order } = await gateway.pay(by, { card: 'pending', requestor });
      const replies = [reply, await gateway.status(order)];
      for (const { status } of replies) {
        expect([200, 400, 401, 500], 'GW-GEN-03').toContain(status);
        expect(status, 'GW-GEN-04').toBe(200);
      }
      requireEntries(
        replies.filter(({ object }) => PENDING_STATES.includes(String(object.orderState))),
        'answers in a state that is not final',
      );
    },
  );

test(
  'moves no money by looking up a card or a rate',
  rule('GW-GEN-05', { needs: ['merchant'] }),
  async ({ lookups, target }) => {
    const untouched = await lookups.leavesBalances(async () => {
      if (target.offers.has('client')) await lookups.cardInfo('approved');
      for (const by of ['FULL_CARD_NUMBER', 'FIRST_6_LAST_4'] as const)
        if (target.offers.has('card.history')) await lookups.cardHistory('history', by);
      if (target.gateway?.wire.provider !== undefined) await lookups.exchangeRate();
    });
    expect(untouched).toBe(true);
  },
);
