import { expect, test } from '@playwright/test';
import { findBrowser } from '#browser';
import { sharedPage } from '#page-look';
import { type Sandbox, startSandbox } from '../start-sandbox.ts';
import { GatewaySandboxClient, submitForm } from './gateway-sandbox-client.test-support.ts';

let sandbox: Sandbox;
let wire: GatewaySandboxClient;

/** Starts a sandbox that does otherwise in these points. */
async function start(...choose: string[]): Promise<void> {
  sandbox = await startSandbox({ control: true, seed: 'merchants', choose });
  wire = new GatewaySandboxClient(sandbox);
}
test.afterEach(async () => {
  wire.close();
  await sandbox.close();
});

const ASKED = { feature: { redirectUrlCreation: 'CREATE_IN_RESPONSE' } };
const card = (expireMonth: string, expireYear: string) => ({
  card: { cardNumber: '5555444433331111', cvv2: '123', expireMonth, expireYear },
});

test.describe('3-D Secure in a direct payment', () => {
  test('leads on by a page, or by an address where the request asks for one', async () => {
    await start();
    const page = await wire.sale('challenge');
    expect(page.body).toMatchObject({ outputHtml: expect.stringContaining('creq') });
    expect(page.body.outputRedirectToUrl).toBeUndefined();
    const sent = await wire.sale('challenge', ASKED);
    expect(sent.body.outputRedirectToUrl).toMatch(/^http:.*\/acs\/hosted\//);
    expect(sent.body.outputHtml).toBeUndefined();
    expect(sent.body.threeDSAuth).toMatchObject({ threeDSAuthStep: 'CREQ' });
    expect((await wire.status(sent)).body.outputRedirectToUrl).toBe(sent.body.outputRedirectToUrl);
    expect((await wire.form('auth', ASKED)).body.outputRedirectToUrl).toMatch(/\/form\//);
  });

  test('shows both, or the address always, when chosen so', async () => {
    await start('gateway.stepShownBy=both');
    expect((await wire.sale('challenge')).body).toMatchObject({
      outputHtml: expect.any(String),
      outputRedirectToUrl: expect.any(String),
    });
    await sandbox.close();
    await start('stepShownBy=redirect');
    expect((await wire.sale('challenge')).body.outputHtml).toBeUndefined();
  });

  test('takes the customer from the address through method, challenge and back, and the payment to its end', async () => {
    await start();
    const sale = await wire.sale('method', ASKED);
    const method = await fetch(sale.body.outputRedirectToUrl);
    expect(await method.text()).toContain('<iframe');
    expect((await wire.submit(sale.body.outputRedirectToUrl, { answer: 'something else' })).status).toBe(404);
    const on = await wire.submit(sale.body.outputRedirectToUrl, { answer: 'method ran' });
    expect([on.status, on.location]).toEqual([303, expect.stringContaining('/acs/hosted/')]);
    const challenge = await (await fetch(on.location!)).text();
    const answer = /name="answer" value="([^"]+)"/.exec(challenge)![1]!;
    const back = await wire.submit(on.location!, { answer });
    expect([back.status, back.location]).toEqual([303, 'http://127.0.0.1:9/result']);
    expect((await wire.status(sale)).body.orderState).toBe('APPROVED');
    expect((await fetch(sale.body.outputRedirectToUrl)).status).toBe(404);
  });

  test('ends after the method where the issuer is content with it', async () => {
    await start();
    const sale = await wire.sale('method-frictionless', ASKED);
    const back = await wire.submit(sale.body.outputRedirectToUrl, { answer: 'method ran' });
    expect(back.location).toBe('http://127.0.0.1:9/result');
    expect((await wire.status(sale)).body.orderState).toBe('APPROVED');
  });
});

test.describe('the way back', () => {
  test('is a form with MD and session data when chosen so, and holds no card number', async () => {
    await start('customerReturn=posted form');
    const order = await wire.form('sale', { orderMerchantId: 'own "1" <b>' });
    const { status, page } = await submitForm(wire, order, 'pay');
    expect(status).toBe(200);
    expect(page).toContain('<form method="post" action="http://127.0.0.1:9/result">');
    for (const name of ['MD', 'threeDSSessionData'])
      expect(page).toContain(`name="${name}" value="own &#34;1&#34; &#60;b&#62;"`);
    expect(page).not.toContain('5555');
    const cancelled = await wire.form('sale');
    expect((await submitForm(wire, cancelled, 'cancel')).page).toContain('action="http://127.0.0.1:9/cancel"');
  });

  test('is posted by a browser without the customer doing anything, from an address in a direct payment too', async () => {
    test.skip(findBrowser() === undefined, 'no browser is installed');
    await start('customerReturn=posted form');
    const resultUrl = await wire.receiver();
    const urls = { resultUrl };
    const sale = await wire.sale('method', { ...ASKED, urls });
    const page = await sharedPage();
    await page.goto(sale.body.outputRedirectToUrl);
    await page.click('#approve');
    await page.waitForURL(resultUrl);
    expect(wire.bodies).toEqual(['MD=own-1&threeDSSessionData=own-1']);
    expect((await wire.status(sale)).body.orderState).toBe('APPROVED');
  });
});

