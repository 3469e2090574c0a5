import {
  type ApiReply,
  assertPromise,
  expect,
  type MerchantLookups,
  requireSeen,
  requireTargetLine,
  rule,
  type Target,
  test,
  twice,
} from '#harness';
import { expectNoFailure } from './support/other-requestors.ts';

test('answers a rate lookup with both rates', rule('GW-RAT-01', 'GW-RAT-07'), async ({ lookups, target }) => {
  expect(await lookups.exchangeRate(), 'GW-RAT-01').toAnswer(200);
  // Whether a provider has rates for the way back is not said; the answer that it gives is held against its schema.
  const { from, to } = requireTargetLine(target.gateway?.wire.provider, 'gateway.wire.provider');
  await lookups.exchangeRate({ exchangeCurrencyCodeFrom: to, exchangeCurrencyCodeTo: from });
  await expectNoFailure('GW-RAT-01', target, (requestor) => lookups.exchangeRate({}, requestor));
});

test(
  'writes rates as figures, whatever language the caller speaks',
  rule('GW-RAT-05', 'GW-RAT-06'),
  async ({ gateway, target }) => {
    const { name, from, to } = requireTargetLine(target.gateway?.wire.provider, 'gateway.wire.provider');
    const body = { exchangeProvider: name, exchangeCurrencyCodeFrom: from, exchangeCurrencyCodeTo: to };
    const { object } = await gateway.send('getExchangeRate', { body, headers: { 'accept-language': 'de-DE, de' } });
    for (const [id, field] of [
      ['GW-RAT-05', 'exchangeLowRate'],
      ['GW-RAT-06', 'exchangeHighRate'],
    ] as const)
      expect(Number(requireSeen(object[field] ?? undefined, field)), id).not.toBeNaN();
  },
);

test('buys at the low rate and sells at the high one', rule('GW-RAT-05', 'GW-RAT-06'), async ({ lookups, target }) => {
  const { from, to } = requireTargetLine(target.gateway?.wire.provider, 'gateway.wire.provider');
  const inverse = await lookups.exchangeRate({ exchangeCurrencyCodeFrom: to, exchangeCurrencyCodeTo: from });
  // Whether a provider has rates for the way back is not said.
  for (const reply of [await lookups.exchangeRate(), ...(inverse.status === 200 ? [inverse] : [])]) {
    const { exchangeLowRate, exchangeHighRate } = reply.object;
    const low = Number(requireSeen(exchangeLowRate, 'the exchangeLowRate'));
    const high = Number(requireSeen(exchangeHighRate, 'the exchangeHighRate'));
    if (Number.isNaN(low) || Number.isNaN(high)) return; // charged by the schema
    assertPromise(low <= high, 'a buying rate that is not above the selling rate', `${low} and ${high}`);
    // Nobody buys for nothing; but there may be no way back, and that may be said so.
    if (reply !== inverse) assertPromise(low > 0, 'a buying rate above zero', String(low), 'GW-RAT-05');
  }
});

for (const missing of ['exchangeProvider', 'exchangeCurrencyCodeFrom', 'exchangeCurrencyCodeTo'] as const) {
  test(`refuses a rate lookup without ${missing}`, rule('GW-RAT-03'), async ({ lookups }) => {
    (await lookups.exchangeRate()).requireStatus(200);
    await twice(async () => expect(await lookups.exchangeRate({ [missing]: undefined })).toBeError(400));
  });
}

for (const side of ['exchangeCurrencyCodeFrom', 'exchangeCurrencyCodeTo'] as const) {
  for (const [name, codes] of [
    ['two letters, one or none', ['EU', 'E', '']],
    ['four letters or five', ['EURO', 'EUROS']],
    ['digits or a sign', ['978', 'EU1', 'EU-']],
  ] as const) {
    test(`refuses a rate lookup whose ${side} has ${name}`, rule('GW-RAT-04'), async ({ lookups }) => {
      (await lookups.exchangeRate()).requireStatus(200);
      for (const code of codes)
        await twice(async () => expect(await lookups.exchangeRate({ [side]: code }), code).toBeError(400));
    });
  }
}

/** What the second requestor is told of the target's rate. Where it looks none up, the check ends here. */
async function lookUpForSecond(lookups: MerchantLookups, target: Target): Promise<ApiReply> {
  const reply = await lookups.exchangeRate({}, target.gateway!.requestors.second!);
  test.skip(reply.status !== 200, 'the second requestor looks no rate up');
  return reply;
}

test(
  'answers another requestor with both rates',
  rule('GW-RAT-07', { needs: ['requestor.second'] }),
  async ({ lookups, target }) => {
    const { object } = await lookUpForSecond(lookups, target);
    for (const name of ['exchangeLowRate', 'exchangeHighRate']) expect(object[name] ?? undefined, name).toBeDefined();
  },
);

test(
  'buys from another requestor at the low rate and sells at the high one',
  rule('GW-RAT-05', 'GW-RAT-06', { needs: ['requestor.second'] }),
  async ({ lookups, target }) => {
    const { exchangeLowRate, exchangeHighRate } = (await lookUpForSecond(lookups, target)).object;
    const low = Number(requireSeen(exchangeLowRate, 'the exchangeLowRate'));
    const high = Number(requireSeen(exchangeHighRate, 'the exchangeHighRate'));
    if (Number.isNaN(low) || Number.isNaN(high)) return; // charged by the schema
    assertPromise(low <= high, 'a buying rate that is not above the selling rate', `${low} and ${high}`);
  },
);

test(
  'refuses rate lookups of another requestor that are not as they must be',
  rule('GW-RAT-03', 'GW-RAT-04', { needs: ['requestor.second'] }),
  async ({ lookups, target }) => {
    const look = (changes: Readonly<Record<string, unknown>>) =>
      lookups.exchangeRate(changes, target.gateway!.requestors.second!);
    await lookUpForSecond(lookups, target);
    for (const missing of ['exchangeProvider', 'exchangeCurrencyCodeFrom', 'exchangeCurrencyCodeTo'])
      expect(await look({ [missing]: undefined }), 'GW-RAT-03').toBeError(400);
    for (const side of ['exchangeCurrencyCodeFrom', 'exchangeCurrencyCodeTo'])
      expect(await look({ [side]: 'EURO' }), 'GW-RAT-04').toBeError(400);
  },
);
