import { probe } from './probe.ts';
import type { Wire } from './wire.ts';

type Json = Record<string, unknown>;

const info = (wire: Wire, cardNumber: unknown = '5555444433331111') =>
  wire.post(
    `/card-info/get-card-info/${wire.credentials.client.id}`,
    { cardNumber },
    { token: wire.credentials.client.token },
  );

const rate = (wire: Wire, more: Json = {}) =>
  wire.post('/exchange-rate/get-exchange-rate/1001', {
    exchangeProvider: 'ECB',
    exchangeCurrencyCodeFrom: 'EUR',
    exchangeCurrencyCodeTo: 'USD',
    ...more,
  });

const history = (wire: Wire, more: Json = {}) =>
  wire.post('/card-info/get-card-history/1001', {
    cardHistorySourceType: 'FULL_CARD_NUMBER',
    cardNumber: '5555444433331111',
    cardFirstDigits: '',
    cardLastDigits: '',
    expireMonth: '10',
    expireYear: '2030',
    orderMerchantId: 'history-1',
    ...more,
  });

const ends = (wire: Wire, cardFirstDigits: string, cardLastDigits: string) =>
  history(wire, { cardHistorySourceType: 'FIRST_6_LAST_4', cardNumber: '', cardFirstDigits, cardLastDigits });

const SIDES = ['deposits', 'withdrawals'] as const;
const has = (name: string, type: string) => async (wire: Wire) => {
  const { body } = await history(wire);
  return SIDES.map((side) => typeof body[side + name] === type);
};
const refused = (more: Json) => async (wire: Wire) => (await history(wire, more)).status;

/** Card info, card history and exchange rate. */
export const lookups = [
  probe('GW-GEN-05', 0, async (wire) => {
    const before = (await wire.balance()).body.realBalance;
    for (const look of [info, rate, history]) await look(wire);
    return (await wire.balance()).body.realBalance - before;
  }),
  probe('GW-INF-01', [200, 'FOUND'], async (wire) => {
    const came = await info(wire);
    return [came.status, came.body?.result];
  }),
  probe('GW-INF-02', 'FOUND', async (wire) => (await info(wire)).body.result),
  probe('GW-INF-03', ['NOT_FOUND_01', 'NOT_FOUND_02'], async (wire) => [
    (await info(wire, '6700000000000018')).body.result,
    (await info(wire, '6711000000000015')).body.result,
  ]),
  probe('GW-INF-05', 200, async (wire) => (await info(wire)).status),
  probe('GW-INF-06', ['FOUND', 'NOT_FOUND_01'], async (wire) => [
    (await info(wire)).body.result,
    (await info(wire, '6700000000000018')).body.result,
  ]),
  probe('GW-INF-07', 'string', async (wire) => typeof (await info(wire)).body.cardIssuerName),
  probe('GW-INF-08', true, async (wire) => /^[A-Z]{2}$/.test((await info(wire)).body.cardIssuerCountryCode)),
  probe('GW-INF-09', true, async (wire) => /^[A-Z]{3}$/.test((await info(wire)).body.cardCurrencyCode)),
  probe('GW-INF-10', ['result', 'cardIssuerName', 'cardIssuerCountryCode', 'cardCurrencyCode'], async (wire) =>
    Object.keys((await info(wire)).body),
  ),
  probe('GW-RAT-01', [200, 'object'], async (wire) => {
    const came = await rate(wire);
    return [came.status, typeof came.body];
  }),
  probe('GW-RAT-03', [400, 400, 400], async (wire) => [
    (await rate(wire, { exchangeProvider: undefined })).status,
    (await rate(wire, { exchangeCurrencyCodeFrom: undefined })).status,
    (await rate(wire, { exchangeCurrencyCodeTo: undefined })).status,
  ]),
  probe('GW-RAT-04', [400, 400, 400, 400], async (wire) => {
    const statuses = [];
    for (const code of ['US', 'USDT', '840'])
      statuses.push((await rate(wire, { exchangeCurrencyCodeFrom: code })).status);
    return [...statuses, (await rate(wire, { exchangeCurrencyCodeTo: 'Dollar' })).status];
  }),
  probe('GW-RAT-05', 1.0692, async (wire) => (await rate(wire)).body.exchangeLowRate),
  probe('GW-RAT-06', 1.0908, async (wire) => (await rate(wire)).body.exchangeHighRate),
  probe('GW-RAT-07', ['exchangeLowRate', 'exchangeHighRate'], async (wire) => Object.keys((await rate(wire)).body)),
  probe('GW-HIS-01', [200, 'object'], async (wire) => {
    const came = await history(wire);
    return [came.status, typeof came.body];
  }),
  probe('GW-HIS-02', [200, true], async (wire) => {
    const came = await history(wire);
    return [came.status, came.body?.depositsFound];
  }),
  probe('GW-HIS-03', [200, true], async (wire) => {
    const came = await ends(wire, '555544', '1111');
    return [came.status, came.body?.depositsFound];
  }),
  probe('GW-HIS-04', [true, true, false, false], async (wire) => {
    const none = await history(wire, { cardNumber: '4444444411111111' });
    return [(await history(wire)).body, none.body].flatMap((body) => SIDES.map((side) => body[`${side}Found`]));
  }),
  probe('GW-HIS-05', [true, true], has('Days', 'number')),
  probe('GW-HIS-06', [true, true], async (wire) => {
    const { body } = await history(wire);
    return SIDES.map((side) => body[`${side}Score`] >= 0 && body[`${side}Score`] <= 1);
  }),
  probe('GW-HIS-07', [true, true], has('SeveralSources', 'boolean')),
  probe('GW-HIS-08', 'UNKNOWN', async (wire) => {
    await history(wire);
    return (await wire.post('/payments/status/1001', { orderMerchantId: 'history-1' })).body.orderState.replace(
      'PROCESSING',
      'there',
    );
  }),
  probe('GW-HIS-10', 400, refused({ cardHistorySourceType: 'LAST_4' })),
  probe('GW-HIS-11', 400, refused({ cardNumber: '' })),
  probe('GW-HIS-12', [400, 400, 400, 200], async (wire) => {
    const statuses = [];
    for (const first of ['55554', '5555444', '', '555544']) statuses.push((await ends(wire, first, '1111')).status);
    return statuses;
  }),
  probe('GW-HIS-13', [400, 400, 400, 200], async (wire) => {
    const statuses = [];
    for (const last of ['111', '11111', '', '1111']) statuses.push((await ends(wire, '555544', last)).status);
    return statuses;
  }),
  probe('GW-HIS-14', 400, refused({ expireMonth: undefined })),
  probe('GW-HIS-15', 400, refused({ expireYear: undefined })),
  probe('GW-HIS-16', 400, refused({ orderMerchantId: undefined })),
  probe('GW-HIS-17', true, async (wire) => (await history(wire)).body.depositsHighRoller),
];
