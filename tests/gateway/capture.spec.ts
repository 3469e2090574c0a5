import { expect, rule, test } from '#harness';

test('answers a capture with a StatusResponse', rule('GW-CAP-01'), async ({ gateway }) => {
  const order = await gateway.arrangeApproved('auth', { amount: 1000 });
  expect(await gateway.capture(order, 1000)).toAnswer(200);
});

test('charges what was authorized', rule('GW-CAP-02'), async ({ gateway }) => {
  const order = await gateway.arrangeApproved('auth', { amount: 1000 });
  await gateway.capture(order, 1000);
  expect(await gateway.sumAfterPolling(order, 'capture')).toEqual({ count: 1, sum: 1000 });
});

test('captures everything when no amount is given', rule('GW-CAP-03'), async ({ gateway }) => {
  const order = await gateway.arrangeApproved('auth', { amount: 1234 });
  await gateway.capture(order);
  expect(await gateway.sumAfterPolling(order, 'capture')).toEqual({ count: 1, sum: 1234 });
});

test('captures a part of the authorized amount', rule('GW-CAP-04'), async ({ gateway }) => {
  const order = await gateway.arrangeApproved('auth', { amount: 1000 });
  await gateway.capture(order, 400);
  expect(await gateway.sumAfterPolling(order, 'capture')).toEqual({ count: 1, sum: 400 });
});

test('does not capture one minor unit more than was authorized', rule('GW-CAP-05'), async ({ gateway }) => {
  const order = await gateway.arrangeApproved('auth', { amount: 1000 });
  await gateway.capture(order, 1001);
  expect((await gateway.sumAfterPolling(order, 'capture')).sum).toBeLessThanOrEqual(1000);
});

test('does not capture twice what was authorized', rule('GW-CAP-05'), async ({ gateway }) => {
  const order = await gateway.arrangeApproved('auth', { amount: 1000 });
  await gateway.capture(order, 2000);
  expect((await gateway.sumAfterPolling(order, 'capture')).sum).toBeLessThanOrEqual(1000);
});

test('finds the order by its system id alone', rule('GW-CAP-06'), async ({ gateway }) => {
  const order = await gateway.arrangeApproved('auth', { amount: 1000 });
  await gateway.capture(order, 1000);
  expect(await gateway.sumAfterPolling(order, 'capture')).toEqual({ count: 1, sum: 1000 });
});

test("finds the order by the caller's own id alone", rule('GW-CAP-07'), async ({ gateway }) => {
  const order = await gateway.arrangeApproved('auth', { amount: 1000 });
  await gateway.arrangeApproved('auth', { amount: 1000 });
  await gateway.capture(order, 1000, { orderSystemId: undefined, orderMerchantId: order.merchantId });
  expect(await gateway.sumAfterPolling(order, 'capture')).toEqual({ count: 1, sum: 1000 });
});

test('captures nothing where no order is named', rule('GW-CAP-09'), async ({ gateway }) => {
  const order = await gateway.arrangeApproved('auth', { amount: 1000 });
  const unnamed = { orderSystemId: undefined, orderMerchantId: undefined };
  await gateway.send('capture', { body: { ...gateway.orderBody(order, 'capture'), ...unnamed } });
  expect(await gateway.sumAfterPolling(order, 'capture')).toEqual({ count: 0, sum: 0 });
});

test(
  'declines a capture after the authorization has lapsed',
  rule('GW-CAP-08', { needs: ['clock'] }),
  async ({ gateway }) => {
    const order = await gateway.arrangeApproved('auth', { amount: 1000 });
    await gateway.passDays(60);
    const reply = await gateway.capture(order, 1000);
    expect(reply).toAnswer(200);
    expect(['ERROR', 'FILTERED']).not.toContain(reply.object.orderState);
    expect(await gateway.sumAfterPolling(order, 'capture')).toEqual({ count: 0, sum: 0 });
  },
);
