import { type ActiveLies, decision } from '../../decision.ts';
import type { GatewayCall } from '../gateway-call.ts';
import type { GatewayReply } from '../gateway-reply.ts';
import { isCurrencyCode } from '../orders/money.ts';
import { refuseParameter } from '../wire/gateway-refusal.ts';
import { type JsonObject, readFieldText } from '../wire/request-fields.ts';

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
    honest: (_missing: string) => true,
    lies: { [`rate-without-${name}-accepted`]: (missing) => missing !== field },
  });

const asked = [
  isAsked('exchangeProvider', 'provider'),
  isAsked('exchangeCurrencyCodeFrom', 'from'),
  isAsked('exchangeCurrencyCodeTo', 'to'),
];

const codeHasThreeLetters = decision({
  rule: 'GW-RAT-04',
  honest: (code: string, _field: string) => isCurrencyCode(code),
  lies: {
    'two-letter-currency-accepted': (code) => isCurrencyCode(code) || /^[A-Z]{2}$/.test(code),
    'four-letter-currency-accepted': (code) => isCurrencyCode(code) || /^[A-Z]{4}$/.test(code),
    'one-letter-currency-accepted': (code) => isCurrencyCode(code) || /^[A-Z]$/.test(code),
    'five-letter-currency-accepted': (code) => isCurrencyCode(code) || /^[A-Z]{5}$/.test(code),
    'currency-with-a-digit-accepted': (code) => isCurrencyCode(code) || /^[A-Z]{2}\d$/.test(code),
    'numeric-currency-accepted': (code) => isCurrencyCode(code) || /^\d{3}$/.test(code),
    'any-target-currency-accepted': (code, field) => isCurrencyCode(code) || field === 'exchangeCurrencyCodeTo',
  },
});

const lowRate = decision({
  rule: 'GW-RAT-05',
  honest: (low: number, _high: number, _isInverse: boolean): unknown => low,
  lies: {
    'low-rate-above-high-rate-the-other-way': (low, high, isInverse) => (isInverse ? high * 1.5 : low),
    'low-rate-as-words': () => 'about one',
    'low-rate-above-high-rate': (_low, high) => high * 1.5,
    'low-rate-as-object': (low) => ({ low }),
  },
});

const highRate = decision({
  rule: 'GW-RAT-06',
  honest: (high: number, _low: number, _isInverse: boolean): unknown => high,
  lies: {
    'high-rate-below-low-rate-the-other-way': (high, low, isInverse) => (isInverse ? low / 2 : high),
    'high-rate-as-words': () => 'about one',
    'high-rate-below-low-rate': (_high, low) => low / 2,
    'high-rate-as-object': (high) => ({ high }),
  },
});

const bothRates = decision({
  rule: 'GW-RAT-07',
  honest: (body: Body, _isInverse: boolean): Body => body,
  lies: {
    'low-rate-missing': drop('exchangeLowRate'),
    'high-rate-missing': drop('exchangeHighRate'),
    'high-rate-missing-the-other-way': (body, isInverse) => (isInverse ? drop('exchangeHighRate')(body) : body),
  },
});

/** get-exchange-rate: what a provider buys and sells at. */
export function answerExchangeRate({ activeLies, body }: GatewayCall): GatewayReply {
  read(activeLies, body, 'exchangeProvider', 'ECB');
  const from = price(activeLies, body, 'exchangeCurrencyCodeFrom');
  const rate = price(activeLies, body, 'exchangeCurrencyCodeTo') / from;
  const isInverse = body['exchangeCurrencyCodeTo'] === 'EUR';
  const [low, high] = [round(rate * 0.99), round(rate * 1.01)];
  const answer = {
    exchangeLowRate: lowRate(activeLies, low, high, isInverse),
    exchangeHighRate: highRate(activeLies, high, low, isInverse),
  };
  return { status: 200, body: bothRates(activeLies, answer, isInverse) };
}

function read(activeLies: ActiveLies, body: JsonObject, field: string, instead: string): string {
  const value = readFieldText(body[field]);
  if (value !== undefined) return value;
  if (asked.every((required) => required(activeLies, field))) throw refuseParameter(field);
  return instead;
}

/** What a euro costs in the currency that a field names. */
function price(activeLies: ActiveLies, body: JsonObject, field: string): number {
  const code = read(activeLies, body, field, 'EUR');
  if (!codeHasThreeLetters(activeLies, code, field)) throw refuseParameter(field);
  return RATES[code] ?? 10;
}

function round(rate: number): number {
  return Math.round(rate * 1e8) / 1e8;
}
