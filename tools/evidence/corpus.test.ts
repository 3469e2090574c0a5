import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, test } from '@playwright/test';
import { HONEST_NUMBERS, HONEST_TEXTS } from './corpus/honest-texts.ts';
import { PLANTING_PLACES } from './corpus/places.ts';
import { CARD_SPELLINGS, SCHEME_CARDS, twinOf } from './corpus/spellings.ts';
import { attackCards, attackCodes, attackDigests, cardCases, type Survival } from './corpus/survival.ts';
import { findLeaks, Redactor } from './index.ts';

const NOTHING: Omit<Survival, 'tries'> = { survivors: [], withheld: [] };

test('the corpus has at least 120 spellings in 16 places of every scheme', () => {
  expect(Object.keys(CARD_SPELLINGS).length).toBeGreaterThanOrEqual(120);
  expect(Object.keys(PLANTING_PLACES).length).toBeGreaterThanOrEqual(16);
  expect(Object.keys(SCHEME_CARDS).length).toBeGreaterThanOrEqual(12);
  for (const digits of Object.values(SCHEME_CARDS)) {
    const twin = twinOf(digits);
    expect(twin).not.toBe(digits);
    expect([twin.length, twin.slice(0, 6), twin.slice(-4)]).toEqual([
      digits.length,
      digits.slice(0, 6),
      digits.slice(-4),
    ]);
  }
});

test('a known card number shows in no spelling and no place', () => {
  const { tries, ...rest } = attackCards(true, { every: 67 });
  expect(tries).toBeGreaterThan(900);
  expect(rest).toEqual(NOTHING);
});

test('a card number nobody has named shows in no spelling and no place', () => {
  const { tries, ...rest } = attackCards(false, { every: 67 });
  expect(tries).toBeGreaterThan(900);
  expect(rest).toEqual(NOTHING);
});

test('a card number that an escape before it makes another one shows no more of either than it may', () => {
  // Read with the digits of the escape, and backwards, it has a check digit that is right.
  const written = new Redactor().url('https://gateway.example/cards/%232657190384625175/x');
  expect(written).toBe('https://gateway.example/cards/%[redacted]/x');
});

test('what was looked through before a number was known is looked through again', () => {
  const redactor = new Redactor();
  const digits = '1111222233334440';
  const texts = [digits, Buffer.from(`number ${digits}`).toString('base64')].map((shown) =>
    JSON.stringify({ note: shown, more: 'a text that is long enough to be recalled, because another is like it' }),
  );
  for (const text of [...texts, ...texts]) expect(redactor.body(text)).toBe(text);
  redactor.addCard(digits);
  for (const [nth, text] of [...texts, ...texts].entries())
    expect(redactor.body(text)).toContain(nth % 2 === 0 ? '"111122******4440"' : '"[redacted]"');
});

test('a verification code shows beside none of its names', () => {
  const { tries, ...rest } = attackCodes({ every: 7 });
  expect(tries).toBeGreaterThan(600);
  expect(rest).toEqual(NOTHING);
});

test('no digest gives a card number back, of this body, of an earlier one, or of the number', () => {
  const { tries, ...rest } = attackDigests({ every: 5 });
  expect(tries).toBeGreaterThan(140);
  expect(rest).toEqual(NOTHING);
});

test('honest texts and numbers stay as they are, and pass the gate', () => {
  const honest = [...HONEST_TEXTS, ...HONEST_NUMBERS];
  expect(honest.map((text) => new Redactor().body(text))).toEqual(honest);
  const inJson = honest.map((text) => JSON.stringify({ note: text, more: [text] }));
  expect([...honest, ...inJson].filter((text) => findLeaks('x', text).length > 0)).toEqual([]);
});

test('pages are drawn from the specs, so their examples hold no number that could be a card', () => {
  const folder = fileURLToPath(new URL('../../specs/', import.meta.url));
  const specs = readdirSync(folder).filter((name) => name.endsWith('.yaml'));
  expect(specs.length).toBeGreaterThanOrEqual(2);
  expect(specs.flatMap((name) => findLeaks(name, readFileSync(`${folder}${name}`)))).toEqual([]);
});

test('the gate finds by itself what the redactor is there to take out', () => {
  const sample = cardCases().filter((_, i) => i % 23 === 0);
  const missed = (numbers: boolean) =>
    sample
      .filter(({ digits, spelling, place }) => {
        const redactor = new Redactor();
        if (numbers) redactor.addCard(digits);
        return (
          findLeaks('x', JSON.stringify(PLANTING_PLACES[place]!(CARD_SPELLINGS[spelling]!(digits))), redactor)
            .length === 0
        );
      })
      .map(({ name }) => name);
  // Backwards, an unknown number is any id: a line withheld for one would be a false alarm.
  const unknown = missed(false).filter((name) => !name.startsWith('reversed'));
  expect(unknown.length / sample.length).toBeLessThan(0.03);
  expect(missed(true).length / sample.length).toBeLessThan(0.03);
});
