// biome-ignore-all lint/suspicious/noTemplateCurlyInString: these are placeholders of request templates
import type { RequestTemplate, TargetManners } from './types.ts';

/** A one-pixel picture, the smallest attachment that is what it says. */
const PIXEL = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAQAAAC1HAwCAAAAC0lEQVR42mNk+A8AAQUBAScY42YAAAAASUVORK5CYII=';

/** What a target file need not say: request templates and pointers in the form that existing clients of the gateway use. */
export const GATEWAY_WIRE_DEFAULTS = {
  amount: 'decimal-string',
  order: {
    orderMerchantId: '${orderMerchantId}',
    orderDescription: 'Conformance check',
    orderAmount: '${amount}',
    orderCurrencyCode: '${currency}',
  },
  customer: {
    firstname: 'Ada',
    lastname: 'Test',
    customerEmail: 'ada@example.com',
    address: { countryCode: 'DE', zipCode: '10115', city: 'Berlin', line1: 'Teststrasse 1' },
  },
  browser: {
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
  urls: { resultUrl: '${returnUrl}', cancelUrl: '${cancelUrl}', webhookUrl: '${callbackUrl}', cresUrl: '${cresUrl}' },
  card: {
    card: {
      cardNumber: '${cardNumber}',
      cvv2: '${cardCode}',
      expireMonth: '${cardMonth}',
      expireYear: '${cardYear}',
      cardPrintedName: '${cardHolder}',
    },
  },
  registered: { cardId: '${cardId}' },
  history: { expireMonth: '${cardMonth}', expireYear: '${cardYear}' },
  names: { cres: 'cres', pares: 'pares' },
  read: {
    orderSystemId: '/orderSystemId',
    correlationId: '/correlationId',
    cardId: '/cardId',
    threeDSServerTransID: '/threeDSAuth/threeDSMethodTransactionId',
  },
  transaction: { type: '/type', amount: '/amount', state: '/status', approved: ['APPROVED'] },
  types: {
    authorization: ['AUTH'],
    capture: ['CAPTURE'],
    sale: ['SALE'],
    reversal: ['REVERSAL', 'VOID', 'REFUND'],
    verification: ['ACCOUNT_VERIFICATION'],
    transfer: ['TRANSFER'],
    chargeback: ['CHARGEBACK'],
  },
} as const satisfies Record<string, RequestTemplate>;

/** The same for v1. */
export const V1_WIRE_DEFAULTS = {
  payer: { ultimate: { name: 'Ada Test' } },
  recipient: { name: 'Grace Test', iban: '${iban}', country_code: 'DE' },
  document: {
    type: 'passport',
    description: 'Conformance check',
    file_name: '${fileName}',
    attachment: { content: PIXEL, page_type: null },
  },
} as const satisfies Record<string, RequestTemplate>;

/** Careful enough for somebody else's sandbox. */
export const DEFAULT_MANNERS: TargetManners = {
  pollGap: 3,
  pollLimit: 40,
  timeout: 10,
  patience: 30,
  exhaust: false,
  money: { calls: 500, total: 10_000 },
};
