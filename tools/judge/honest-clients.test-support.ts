import { hiddenValue, type ScriptedClient } from './scripted-client.test-support.ts';

const APPROVED = '5555444433331111 123';
const PERIOD = { date_from: '2026-01-01', date_to: '2026-12-31' };

/** Takes card data itself, polls, signs, and writes everything out in full. */
export async function playDirectClient(client: ScriptedClient): Promise<void> {
  const { world, credentials } = client;
  const urls = {
    resultUrl: `${world.receiver}/back`,
    webhookUrl: `${world.receiver}/callback`,
    cresUrl: `${world.receiver}/cres`,
  };

  const plain = client.payment(APPROVED, { urls });
  const sold = await client.gateway('/payments/sale/{id}', plain);
  await client.status(client.named(plain, sold));
  await client.gateway('/payments/reversal/{id}', {
    ...client.named(plain, sold),
    reversalAmount: '4.00',
    reversalReason: 'one leg is short',
  });
  await client.status(client.named(plain, sold));
  await client.gateway('/payments/reversal/{id}', { ...client.named(plain, sold), reversalReason: 'all legs are' });
  await client.status(client.named(plain, sold));

  const slow = client.payment('4000000000000705 123');
  const pending = await client.gateway('/payments/sale/{id}', slow);
  await client.wait(1);
  await client.gateway('/payments/status/{id}', client.named(slow, pending));
  for (let state = pending.body.orderState; state === 'PROCESSING'; )
    state = (await client.status(client.named(slow, pending))).body.orderState;

  // No answer came, so what became of it is asked for.
  const unanswered = client.payment(APPROVED);
  world.loseAnswer();
  await client.gateway('/payments/sale/{id}', unanswered);
  await client.status({ orderMerchantId: unanswered['orderMerchantId'] });

  const held = client.payment(APPROVED);
  const authorized = await client.gateway('/payments/auth/{id}', held);
  await client.gateway('/payments/capture/{id}', { ...client.named(held, authorized), captureAmount: '6.00' });
  await client.gateway('/payments/reversal/{id}', {
    ...client.named(held, authorized),
    reversalAmount: '6.00',
    reversalReason: 'sent back',
  });

  await playMethod(client, urls);
  await playRedirect(client, urls);

  const verification = client.payment(APPROVED);
  await client.gateway('/payments/account-verification/{id}', verification);
  const registered = await client.gateway('/recurring/register-cards/{id}', client.named(plain, sold));
  const again = client.payment(undefined, { paymentMethod: 'CARD_ID', cardId: registered.body?.cardId ?? 'card-1' });
  await client.gateway('/payments/sale/{id}', again);

  // An answer that was refused is paid again: what was refused was not accepted.
  const retried = client.payment('4000000000000507 123');
  await client.gateway('/payments/sale/{id}', retried);
  await client.gateway('/payments/sale/{id}', { ...retried, card: client.payment(APPROVED)['card'] });

  const { merchant, client: owner, second } = credentials.gateway;
  const asMerchant = { headers: { authorization: `Bearer ${merchant.token}` } };
  await client.gateway(`/balance/by-merchant/${merchant.login}`, { balanceName: 'EUR' }, asMerchant);
  await client.gateway(`/balance/by-merchant-all/${merchant.login}`, undefined, asMerchant);
  await client.gateway(
    `/card-info/get-card-info/${owner.id}`,
    { cardNumber: '5555444433331111' },
    { headers: { authorization: `Bearer ${owner.token}` } },
  );
  const history = { expireMonth: 10, expireYear: 2049, orderMerchantId: plain['orderMerchantId'] };
  await client.gateway('/card-info/get-card-history/{id}', {
    cardHistorySourceType: 'FULL_CARD_NUMBER',
    cardNumber: '5555444433331111',
    ...history,
  });
  await client.gateway('/card-info/get-card-history/{id}', {
    cardHistorySourceType: 'FIRST_6_LAST_4',
    cardFirstDigits: '555544',
    cardLastDigits: '1111',
    ...history,
  });
  await client.gateway('/exchange-rate/get-exchange-rate/{id}', {
    exchangeProvider: 'ECB',
    exchangeCurrencyCodeFrom: 'EUR',
    exchangeCurrencyCodeTo: 'USD',
  });
  // A token that is not found is looked into: here it was the id.
  await client.gateway(`/payments/status/${second.id}`, { orderMerchantId: plain['orderMerchantId'] });
  await client.status({ orderMerchantId: plain['orderMerchantId'] });
  await client.transfer();
  await client.transfer({}, { query: '?trace=1%202' });

  await client.v1('GET', '/auth');
  await client.v1('POST', '/webhooks', { body: client.webhook({ name: 'shop', description: 'all of it' }) });
  await client.v1('PUT', '/webhooks', { body: client.webhook({ is_active: true }) });
  await client.v1('GET', '/webhooks');
  const id = crypto.randomUUID();
  const made = await client.createTransfer(
    { payment_type: 'sepa', end_to_end_ident: 'A-1' },
    { headers: { 'x-request-id': id } },
  );
  await client.wait(1);
  await client.v1('GET', `/transactions/${made.body.uuid}`, { query: { account_uuid: client.account } });
  await client.v1('GET', '/transactions', {
    query: { account_uuid: client.account, ...PERIOD, per_page: 100, page: 1 },
  });
  await client.v1('GET', '/transactions/iban-details', { query: { iban: 'DE89370400440532013000' } });
  await client.v1('POST', client.documents, {
    body: {
      type: 'passport',
      file_name: 'p.pdf',
      attachment: { content: Buffer.from('page').toString('base64'), page_type: null },
    },
  });
  const listed = await client.v1('GET', client.documents, { query: { per_page: 1, page: 1 } });
  await client.v1('GET', `${client.documents}/${listed.body[0].uuid}`);
  await client.v1('DELETE', `${client.documents}/${listed.body[0].uuid}`);
}