test.describe('urls.redirectWebhookUrl', () => {
  test('is told once there is an address, with the order as status shows it', async () => {
    await start();
    const redirectWebhookUrl = await wire.receiver();
    const plain = await wire.sale('approved', { urls: { redirectWebhookUrl } });
    expect(plain.body.orderState).toBe('APPROVED');
    const sale = await wire.sale('pareq', { urls: { redirectWebhookUrl } });
    const [told] = await wire.callbacks(1);
    expect(told).toMatchObject({
      orderSystemId: sale.body.orderSystemId,
      outputRedirectToUrl: sale.body.outputRedirectToUrl,
    });
    await wire.form('sale', { urls: { redirectWebhookUrl } });
    expect((await wire.callbacks(2)).at(-1).outputRedirectToUrl).toMatch(/\/form\//);
    await wire.sale('challenge', { urls: { redirectWebhookUrl } });
    expect((await wire.callbacks(3)).at(-1).outputRedirectToUrl, 'who waits for an address wants one').toMatch(
      /\/acs\//,
    );
    expect(wire.received).toHaveLength(3);
  });

  test('is told nothing when chosen so', async () => {
    await start('redirectCall=not sent');
    const redirectWebhookUrl = await wire.receiver();
    await wire.sale('pareq', { urls: { redirectWebhookUrl } });
    expect(await wire.callbacks(1, 100)).toEqual([]);
  });
});

test.describe('the expiry of a card', () => {
  test('is named when a payment is declined for it, even where only money is lacking otherwise', async () => {
    await start('declinedFor=lack of funds');
    const sale = await wire.sale('approved', card('10', '2020'));
    expect(sale.body).toMatchObject({
      orderState: 'DECLINED',
      errorCode: 154,
      errorMessage: 'The card expired in 10/2020',
    });
    expect((await wire.verify('approved', card('9', '2020'))).body).toMatchObject({
      orderState: 'DECLINED',
      errorMessage: 'The card expired in 09/2020',
    });
  });

  test('ends a registered card, too', async () => {
    await start();
    const now = new Date();
    const sale = await wire.sale('approved', card(String(now.getUTCMonth() + 1), String(now.getUTCFullYear())));
    const { body } = await wire.post('/recurring/register-cards/1001', { orderSystemId: sale.body.orderSystemId });
    const pay = () => wire.sale('approved', { card: undefined, paymentMethod: 'CARD_ID', cardId: body.cardId });
    expect((await pay()).body.orderState).toBe('APPROVED');
    await wire.advance(32 * 86_400);
    expect((await pay()).body).toMatchObject({
      orderState: 'DECLINED',
      errorMessage: expect.stringMatching(/^The card expired in \d\d\/\d{4}$/),
    });
  });

  test('is refused beforehand when chosen so', async () => {
    await start('expiredCard=refused');
    const sale = await wire.sale('approved', card('10', '2020'));
    expect([sale.status, sale.body.errorMessage]).toEqual([400, 'The card expired in 10/2020']);
    const form = await submitForm(wire, await wire.form('sale'), 'pay', { expireYear: '2020' });
    expect([form.status, form.page.includes('The card expired in 10/2020')]).toEqual([422, true]);
  });

  test('wants a year of four digits, and says so', async () => {
    await start();
    const sale = await wire.sale('approved', card('10', '49'));
    expect([sale.status, sale.body.invalidParams]).toEqual([400, ['expireYear']]);
    expect(sale.body.errorMessage).toBe('expireYear should have four digits: 2049, not 49');
    const form = await submitForm(wire, await wire.form('sale'), 'pay', { expireYear: '49' });
    expect(form.page).toContain('four digits: 2049, not 49');
  });

  test('may be written with two digits when chosen so', async () => {
    await start('shortYears=taken');
    expect((await wire.sale('approved', card('10', '90'))).body).toMatchObject({
      orderState: 'APPROVED',
      cardExpiryYear: 2090,
    });
  });
});

test.describe('other members of an answer', () => {
  const NAMES = [
    'orderUpstreamId',
    'orderUpstreamDescriptor',
    'merchantId',
    'merchantName',
    'cardPaymentNetworkName',
    'cardPaymentNetworkReference',
    'cardPaymentNetworkResponseCode',
    'cardPaymentNetworkResponseMessage',
  ];

  test('say who the payment was handed on to, once it was', async () => {
    await start();
    const paid = (await wire.sale()).body;
    for (const name of NAMES) expect(paid, name).toHaveProperty(name);
    const declined = (await wire.sale('declined')).body;
    expect(declined.cardPaymentNetworkResponseMessage).toBe(declined.errorMessage);
    const waiting = (await wire.sale('challenge')).body;
    for (const name of NAMES) expect(waiting, name).not.toHaveProperty(name);
  });

  test('hold a number for the card, the same for the same card and another for another sandbox', async () => {
    await start();
    const [one, same, other] = [await wire.sale(), await wire.auth(), await wire.sale('error')];
    expect(one.body.cardHashId).toEqual(expect.any(Number));
    expect(String(one.body.cardHashId).length, 'shorter than a card number').toBe(10);
    expect(same.body.cardHashId).toBe(one.body.cardHashId);
    expect(other.body.cardHashId).not.toBe(one.body.cardHashId);
    await sandbox.close();
    sandbox = await startSandbox({ seed: 'of others' });
    wire = new GatewaySandboxClient(sandbox);
    expect((await wire.sale()).body.cardHashId).not.toBe(one.body.cardHashId);
  });
});

test('members that no template names still arrive when something is chosen', async () => {
  await start('crossOrigin=allowed');
  const sale = await wire.sale('challenge', {
    urls: { returnUrl: 'http://127.0.0.1:9/back' },
    cresUrl: 'http://127.0.0.1:9/x',
  });
  const { page } = await wire.submit(sale.body.threeDSAuth.acsUrl, { creq: sale.body.threeDSAuth.creq });
  expect(page).toContain('action="http://127.0.0.1:9/x"');
});
