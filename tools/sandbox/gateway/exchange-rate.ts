import { decision, type Faults } from '../decision.ts';
import type { Call, Reply } from './call.ts';
import { type Json, text } from './fields.ts';
import { isCurrency } from './money.ts';
import { invalid } from './refusal.ts';

type Body = Record<string, unknown>;
const says = (body: Body): Body => body;
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
  honest: (code: string, _field: string) => isCurrency(code),
  lies: {
    'two-letter-currency-accepted': (code) => isCurrency(code) || /^[A-Z]{2}$/.test(code),
    'four-letter-currency-accepted': (code) => isCurrency(code) || /^[A-Z]{4}$/.test(code),
    'numeric-currency-accepted': (code) => isCurrency(code) || /^\d{3}$/.test(code),
    'any-target-currency-accepted': (code, field) => isCurrency(code) || field === 'exchangeCurrencyCodeTo',
  },
});

const lowRate = decision({
  rule: 'GW-RAT-05',
  honest: (low: number, _high: number): unknown => low,
  lies: {
    'low-rate-as-words': () => 'about one',
    'low-rate-above-high-rate': (_low, high) => high * 1.5,
    'low-rate-as-object': (low) => ({ low }),
  },
});

const highRate = decision({
  rule: 'GW-RAT-06',
  honest: (high: number, _low: number): unknown => high,
  lies: {
    'high-rate-as-words': () => 'about one',
    'high-rate-below-low-rate': (_high, low) => low / 2,
    'high-rate-as-object': (high) => ({ high }),
  },
});

const bothRates = decision({
  rule: 'GW-RAT-07',
  honest: says,
  lies: { 'low-rate-missing': drop('exchangeLowRate'), 'high-rate-missing': drop('exchangeHighRate') },
});

/** get-exchange-rate: what a provider buys and sells at. */
export function exchangeRate({ faults, body }: Call): Reply {
  read(faults, body, 'exchangeProvider', 'ECB');
  const from = price(faults, body, 'exchangeCurrencyCodeFrom');
  const rate = price(faults, body, 'exchangeCurrencyCodeTo') / from;
  const [low, high] = [round(rate * 0.99), round(rate * 1.01)];
  const answer = { exchangeLowRate: lowRate(faults, low, high), exchangeHighRate: highRate(faults, high, low) };
  return { status: 200, body: bothRates(faults, answer) };
}

function read(faults: Faults, body: Json, field: string, instead: string): string {
  const value = text(body[field]);
  if (value !== undefined) return value;
  if (asked.every((required) => required(faults, field))) throw invalid(field);
  return instead;
}

/** What a euro costs in the currency that a field names. */
function price(faults: Faults, body: Json, field: string): number {
  const code = read(faults, body, field, 'EUR');
  if (!codeHasThreeLetters(faults, code, field)) throw invalid(field);
  return RATES[code] ?? 10;
}

function round(rate: number): number {
  return Math.round(rate * 1e8) / 1e8;
}
