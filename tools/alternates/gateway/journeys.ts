import { createHash } from 'node:crypto';
import { escapeMarkup } from '../html.ts';

type Template = Readonly<Record<string, unknown>>;

/** What the document leaves to a service about everything that takes more than one call. */
export interface GatewayJourneys {
  /** Names of CRes and PaRes in requests, as members or as pointers. */
  readonly names: { readonly cres: string; readonly pares: string };
  /** Whether a challenge is preceded by a 3DS method, and where the ACS sends a PaRes. */
  readonly methodFirst: boolean;
  readonly paresTo: 'TermUrl' | 'returnUrl';
  /** Whether the payment form leads to the issuer of 3-D Secure 1.0.2, whose PaRes is the caller's to forward; else status does. */
  readonly asksOnForm: boolean;
  /** What a completed 3DS method leads to for the card that needs one. */
  readonly afterMethod: 'approved' | 'challenge';
  readonly leadsOn: 'redirect' | 'html' | 'both';
  readonly paReq: (id: string) => string;
  readonly paRes: (id: string) => string;
  /** Query of the pages of 3-D Secure. */
  readonly tail: string;
  /** The issuer's page around a form called `back`, and how a customer passes it. */
  readonly acs: (form: string) => string;
  readonly acsSelectors: Readonly<Record<string, string>>;
  /** Whether the start of an authorization form says by itself where the customer goes; else status does. */
  readonly authFormLeadsOn: boolean;
  /** Fields and buttons of the payment form, and how a customer finds them. */
  readonly fields: { readonly number: string; readonly code: string };
  readonly form: string;
  readonly formSelectors: Readonly<Record<string, string>>;
  /** How a customer is sent back, and what becomes of an order that was cancelled. */
  readonly returns: 'redirect' | 'script' | 'post';
  readonly cancelled: 'DECLINED' | 'ERROR' | 'FILTERED';
  readonly callback: {
    /** How its address comes to be known. */
    readonly known: 'control' | 'request' | 'console';
    readonly delay: number;
    readonly times: number;
    readonly headers: (text: string) => Readonly<Record<string, string>>;
  };
  readonly later: 'chargeback' | 'state';
  readonly registered: Template;
  readonly recurring: { readonly method: string; readonly path: string; readonly body?: Template };
  readonly cardIdAt: string;
  readonly cardId: (count: number) => string | number;
  readonly report: {
    readonly method: string;
    readonly path: string;
    readonly body?: Template;
    readonly rows: string;
    readonly row: { readonly orderSystemId: string; readonly reason?: string; readonly type?: string };
    /** Seconds until a transaction has its row. */
    readonly takes: number;
  };
  readonly transfer: Template;
  readonly oauth: {
    /** Whose requestor id the main key is registered for, and consumer keys of that one and of the one behind the allowlist. */
    readonly requestor: 'main' | 'second';
    readonly consumerKey: string;
    readonly allowlisted: string;
    readonly form: 'pkcs1' | 'pkcs8';
    readonly passphrase?: string;
    /** Status and code for what the document gives no code to. */
    readonly others: readonly [400 | 401, number];
  };
}

const slot = (name: string) => `\${${name}}`;
const digest = (text: string) => createHash('sha512').update(text).digest();

