import type { AlternateStyle } from '../server.ts';
import { type GatewayJourneys, JOURNEYS_BY_NAME } from './journeys.ts';

/** What a card does; told by its code, or by the amount where the service goes by that. */
export type AlternateCardBehaviour =
  | 'approved'
  | 'declined'
  | 'filtered'
  | 'error'
  | 'pending'
  | 'unknown'
  | 'chain'
  | 'method'
  | 'challenge'
  | 'pareq'
  | 'frictionless';

export type AlternateTransactionKind =
  | 'authorization'
  | 'capture'
  | 'sale'
  | 'reversal'
  | 'verification'
  | 'transfer'
  | 'chargeback';

type Figures = (amount: number) => unknown;

/** Everything that the document of the gateway leaves to a service. */
export interface GatewayAlternateChoices extends AlternateStyle {
  readonly name: string;
  /** Path before `/api`. */
  readonly prefix: string;
  readonly media: string;
  readonly errorMedia: string;
  /** How it wants amounts, and how it shows them. */
  readonly amount: 'decimal-string' | 'decimal-number' | 'minor-number' | 'minor-string';
  readonly amountRead: 'decimal-string' | 'decimal-number' | 'minor-number' | 'minor-string';
  /** Request templates; the service finds amount, currency and card where their placeholders stand. */
  readonly order: Readonly<Record<string, unknown>>;
  readonly customer: Readonly<Record<string, unknown>> | null;
  readonly browser: Readonly<Record<string, unknown>>;
  readonly urls: Readonly<Record<string, unknown>>;
  readonly card: Readonly<Record<string, unknown>>;
  /** What it wants in a payment, a capture and a reversal besides. */
  readonly extraMembers: Readonly<Record<string, unknown>>;
  /** Where an answer holds the two ids, and what they look like. */
  readonly systemIdAt: string;
  readonly systemId: (count: number) => unknown;
  readonly correlationAt: string;
  readonly correlation: (word: string) => unknown;
  readonly errorCorrelation: (word: string) => unknown;
  /** Pointers below an entry of transactions; without a state where it shows none. */
  readonly entry: { readonly type: string; readonly amount: string; readonly state?: string };
  readonly types: Readonly<Partial<Record<AlternateTransactionKind, readonly [string, ...string[]]>>>;
  readonly states: { readonly approved: string; readonly refused: string; readonly pending: string };
  /** Whether a sale is listed as an authorization and a capture. */
  readonly splits: boolean;
  /** Whether amounts of reversals are shown below zero. */
  readonly negative: boolean;
  /** Whether operations that were refused are listed. */
  readonly listsRefused: boolean;
  /** Whether operations under way are listed. */
  readonly listsPending: boolean;
  /** Seconds until an outcome is there; 0: at once. */
  readonly outcomeDelay: number;
  /** How it refuses a payment, capture or reversal that cannot be. */
  readonly refuses: 400 | 'DECLINED' | 'ERROR' | 'FILTERED';
  /** Whether a refused operation leaves the state of its order as it was. */
  readonly keepsState: boolean;
  /** What it takes the verification of a card with: any amount, or none at all. */
  readonly verifies: 'any amount' | 'no amount';
  /** Characters that the reason of a reversal may have. */
  readonly reasonUpTo: number;
  readonly unknownOrder: 400 | 'UNKNOWN' | 'ERROR';
  readonly invalidParams: (names: readonly string[]) => unknown;
  readonly inputCode: number;
  readonly figures: Figures;
  readonly rates: readonly [unknown, unknown];
  readonly provider: Readonly<Record<'name' | 'from' | 'to', string>>;
  readonly bufferCounts: boolean;
  readonly balances: readonly string[];
  readonly history: Readonly<Record<string, string>>;
  readonly yes: unknown;
  readonly no: unknown;
  readonly score: unknown;
  readonly holds: { readonly debit: number; readonly credit: number };
  readonly cards: Readonly<Record<'approved' | 'credit' | 'unlisted' | 'unlisted2', string>>;
  /** What steers a payment: the code of the card, or the amount in minor units. */
  readonly steers: 'code' | 'amount';
  readonly behaviours: Readonly<Record<AlternateCardBehaviour, string>>;
  readonly notFound: string;
  readonly currencyNeeded: boolean;
  readonly clockAt: string;
  /** Whether its clock can be set forward, as it is told to; absent: yes. */
  readonly lever?: 'everything' | 'nothing';
  /** About what takes more than one call. */
  readonly journeys: GatewayJourneys;
}

