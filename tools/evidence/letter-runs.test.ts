import { expect, test } from '@playwright/test';
import fc from 'fast-check';
import { BASE64_LETTERS, findLetterRuns, HEX_LETTERS } from './letter-runs.ts';

for (const [name, letters, written] of [
  ['hex', HEX_LETTERS, '0-9A-Fa-f'],
  ['base64', BASE64_LETTERS, 'A-Za-z0-9+/_-'],
] as const)
  test(`finds every run of ${name} that is long enough, from its first letter to its last, and no other`, () => {
    const pieces = fc.oneof(
      fc.stringMatching(new RegExp(`^[${written}]{0,9}$`)),
      fc.constantFrom('=', ' ', 'g', 'é', '\u0661', '"'),
    );
    const texts = fc.array(pieces, { maxLength: 12 }).map((all) => all.join(''));
    fc.assert(
      fc.property(texts, fc.integer({ min: 1, max: 8 }), (text, least) => {
        const all = [...text.matchAll(new RegExp(`[${written}]+`, 'g'))].map(({ 0: run, index }) => [
          index,
          index + run.length,
        ]);
        expect([...findLetterRuns(text, letters, least)]).toEqual(all.filter(([from, to]) => to! - from! >= least));
      }),
    );
  });
