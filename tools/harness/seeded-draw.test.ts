import { expect, test } from '@playwright/test';
import { Redactor } from '#evidence';
import { SeededDraw } from './seeded-draw.ts';

test('draws the same for the same seed, and nothing twice', () => {
  const draw = (seed: string) => {
    const one = new SeededDraw(seed);
    return Array.from({ length: 1000 }, (_, i) => (i % 2 === 0 ? one.freshWord(12) : one.freshUuid()));
  };
  expect(draw('1')).toEqual(draw('1'));
  expect(new Set([...draw('1'), ...draw('2')]).size).toBe(2000);
});

test('no word of a name is taken for a card number, as one of hex would be now and then', () => {
  const draw = new SeededDraw('7');
  const redactor = new Redactor();
  const isMasked = (word: string) => redactor.text(`assay-${word}`) !== `assay-${word}`;
  const words = Array.from({ length: 20_000 }, () => draw.freshWord(16));
  expect(words.filter((word) => !/^[a-p]{16}$/.test(word) || isMasked(word))).toEqual([]);
  expect(Array.from({ length: 20_000 }, () => draw.freshHex(16)).filter(isMasked)).not.toEqual([]);
});