const history = (name: (side: string, what: string) => string): Record<string, string> =>
  Object.fromEntries(
    ['deposits', 'withdrawals'].flatMap((side) =>
      ['Found', 'Days', 'Score', 'Several'].map((what) => [`${side}${what}`, name(side, what)]),
    ),
  );
const slot = (name: string) => `\${${name}}`;

/** Three services that keep the document and agree in nothing else. */
export const GATEWAY_ALTERNATES: readonly GatewayAlternateChoices[] = [
  {
    name: 'counting',
    extra: {},
    backwards: true,
    prefix: '',
    media: 'application/json',
    errorMedia: 'application/json;charset=UTF-8',
    amount: 'minor-number',
    amountRead: 'minor-string',
    order: { sum: { minor: slot('amount'), iso: slot('currency') }, ref: slot('orderMerchantId') },
    customer: { who: 'somebody' },
    browser: { agent: 'check', width: 800 },
    urls: { done: slot('returnUrl'), issuer: [slot('cresUrl')] },
    card: {
      means: {
        plastic: {
          pan: slot('cardNumber'),
          check: slot('cardCode'),
          until: `${slot('cardMonth')}/${slot('cardYear2')}`,
        },
      },
    },
    extraMembers: {},
    systemIdAt: '/reference/system/id',
    systemId: (count) => `ord-${count}-x`,
    correlationAt: 'header:X-Trace',
    correlation: (word) => word,
    errorCorrelation: (word) => word,
    entry: { type: '/what', amount: '/how/much', state: '/went' },
    types: {
      authorization: ['hold'],
      capture: ['take'],
      sale: ['buy'],
      reversal: ['void', 'back'],
      verification: ['look'],
      transfer: ['send'],
      chargeback: ['dispute'],
    },
    states: { approved: 'fine', refused: 'bad', pending: 'wait' },
    splits: false,
    negative: true,
    listsRefused: true,
    listsPending: true,
    outcomeDelay: 0,
    refuses: 400,
    keepsState: true,
    verifies: 'no amount',
    reasonUpTo: 40,
    unknownOrder: 400,
    invalidParams: (names) => names,
    inputCode: -100,
    figures: (amount) => (amount / 100).toFixed(2),
    rates: ['1.0812', '1.0934'],
    provider: { name: 'Someone', from: 'EUR', to: 'JPY' },
    bufferCounts: true,
    balances: ['main-eur', 'reserve'],
    history: history((side, what) => `/${side}${what === 'Several' ? 'MultiSource' : what}`),
    yes: true,
    no: false,
    score: 0.25,
    holds: { debit: 7, credit: 28 },
    cards: {
      approved: '4242424242424242',
      credit: '5105105105105100',
      unlisted: '6011000990139424',
      unlisted2: '3530111333300000',
    },
    steers: 'code',
    behaviours: {
      approved: '900',
      declined: '901',
      filtered: '902',
      error: '903',
      pending: '904',
      unknown: '905',
      chain: '906',
      method: '907',
      challenge: '908',
      pareq: '909',
      frictionless: '910',
    },
    notFound: 'NOT_FOUND_02',
    currencyNeeded: true,
    clockAt: '/iso',
    journeys: JOURNEYS_BY_NAME.counting!,
  },
  {
    name: 'slow',
    extra: { _meta: { v: 3 }, hints: [] },
    backwards: false,
    prefix: '/pay/v/eu',
    media: 'Application/Json; Charset="utf-8"',
    errorMedia: 'application/json;  charset="UTF-8"',
    amount: 'decimal-number',
    amountRead: 'decimal-number',
    order: { amount: slot('amount'), currency: slot('currency'), nested: { own: { id: slot('orderMerchantId') } } },
    customer: { mail: 'somebody@example.org', phone: 12345 },
    browser: { ua: 'check', locale: { language: 'de' }, flags: [true, false] },
    urls: { back: slot('returnUrl'), away: { cancel: slot('cancelUrl') }, tell: { here: slot('callbackUrl') } },
    card: {
      order: {
        source: {
          number: slot('cardNumber'),
          cvc: slot('cardCode'),
          month: slot('cardMonth:number'),
          year: slot('cardYear:number'),
        },
      },
    },
    extraMembers: { channel: { kind: 'ECOM' } },
    systemIdAt: 'header:X-Order-Number',
    systemId: (count) => String(770000 + count),
    correlationAt: '/trace/0/value',
    correlation: (word) => word.toUpperCase(),
    errorCorrelation: (word) => `${word}/1`,
    entry: { type: '/kind/code', amount: '/money/value' },
    types: {
      authorization: ['1'],
      capture: ['2'],
      reversal: ['3'],
      verification: ['4'],
      transfer: ['5'],
      chargeback: ['6'],
    },
    states: { approved: 'OK', refused: 'KO', pending: 'WAITING' },
    splits: true,
    negative: false,
    listsRefused: false,
    listsPending: false,
    outcomeDelay: 7,
    refuses: 'DECLINED',
    keepsState: false,
    verifies: 'any amount',
    reasonUpTo: 255,
    unknownOrder: 'UNKNOWN',
    invalidParams: (names) => names.join(', '),
    inputCode: -7,
    figures: (amount) => amount / 100,
    rates: [0.9, 0.9],
    provider: { name: 'B & B', from: 'GBP', to: 'EUR' },
    bufferCounts: false,
    balances: ['B-1', 'B-2', 'B-3', 'B-4'],
    history: history((side, what) => `/figures/${side}/${what.toLowerCase()}`),
    yes: 'YES',
    no: 'NO',
    score: '1',
    holds: { debit: 8.5, credit: 31 },
    cards: {
      approved: '4000056655665556',
      credit: '4012888888881881',
      unlisted: '6011111111111117',
      unlisted2: '3566002020360505',
    },
    steers: 'code',
    behaviours: {
      approved: '111',
      declined: '112',
      filtered: '113',
      error: '114',
      pending: '115',
      unknown: '116',
      chain: '117',
      method: '118',
      challenge: '119',
      pareq: '120',
      frictionless: '121',
    },
    notFound: 'NOT_FOUND_01',
    currencyNeeded: false,
    clockAt: '/unix',
    journeys: JOURNEYS_BY_NAME.slow!,
  },
  {
    name: 'steered by amounts',
    extra: { debug: null },
    backwards: true,
    prefix: '/x',
    media: 'application/json;charset=utf-8;profile=status',
    errorMedia: 'application/json ; profile=error ; charset=Utf-8',
    amount: 'minor-string',
    amountRead: 'decimal-string',
    order: { lines: [{ total: slot('amount'), cur: slot('currency') }], description: 'check' },
    customer: { name: { first: 'A', last: 'B' } },
    browser: { opaque: 'data' },
    urls: { pages: { ok: slot('returnUrl'), cancel: slot('cancelUrl') } },
    card: { cardData: `${slot('cardNumber')};${slot('cardYear')}-${slot('cardMonth')};${slot('cardCode')}` },
    extraMembers: { tenant: 7 },
    systemIdAt: '/ids/1',
    systemId: (count) => 9_000_000 + count,
    correlationAt: '/ids/0',
    correlation: (word) => Number.parseInt(word.slice(0, 10), 16),
    errorCorrelation: (word) => Number.parseInt(word.slice(0, 10), 16),
    entry: { type: '/0', amount: '/amount', state: '/result/final' },
    types: {
      authorization: ['AUTHORISATION'],
      capture: ['SETTLEMENT'],
      sale: ['PURCHASE'],
      reversal: ['CANCEL', 'CREDIT'],
      verification: ['ZERO'],
      transfer: ['P2P'],
      chargeback: ['DISPUTE', 'CHARGE BACK'],
    },
    states: { approved: 'true', refused: 'false', pending: 'null' },
    splits: false,
    negative: false,
    listsRefused: true,
    listsPending: false,
    outcomeDelay: 3,
    refuses: 'FILTERED',
    keepsState: false,
    verifies: 'no amount',
    reasonUpTo: 40,
    unknownOrder: 'ERROR',
    invalidParams: (names) => Object.fromEntries(names.map((name) => [name, 'missing'])),
    inputCode: 4711,
    figures: (amount) => (amount / 100).toFixed(4),
    rates: ['151.10', 152],
    provider: { name: '7', from: 'USD', to: 'JPY' },
    bufferCounts: true,
    balances: ['Tagesgeld ü'],
    history: history((side, what) => `/rows/${side === 'deposits' ? 0 : 1}/${what}`),
    yes: 1,
    no: 0,
    score: '0.50',
    holds: { debit: 6, credit: 25 },
    cards: {
      approved: '378282246310005',
      credit: '2223003122003222',
      unlisted: '6011981111111113',
      unlisted2: '5610591081018250',
    },
    steers: 'amount',
    behaviours: {
      approved: '',
      declined: '6001',
      filtered: '6002',
      error: '6003',
      pending: '6004',
      unknown: '6005',
      chain: '6006',
      method: '6007',
      challenge: '6008',
      pareq: '6009',
      frictionless: '6010',
    },
    notFound: 'NOT_FOUND_01',
    currencyNeeded: false,
    clockAt: '/time/now',
    journeys: JOURNEYS_BY_NAME['steered by amounts']!,
  },
];
