import { assertPromise, expect, rule, test } from '#harness';

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

test(
  'takes a payment with 200 also when its outcome is not there yet',
  rule('GW-GEN-03', 'GW-GEN-04', { needs: ['card.pending'] }),
  async ({ gateway }) => {
    const { reply, order } = await gateway.pay('sale', { card: 'pending' });
    for (const { status } of [reply, await gateway.status(order)]) {
      expect([200, 400, 401, 500], 'GW-GEN-03').toContain(status);
      expect(status, 'GW-GEN-04').toBe(200);
    }
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
