import { expect, test } from '@playwright/test';
import fc from 'fast-check';
import { CARD_SPELLINGS, SCHEME_CARDS } from './corpus/spellings.ts';
import { findSecrets } from './secret-scan.ts';

const base64 = (text: string | Buffer) => Buffer.from(text as string).toString('base64');
const eachChar = (write: (code: number) => string) => (text: string) =>
  [...text].map((char) => write(char.charCodeAt(0))).join('');
const eachDigit = (write: (digit: number) => string) => (text: string) =>
  text.replace(/\d/g, (digit) => write(Number(digit)));
const hex = (code: number, size: number) => code.toString(16).padStart(size, '0');

/** What a text is written with before it is packed. */
const WRITINGS: Readonly<Record<string, (text: string) => string>> = {
  plain: (text) => text,
  'percent signs': eachChar((code) => `%${hex(code, 2)}`),
  'escapes of JSON': eachChar((code) => `\\u${hex(code, 4)}`),
  entities: eachChar((code) => `&#${code};`),
  'entities in hex': eachChar((code) => `&#x${hex(code, 2)};`),
  'Arabic digits': eachDigit((digit) => String.fromCodePoint(0x660 + digit)),
  'Arabic digits, encoded': eachDigit((digit) => encodeURIComponent(String.fromCodePoint(0x6f0 + digit))),
  'Bengali digits': eachDigit((digit) => String.fromCodePoint(0x9e6 + digit)),
  'wide digits': eachDigit((digit) => String.fromCodePoint(0xff10 + digit)),
  'mathematical digits': eachDigit((digit) => String.fromCodePoint(0x1d7ce + digit)),
};

/** Ways to pack it. */
const PACKINGS: Readonly<Record<string, (text: string) => string>> = {
  base64,
  'base64 behind one letter': (text) => base64(` ${text}`),
  'base64 behind two letters': (text) => base64(`  ${text}`),
  'base64 of UTF-16': (text) => base64(Buffer.from(text, 'utf16le')),
  'base64 twice': (text) => base64(base64(text)),
  'base64, escaped in part, in base64': (text) =>
    base64(base64(text).replace(/[A-Z]/g, (letter) => `%${hex(letter.charCodeAt(0), 2)}`)),
  hex: (text) => Buffer.from(text).toString('hex'),
  'hex in base64': (text) => base64(Buffer.from(text).toString('hex')),
};

test('finds a card number in whatever it is written and packed, beside whatever words', () => {
  const noise = fc.oneof(
    fc.string({ unit: fc.constantFrom(...'abAB09+/_-'), maxLength: 40 }),
    fc.uint8Array({ maxLength: 60 }).map((bytes) => base64(Buffer.from(bytes))),
    fc.constantFrom('orderMerchantIdentifier', 'a1b2c3d4e5f60718293a4b5c6d7e8f90', '{"amount": 10.00}', ''),
  );
  fc.assert(
    fc.property(
      fc.constantFrom(...Object.values(SCHEME_CARDS)),
      fc.constantFrom(...Object.entries(WRITINGS)),
      fc.constantFrom(...Object.entries(PACKINGS)),
      fc.array(noise, { maxLength: 5 }),
      fc.array(noise, { maxLength: 5 }),
      (digits, [writing, write], [packing, pack], before, after) => {
        // UTF-16 is read where half of its bytes are zero.
        fc.pre(packing !== 'base64 of UTF-16' || /^[ -~]*$/.test(write(digits)));
        const text = [...before, pack(`"${write(digits)}"`), ...after].join(' "');
        if (!findSecrets(text).includes('a card number')) throw new Error(`${digits}, ${writing}, ${packing}`);
      },
    ),
    { seed: 20261122, numRuns: 4000 },
  );
});

test('finds in base64 every spelling that it finds as it is', () => {
  const missed: string[] = [];
  let tries = 0;
  for (const [spelling, write] of Object.entries(CARD_SPELLINGS))
    for (const [scheme, digits] of Object.entries(SCHEME_CARDS)) {
      const text = ` ${write(digits)} `;
      // What is packed already may be packed too often then.
      if (findSecrets(text).length === 0 || /base64|hex|binary|UTF|bytes/i.test(spelling)) continue;
      tries += 1;
      if (findSecrets(`{"a":"${base64(text)}"}`).length === 0) missed.push(`${spelling}, ${scheme}`);
    }
  expect(tries).toBeGreaterThan(1000);
  expect(missed).toEqual([]);
});

test('looks again at a word in which it found nothing once another number is known', () => {
  const text = `{"note":"${base64('number 1111222233334440')}"}`;
  const numbers = new Set<string>();
  for (let turn = 0; turn < 2; turn += 1) expect(findSecrets(text, numbers)).toEqual([]);
  numbers.add('1111222233334440');
  expect(findSecrets(text, numbers)).toEqual(['a card number']);
  expect(findSecrets(text)).toEqual([]);
});

test('finds each number of a set that grows, in its order and backwards, and two that begin alike', () => {
  const all = ['1111222233334440', '1111222233335557', '7777000011112222333'];
  const numbers = new Set<string>();
  for (const number of all) {
    const backwards = [...number].reverse().join('');
    const written = [number, backwards].flatMap((one) => [one, `9${one}9`, one.replace(/\d{3}/g, '$& and ')]);
    for (const text of written) expect(findSecrets(text, numbers), text).toEqual([]);
    numbers.add(number);
    for (const text of written) expect(findSecrets(text, numbers), text).toEqual(['a card number']);
  }
});
