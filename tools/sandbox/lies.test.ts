import { expect, test } from '@playwright/test';
import { isTestable, projectContract } from '#contract';
import { listLies } from './index.ts';

const rules = [...projectContract().rules.values()];
const spokenOf = new Set(listLies().map(({ rule }) => rule));

test('tells at least one lie about every testable rule', () => {
  const testable = rules.filter(isTestable).map(({ id }) => id);
  expect(testable.length).toBeGreaterThan(100);
  expect(testable.filter((id) => !spokenOf.has(id))).toEqual([]);
});

test('tells no lie about a rule that does not exist or cannot be tested', () => {
  const known = new Set(rules.filter(isTestable).map(({ id }) => id));
  expect([...spokenOf].filter((id) => !known.has(id))).toEqual([]);
});