/** By name of a service. */
export const JOURNEYS_BY_NAME: Readonly<Record<string, GatewayJourneys>> = {
  counting: {
    names: { cres: 'issuerSaid', pares: 'payerAuthenticationResponse' },
    methodFirst: false,
    paresTo: 'TermUrl',
    asksOnForm: true,
    afterMethod: 'approved',
    leadsOn: 'redirect',
    paReq: (id) => digest(`req ${id}`).toString('hex'),
    paRes: (id) => digest(`res ${id}`).toString('base64'),
    tail: '',
    acs: (form) =>
      `<label>Code <input id="otp"></label><button type="button" name="go" onclick="if(otp.value==='24680')back.submit()">Next</button>${form}`,
    acsSelectors: { answer: '#otp', text: '24680', submit: 'button[name=go]' },
    authFormLeadsOn: true,
    fields: { number: 'pan', code: 'check' },
    form:
      '<input name="pan"><select name="month"><option>7</option><option>12</option></select><input name="year" maxlength="2">' +
      '<input name="check"><input type="submit" name="do" value="Pay now"><input type="submit" name="quit" value="Back">',
    formSelectors: {
      number: '[name=pan]',
      code: '[name=check]',
      month: '[name=month]',
      year: '[name=year]',
      submit: '[name=do]',
      cancel: '[name=quit]',
    },
    returns: 'redirect',
    cancelled: 'ERROR',
    callback: { known: 'control', delay: 0, times: 1, headers: () => ({ 'X-Callback-Key': 'k-17' }) },
    later: 'chargeback',
    registered: { means: { stored: { alias: slot('cardId') } } },
    recurring: {
      method: 'PUT',
      path: '/recurring/register-cards',
      body: { requestor: slot('requestorId'), of: { order: slot('orderSystemId') } },
    },
    cardIdAt: '/aliases/0/id',
    cardId: (count) => `alias/${count}`,
    report: {
      method: 'GET',
      path: `/report/transaction/days/${slot('login')}?from=${slot('from')}&to=${slot('to')}`,
      rows: '',
      row: { orderSystemId: '/order', type: '/kind' },
      takes: 0,
    },
    transfer: { to: { pan: slot('cardNumber') }, sum: { minor: slot('amount'), iso: slot('currency') } },
    oauth: {
      requestor: 'main',
      consumerKey: 'ck-shop-1',
      allowlisted: 'ck-shop-2',
      form: 'pkcs8',
      others: [401, -30],
    },
  },
  slow: {
    names: { cres: '/secure/v2/cres', pares: '/secure/v1/paRes' },
    methodFirst: true,
    paresTo: 'TermUrl',
    asksOnForm: false,
    afterMethod: 'challenge',
    leadsOn: 'html',
    // Both as MIME writes base64: in lines.
    paReq: (id) => lines(digest(`req ${id}`).toString('base64')),
    paRes: (id) => lines(digest(`res ${id}`).toString('base64')),
    tail: '?bank=7&lang=de',
    acs: (form) =>
      `<iframe width="400" height="200" srcdoc="${escapeMarkup(form.replace('</form>', '<input class="ja" type="submit" value="Ja"></form>'))}"></iframe>`,
    acsSelectors: { submit: 'input.ja' },
    authFormLeadsOn: false,
    fields: { number: 'card[number]', code: 'card[cvc]' },
    form:
      '<input class="n" name="card[number]"><input class="m" name="card[month]"><input class="y" name="card[year]">' +
      '<input class="c" type="password" name="card[cvc]"><input class="h" name="card[holder]">' +
      '<button class="ok">Zahlen</button><button class="no" name="abort" value="1">Abbrechen</button>',
    formSelectors: {
      number: 'input.n',
      code: 'input.c',
      month: 'input.m',
      year: 'input.y',
      holder: 'input.h',
      submit: 'button.ok',
      cancel: 'button.no',
    },
    returns: 'script',
    cancelled: 'DECLINED',
    callback: {
      known: 'request',
      delay: 3,
      times: 1,
      headers: (text) => ({ Signature: `sha-256=:${createHash('sha256').update(text).digest('base64')}:` }),
    },
    later: 'state',
    registered: { order: { source: { token: slot('cardId') } } },
    recurring: {
      method: 'GET',
      path: `/recurring/register-cards/${slot('requestorId')}?order=${slot('orderSystemId')}`,
    },
    cardIdAt: 'header:X-Card',
    cardId: (count) => `tok_${count}`,
    report: {
      method: 'POST',
      path: `/report/transaction/by-order/${slot('login')}`,
      body: { filter: { order: slot('orderSystemId'), requestor: slot('requestorId') } },
      rows: '/data/rows',
      row: { orderSystemId: '/order/no', reason: '/texts/0', type: '/code' },
      takes: 5,
    },
    transfer: {
      amount: slot('amount'),
      currency: slot('currency'),
      own: slot('orderMerchantId'),
      card: slot('cardNumber'),
    },
    oauth: {
      requestor: 'second',
      consumerKey: 'Key of shop/2 + more*',
      allowlisted: 'Key~3=',
      form: 'pkcs1',
      others: [401, -40],
    },
  },
  'steered by amounts': {
    names: { cres: 'CRES_VALUE', pares: '/PARES/0' },
    methodFirst: true,
    paresTo: 'returnUrl',
    asksOnForm: false,
    afterMethod: 'approved',
    leadsOn: 'both',
    paReq: (id) => Buffer.from(JSON.stringify({ id, what: 'Ask > the ? payer' })).toString('base64'),
    paRes: (id) => JSON.stringify({ id, seal: digest(id).toString('base64url'), note: '50 % & "more" + ü' }),
    tail: '?x=1&y=%222',
    // The issuer knows the customer and asks nothing.
    acs: (form) => `<p>One moment</p>${form}<script>setTimeout(()=>back.submit(),200)</script>`,
    acsSelectors: { submit: 'button#nobody-presses-this' },
    authFormLeadsOn: true,
    fields: { number: 'a', code: 'b' },
    form:
      '<div id="first"><input id="i1" name="a"></div><div id="second"><input id="i2" name="mm"><input id="i3" name="yyyy">' +
      '<input id="i4" name="b"></div><a href="#" onclick="this.closest(\'form\').submit();return false">Go</a> ' +
      '<button type="submit" name="stop" value="yes">Stop</button>',
    formSelectors: {
      number: '#i1',
      code: '#i4',
      month: '#i2',
      year: '#i3',
      submit: 'a[href="#"]',
      cancel: 'button[name=stop]',
    },
    returns: 'post',
    cancelled: 'FILTERED',
    callback: { known: 'console', delay: 1, times: 2, headers: () => ({ Authorization: 'Basic c2hvcDpzaG9w' }) },
    later: 'chargeback',
    registered: { cardData: { id: slot('cardId') } },
    recurring: {
      method: 'POST',
      path: `/recurring/register-cards/of/${slot('orderSystemId')}/${slot('requestorId')}`,
      body: {},
    },
    cardIdAt: '/card',
    cardId: (count) => 5_000_000 + count,
    report: {
      method: 'POST',
      path: `/report/transaction/search?who=${slot('login')}`,
      body: { currency: slot('currency') },
      rows: '/1',
      row: { orderSystemId: '/ids/1', reason: '/why' },
      takes: 0,
    },
    transfer: {
      total: slot('amount'),
      cur: slot('currency'),
      last: slot('cardLastDigits'),
      cardData: slot('cardNumber'),
    },
    oauth: {
      requestor: 'main',
      consumerKey: '7f3c-Ab_9.~',
      allowlisted: '0000-Ab_9.~',
      form: 'pkcs8',
      passphrase: 'open the door',
      others: [400, 99],
    },
  },
};

function lines(text: string): string {
  return text.replace(/.{30}/g, '$&\r\n');
}