/** Asks the v1 service more often than a minute allows. */
export async function floodV1(client: ScriptedClient, times: number): Promise<void> {
  for (let i = 0; i < times; i += 20)
    await Promise.all(Array.from({ length: Math.min(20, times - i) }, () => client.v1('GET', '/auth')));
}

/** The method in a hidden frame, an honest word on it, then the challenge. */
async function playMethod(client: ScriptedClient, urls: object): Promise<void> {
  const payment = client.payment('4000000000000200 123', { urls });
  const asked = await client.gateway('/payments/sale/{id}', payment);
  const order = client.named(payment, asked);
  const { threeDSMethodUrl, threeDSMethodTransactionId } = asked.body.threeDSAuth;
  await client.browse(threeDSMethodUrl, undefined, 'iframe');
  const reported = await client.gateway('/3ds/method/{id}', {
    orderSystemId: order.orderSystemId,
    browser: payment['browser'],
    threeDSServerTransID: threeDSMethodTransactionId,
    cresUrl: `${client.world.receiver}/cres`,
    threeDSCompInd: 'Y',
  });
  const { creq, acsUrl } = reported.body.threeDSAuth;
  const page = await client.browse(acsUrl, { creq }, 'iframe');
  await client.gateway('/3ds/cres/{id}', { orderSystemId: order.orderSystemId, cres: hiddenValue(page.text, 'cres') });
  await client.status(order);
}

/** 3-D Secure 1.0.2. */
async function playRedirect(client: ScriptedClient, urls: object): Promise<void> {
  const payment = client.payment('4444444411111111 872', { urls });
  const asked = await client.gateway('/payments/sale/{id}', payment);
  const order = client.named(payment, asked);
  const { paReq, acsUrl } = asked.body.threeDSAuth;
  const page = await client.browse(acsUrl, { PaReq: paReq, TermUrl: `${client.world.receiver}/term`, MD: 'x' });
  await client.gateway('/3ds/pares/{id}', {
    orderSystemId: order.orderSystemId,
    pares: hiddenValue(page.text, 'PaRes'),
  });
  await client.status(order);
}

/** Leaves the card to the hosted form, waits for callbacks, and writes as little as it may. */
export async function playFormClient(client: ScriptedClient): Promise<void> {
  const { world, credentials } = client;
  const urls = { resultUrl: `${world.receiver}/back`, webhookUrl: `${world.receiver}/callback` };
  const card = {
    cardNumber: '5555444433331111',
    expireMonth: '10',
    expireYear: '2049',
    cvv2: '123',
    cardPrintedName: 'A',
  };

  const form = { ...client.payment(undefined, { urls }) };
  const started = await client.gateway('/payments/sale-form/{id}', form);
  await client.browse(started.body.outputRedirectToUrl);
  await client.browse(started.body.outputRedirectToUrl, { ...card, action: 'pay' });
  await client.wait(1);
  await client.status({ orderMerchantId: form['orderMerchantId'] });

  const held = client.payment(undefined, { urls });
  await client.gateway('/payments/auth-form/{id}', held);

  // The receiver is down when the callback comes: so it is asked for.
  world.answers = () => 500;
  const lost = client.payment('4000000000000705 123', { urls, paymentMethod: 'CARD' });
  const sold = await client.gateway('/payments/sale/{id}', lost);
  await client.wait(10);
  await client.gateway('/payments/status/{id}', { orderSystemId: String(sold.body.orderSystemId) });
  world.answers = (path) => (path.startsWith('/v1') ? 202 : 200);

  const failed = client.payment('4000000000000200 123', { urls: { ...urls, cresUrl: `${world.receiver}/cres` } });
  const method = await client.gateway('/payments/sale/{id}', failed);
  await client.gateway('/3ds/method/{id}', {
    orderSystemId: method.body.orderSystemId,
    browser: failed['browser'],
    threeDSServerTransID: method.body.threeDSAuth.threeDSMethodTransactionId,
    cresUrl: `${world.receiver}/cres`,
    threeDSCompInd: 'N',
  });

  const { manager } = credentials.gateway;
  await client.gateway(
    `/balance/by-manager/${manager.login}`,
    { balanceName: 'EUR' },
    { headers: { authorization: `Bearer ${manager.token}` } },
  );
  await client.transfer({ style: 'encoded' }, { headers: { accept: 'application/json' } });

  await client.v1('POST', '/webhooks', { body: client.webhook({ name: null }) });
  await client.createTransfer({ payment_details: undefined, payment_code: 'SALA', payment_type: 'swift' });
  await client.wait(1);
  await client.v1('GET', '/transactions', { query: { account_uuid: client.account, ...PERIOD } });
  await client.v1('POST', client.documents, {
    body: { type: 'identity_card', file_name: 'i.png', description: 'front' },
  });

  // A transfer whose answer says nothing is tried again under the same id.
  const id = { headers: { 'x-request-id': crypto.randomUUID() } };
  world.loseAnswer();
  await client.createTransfer({ amount: 1 }, id);
  await client.createTransfer({ amount: 1 }, id);

  // Others behind the same address have used the minute up: then a minute of silence.
  await world.unwatched(() => floodV1(client, 520));
  await client.v1('GET', '/auth');
  await client.wait(61);
  await client.v1('GET', '/auth');
}
