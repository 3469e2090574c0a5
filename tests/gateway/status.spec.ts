import {
  type ApiReply,
  assertPromise,
  expect,
  type GatewayClient,
  type PaymentOptions,
  type PlacedOrder,
  rule,
  test,
} from '#harness';

const AMOUNTS = [1100, 1200, 1300];

/** Orders of different amounts, so that one cannot be taken for another. */
async function several(gateway: GatewayClient): Promise<PlacedOrder[]> {
  const orders: PlacedOrder[] = [];
  for (const amount of AMOUNTS) orders.push(await gateway.arrangeApproved('sale', { amount }));
  return orders;
}

function expectAmount(gateway: GatewayClient, reply: ApiReply, amount: number): void {
  expect(reply).toAnswer(200);
  const seen = gateway.transactions(reply).map((one) => one.amount);
  const actual = `transactions of ${seen.join(', ') || 'nothing'}`;
  assertPromise(seen.includes(amount), `the order of ${amount} minor units`, actual);
}

test('answers a status request with a StatusResponse', rule('GW-STS-01'), async ({ gateway }) => {
  const order = await gateway.arrangeApproved('sale');
  expect(await gateway.status(order)).toAnswer(200);
});

for (const [id, by] of [
  ['GW-STS-02', 'orderSystemId'],
  ['GW-STS-03', 'orderMerchantId'],
  ['GW-STS-04', 'byCorrelationId'],
] as const) {
  test(`finds each of several orders by ${by} alone`, rule(id), async ({ gateway }) => {
    const orders = await several(gateway);
    for (const order of orders) expectAmount(gateway, await gateway.status(order, by), order.amount);
  });
}

test(
  "takes the order's currency beside the identifier",
  rule('GW-STS-05', { needs: ['requestor.multicurrency'] }),
  async ({ gateway, target }) => {
    const order = await gateway.arrangeApproved('sale', {
      amount: 1100,
      requestor: target.gateway!.requestors.multicurrency!,
    });
    expectAmount(gateway, await gateway.status(order, 'orderSystemId', { orderCurrencyCode: order.currency }), 1100);
  },
);

test(
  'shows the state an order came to, whatever the first answer was',
  rule('GW-STS-06', { needs: ['card.pending'] }),
  async ({ gateway }) => {
    const { reply, order } = await gateway.pay('sale', { card: 'pending' });
    expect(['APPROVED', 'DECLINED', 'ERROR', 'FILTERED']).toContain(await gateway.pollUntilFinal(order, reply));
  },
);

test('shows a capture and a reversal as soon as they are done', rule('GW-STS-07'), async ({ gateway }) => {
  const order = await gateway.arrangeApproved('auth', { amount: 1000 });
  await gateway.capture(order, 1000);
  expect((await gateway.sumAfterPolling(order, 'capture')).count).toBe(1);
  await gateway.reverse(order, 400);
  expect((await gateway.sumAfterPolling(order, 'reversal')).count).toBe(1);
});

test('shows a capture and a reversal by whichever identifier it is asked', rule('GW-STS-07'), async ({ gateway }) => {
  const order = await gateway.arrangeApproved('auth', { amount: 1000 });
  await gateway.arrangeCapture(order);
  await gateway.reverse(order, 400);
  await gateway.pollWhilePending(order);
  for (const by of ['orderSystemId', 'orderMerchantId', 'byCorrelationId'] as const) {
    const reply = await gateway.status(order, by);
    const counts = [gateway.sumTransactions(reply, 'capture').count, gateway.sumTransactions(reply, 'reversal').count];
    expect(counts, by).toEqual([1, 1]);
  }
});

/** An approved sale under a given id; skips the check where that is not taken a second time. */
async function sellAgain(gateway: GatewayClient, payment: PaymentOptions): Promise<PlacedOrder> {
  const { reply, order } = await gateway.pay('sale', { card: 'approved', ...payment });
  const state = reply.status === 200 ? await gateway.pollUntilFinal(order, reply) : 'refused';
  test.skip(state !== 'APPROVED', "a caller's own id is not taken a second time, as it may be");
  return order;
}

test(
  "finds each requestor's order by an id that two have used",
  rule('GW-STS-03', { needs: ['requestor.second'] }),
  async ({ gateway, target }) => {
    const order = await gateway.arrangeApproved('sale', { amount: 1100 });
    const requestor = target.gateway!.requestors.second!;
    const other = await sellAgain(gateway, { amount: 1200, merchantId: order.merchantId, requestor });
    for (const one of [order, other]) expectAmount(gateway, await gateway.status(one, 'orderMerchantId'), one.amount);
  },
);

test(
  'tells orders of one id apart by their currency',
  rule('GW-STS-05', { needs: ['requestor.multicurrency'] }),
  async ({ gateway, target }) => {
    const requestor = target.gateway!.requestors.multicurrency!;
    const order = await gateway.arrangeApproved('sale', { amount: 1100, requestor });
    const currency = order.currency === 'USD' ? 'EUR' : 'USD';
    const other = await sellAgain(gateway, { amount: 1200, merchantId: order.merchantId, requestor, currency });
    for (const one of [order, other])
      expectAmount(
        gateway,
        await gateway.status(one, 'orderMerchantId', { orderCurrencyCode: one.currency }),
        one.amount,
      );
  },
);

test('lists the transactions of an order', rule('GW-STS-08'), async ({ gateway }) => {
  const order = await gateway.arrangeApproved('sale', { amount: 1000 });
  expect((await gateway.status(order)).list('/transactions').length).toBeGreaterThan(0);
});

test('shows no order to a request that names none', rule('GW-STS-09'), async ({ gateway }) => {
  await gateway.arrangeApproved('sale');
  const reply = await gateway.send('status', { body: {} });
  const shown = reply.status === 200 ? (reply.object.transactions ?? []) : [];
  expect(shown).toEqual([]);
  if (reply.status === 200) expect(reply.object.orderState).not.toBe('APPROVED');
});
