import { expect, test } from '@playwright/test';
import fc from 'fast-check';
import { KnownValues } from './known-values.ts';

// Few characters, so that values begin alike, overlap and stand within each other.
const text = (minLength: number, maxLength: number) =>
  fc.string({ unit: fc.constantFrom('a', 'b', '\u0161', '\n'), minLength, maxLength });

test('hides what a regular expression of all values would, the longest of those that begin at a place', () => {
  fc.assert(
    fc.property(fc.array(text(6, 12), { minLength: 1, maxLength: 20 }), text(0, 200), (values, body) => {
      const known = new KnownValues();
      for (const value of values) known.add(value);
      const longestFirst = [...values].sort((a, b) => b.length - a.length);
      const expected = body.replace(new RegExp(longestFirst.join('|'), 'g'), '*');
      return known.hide(body, '*') === expected && known.isIn(body) === (expected !== body);
    }),
    { numRuns: 2000, seed: 7 },
  );
});

test('a value that begins a text, ends it or is all of it is found, one cut short is not', () => {
  const known = new KnownValues();
  known.add('abcdefg');
  for (const [body, hidden] of [
    ['abcdefg', '*'],
    ['abcdefg and abcdefg', '* and *'],
    ['abcdef', 'abcdef'],
    ['xabcdefgabcdefgx', 'x**x'],
  ] as const)
    expect(known.hide(body, '*')).toBe(hidden);
});
