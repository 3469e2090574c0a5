import { probe } from './probe.ts';

type Json = Record<string, unknown>;

/** The three views of balances. */
export const balances = [
  probe('GW-BAL-01', [200, 'main'], async (wire) => {
    const came = await wire.balance();
    return [came.status, came.body?.balanceName];
  }),
  probe('GW-BAL-02', ['EUR', 'USD'], async (wire) => [
    (await wire.balance()).body.balanceCurrency,
    (await wire.balance('usd')).body.balanceCurrency,
  ]),
  probe('GW-BAL-03', 0, async (wire) => {
    const { body } = await wire.balance();
    const held = body.totalShortTermHold + body.totalRollingReserve + body.totalProcessingAmount;
    return Math.round((body.realBalance - held - body.liveBalance) * 100);
  }),
  probe('GW-BAL-04', true, async (wire) => {
    const first = await wire.balance();
    await wire.balances();
    await wire.managed();
    return (await wire.balance()).body.realBalance === first.body.realBalance;
  }),
  probe('GW-BAL-05', true, async (wire) => {
    const first = await wire.balances();
    await wire.sale('declined');
    return (await wire.balances()).text === first.text;
  }),
  probe('GW-BAL-06', [200, 'object'], async (wire) => {
    const came = await wire.balances();
    return [came.status, typeof came.body];
  }),
  probe('GW-BAL-07', 200, async (wire) => (await wire.balances()).status),
  probe('GW-BAL-08', [200, 'merchant-one'], async (wire) => {
    const came = await wire.managed();
    return [came.status, came.body?.merchantLogin];
  }),
  probe('GW-BAL-09', [200, 200, 200], async (wire) => [
    (await wire.balance()).status,
    (await wire.balances()).status,
    (await wire.managed()).status,
  ]),
  ...(
    [
      ['balanceName', 'main'],
      ['balanceCurrency', 'EUR'],
      ['realBalance', 12500.75],
      ['liveBalance', 12014.8],
      ['totalShortTermHold', 310.5],
      ['totalRollingReserve', 125.25],
      ['totalProcessingAmount', 50.2],
    ] as const
  ).map(([field, value], index) =>
    probe(`GW-BAL-${index + 10}`, value, async (wire) => (await wire.balance()).body[field]),
  ),
  probe('GW-BAL-17', 7, async (wire) => Object.keys((await wire.balance()).body).length),
  probe('GW-BAL-18', [['merchantBalances'], true], async (wire) => {
    const { body } = await wire.balances();
    return [Object.keys(body), Array.isArray(body.merchantBalances)];
  }),
  probe('GW-BAL-19', [true, true], async (wire) => {
    const entries = (await wire.balances()).body.merchantBalances as Json[];
    return entries.map((entry) => 'realBalance' in Object(entry));
  }),
  ...(
    [
      ['amount', 12500.75],
      ['onlineBalanceLiveAmount', 12014.8],
      ['totalShortTermHoldAmount', 310.5],
      ['totalRollingReserveAmount', 125.25],
      ['amountBufferHold', 40.1],
      ['merchantLogin', 'merchant-one'],
      ['externalMerchantId', 'ext-merchant-one'],
    ] as const
  ).map(([field, value], index) =>
    probe(`GW-BAL-${index + 20}`, value, async (wire) => (await wire.managed()).body[field]),
  ),
  probe('GW-BAL-27', 9, async (wire) => Object.keys((await wire.managed()).body).length),
];
