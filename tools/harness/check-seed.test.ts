import { expect, test } from '@playwright/test';
import { annotateCheck } from './check-annotations.ts';
import { seedOfCheck } from './check-seed.ts';

test('no two checks draw the same ids, checks of one title in two files neither', () => {
  const seedOf = (file: string, title: string) => seedOfCheck({ title, annotations: [annotateCheck('file', file)] });
  expect(seedOf('tests/a.spec.ts', 'takes zero')).toBe(seedOf('tests/a.spec.ts', 'takes zero'));
  expect(seedOf('tests/a.spec.ts', 'takes zero')).not.toBe(seedOf('tests/b.spec.ts', 'takes zero'));
  expect(seedOf('tests/a.spec.ts', 'takes zero')).not.toBe(seedOf('tests/a.spec.ts', 'takes all'));
});
