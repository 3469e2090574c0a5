import { expect, test } from '@playwright/test';
import { isFalling } from './requests-left.ts';

/** Answers as a finding lists them: refused ones in brackets. */
const answers = (listed: string) =>
  listed
    .split(' ')
    .map((one) => ({ left: Number(one.replaceAll(/[()]/g, '') || Number.NaN), isServed: !one.startsWith('(') }));

for (const [what, listed, falls] of [
  ['served requests alone', '499 498 497', true],
  ['refusals that count, and such that do not', '499 (498) 497 (497) 496', true],
  ['a number that stands', '499 498 498', false],
  ['a number that rises at a refusal', '499 (499) (500) 498', false],
  ['a window that ends at a refusal', '468 (467) (499) 498', true],
  ['a window that ends at a request that is served', '468 467 499 498', true],
  ['a window whose beginning is seen by nothing else', '468 467 (499)', false],
  ['a refusal that always shows a whole window', '484 (499) 482 (499) 480', false],
  ['a number that begins anew again and again', '499 498 499 498 499 498', false],
  ['windows that end twice among them', '12 11 499 498 12 499 498', false],
  ['a number that stands in the next window', '468 467 499 498 498', false],
  ['an answer without a number', '499 - 497', false],
] as const)
  test(`${falls ? 'falls' : 'does not fall'}: ${what}`, () => {
    expect(isFalling(answers(listed))).toBe(falls);
  });
