// biome-ignore-all lint/suspicious/noTemplateCurlyInString: these are placeholders of request templates
import type { RequestTemplate } from '../types.ts';

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
