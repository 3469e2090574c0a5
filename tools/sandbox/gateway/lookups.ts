import { decision } from '../decision.ts';
import type { Call, Reply } from './call.ts';
import { findCard } from './cards.ts';
import { needText, text } from './fields.ts';
import { isCurrency } from './money.ts';
import { invalid } from './refusal.ts';

type Body = Record<string, unknown>;
const says = (body: Body): Body => body;
const drop = (name: string) => (body: Body) => {
  const { [name]: _, ...rest } = body;
  return rest;
};
const put = (name: string, value: unknown) => (body: Body) => (name in body ? { ...body, [name]: value } : body);

const lookupIsFree = (name: string, operation: Call['operation']) =>
  decision({
    rule: 'GW-GEN-05',
    honest: (_call: Call) => 0,
    lies: { [`${name}-lookup-costs-a-fee`]: (call) => (call.operation === operation ? 10 : 0) },
  });

const fees = [
  lookupIsFree('card-info', 'getCardInfo'),
  lookupIsFree('card-history', 'getCardHistory'),
  lookupIsFree('exchange-rate', 'getExchangeRate'),
];

/** Charges for a lookup; honestly, nothing. */
export function chargeLookup(call: Call): void {
  for (const fee of fees) {
    const due = fee(call.faults, call);
    if (due > 0) call.desk.balances.debit(call.desk.world.credentials.gateway.merchant.login, 'EUR', due);
  }
}

const listedIsFound = decision({
  rule: 'GW-INF-02',
  honest: (result: string) => result,
  lies: { 'listed-card-not-found': (result) => (result === 'FOUND' ? 'NOT_FOUND_01' : result) },
});

const unlistedIsNotFound = decision({
  rule: 'GW-INF-03',
  honest: (result: string) => result,
  lies: {
    'unlisted-card-found': () => 'FOUND',
    'second-kind-of-unlisted-card-found': (result) => (result === 'NOT_FOUND_02' ? 'FOUND' : result),
  },
});

const resultIsNamed = decision({
  rule: 'GW-INF-06',
  honest: says,
  lies: {
    'lookup-without-result': drop('result'),
    'lookup-result-not-listed': (body) => ({ ...body, result: body['result'] === 'FOUND' ? 'OK' : 'NOT_FOUND' }),
    'lookup-result-as-flag': (body) => ({ ...body, result: body['result'] === 'FOUND' }),
  },
});

const issuerName = decision({
  rule: 'GW-INF-07',
  honest: says,
  lies: {
    'issuer-name-as-object': put('cardIssuerName', { name: 'Sandbox Bank' }),
    'issuer-name-as-number': put('cardIssuerName', 17),
  },
});

const issuerCountry = decision({
  rule: 'GW-INF-08',
  honest: says,
  lies: {
    'issuer-country-as-name': put('cardIssuerCountryCode', 'Germany'),
    'issuer-country-of-one-letter': put('cardIssuerCountryCode', 'D'),
  },
});

const cardCurrency = decision({
  rule: 'GW-INF-09',
  honest: says,
  lies: {
    'card-currency-as-sign': put('cardCurrencyCode', '€'),
    'card-currency-as-name': put('cardCurrencyCode', 'Euro'),
  },
});

const foundHasAll = decision({
  rule: 'GW-INF-10',
  honest: says,
  lies: {
    'found-without-issuer-name': drop('cardIssuerName'),
    'found-without-issuer-country': drop('cardIssuerCountryCode'),
    'found-without-currency': drop('cardCurrencyCode'),
  },
});

const clientIdIsText = decision({
  rule: 'GW-INF-05',
  honest: (_client: string) => true,
  lies: { 'client-id-must-be-a-number': (client) => /^\d+$/.test(client) },
});

/** get-card-info: who issued a card; nothing else happens. */
export function cardInfo(call: Call): Reply {
  const { faults, body, subject } = call;
  if (!clientIdIsText(faults, subject)) throw invalid('clientId', `Cannot parse client id: ${subject}`);
  const number = needText(body, 'cardNumber').replace(/[ -]/g, '');
  if (!/^\d{12,19}$/.test(number)) throw invalid('cardNumber');
  const known = findCard(number);
  const listed = known === undefined ? (/^[2345]/.test(number) ? 'FOUND' : 'NOT_FOUND_01') : (known.listed ?? 'FOUND');
  const result = unlistedIsNotFound(faults, listedIsFound(faults, listed));
  let answer: Body = { result };
  if (result === 'FOUND')
    answer = { result, cardIssuerName: 'Sandbox Bank', cardIssuerCountryCode: 'DE', cardCurrencyCode: 'EUR' };
  for (const step of [resultIsNamed, issuerName, issuerCountry, cardCurrency, foundHasAll])
    answer = step(faults, answer);
  return { status: 200, body: answer };
}

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
export function exchangeRate(call: Call): Reply {
  const { faults, body } = call;
  const read = (field: string, instead: string): string => {
    const value = text(body[field]);
    if (value !== undefined) return value;
    if (asked.every((required) => required(faults, field))) throw invalid(field);
    return instead;
  };
  read('exchangeProvider', 'ECB');
  const code = (field: string) => {
    const value = read(field, 'EUR');
    if (!codeHasThreeLetters(faults, value, field)) throw invalid(field);
    return RATES[value] ?? 10;
  };
  const rate = code('exchangeCurrencyCodeTo') / code('exchangeCurrencyCodeFrom');
  const [low, high] = [round(rate * 0.99), round(rate * 1.01)];
  const answer = { exchangeLowRate: lowRate(faults, low, high), exchangeHighRate: highRate(faults, high, low) };
  return { status: 200, body: bothRates(faults, answer) };
}

function round(rate: number): number {
  return Number(rate.toPrecision(8));
}
