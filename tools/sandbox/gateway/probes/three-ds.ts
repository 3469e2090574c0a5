import { probe, shape, state, types } from './probe.ts';
import type { Came, Wire } from './wire.ts';

const answers = [200, 'application/json', 'string'];

/** 3-D Secure and the hosted form, as a caller and a customer's browser see them. */
export const threeDS = [
  probe('GW-TDS-01', ['object', 'object'], async (wire) => [
    typeof (await wire.sale('challenge')).body.threeDSAuth,
    typeof (await wire.auth('challenge')).body.threeDSAuth,
  ]),
  probe('GW-TDS-02', answers, async (wire) => shape(await report(wire, await wire.sale('method'), 'Y'))),
  ...(['Y', 'N', 'U'] as const).map((indicator, index) =>
    probe(`GW-TDS-0${index + 3}`, [200, 'PROCESSING', 'CREQ'], async (wire) => {
      const came = await report(wire, await wire.sale('method'), indicator);
      return [...state(came), came.body.threeDSAuth?.threeDSAuthStep];
    }),
  ),
  probe('GW-TDS-06', ['CREQ', 'CREQ'], async (wire) => {
    const steps = [];
    for (const indicator of ['N', 'U']) {
      const came = await report(wire, await wire.sale('method-frictionless'), indicator);
      steps.push(came.body.threeDSAuth?.threeDSAuthStep);
    }
    return steps;
  }),
  probe('GW-TDS-08', answers, async (wire) => {
    const sale = await wire.sale('challenge');
    return shape(await forwardCRes(wire, sale, (await challenge(wire, sale)).cres));
  }),
  probe(
    'GW-TDS-09',
    'http://127.0.0.1:9/cres',
    async (wire) => (await challenge(wire, await wire.sale('challenge'))).back,
  ),
  probe('GW-TDS-10', [200, 'APPROVED'], async (wire) => {
    const sale = await wire.sale('challenge');
    return state(await forwardCRes(wire, sale, (await challenge(wire, sale)).cres));
  }),
  probe('GW-TDS-11', answers, async (wire) => {
    const sale = await wire.sale('pareq');
    return shape(await forwardPaRes(wire, sale, (await pareq(wire, sale)).pares));
  }),
  probe('GW-TDS-12', 'http://127.0.0.1:9/term', async (wire) => (await pareq(wire, await wire.sale('pareq'))).back),
  probe('GW-TDS-13', [200, 'APPROVED'], async (wire) => {
    const sale = await wire.sale('pareq');
    return state(await forwardPaRes(wire, sale, (await pareq(wire, sale)).pares));
  }),
  probe('GW-TDS-14', ['PROCESSING', 'PROCESSING'], async (wire) => {
    const states = [];
    for (const alter of [(value: string) => `A${value.slice(1)}`, (value: string) => `${value.slice(0, -6)}AAAA==`]) {
      const sale = await wire.sale('pareq');
      await forwardPaRes(wire, sale, alter((await pareq(wire, sale)).pares));
      states.push((await wire.status(sale)).body.orderState);
    }
    return states;
  }),
  probe('GW-TDS-15', 'THREEDS_METHOD', async (wire) => (await wire.sale('method')).body.threeDSAuth.threeDSAuthStep),
  probe('GW-TDS-16', [true, 'string'], async (wire) => {
    const { threeDSMethodUrl, threeDSMethodTransactionId } = (await wire.sale('method')).body.threeDSAuth;
    return [URL.canParse(threeDSMethodUrl), typeof threeDSMethodTransactionId];
  }),
  probe('GW-TDS-17', true, async (wire) => /^[\w-]+$/.test((await wire.sale('challenge')).body.threeDSAuth.creq)),
  probe('GW-TDS-18', ['string', true], async (wire) => {
    const { creq, acsUrl } = (await wire.sale('challenge')).body.threeDSAuth;
    return [typeof creq, URL.canParse(acsUrl)];
  }),
  probe('GW-TDS-19', ['string', true], async (wire) => {
    const { paReq, acsUrl } = (await wire.sale('pareq')).body.threeDSAuth;
    return [typeof paReq, URL.canParse(acsUrl)];
  }),
  probe('GW-TDS-20', Array(5).fill(400), async (wire) => {
    const statuses = [];
    for (const field of ['orderSystemId', 'browser', 'threeDSServerTransID', 'cresUrl', 'threeDSCompInd'])
      statuses.push((await report(wire, await wire.sale('method'), 'Y', { [field]: undefined })).status);
    return statuses;
  }),
  probe('GW-TDS-21', [400, 400], async (wire) => {
    const sale = await wire.sale('challenge');
    const { cres } = await challenge(wire, sale);
    const without = await wire.post('/3ds/cres/1001', { cres });
    return [without.status, (await forwardCRes(wire, await wire.sale('challenge'), undefined)).status];
  }),
  probe('GW-TDS-22', [400, 400], async (wire) => {
    const sale = await wire.sale('pareq');
    const { pares } = await pareq(wire, sale);
    const without = await wire.post('/3ds/pares/1001', { pares });
    return [without.status, (await forwardPaRes(wire, await wire.sale('pareq'), undefined)).status];
  }),
  probe('GW-FRM-01', answers, async (wire) => shape(await wire.form('sale'))),
  probe('GW-FRM-02', true, async (wire) => {
    const { body } = await wire.form('sale');
    return body.outputRedirectToUrl !== undefined || body.outputHtml !== undefined;
  }),
  probe('GW-FRM-03', [200, true], async (wire) => {
    const page = await fetch((await wire.form('sale')).body.outputRedirectToUrl);
    return [page.status, (await page.text()).includes('name="cardNumber"')];
  }),
  probe('GW-FRM-04', [false, false], async (wire) => {
    const webhookUrl = await wire.receiver();
    const order = await wire.form('sale', { urls: { webhookUrl } });
    await fillIn(wire, order, 'pay');
    const [told] = await wire.callbacks(1, 2000);
    return [
      (await wire.status(order)).text.includes('5555444433331111'),
      JSON.stringify(told).includes('5555444433331111'),
    ];
  }),
  probe('GW-FRM-05', [303, 'http://127.0.0.1:9/result'], async (wire) => {
    const { status, location } = await fillIn(wire, await wire.form('sale'), 'pay');
    return [status, location];
  }),
  probe('GW-FRM-06', [303, 'http://127.0.0.1:9/cancel'], async (wire) => {
    const { status, location } = await fillIn(wire, await wire.form('sale'), 'cancel');
    return [status, location];
  }),
  probe('GW-FRM-07', ['APPROVED', ['SALE']], async (wire) => {
    const order = await wire.form('sale');
    await fillIn(wire, order, 'pay');
    const status = await wire.status(order);
    return [status.body.orderState, types(status)];
  }),
  probe('GW-FRM-08', answers, async (wire) => shape(await wire.form('auth'))),
  probe('GW-FRM-09', [400, 400, 400, 400], async (wire) => [
    (await wire.form('sale', { order: undefined })).status,
    (await wire.form('sale', { customer: undefined })).status,
    (await wire.form('sale', { browser: undefined })).status,
    (await wire.form('auth', { customer: undefined })).status,
  ]),
];

