import { decision } from '../../decision.ts';
import { isAskedAgain } from '../asked-again.ts';
import { isForSecond } from '../credentials.ts';
import type { GatewayCall } from '../gateway-call.ts';
import type { GatewayReply } from '../gateway-reply.ts';
import { isCurrencyCode } from '../orders/money.ts';
import { refuseParameter } from '../wire/gateway-refusal.ts';
import { readFieldText } from '../wire/request-fields.ts';

type Body = Record<string, unknown>;
const drop = (name: string) => (body: Body) => {
  const { [name]: _, ...rest } = body;
  return rest;
};
const RATES: Readonly<Record<string, number>> = {
  EUR: 1,
  USD: 1.08,
  GBP: 0.85,
  CHF: 0.95,
  JPY: 162,
  PLN: 4.3,
  UAH: 45,
};

const isAsked = (field: string, name: string) =>
  decision({
    rule: 'GW-RAT-03',
    honest: (_missing: string, _call: GatewayCall) => true,
    lies: {
      [`rate-without-${name}-accepted-when-asked-again`]: (missing, call) => missing !== field || !isAskedAgain(call),
      [`rate-without-${name}-accepted`]: (missing) => missing !== field,
      [`rate-for-another-requestor-without-${name}-accepted`]: (missing, call) =>
        missing !== field || !isForSecond(call),
    },
  });

const emptyIsMissing = decision({
  rule: 'GW-RAT-04',
  honest: (_value: unknown) => true,
  lies: { 'empty-currency-accepted': (value) => value !== '' },
});

const asked = [
  isAsked('exchangeProvider', 'provider'),
  isAsked('exchangeCurrencyCodeFrom', 'from'),
  isAsked('exchangeCurrencyCodeTo', 'to'),
];

const codeHasThreeLetters = decision({
  rule: 'GW-RAT-04',
  honest: (code: string, _field: string, _call: GatewayCall) => isCurrencyCode(code),
  lies: {
    'four-letter-currency-accepted-for-another-requestor': (code, _field, call) =>
      isCurrencyCode(code) || (/^[A-Z]{4}$/.test(code) && isForSecond(call)),
    'any-currency-accepted-when-asked-again': (code, _field, call) => isCurrencyCode(code) || isAskedAgain(call),
    'two-letter-currency-accepted': (code) => isCurrencyCode(code) || /^[A-Z]{2}$/.test(code),
    'four-letter-currency-accepted': (code) => isCurrencyCode(code) || /^[A-Z]{4}$/.test(code),
    'one-letter-currency-accepted': (code) => isCurrencyCode(code) || /^[A-Z]$/.test(code),
    'five-letter-currency-accepted': (code) => isCurrencyCode(code) || /^[A-Z]{5}$/.test(code),
    'currency-with-a-digit-accepted': (code) => isCurrencyCode(code) || /^[A-Z]{2}\d$/.test(code),
    'currency-of-two-letters-and-a-sign-accepted': (code) => isCurrencyCode(code) || /^[A-Z]{2}[^\w]$/.test(code),
    'numeric-currency-accepted': (code) => isCurrencyCode(code) || /^\d{3}$/.test(code),
    'any-target-currency-accepted': (code, field) => isCurrencyCode(code) || field === 'exchangeCurrencyCodeTo',
  },
});

const lowRate = decision({
  rule: 'GW-RAT-05',
  honest: (low: number, _high: number, _isInverse: boolean, _call: GatewayCall): unknown => low,
  lies: {
    'low-rate-above-high-rate-for-another-requestor': (low, high, _isInverse, call) =>
      isForSecond(call) ? high * 1.5 : low,
    'low-rate-above-high-rate-the-other-way': (low, high, isInverse) => (isInverse ? high * 1.5 : low),
    'low-rate-of-nothing': () => 0,
    'low-rate-written-as-the-caller-writes': (low, _high, _isInverse, { headers }) =>
      headers['accept-language']?.startsWith('de') ? String(low).replace('.', ',') : low,
    'low-rate-below-nothing': (low) => -low,
    'low-rate-as-words': () => 'about one',
    'low-rate-above-high-rate': (_low, high) => high * 1.5,
    'low-rate-as-object': (low) => ({ low }),
  },
});

const highRate = decision({
  rule: 'GW-RAT-06',
  honest: (high: number, _low: number, _isInverse: boolean, _call: GatewayCall): unknown => high,
  lies: {
    'high-rate-below-low-rate-for-another-requestor': (high, low, _isInverse, call) =>
      isForSecond(call) ? low / 2 : high,
    'high-rate-below-low-rate-the-other-way': (high, low, isInverse) => (isInverse ? low / 2 : high),
    'high-rate-as-words': () => 'about one',
    'high-rate-below-low-rate': (_high, low) => low / 2,
    'high-rate-as-object': (high) => ({ high }),
  },
});

const bothRates = decision({
  rule: 'GW-RAT-07',
  honest: (body: Body, _isInverse: boolean, _call: GatewayCall): Body => body,
  lies: {
    'high-rate-missing-for-another-requestor': (body, _isInverse, call) =>
      isForSecond(call) ? drop('exchangeHighRate')(body) : body,
    'low-rate-missing': drop('exchangeLowRate'),
    'high-rate-missing': drop('exchangeHighRate'),
    'high-rate-missing-the-other-way': (body, isInverse) => (isInverse ? drop('exchangeHighRate')(body) : body),
  },
});

/** get-exchange-rate: what a provider buys and sells at. */
export function answerExchangeRate(call: GatewayCall): GatewayReply {
  const { activeLies, body } = call;
  read(call, 'exchangeProvider', 'ECB');
  const from = price(call, 'exchangeCurrencyCodeFrom');
  const rate = price(call, 'exchangeCurrencyCodeTo') / from;
  const isInverse = body['exchangeCurrencyCodeTo'] === 'EUR';
  const [low, high] = [round(rate * 0.99), round(rate * 1.01)];
  const answer = {
    exchangeLowRate: lowRate(activeLies, low, high, isInverse, call),
    exchangeHighRate: highRate(activeLies, high, low, isInverse, call),
  };
  return { status: 200, body: bothRates(activeLies, answer, isInverse, call) };
}

function read(call: GatewayCall, field: string, instead: string): string {
  const value = readFieldText(call.body[field]);
  if (value !== undefined) return value;
  if (!emptyIsMissing(call.activeLies, call.body[field])) return instead;
  if (asked.every((required) => required(call.activeLies, field, call))) throw refuseParameter(field);
  return instead;
}

/** What a euro costs in the currency that a field names. */
function price(call: GatewayCall, field: string): number {
  const code = read(call, field, 'EUR');
  if (!codeHasThreeLetters(call.activeLies, code, field, call)) throw refuseParameter(field);
  return RATES[code] ?? 10;
}

function round(rate: number): number {
  return Math.round(rate * 1e8) / 1e8;
}
