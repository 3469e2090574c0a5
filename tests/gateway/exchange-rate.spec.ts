import { assertPromise, expect, requireSeen, rule, test } from '#harness';

test('answers a rate lookup with both rates', rule('GW-RAT-01', 'GW-RAT-07'), async ({ lookups }) => {
  expect(await lookups.exchangeRate(), 'GW-RAT-01').toAnswer(200);
});

test('buys at the low rate and sells at the high one', rule('GW-RAT-05', 'GW-RAT-06'), async ({ lookups }) => {
  const { exchangeLowRate, exchangeHighRate } = (await lookups.exchangeRate()).object;
  const low = Number(requireSeen(exchangeLowRate, 'the exchangeLowRate'));
  const high = Number(requireSeen(exchangeHighRate, 'the exchangeHighRate'));
  if (Number.isNaN(low) || Number.isNaN(high)) return; // charged by the schema
  assertPromise(low <= high, 'a buying rate that is not above the selling rate', `${low} and ${high}`);
});

for (const missing of ['exchangeProvider', 'exchangeCurrencyCodeFrom', 'exchangeCurrencyCodeTo'] as const) {
  test(`refuses a rate lookup without ${missing}`, rule('GW-RAT-03'), async ({ lookups }) => {
    expect(await lookups.exchangeRate({ [missing]: undefined })).toBeError(400);
  });
}

for (const side of ['exchangeCurrencyCodeFrom', 'exchangeCurrencyCodeTo'] as const) {
  for (const [name, code] of [
    ['two letters', 'EU'],
    ['four letters', 'EURO'],
    ['three digits', '978'],
  ] as const) {
    test(`refuses a rate lookup whose ${side} has ${name}`, rule('GW-RAT-04'), async ({ lookups }) => {
      expect(await lookups.exchangeRate({ [side]: code })).toBeError(400);
    });
  }
}
