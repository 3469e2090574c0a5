import { hiddenValue, type ScriptedClient } from '../scripted-client.test-support.ts';
import { APPROVED_CARD, PENDING_CARD, type WrongClient, wrongClient } from '../wrong-client.test-support.ts';

const METHOD_CARD = '4000000000000200 123';

/** A payment without some of its members. */
function without(client: ScriptedClient, ...names: string[]): Record<string, unknown> {
  const payment = client.payment(APPROVED_CARD);
  for (const name of names) delete payment[name];
  return payment;
}

async function sell(client: ScriptedClient, card = APPROVED_CARD, changes = {}, operation = 'sale') {
  const payment = client.payment(card, changes);
  const answer = await client.gateway(`/payments/${operation}/{id}`, payment);
  return { payment, answer, order: client.named(payment, answer) };
}

/** Asks for the 3DS method, loads it, and reports with changes. */
async function method(client: ScriptedClient, changes: object, isLoaded = true, dest = 'iframe') {
  const { payment, answer, order } = await sell(client, METHOD_CARD);
  const { threeDSMethodUrl, threeDSMethodTransactionId } = answer.body.threeDSAuth;
  if (isLoaded) await client.browse(threeDSMethodUrl, undefined, dest);
  return client.gateway('/3ds/method/{id}', {
    orderSystemId: order.orderSystemId,
    browser: payment['browser'],
    threeDSServerTransID: threeDSMethodTransactionId,
    cresUrl: `${client.world.receiver}/cres`,
    threeDSCompInd: 'Y',
    ...changes,
  });
}

async function challenge(client: ScriptedClient, handOn: (orderSystemId: unknown, cres: string) => object) {
  const urls = { cresUrl: `${client.world.receiver}/cres` };
  const { answer, order } = await sell(client, '4000000000000101 123', { urls });
  const { creq, acsUrl } = answer.body.threeDSAuth;
  const page = await client.browse(acsUrl, { creq });
  await client.gateway('/3ds/cres/{id}', handOn(order.orderSystemId, hiddenValue(page.text, 'cres')));
}

async function redirect(client: ScriptedClient, handOn: (orderSystemId: unknown, pares: string) => object) {
  const { answer, order } = await sell(client, '4444444411111111 872');
  const { paReq, acsUrl } = answer.body.threeDSAuth;
  const page = await client.browse(acsUrl, { PaReq: paReq, TermUrl: `${client.world.receiver}/term`, MD: '' });
  await client.gateway('/3ds/pares/{id}', handOn(order.orderSystemId, hiddenValue(page.text, 'PaRes')));
}

const history = (client: ScriptedClient, changes: object) =>
  client.gateway('/card-info/get-card-history/{id}', {
    cardHistorySourceType: 'FULL_CARD_NUMBER',
    cardNumber: '5555444433331111',
    expireMonth: 10,
    expireYear: 2049,
    orderMerchantId: 'order-h',
    ...changes,
  });

const rate = (client: ScriptedClient, changes: object) =>
  client.gateway('/exchange-rate/get-exchange-rate/{id}', {
    exchangeProvider: 'ECB',
    exchangeCurrencyCodeFrom: 'EUR',
    exchangeCurrencyCodeTo: 'USD',
    ...changes,
  });

const status = (client: ScriptedClient, more: object = {}) =>
  client.gateway('/payments/status/{id}', { orderMerchantId: 'none' }, more);

