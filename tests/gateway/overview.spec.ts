import { expect, FINAL_STATES, rule, test } from '#harness';

const PLACEHOLDERS = [
  'overviewPayments',
  'overviewThreeDS',
  'overviewBalance',
  'overviewCardInfo',
  'overviewExchangeRate',
];

for (const operation of PLACEHOLDERS) {
  test(`answers ${operation} with 200`, rule('GW-OVW-01'), async ({ gateway }) => {
    // With a token of somebody's, or of nobody's, too: none is needed, and none is in the way.
    for (const token of [null, gateway.requestor.token, 'no-token-of-anybody'])
      expect(await gateway.send(operation, { token })).toAnswer(200);
  });

  test(`asks for no authorization at ${operation}`, rule('GW-OVW-02'), async ({ gateway }) => {
    expect([400, 401, 403]).not.toContain((await gateway.send(operation, { token: null })).status);
  });
}

test(
  'does nothing to the balances when placeholders are asked for',
  rule('GW-OVW-03'),
  async ({ gateway, lookups }) => {
    const untouched = await lookups.leavesBalances(async () => {
      for (const operation of PLACEHOLDERS) await gateway.send(operation);
    });
    expect(untouched).toBe(true);
  },
);

test(
  'leaves an order waiting for 3-D Secure when placeholders are asked for',
  rule('GW-OVW-03', { needs: ['card.challenge'] }),
  async ({ gateway, threeDS }) => {
    const { order } = await threeDS.arrangeStep('CREQ');
    for (const operation of PLACEHOLDERS) await gateway.send(operation);
    expect(FINAL_STATES).not.toContain((await gateway.status(order)).object.orderState);
  },
);

test('leaves an order as it is when placeholders are asked for', rule('GW-OVW-03'), async ({ gateway }) => {
  const order = await gateway.arrangeApproved('auth', { amount: 1000 });
  const view = async () => {
    const shown = await gateway.pollWhilePending(order);
    const kinds = ['authorization', 'capture', 'reversal'] as const;
    return [shown.object.orderState, ...kinds.map((kind) => gateway.sumTransactions(shown, kind).sum)];
  };
  const before = await view();
  for (const operation of PLACEHOLDERS) await gateway.send(operation);
  expect(await view()).toEqual(before);
});
