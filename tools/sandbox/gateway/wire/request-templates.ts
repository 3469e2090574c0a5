// biome-ignore-all lint/suspicious/noTemplateCurlyInString: these are placeholders of request templates
import type { GatewayChoices } from '../choices.ts';

/** A request template as a target file writes it: placeholders stand where values go. */
export type BodyTemplate =
  | string
  | number
  | boolean
  | readonly BodyTemplate[]
  | { readonly [name: string]: BodyTemplate };

type Members = { readonly [name: string]: BodyTemplate };

// What existing clients send stands in the target room's defaults too, on purpose: the sandbox and the suite share nothing of the wire, or
// a mistake on one side would be hidden by the other.
const ORDERS: Readonly<Record<GatewayChoices['orderFields'], Members>> = {
  usual: {
    orderMerchantId: '${orderMerchantId}',
    orderDescription: 'Conformance check',
    orderAmount: '${amount}',
    orderCurrencyCode: '${currency}',
  },
  flat: { sum: '${amount}', iso: '${currency}', own_id: '${orderMerchantId}' },
  nested: { money: { value: '${amount}', unit: '${currency}' }, reference: { own: { id: '${orderMerchantId}' } } },
  'in a list': { lines: [{ total: '${amount}', currency: '${currency}', label: 'Conformance check' }] },
};

const CUSTOMERS: Readonly<Record<GatewayChoices['customerFields'], Members>> = {
  usual: {
    firstname: 'Ada',
    lastname: 'Test',
    customerEmail: 'ada@example.com',
    address: { countryCode: 'DE', zipCode: '10115', city: 'Berlin', line1: 'Teststrasse 1' },
  },
  other: { person: { names: ['Ada', 'Test'] }, mail: 'ada@example.com', phone: 12345 },
};

const BROWSERS: Readonly<Record<GatewayChoices['browserFields'], Members>> = {
  usual: {
    ipAddress: '203.0.113.20',
    acceptHeader: 'text/html',
    colorDepth: 32,
    javascriptEnabled: 'true',
    javaEnabled: 'false',
    acceptLanguage: 'en-GB',
    screenHeight: 1080,
    screenWidth: 1920,
    timeZone: -60,
    userAgent: 'Mozilla/5.0 (conformance check)',
  },
  other: { agent: 'conformance check', screen: [1920, 1080], flags: { script: true, java: false }, locale: 'en' },
};

const URLS: Readonly<Record<GatewayChoices['urlFields'], Members>> = {
  usual: {
    resultUrl: '${returnUrl}',
    cancelUrl: '${cancelUrl}',
    webhookUrl: '${callbackUrl}',
    cresUrl: '${cresUrl}',
  },
  other: {
    pages: { done: '${returnUrl}', cancelled: '${cancelUrl}' },
    tell: ['${callbackUrl}'],
    issuer: { back: '${cresUrl}' },
  },
  'without callback': { ok: '${returnUrl}', cancel: '${cancelUrl}', acs: '${cresUrl}' },
};

const CARDS: Readonly<Record<GatewayChoices['cardFields'], Members>> = {
  usual: {
    card: {
      cardNumber: '${cardNumber}',
      cvv2: '${cardCode}',
      expireMonth: '${cardMonth}',
      expireYear: '${cardYear}',
      cardPrintedName: '${cardHolder}',
    },
  },
  'inside order': {
    order: {
      source: {
        pan: '${cardNumber}',
        code: '${cardCode}',
        month: '${cardMonth:number}',
        year: '${cardYear:number}',
        holder: '${cardHolder}',
      },
    },
  },
  'in one text': { means: { plastic: '${cardNumber};${cardMonth}/${cardYear2};${cardCode}' } },
};

const REGISTERED: Readonly<Record<GatewayChoices['cardIdField'], Members>> = {
  cardId: { cardId: '${cardId}' },
  nested: { means: { stored: { id: '${cardId}' } } },
  'inside order': { order: { stored: '${cardId}' } },
};

const TRANSFERS: Readonly<Record<GatewayChoices['transferFields'], Members>> = {
  usual: {
    order: {
      orderMerchantId: '${orderMerchantId}',
      orderDescription: 'Conformance check',
      orderAmount: '${amount}',
      orderCurrencyCode: '${currency}',
    },
    card: { cardNumber: '${cardNumber}' },
  },
  flat: { to: '${cardNumber}', sum: '${amount}', iso: '${currency}', own_id: '${orderMerchantId}' },
  nested: {
    payout: { money: ['${amount}', '${currency}'], to: { card: '${cardNumber}' } },
    own: { id: '${orderMerchantId}' },
  },
};

/** The templates of requests that go with a gateway's choices. */
export interface RequestTemplates {
  readonly order: Members;
  readonly customer: Members;
  readonly browser: Members;
  readonly urls: Members;
  readonly card: Members;
  readonly registered: Members;
  readonly transfer: Members;
  /** What a payment, a capture and a reversal hold beside what is documented. */
  readonly besides: Members;
  readonly recurring: Members;
  readonly report: Members;
}

/** The templates of requests that go with a gateway's choices. */
export function chooseTemplates(choices: GatewayChoices): RequestTemplates {
  return {
    order: ORDERS[choices.orderFields],
    customer: CUSTOMERS[choices.customerFields],
    browser: BROWSERS[choices.browserFields],
    urls: URLS[choices.urlFields],
    card: CARDS[choices.cardFields],
    registered: REGISTERED[choices.cardIdField],
    transfer: TRANSFERS[choices.transferFields],
    besides: choices.besides === 'nothing' ? {} : { channel: { kind: 'web' } },
    recurring:
      choices.recurringPath === 'usual'
        ? { orderSystemId: '${orderSystemId}' }
        : { payment: { id: '${orderSystemId}' }, keep: true },
    report:
      choices.reportPath === 'usual'
        ? { orderSystemId: '${orderSystemId}' }
        : { filter: { orders: ['${orderSystemId}'] } },
  };
}

/**
 * Reads a body back through the template it was made with.
 * @returns what stands in the place of each placeholder; a placeholder where nothing stands is left out
 */
export function readThroughTemplate(
  template: BodyTemplate,
  body: unknown,
  found: Record<string, unknown> = {},
): Record<string, unknown> {
  if (typeof template === 'string') {
    const names = [...template.matchAll(PLACEHOLDER)].map(([, name]) => name!);
    if (names.length === 0) return found;
    if (template.replace(PLACEHOLDER, '') === '') {
      if (body !== undefined) found[names[0]!] = body;
      return found;
    }
    const parts = new RegExp(`^${template.replace(PLACEHOLDER, '([^;/]*)')}$`).exec(
      typeof body === 'string' ? body : '',
    );
    for (const [i, name] of names.entries()) if (parts?.[i + 1]) found[name] = parts[i + 1];
    return found;
  }
  if (typeof template !== 'object' || typeof body !== 'object' || body === null) return found;
  for (const [key, inner] of Object.entries(template))
    readThroughTemplate(inner, (body as Record<string, unknown>)[key], found);
  return found;
}

const PLACEHOLDER = /\$\{(\w+)(?::(?:number|string))?\}/g;