/** Clients of the gateway that break one rule each. */
export const WRONG_GATEWAY_CLIENTS: readonly WrongClient[] = [
  wrongClient('GW-CTK-01', 'sends no token', (client) => status(client, { headers: { authorization: undefined } })),
  wrongClient('GW-CTK-01', 'sends the token under Basic', (client) =>
    status(client, { headers: { authorization: 'Basic abcdefghijkl' } }),
  ),
  wrongClient('GW-CTK-02', 'writes two spaces', (client) =>
    status(client, { headers: { authorization: `Bearer  ${client.credentials.gateway.main.token}` } }),
  ),
  wrongClient('GW-CTK-02', 'writes no space', (client) =>
    status(client, { headers: { authorization: `Bearer${client.credentials.gateway.main.token}` } }),
  ),
  wrongClient('GW-CTK-03', 'puts the token into the address as well', (client) =>
    client.gateway(`/payments/status/{id}?access_token=${client.credentials.gateway.main.token}`, {
      orderMerchantId: 'none',
    }),
  ),
  wrongClient('GW-CTK-04', 'asks from the page of a shop', (client) =>
    status(client, { headers: { origin: 'https://shop.example' } }),
  ),
  wrongClient('GW-CTK-05', 'tries a token again that was not found', async (client) => {
    for (let i = 0; i < 2; i += 1) await status(client, { headers: { authorization: 'Bearer another-token' } });
  }),
  wrongClient('GW-CRQ-01', 'sends a form', (client) =>
    client.gateway('/payments/status/{id}', undefined, { raw: 'orderMerchantId=none' }),
  ),
  wrongClient('GW-CRQ-02', 'names its requestor in letters', (client) =>
    client.gateway('/payments/status/shop', { orderMerchantId: 'none' }),
  ),
  wrongClient('GW-CRQ-03', 'reads a status with GET', (client) =>
    client.gateway('/payments/status/{id}', undefined, { method: 'GET' }),
  ),
  wrongClient('GW-CRQ-04', 'sells without a browser', (client) =>
    client.gateway('/payments/sale/{id}', without(client, 'browser')),
  ),
  wrongClient('GW-CRQ-04', 'sells without an order', (client) =>
    client.gateway('/payments/sale/{id}', without(client, 'order')),
  ),
  wrongClient('GW-CRQ-05', 'verifies without a browser', (client) =>
    client.gateway('/payments/account-verification/{id}', without(client, 'browser')),
  ),
  wrongClient('GW-CRQ-06', 'starts a form without a customer', (client) =>
    client.gateway('/payments/sale-form/{id}', without(client, 'customer', 'card')),
  ),
  wrongClient('GW-CRQ-07', 'sells without an order id', (client) =>
    client.gateway('/payments/sale/{id}', {
      ...without(client, 'orderMerchantId'),
      order: { orderAmount: '10.00', orderCurrencyCode: 'EUR' },
    }),
  ),
  wrongClient('GW-CRQ-08', 'captures without an order', (client) =>
    client.gateway('/payments/capture/{id}', { captureAmount: '1.00' }),
  ),
  wrongClient('GW-CRQ-09', 'reverses without a reason', async (client) => {
    const { order } = await sell(client);
    await client.gateway('/payments/reversal/{id}', { ...order, reversalAmount: '1.00' });
  }),
  wrongClient('GW-CRQ-10', 'asks for the status of nothing', (client) => client.gateway('/payments/status/{id}', {})),
  wrongClient('GW-CRQ-11', 'asks for all balances with a body', (client) => {
    const { login, token } = client.credentials.gateway.merchant;
    return client.gateway(`/balance/by-merchant-all/${login}`, {}, { headers: { authorization: `Bearer ${token}` } });
  }),
  wrongClient('GW-CRQ-12', 'asks for a balance without its name', (client) => {
    const { login, token } = client.credentials.gateway.merchant;
    return client.gateway(`/balance/by-merchant/${login}`, {}, { headers: { authorization: `Bearer ${token}` } });
  }),
  wrongClient('GW-CRQ-13', 'looks up half a number', (client) => {
    const { id, token } = client.credentials.gateway.client;
    return client.gateway(
      `/card-info/get-card-info/${id}`,
      { cardNumber: '555544' },
      { headers: { authorization: `Bearer ${token}` } },
    );
  }),
  wrongClient('GW-CRQ-14', 'asks for a history by a hash', (client) =>
    history(client, { cardHistorySourceType: 'HASH' }),
  ),
  wrongClient('GW-CRQ-15', 'sends digits beside the number', (client) =>
    history(client, { cardFirstDigits: '555544' }),
  ),
  wrongClient('GW-CRQ-15', 'leaves the number out', (client) => history(client, { cardNumber: '' })),
  wrongClient('GW-CRQ-16', 'sends eight digits', (client) =>
    history(client, {
      cardHistorySourceType: 'FIRST_6_LAST_4',
      cardNumber: '',
      cardFirstDigits: '55554444',
      cardLastDigits: '1111',
    }),
  ),
  wrongClient('GW-CRQ-17', 'asks for a history without an expiry', (client) =>
    history(client, { expireYear: undefined }),
  ),
  wrongClient('GW-CRQ-18', 'asks for a rate of nobody', (client) => rate(client, { exchangeProvider: undefined })),
  wrongClient('GW-CRQ-19', 'names a currency', (client) => rate(client, { exchangeCurrencyCodeFrom: 'Euro' })),
  wrongClient('GW-CRQ-20', 'sends the card beside its id', (client) =>
    client.gateway(
      '/payments/sale/{id}',
      client.payment(APPROVED_CARD, { paymentMethod: 'CARD_ID', cardId: 'card-1' }),
    ),
  ),
  wrongClient('GW-CRQ-21', 'sends a card to a hosted form', (client) =>
    client.gateway('/payments/sale-form/{id}', client.payment(APPROVED_CARD)),
  ),
  wrongClient('GW-C3D-01', 'goes away when a method is asked for', (client) => sell(client, METHOD_CARD)),
  wrongClient('GW-C3D-02', 'reports without a transaction id', (client) =>
    method(client, { threeDSServerTransID: undefined }),
  ),
  wrongClient('GW-C3D-03', 'reports yes', (client) => method(client, { threeDSCompInd: 'YES' })),
  wrongClient('GW-C3D-04', 'reports what it did not wait for', (client) => method(client, {}, false)),
  wrongClient('GW-C3D-05', 'shows the method as a page', (client) => method(client, {}, true, 'document')),
  wrongClient('GW-C3D-06', 'hands on a CRes of no order', (client) => challenge(client, (_id, cres) => ({ cres }))),
  wrongClient('GW-C3D-07', 'encodes the CRes anew', (client) =>
    challenge(client, (orderSystemId, cres) => ({ orderSystemId, cres: Buffer.from(cres).toString('base64') })),
  ),
  wrongClient('GW-C3D-08', 'hands on a PaRes of no order', (client) => redirect(client, (_id, pares) => ({ pares }))),
  wrongClient('GW-C3D-09', 'trims the PaRes', (client) =>
    redirect(client, (orderSystemId, pares) => ({ orderSystemId, pares: pares.slice(0, -1) })),
  ),
  wrongClient('GW-C3D-10', 'pads the creq', async (client) => {
    const { answer } = await sell(client, '4000000000000101 123');
    const { creq, acsUrl } = answer.body.threeDSAuth;
    await client.browse(acsUrl, { creq: `${creq}=` });
  }),
  wrongClient('GW-COR-01', 'polls in a tight loop', async (client) => {
    const { order } = await sell(client, PENDING_CARD);
    for (let i = 0; i < 3; i += 1) await client.gateway('/payments/status/{id}', order);
    await client.wait(20);
    await client.gateway('/payments/status/{id}', order);
  }),
  wrongClient('GW-COR-02', 'takes PROCESSING for an end', (client) => sell(client, PENDING_CARD)),
  wrongClient('GW-COR-03', 'takes the return for the result', async (client) => {
    const form = client.payment(undefined, { urls: { resultUrl: `${client.world.receiver}/back` } });
    const { body } = await client.gateway('/payments/sale-form/{id}', form);
    const card = {
      cardNumber: '5555444433331111',
      expireMonth: '10',
      expireYear: '2049',
      cvv2: '123',
      cardPrintedName: 'A',
    };
    await client.browse(body.outputRedirectToUrl, { ...card, action: 'pay' });
  }),
  wrongClient('GW-COR-04', 'believes a callback', async (client) => {
    await sell(client, PENDING_CARD, { urls: { webhookUrl: `${client.world.receiver}/callback` } });
    await client.wait(20);
  }),
  wrongClient('GW-CMY-01', 'pays again when the answer is lost', async (client) => {
    const payment = client.payment(APPROVED_CARD);
    client.world.loseAnswer();
    await client.gateway('/payments/sale/{id}', payment);
    await client.gateway('/payments/sale/{id}', payment);
  }),
  wrongClient('GW-CMY-01', 'pays again while it is processed', async (client) => {
    const { payment, order } = await sell(client, PENDING_CARD);
    await client.gateway('/payments/sale/{id}', payment);
    await client.wait(20);
    await client.gateway('/payments/status/{id}', order);
  }),
  wrongClient('GW-CMY-02', 'captures on a 200', async (client) => {
    const { order } = await sell(client, PENDING_CARD, {}, 'auth');
    await client.gateway('/payments/capture/{id}', order);
    await client.wait(20);
    await client.gateway('/payments/status/{id}', order);
  }),
  wrongClient('GW-CMY-03', 'loses the order whose callback it missed', async (client) => {
    client.world.answers = () => 500;
    await sell(client, PENDING_CARD, { urls: { webhookUrl: `${client.world.receiver}/callback` } });
    await client.wait(7);
  }),
  wrongClient('GW-CMY-04', 'captures more than it has', async (client) => {
    const { order } = await sell(client, APPROVED_CARD, {}, 'auth');
    await client.gateway('/payments/capture/{id}', { ...order, captureAmount: '10.01' });
  }),
  wrongClient('GW-CMY-04', 'captures all of it twice', async (client) => {
    const { order } = await sell(client, APPROVED_CARD, {}, 'auth');
    for (let i = 0; i < 2; i += 1) await client.gateway('/payments/capture/{id}', { ...order, captureAmount: '6.00' });
  }),
  wrongClient('GW-CMY-05', 'gives back more than it took', async (client) => {
    const { order } = await sell(client);
    for (const reversalAmount of ['6.00', '5.00'])
      await client.gateway('/payments/reversal/{id}', { ...order, reversalAmount, reversalReason: 'sent back' });
  }),
  wrongClient('GW-CMY-06', 'forgets the order when the answer is lost', async (client) => {
    client.world.loseAnswer();
    await sell(client);
  }),
  wrongClient('GW-CMY-06', 'takes a 500 for a failure', async (client) => {
    await client.control('/gateway/fault', {});
    await sell(client);
  }),
  wrongClient('OA-CSG-01', 'writes the parameters without quotes', (client) =>
    client.transfer({}, { rewrite: (header) => header.replaceAll('"', '') }),
  ),
  wrongClient('OA-CSG-02', 'leaves the version out', (client) =>
    client.transfer({
      alter: {
        header: (pairs) => pairs.filter(([name]) => name !== 'oauth_version'),
        parameters: (pairs) => pairs.filter(([name]) => name !== 'oauth_version'),
      },
    }),
  ),
  wrongClient('OA-CSG-03', 'names another method', (client) =>
    client.transfer({ alter: { parameters: replaced('oauth_signature_method', 'RSA-SHA1') } }),
  ),
  wrongClient('OA-CSG-04', 'names another version', (client) =>
    client.transfer({ alter: { parameters: replaced('oauth_version', '1.0a') } }),
  ),
  wrongClient('OA-CSG-05', 'counts in milliseconds', (client) =>
    client.transfer({ alter: { parameters: replaced('oauth_timestamp', String(client.world.now)) } }),
  ),
  wrongClient('OA-CSG-06', 'keeps its nonce', async (client) => {
    for (let i = 0; i < 2; i += 1) await client.transfer({ nonce: () => 'the-same-nonce-every-time' });
  }),
  wrongClient('OA-CSG-07', 'hashes the body before it is written', (client) =>
    client.transfer({}, { signed: '{ "order": {} }' }),
  ),
  wrongClient('OA-CSG-08', 'signs another address', (client) =>
    client.transfer({ alter: { baseUri: (uri) => uri.replace('http:', 'https:') } }),
  ),
  wrongClient('OA-CSG-08', 'leaves the query out of the signature', (client) =>
    client.transfer({ alter: { query: () => [] } }, { query: '?trace=1' }),
  ),
  wrongClient('OA-CSG-09', 'writes plain base64', (client) => client.transfer({ style: 'raw' })),
  wrongClient('OA-CSG-10', 'sends its private key', (client) =>
    client.transfer({}, { body: { note: client.credentials.gateway.oauth.privateKey } }),
  ),
];

function replaced(name: string, value: string) {
  return (pairs: readonly (readonly [string, string])[]) =>
    pairs.map((pair) => (pair[0] === name ? ([name, value] as const) : pair));
}