/** Reports a 3DS method. */
export function report(
  wire: Wire,
  order: Came,
  threeDSCompInd: string,
  more: Record<string, unknown> = {},
): Promise<Came> {
  return wire.post('/3ds/method/1001', {
    orderSystemId: order.body.orderSystemId,
    browser: {},
    threeDSServerTransID: order.body.threeDSAuth.threeDSMethodTransactionId,
    cresUrl: 'http://127.0.0.1:9/cres',
    threeDSCompInd,
    ...more,
  });
}

/** Confirms or refuses at the ACS: where its page would post the CRes, and the value. */
export async function challenge(wire: Wire, order: Came, id = 'approve'): Promise<{ back: string; cres: string }> {
  const { acsUrl, creq } = order.body.threeDSAuth;
  const { page } = await wire.submit(acsUrl, { creq, threeDSSessionData: 's' });
  const form = forms(page).find((one) => one.id === id)!;
  return { back: form.action, cres: form.values['cres'] ?? '' };
}

/** The same for 3-D Secure 1.0.2. */
export async function pareq(
  wire: Wire,
  order: Came,
  id = 'approve',
): Promise<{ back: string; pares: string; md: string }> {
  const { acsUrl, paReq } = order.body.threeDSAuth;
  const { page } = await wire.submit(acsUrl, { PaReq: paReq, TermUrl: 'http://127.0.0.1:9/term', MD: 'md "1"' });
  const form = forms(page).find((one) => one.id === id)!;
  return { back: form.action, pares: form.values['PaRes'] ?? '', md: form.values['MD'] ?? '' };
}

export function forwardCRes(wire: Wire, order: Came, cres: string | undefined): Promise<Came> {
  return wire.post('/3ds/cres/1001', { orderSystemId: order.body.orderSystemId, cres });
}

export function forwardPaRes(wire: Wire, order: Came, pares: string | undefined): Promise<Came> {
  return wire.post('/3ds/pares/1001', { orderSystemId: order.body.orderSystemId, pares });
}

/** Fills in the hosted form. */
export function fillIn(wire: Wire, order: Came, action: 'pay' | 'cancel', more: Record<string, string> = {}) {
  const card = {
    cardNumber: '5555 4444 3333 1111',
    expireMonth: '10',
    expireYear: '2099',
    cvv2: '123',
    cardPrintedName: 'Ada',
  };
  return wire.submit(order.body.outputRedirectToUrl, { ...card, action, ...more });
}

/** Forms of a page, each behind one button. */
function forms(page: string): { id: string; action: string; values: Record<string, string> }[] {
  return [...page.matchAll(/<form method="post" action="([^"]*)">(.*?)<\/form>/g)].map(
    ([, action = '', inner = '']) => ({
      id: /<button id="([^"]*)"/.exec(inner)?.[1] ?? '',
      action: unescapeHtml(action),
      values: Object.fromEntries(
        [...inner.matchAll(/name="([^"]*)" value="([^"]*)"/g)].map(([, name = '', value = '']) => [
          name,
          unescapeHtml(value),
        ]),
      ),
    }),
  );
}

function unescapeHtml(text: string): string {
  return text.replace(/&#(\d+);/g, (_, code: string) => String.fromCharCode(Number(code)));
}
