import { readFileSync } from 'node:fs';
import { expect, test } from '@playwright/test';
import { isTestable, projectContract } from '#contract';
import { SUITE_FOLDER } from '#folders';
import { movesMoney } from '../spend-cap.ts';
import { CALLS_A_RULE } from './run-forecast.ts';

const { timing, exchanges } = JSON.parse(readFileSync(`${SUITE_FOLDER}/reports/baseline/baseline.json`, 'utf8')) as {
  timing: Record<string, { count: number }>;
  exchanges: Record<string, number>;
};
const rules = [...projectContract().rules.values()].filter(isTestable);
const sum = (counts: readonly number[]) => counts.reduce((all, one) => all + one, 0);

test('calls for a rule are by rule of thumb what the accepted run made, within a fifth', () => {
  const exhausting = rules.filter(({ needs }) => needs.includes('exhaustion')).length;
  const thumb = rules.length * CALLS_A_RULE.calls + exhausting * CALLS_A_RULE.exhaustion;
  expect(Math.abs(thumb / sum(Object.values(exchanges)) - 1)).toBeLessThan(0.2);
  const money = Object.entries(timing).flatMap(([operation, { count }]) => (movesMoney(operation) ? [count] : []));
  expect(Math.abs((rules.length * CALLS_A_RULE.money) / sum(money) - 1)).toBeLessThan(0.2);
});
