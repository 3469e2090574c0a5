import { probe, shape, state, types } from './probe.ts';

const answers = [200, 'application/json', 'string'];

/** Status, the common answer and the states of an order. */
export const states = [
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
];
