import { probe, shape, state, types } from './probe.ts';
import type { Wire } from './wire.ts';

const FORM_AND_CARD = { paymentMethod: 'CARD' };
const JSON_TYPE = 'application/json';
const answers = [200, JSON_TYPE, 'string'];

/** Sale, authorization, capture, reversal, verification, status and states. */
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
  probe('GW-STS-01', answers, async (wire) => shape(await wire.status(await wire.sale()))),
  probe('GW-STS-02', true, async (wire) => {
    const sales = [await wire.sale(), await wire.sale(), await wire.sale()];
    const found = await wire.post('/payments/status/1001', { orderSystemId: sales[1]!.body.orderSystemId });
    return found.body.orderSystemId === sales[1]!.body.orderSystemId;
  }),
  probe('GW-STS-03', true, async (wire) => {
    const sale = await wire.sale('approved', { orderMerchantId: 'mine' });
    await wire.sale('approved', { orderMerchantId: 'other' });
    const found = await wire.post('/payments/status/1001', { orderMerchantId: 'mine' });
    return found.body.orderSystemId === sale.body.orderSystemId;
  }),
  probe('GW-STS-04', true, async (wire) => {
    await wire.sale();
    const sale = await wire.sale();
    const found = await wire.post('/payments/status/1001', { byCorrelationId: sale.body.correlationId });
    return found.body.orderSystemId === sale.body.orderSystemId;
  }),
  probe('GW-STS-05', [200, 'APPROVED'], async (wire) =>
    state(await wire.status(await wire.sale(), { orderCurrencyCode: 'EUR' })),
  ),
  probe('GW-STS-06', ['PROCESSING', 'APPROVED'], async (wire) => {
    const sale = await wire.sale('pending');
    await wire.advance(5);
    return [sale.body.orderState, (await wire.status(sale)).body.orderState];
  }),
  probe(
    'GW-STS-07',
    [
      ['AUTH', 'CAPTURE'],
      ['AUTH', 'CAPTURE', 'REVERSAL'],
    ],
    async (wire) => {
      const auth = await wire.auth();
      await wire.capture(auth);
      const captured = types(await wire.status(auth));
      await wire.reverse(auth, '1');
      return [captured, types(await wire.status(auth))];
    },
  ),
  probe('GW-STS-08', ['SALE'], async (wire) => types(await wire.status(await wire.sale()))),
  probe('GW-STR-01', ['AUTH', 'CAPTURE'], async (wire) => {
    const auth = await wire.auth();
    await wire.capture(auth);
    return types(await wire.status(auth));
  }),
  probe('GW-STR-02', ['APPROVED', 'APPROVED', 'APPROVED', 'APPROVED'], async (wire) => {
    const auth = await wire.auth();
    const all = [await wire.capture(auth), await wire.reverse(auth), await wire.verify(), await wire.status(auth)];
    return all.map(({ body }) => body?.orderState);
  }),
  probe('GW-STR-03', [true, true], async (wire) => {
    const auth = await wire.auth();
    const capture = await wire.capture(auth);
    return [Array.isArray(auth.body.transactions), Array.isArray(capture.body.transactions)];
  }),
  probe('GW-STR-04', 'string', async (wire) => typeof (await wire.form('auth')).body.outputHtml),
  probe('GW-STR-05', true, async (wire) => {
    const { outputRedirectToUrl } = (await wire.form('sale')).body;
    return typeof outputRedirectToUrl === 'string' && URL.canParse(outputRedirectToUrl);
  }),
  probe('GW-STR-06', ['string', 'string', 'string'], async (wire) => {
    const auth = await wire.auth();
    const all = [await wire.sale(), await wire.status(auth), await wire.capture(auth)];
    return all.map(({ body }) => typeof body.orderState);
  }),
  probe(
    'GW-STA-01',
    [
      [200, 'DECLINED'],
      [200, 'DECLINED'],
    ],
    async (wire) => [state(await wire.sale('declined')), state(await wire.auth('declined'))],
  ),
  probe('GW-STA-02', [200, 'ERROR'], async (wire) => state(await wire.sale('error'))),
  probe('GW-STA-03', [200, 'FILTERED'], async (wire) => state(await wire.sale('filtered'))),
  ...(['approved', 'declined', 'error', 'filtered'] as const).map((card, index) =>
    probe(`GW-STA-0${index + 4}`, Array(4).fill(card.toUpperCase()), async (wire) => {
      const sale = await wire.sale(card);
      const seen = [];
      for (let poll = 0; poll < 4; poll += 1) seen.push((await wire.status(sale)).body.orderState);
      return seen;
    }),
  ),
  ...(['pending', 'unknown', 'chain'] as const).map((card, index) =>
    probe(
      `GW-STA-${String(index + 8).padStart(2, '0')}`,
      [['PROCESSING', 'UNKNOWN', 'CHAIN_STEP'][index], 'APPROVED'],
      async (wire) => {
        const sale = await wire.sale(card);
        await wire.advance(30);
        return [sale.body.orderState, (await wire.status(sale)).body.orderState];
      },
    ),
  ),
  probe('GW-STA-11', ['APPROVED', 'APPROVED', 'APPROVED'], async (wire) => {
    const auth = await wire.auth();
    const all = [await wire.sale(), await wire.status(auth), await wire.capture(auth)];
    return all.map(({ body }) => body.orderState);
  }),
  probe('GW-REC-01', [200, 'APPROVED'], async (wire) => {
    const sale = await wire.sale();
    const { cardId } = (await wire.post('/recurring/register-cards/1001', { orderSystemId: sale.body.orderSystemId }))
      .body;
    return state(await wire.sale('approved', { card: undefined, paymentMethod: 'CARD_ID', cardId }));
  }),
  probe('GW-REC-02', false, async (wire) => {
    const sale = await wire.sale();
    const { cardId } = (await wire.post('/recurring/register-cards/1001', { orderSystemId: sale.body.orderSystemId }))
      .body;
    const body = wire.paying('approved', { card: undefined, paymentMethod: 'CARD_ID', cardId });
    const paid = await wire.post('/payments/sale/1002', body, { token: wire.credentials.second.token });
    return paid.status === 200 && paid.body.orderState === 'APPROVED';
  }),
  probe('GW-REC-04', [200, true], async (wire) => {
    const sale = await wire.sale();
    const came = await wire.post('/recurring/register-cards/1001', { orderSystemId: sale.body.orderSystemId });
    return [came.status, Boolean(came.body?.cardId)];
  }),
  ...[
    probe('GW-REP-01', [200, 3], async (wire) => {
      const rows = await reported(wire);
      return [rows.status, rows.body?.transactions.length];
    }),
    probe('GW-REP-02', ['AUTH', 'CAPTURE', 'REVERSAL'], async (wire) => types(await reported(wire))),
    probe('GW-REP-03', 1, async (wire) => {
      const rows = (await reported(wire)).body.transactions as { orderSystemId: unknown }[];
      return new Set(rows.map((row) => row.orderSystemId)).size;
    }),
    probe('GW-REP-04', 'changed mind', async (wire) => {
      const rows = (await reported(wire)).body.transactions as { type: string; reversalReason?: string }[];
      return rows.find((row) => row.type === 'REVERSAL')?.reversalReason;
    }),
  ],
];

/** The report of the merchant after an authorization, a capture and a reversal, oldest row first. */
async function reported(wire: Wire) {
  const auth = await wire.auth();
  await wire.capture(auth, { captureAmount: '4' });
  await wire.reverse(auth, '1');
  const { login, token } = wire.credentials.merchant;
  const came = await wire.post(`/report/transaction/by-merchant/${login}`, {}, { token });
  came.body?.transactions.reverse();
  return came;
}
