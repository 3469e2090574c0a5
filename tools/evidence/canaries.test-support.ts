/** One secret planted in a run, and the shapes by which it would be recognised if it came through. */
export interface Canary {
  readonly kind: string;
  /** How it is written. */
  readonly spelling: string;
  /** Text that holds it, as it would travel. */
  readonly text: string;
  /** What must not be found in any artifact. */
  readonly never: readonly (string | RegExp)[];
}

/** Card numbers of five schemes, none of anybody. */
export const CARDS: Readonly<Record<string, string>> = {
  Visa: '4929939187355598',
  Mastercard: '5383908528354962',
  'American Express': '371449635398431',
  Discover: '6011298513471239',
  Maestro: '6759649826438453',
};

/** Secrets that the target file would have resolved. */
export const TOKEN = 'tok-7Zq/4+vYpLm2&Xs9Rk';
export const PASSPHRASE = 'correct horse "battery" staple';
export const KEY = [
  '-----BEGIN PRIVATE KEY-----',
  'Q2FuYXJ5S2V5TWF0ZXJpYWxUaGF0TWF5TmV2ZXJBcHBlYXJBbnl3aGVyZUF0QWxs',
  'U2Vjb25kTGluZU9mQ2FuYXJ5S2V5TWF0ZXJpYWxOb3RUb0JlU2VlbkVpdGhlcg==',
  '-----END PRIVATE KEY-----',
].join('\n');
/** Values nobody registered: known by their name or their looks only. */
export const CODE = '8391';
export const CRES = Buffer.from('{"threeDSServerTransID":"canary","transStatus":"Y"}').toString('base64url');
export const PARES = Buffer.from('<PaRes canary="yes" signed="very much so"/>').toString('base64');
export const STRANGER = 'Str4ngerT0kenNobodyRegistered';

const parts = (digits: string) =>
  digits.length === 15 ? [digits.slice(0, 4), digits.slice(4, 10), digits.slice(10)] : digits.match(/.{4}/g)!;
const joined = (by: string) => (digits: string) => parts(digits).join(by);

/** Ways to write a card number. */
export const SPELLINGS: Readonly<Record<string, (digits: string) => string>> = {
  plain: (digits) => digits,
  spaces: joined(' '),
  dashes: joined('-'),
  'percent-encoded spaces': joined('%20'),
  'form-encoded spaces': joined('+'),
  'no-break spaces': joined('\u00a0'),
  dots: joined('.'),
  'a space after every digit': (digits) => [...digits].join(' '),
  'JSON escapes': (digits) => [...digits].map((digit) => `\\u003${digit}`).join(''),
  'percent-encoded digits': (digits) => [...digits].map((digit) => `%3${digit}`).join(''),
  'HTML entities': (digits) => [...digits].map((digit) => `&#${48 + Number(digit)};`).join(''),
  base64: (digits) => Buffer.from(digits).toString('base64'),
  'base64url of JSON': (digits) => Buffer.from(JSON.stringify({ a: 1, number: digits })).toString('base64url'),
};

/** Every canary: all that must not come through, in every spelling. */
export function canaries(): Canary[] {
  return [
    ...Object.entries(CARDS).flatMap(([kind, digits]) =>
      Object.entries(SPELLINGS).map(([spelling, write]) => ({
        kind,
        spelling,
        text: write(digits),
        never: [write(digits), digits, new RegExp([...digits].join('[^0-9a-z]{0,3}'))],
      })),
    ),
    ...secret('registered token', TOKEN),
    ...secret('registered passphrase', PASSPHRASE),
    ...secret('private key', KEY).map((one) => ({
      ...one,
      never: [...one.never, ...KEY.split('\n').slice(1, 3), KEY.split('\n').slice(1, 3).join('')],
    })),
    { kind: 'unknown key', spelling: 'PEM', text: KEY.replaceAll('Canary', 'Stray1'), never: ['BEGIN PRIVATE'] },
    { kind: 'unknown token', spelling: 'after Bearer', text: `Bearer ${STRANGER}`, never: [STRANGER] },
    {
      kind: 'unknown token',
      spelling: 'signed token',
      text: 'eyJhbGciOiJub25lIn0.eyJjYW5hcnkiOiJ5ZXMifQ.c2lnbmVk',
      never: ['eyJjYW5hcnkiOiJ5ZXMifQ'],
    },
  ];
}

function secret(kind: string, value: string): Canary[] {
  const bytes = Buffer.from(value);
  const written: Record<string, string> = {
    plain: value,
    'percent-encoded': encodeURIComponent(value),
    'percent-encoded twice': encodeURIComponent(encodeURIComponent(value)),
    'percent-encoded throughout': [...bytes].map((byte) => `%${byte.toString(16).padStart(2, '0')}`).join(''),
    JSON: JSON.stringify(value),
    'JSON escapes': [...value].map((char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`).join(''),
    base64: bytes.toString('base64'),
    base64url: bytes.toString('base64url'),
    'base64 after one byte': Buffer.concat([Buffer.from(':'), bytes]).toString('base64'),
    'base64 after two bytes': Buffer.concat([Buffer.from('u:'), bytes]).toString('base64'),
    hex: bytes.toString('hex'),
  };
  // The middle is enough to know it by: what stands beside it may colour the first and last characters.
  const core = (text: string) => text.slice(4, 4 + 24);
  return Object.entries(written).map(([spelling, text]) => ({ kind, spelling, text, never: [value, core(text)] }));
}

/** Where a text may stand in an exchange. */
export const PLACES: readonly string[] = [
  'JSON member',
  'nested JSON',
  'JSON in a JSON string',
  'form body',
  'HTML',
  'free text',
  'header',
  'path',
  'query',
  'error text',
];

/** Innocent values that look like secrets at first sight. */
export const INNOCENT: readonly string[] = [
  '1700000000000',
  '1763692127123456',
  '2026-11-21T02:45:27.123Z',
  '2026.03.12 19:20:39 +0000',
  '20260302-090000-5a3c',
  'DE89370400440532013000',
  'DE89 3704 0044 0532 0130 00',
  'LT601010012345678901',
  'GB33BUKB20201555555555',
  'FR14 2004 1010 0505 0001 3M02 606',
  '6f1c4111-1111-4111-8111-111111111111',
  '00000000-0000-4000-8000-000000000000',
  '79c1fdc038104760b582a729a5434573aea95f8f6edec257c2ba06a49f495b07',
  '400001',
  '0.4111111111111111',
  '200 400 401 500 200 401',
  '<meta name="viewport" content="width=device-width, initial-scale=1">',
  'Access token not found',
  "Authorization header should start with 'Bearer '",
  'expected a bearer token; got none',
  'Bearer authorization opens every operation but one',
  'the answer shows cardFirstDigits 411111 and cardLastDigits 1111',
  'token: the one of the main requestor',
];
