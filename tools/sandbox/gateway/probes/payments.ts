import { probe, shape, state, types } from './probe.ts';

const FORM_AND_CARD = { paymentMethod: 'CARD' };
const JSON_TYPE = 'application/json';
const answers = [200, JSON_TYPE, 'string'];

/** Sale, authorization, capture, reversal and verification. */
export const payments = [
  probe('GW-GEN-02', [JSON_TYPE, 'object', 'object', 'object', JSON_TYPE, JSON_TYPE], async (wire) => {
    const sale = await wire.sale();
    const rate = await wire.post('/exchange-rate/get-exchange-rate/1001', {
      exchangeProvider: 'ECB',
      exchangeCurrencyCodeFrom: 'EUR',
      exchangeCurrencyCodeTo: 'USD',
    });
    const status = await wire.status(sale);
    const balance = await wire.balance();
    const verification = await wire.verify();
    const media = (type: string | undefined) => type?.split(';')[0];
    return [
      media(verification.type),
      typeof verification.body,
      typeof status.body,
      typeof balance.body,
      media(rate.type),
      media(status.type),
    ];
  }),
  probe('GW-GEN-03', [200, 200, 200, 400], async (wire) => {
    const auth = await wire.auth();
    const info = await wire.post(
      '/card-info/get-card-info/client-one',
      { cardNumber: '5555444433331111' },
      {
        token: wire.credentials.client.token,
      },
    );
    const broken = await wire.post('/payments/sale/1001', {});
    const pending = await wire.sale('pending');
    return [(await wire.capture(auth)).status, info.status, pending.status, broken.status];
  }),
  probe(
    'GW-GEN-04',
    [
      [200, 'PROCESSING'],
      [200, 'PROCESSING'],
    ],
    async (wire) => {
      const sale = await wire.sale('pending');
      const poll = await wire.post('/payments/status/1001', { orderMerchantId: 'own-1' });
      return [state(sale), state(poll)];
    },
  ),
  probe('GW-SAL-01', answers, async (wire) => shape(await wire.sale())),
  probe('GW-SAL-02', [200, 'APPROVED', ['SALE', 'REVERSAL']], async (wire) => {
    const refund = await wire.reverse(await wire.sale(), '4.00');
    return [...state(refund), types(refund)];
  }),
  probe('GW-SAL-03', [200, 'APPROVED'], async (wire) => state(await wire.sale('approved', FORM_AND_CARD))),
  probe('GW-SAL-04', [true, true], async (wire) => {
    const { body } = await wire.sale('challenge');
    return [typeof body.threeDSAuth === 'object', typeof (body.outputHtml ?? body.outputRedirectToUrl) === 'string'];
  }),
  probe('GW-SAL-05', 400, async (wire) => (await wire.sale('approved', { order: undefined })).status),
  probe('GW-SAL-06', 400, async (wire) => (await wire.sale('approved', { browser: undefined })).status),
  probe('GW-ATH-01', answers, async (wire) => shape(await wire.auth())),
  probe('GW-ATH-02', 0, async (wire) => {
    const before = (await wire.balance()).body.realBalance;
    await wire.auth();
    return (await wire.balance()).body.realBalance - before;
  }),
  probe('GW-ATH-03', ['APPROVED', 'DECLINED'], async (wire) => {
    const [early, late] = [await wire.auth(), await wire.auth()];
    await wire.advance(6 * 86_400);
    const kept = await wire.capture(early);
    await wire.advance(3 * 86_400);
    return [kept.body.orderState, (await wire.capture(late)).body.orderState];
  }),
  probe('GW-ATH-04', ['APPROVED', 'DECLINED'], async (wire) => {
    const [early, late] = [await wire.auth('credit'), await wire.auth('credit')];
    await wire.advance(26 * 86_400);
    const kept = await wire.capture(early);
    await wire.advance(5 * 86_400);
    return [kept.body.orderState, (await wire.capture(late)).body.orderState];
  }),
  probe('GW-CAP-01', answers, async (wire) => shape(await wire.capture(await wire.auth()))),
  probe('GW-CAP-02', ['APPROVED', '10.00', 'APPROVED'], async (wire) => {
    const auth = await wire.auth();
    const capture = await wire.capture(auth);
    const refund = await wire.reverse(auth, '10.00');
    return [capture.body.orderState, capture.body.transactions[1]?.amount, refund.body.orderState];
  }),
  probe('GW-CAP-03', [200, '10.00'], async (wire) => {
    const capture = await wire.capture(await wire.auth());
    return [capture.status, capture.body.transactions[1]?.amount];
  }),
  probe('GW-CAP-04', ['APPROVED', '3.50'], async (wire) => {
    const { body } = await wire.capture(await wire.auth(), { captureAmount: '3.5' });
    return [body.orderState, body.transactions[1]?.amount];
  }),
  probe('GW-CAP-05', [['AUTH'], ['AUTH'], ['AUTH', 'CAPTURE']], async (wire) => {
    const auth = await wire.auth();
    await wire.capture(auth, { captureAmount: '99' });
    const far = types(await wire.status(auth));
    await wire.capture(auth, { captureAmount: '10.01' });
    const near = types(await wire.status(auth));
    await wire.capture(auth, { captureAmount: 10 });
    return [far, near, types(await wire.status(auth))];
  }),
  probe('GW-CAP-06', 'APPROVED', async (wire) => (await wire.capture(await wire.auth())).body.orderState),
  probe('GW-CAP-07', 'APPROVED', async (wire) => {
    await wire.auth('approved', { orderMerchantId: 'beside-7' });
    return (await wire.post('/payments/capture/1001', { orderMerchantId: 'beside-7' })).body.orderState;
  }),
  probe('GW-CAP-08', [200, 'DECLINED', ['AUTH']], async (wire) => {
    const auth = await wire.auth();
    await wire.advance(8 * 86_400);
    const capture = await wire.capture(auth);
    return [...state(capture), types(await wire.status(auth))];
  }),
  probe('GW-REV-01', answers, async (wire) => shape(await wire.reverse(await wire.sale()))),
  probe('GW-REV-02', ['APPROVED', 'VOID', 'DECLINED'], async (wire) => {
    const auth = await wire.auth();
    const { body } = await wire.reverse(auth);
    return [body.orderState, body.transactions[1]?.reversalType, (await wire.capture(auth)).body.orderState];
  }),
  probe('GW-REV-03', ['APPROVED', 'REFUND'], async (wire) => {
    const auth = await wire.auth();
    await wire.capture(auth);
    const { body } = await wire.reverse(auth, '10.00');
    return [body.orderState, body.transactions[2]?.reversalType];
  }),
  probe('GW-REV-04', [200, '10.00'], async (wire) => {
    const { status, body } = await wire.reverse(await wire.sale());
    return [status, body.transactions?.[1]?.amount];
  }),
  probe('GW-REV-05', ['APPROVED', 'APPROVED', 'APPROVED'], async (wire) => {
    const sale = await wire.sale();
    const states = [];
    for (const amount of ['3', '3.00', '4']) states.push((await wire.reverse(sale, amount)).body.orderState);
    return states;
  }),
  probe(
    'GW-REV-06',
    [
      ['SALE', 'REVERSAL'],
      ['SALE', 'REVERSAL'],
      ['SALE', 'REVERSAL'],
    ],
    async (wire) => {
      const sale = await wire.sale();
      const seen = [];
      for (const amount of ['6', '4.01', '6']) {
        await wire.reverse(sale, amount);
        seen.push(types(await wire.status(sale)));
      }
      return seen;
    },
  ),
  probe('GW-REV-07', 'APPROVED', async (wire) => {
    const sale = await wire.sale();
    await wire.reverse(sale);
    return (await wire.status(sale)).body.orderState;
  }),
  probe('GW-REV-08', ['SALE'], async (wire) => {
    const sale = await wire.sale();
    await wire.post('/payments/reversal/1001', { orderMerchantId: 'own-1', reversalReason: 'changed mind' });
    return types(await wire.status(sale));
  }),
  probe('GW-REV-09', ['SALE'], async (wire) => {
    const sale = await wire.sale();
    await wire.post('/payments/reversal/1001', { orderSystemId: sale.body.orderSystemId });
    return types(await wire.status(sale));
  }),
  probe('GW-VER-01', answers, async (wire) => shape(await wire.verify())),
  probe('GW-VER-02', [200, 'APPROVED'], async (wire) => state(await wire.verify())),
  probe('GW-VER-03', [200, 'DECLINED'], async (wire) => state(await wire.verify('declined'))),
  probe('GW-VER-04', 0, async (wire) => {
    const before = (await wire.balance()).body.realBalance;
    await wire.verify();
    return (await wire.balance()).body.realBalance - before;
  }),
  probe('GW-VER-05', ['ACCOUNT_VERIFICATION'], async (wire) => {
    const order = await wire.verify();
    await wire.capture(order);
    return types(await wire.status(order));
  }),
  probe('GW-VER-06', ['PROCESSING', 'CREQ'], async (wire) => {
    const { body } = await wire.verify('challenge');
    return [body.orderState, body.threeDSAuth?.threeDSAuthStep];
  }),
  probe('GW-VER-07', [400, 400], async (wire) => [
    (await wire.verify('approved', { order: undefined })).status,
    (await wire.verify('approved', { browser: undefined })).status,
  ]),
  probe('GW-VER-08', 'APPROVED', async (wire) => (await wire.verify('approved', FORM_AND_CARD)).body.orderState),
];
