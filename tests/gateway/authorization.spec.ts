import { expect, rule, test } from '#harness';

test('answers an authorization with a StatusResponse', rule('GW-ATH-01'), async ({ gateway }) => {
  const { reply } = await gateway.pay('auth', { card: 'approved' });
  expect(reply).toAnswer(200);
});

test('blocks the amount and charges nothing', rule('GW-ATH-02'), async ({ gateway, lookups, target }) => {
  const order = await gateway.arrangeApproved('auth', { amount: 1000 });
  expect(await gateway.sumAfterPolling(order, 'capture')).toEqual({ count: 0, sum: 0 });
  expect(await gateway.sumAfterPolling(order, 'sale')).toEqual({ count: 0, sum: 0 });
  if (target.offers.has('merchant'))
    expect(await lookups.growsBalance(() => gateway.arrangeApproved('auth', { amount: 1000 }))).toBe(false);
});

for (const [id, kind, card, days, lapsed] of [
  ['GW-ATH-03', 'debit', 'debit', 5, 10],
  ['GW-ATH-04', 'credit', 'credit', 20, 40],
] as const) {
  test(`still captures on a ${kind} card after ${days} days`, rule(id, { needs: ['clock'] }), async ({ gateway }) => {
    const order = await gateway.arrangeApproved('auth', { amount: 1000, card });
    await gateway.passDays(days);
    await gateway.capture(order, 1000);
    expect(await gateway.sumAfterPolling(order, 'capture')).toEqual({ count: 1, sum: 1000 });
  });

  test(
    `no longer captures on a ${kind} card after ${lapsed} days`,
    rule(id, { needs: ['clock'] }),
    async ({ gateway }) => {
      const order = await gateway.arrangeApproved('auth', { amount: 1000, card });
      await gateway.passDays(lapsed);
      await gateway.capture(order, 1000);
      expect(await gateway.sumAfterPolling(order, 'capture')).toEqual({ count: 0, sum: 0 });
    },
  );
}
