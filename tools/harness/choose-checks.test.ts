import { expect, test } from '@playwright/test';
import fc from 'fast-check';
import type { Rule } from '#contract';
import { chooseChecks, type PlannedCheck, predictSeconds } from './choose-checks.ts';
import type { RunPlan } from './run-plan.ts';

type KnownRule = Pick<Rule, 'level' | 'consequence'>;

const rule = (level: 'must' | 'should', harm?: 'money' | 'support'): KnownRule => ({
  level,
  ...(harm === undefined ? {} : { consequence: { harm, text: 'It costs.' } }),
});
const check = (id: string, rules: readonly string[], api: 'v1' | 'gateway' = 'v1'): PlannedCheck => ({
  id,
  rules,
  api,
});
const planned = (costs: RunPlan['costs'], more: Partial<RunPlan> = {}) => ({
  workers: 1,
  paces: [{ api: 'v1' as const, lanes: 1, milliseconds: 100, limit: 500 }],
  costs,
  ...more,
});

test('what costs money when it is broken comes first, then the other musts, then what should be so', () => {
  const rules = new Map([
    ['SHOULD', rule('should', 'money')],
    ['MUST', rule('must', 'support')],
    ['MONEY', rule('must', 'money')],
    ['BARE', rule('must')],
  ]);
  const checks = [...rules.keys()].map((id) => check(id, [id]));
  const costs = Object.fromEntries([...rules.keys()].map((id) => [id, { requests: 1, seconds: 10 }]));
  const at = (within: number) => [...chooseChecks(checks, rules, { ...planned(costs), within })].sort();
  expect(at(13)).toEqual(['MONEY']);
  expect(at(26)).toEqual(['MONEY', 'MUST']);
  expect(at(39)).toEqual(['BARE', 'MONEY', 'MUST']);
  expect(at(60)).toEqual(['BARE', 'MONEY', 'MUST', 'SHOULD']);
});

test('among equals most rules come of a request, and a rule comes with all its checks or with none', () => {
  const rules = new Map(['A', 'B', 'C', 'D'].map((id) => [id, rule('must', 'money')]));
  const checks = [check('dear', ['A']), check('three', ['B', 'C', 'D']), check('half', ['D'])];
  const costs = {
    dear: { requests: 9, seconds: 9 },
    three: { requests: 3, seconds: 3 },
    half: { requests: 3, seconds: 3 },
  };
  const at = (within: number) => [...chooseChecks(checks, rules, { ...planned(costs), within })].sort();
  expect(at(4)).toEqual(['three']);
  expect(at(8)).toEqual(['half', 'three']);
  expect(at(20)).toEqual(['dear', 'half', 'three']);
});

test('what asks nothing is always chosen, and what the target does not offer says so itself', () => {
  const rules = new Map([['A', rule('must')]]);
  const law = { id: 'law', rules: [] };
  const costs = { skipped: { requests: 0, seconds: 0 }, long: { requests: 50, seconds: 50 } };
  const chosen = chooseChecks([law, check('skipped', ['A']), check('long', ['A'])], rules, {
    ...planned(costs),
    within: 5,
  });
  expect([...chosen].sort()).toEqual(['law', 'skipped']);
});

test('a limit that is announced holds a run up by windows, and lanes and workers by what they share', () => {
  const many = (count: number, api: 'v1' | 'gateway') =>
    Array.from({ length: count }, (_, i) => check(`${api}${i}`, ['A'], api));
  const costs = Object.fromEntries(
    [...many(30, 'v1'), ...many(30, 'gateway')].map(({ id }) => [id, { requests: 50, seconds: 2 }]),
  );
  const lanes = (v1: number, gateway: number) => [
    { api: 'v1' as const, lanes: v1, milliseconds: 40, limit: 500 },
    { api: 'gateway' as const, lanes: gateway, milliseconds: 40 },
  ];
  expect(predictSeconds(many(30, 'v1'), planned(costs, { workers: 6, paces: lanes(6, 6) }))).toBe(180);
  expect(predictSeconds(many(30, 'gateway'), planned(costs, { workers: 6, paces: lanes(6, 6) }))).toBe(10);
  expect(predictSeconds(many(30, 'gateway'), planned(costs, { workers: 6, paces: lanes(6, 2) }))).toBe(30);
});

test('no choice is planned to take longer than it may, and with all the time nothing is left out', () => {
  fc.assert(
    fc.property(
      fc.array(
        fc.record({
          requests: fc.integer({ min: 1, max: 60 }),
          rules: fc.uniqueArray(fc.integer({ min: 0, max: 9 }), { minLength: 1, maxLength: 3 }),
        }),
        { minLength: 1, maxLength: 25 },
      ),
      fc.integer({ min: 5, max: 300 }),
      fc.integer({ min: 1, max: 6 }),
      (drawn, within, workers) => {
        const rules = new Map(
          Array.from({ length: 10 }, (_, i) => [
            `R${i}`,
            rule(i % 2 === 0 ? 'must' : 'should', i % 3 === 0 ? 'money' : undefined),
          ]),
        );
        const checks = drawn.map((one, i) =>
          check(
            `c${i}`,
            one.rules.map((id) => `R${id}`),
          ),
        );
        const costs = Object.fromEntries(
          drawn.map(({ requests }, i) => [`c${i}`, { requests, seconds: requests / 5 }]),
        );
        const plan = planned(costs, { workers });
        const chosen = chooseChecks(checks, rules, { ...plan, within });
        const kept = checks.filter(({ id }) => chosen.has(id));
        const all = chooseChecks(checks, rules, { ...plan, within: 100_000 });
        return predictSeconds(kept, plan) <= within && all.size === checks.length;
      },
    ),
    { seed: 23, numRuns: 200 },
  );
});
