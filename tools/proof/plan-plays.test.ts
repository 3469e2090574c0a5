import { expect, test } from '@playwright/test';
import type { ProofFile } from '#report';
import { listKnownLies } from './known-lies.ts';
import { listIdleClaims, planPlays, planRest } from './plan-plays.ts';
import type { HonestCheck, LieResult } from './types.ts';

/** A rule of several lies, so that the plans are about what the sandbox can tell. */
const RULE = 'GW-CAP-03';
const LIES = listKnownLies().filter(({ rule }) => rule === RULE);
const [ONE, TWO] = LIES.map(({ name }) => name) as [string, string];
const CHECKS = ['aaaa', 'bbbb', 'cccc'];
const claiming = () => CHECKS;

/** An earlier proof in which checks caught lies. */
function keptAs(by: (name: string) => readonly string[]): ProofFile {
  const lies = LIES.map(({ name }) => ({ name, caught: by(name).length > 0, by: by(name) }));
  return { known: LIES.length, rules: { [RULE]: { seal: '', finishedAt: '', lies } } };
}

const nothing: ProofFile = { known: 0, rules: {} };
const honest = CHECKS.map((id): HonestCheck => ({ id, file: 'a.spec.ts', title: id, rules: [RULE], outcome: 'pass' }));
const resultsAs = (by: (name: string) => readonly string[]) =>
  LIES.map((lie): LieResult => ({ ...lie, by: by(lie.name), collateral: [], apart: [], quiet: [] }));
const plain = (plan: ReadonlyMap<string, ReadonlySet<string>>) =>
  Object.fromEntries([...plan].map(([name, ids]) => [name, [...ids].sort()]));

test('without an earlier proof every lie is told to every check of its rule', () => {
  expect(LIES.length).toBeGreaterThan(3);
  expect(plain(planPlays(LIES, { claiming, kept: nothing }))).toEqual(
    Object.fromEntries(LIES.map(({ name }) => [name, CHECKS])),
  );
});

test('a lie is told to one check that caught it, and each check one lie at which it turned red', () => {
  const kept = keptAs((name) => (name === ONE ? ['aaaa', 'bbbb'] : name === TWO ? ['aaaa', 'cccc'] : ['bbbb']));
  const plan = plain(planPlays(LIES, { claiming, kept }));
  expect(Object.values(plan).flat()).toHaveLength(LIES.length);
  expect(new Set(Object.values(plan).flat())).toEqual(new Set(CHECKS));
  const narrow = keptAs((name) => (name === ONE ? ['aaaa', 'bbbb', 'cccc'] : ['aaaa']));
  const all = plain(planPlays(LIES, { claiming, kept: narrow }));
  expect(all[ONE]).toEqual(CHECKS);
  expect(Object.values(all).flat()).toHaveLength(LIES.length + 2);
});

test('a check that never turned red, or is new, is told all lies of its rule; one that is gone counts for nothing', () => {
  const plan = plain(planPlays(LIES, { claiming, kept: keptAs(() => ['aaaa', 'bbbb', 'gone']) }));
  for (const { name } of LIES) expect(plan[name]).toContain('cccc');
  expect(plain(planPlays(LIES, { claiming, kept: keptAs(() => ['gone']) }))).toEqual(
    Object.fromEntries(LIES.map(({ name }) => [name, CHECKS])),
  );
});

test('a lie that no proof knows is told at first to the checks that caught lies of like names, and then to the others', () => {
  const lies = ['half-on-a-form', 'half-on-a-card', 'cent-on-a-form', 'half-later', 'never-ends', 'twice'].map(
    (name, i) => ({ name, caught: true, by: [`check-${i}`] }),
  );
  const checks = lies.flatMap(({ by }) => by);
  const kept: ProofFile = { known: lies.length, rules: { [RULE]: { seal: '', finishedAt: '', lies } } };
  const news = { name: 'cent-on-a-card', rule: RULE };
  const plan = planPlays([news], { claiming: () => checks, kept });
  expect([...plan.get('cent-on-a-card')!]).toEqual(['check-1', 'check-2', 'check-0', 'check-3']);
  const uncaught: LieResult = { ...news, by: [], collateral: [], apart: [], quiet: [] };
  expect(plain(planRest([news], plan, [uncaught], [], () => checks))).toEqual({
    'cent-on-a-card': ['check-4', 'check-5'],
  });
});

test('what is asked of some lies only asks nothing of the claims', () => {
  const plan = plain(planPlays(LIES.slice(0, 1), { claiming, kept: keptAs(() => ['bbbb']) }));
  expect(plan).toEqual({ [ONE]: ['bbbb'] });
  expect(listIdleClaims(LIES.slice(0, 1), resultsAs(() => ['bbbb']).slice(0, 1), honest)).toEqual([]);
});

test('what comes otherwise than before is told to the other checks', () => {
  const kept = keptAs((name) => (name === ONE ? CHECKS : ['aaaa']));
  const told = planPlays(LIES, { claiming, kept });
  // The lie that one check alone had caught is missed by it now.
  const missed = resultsAs((name) => (name === ONE ? CHECKS : name === TWO ? [] : ['aaaa']));
  expect(plain(planRest(LIES, told, missed, honest, claiming))).toEqual({ [TWO]: ['bbbb', 'cccc'] });
  // A check that the one lie it was told turned red before stays green.
  const green = resultsAs((name) => (name === ONE ? ['aaaa', 'bbbb'] : ['aaaa']));
  const others = LIES.map(({ name }) => name).filter((name) => name !== ONE);
  expect(plain(planRest(LIES, told, green, honest, claiming))).toEqual(
    Object.fromEntries(others.map((name) => [name, ['cccc']])),
  );
});

test('after everything was told nothing is left, and a claim that no lie turned red is idle', () => {
  const told = planPlays(LIES, { claiming, kept: nothing });
  const results = resultsAs((name) => (name === ONE ? ['aaaa'] : ['aaaa', 'cccc']));
  expect(plain(planRest(LIES, told, results, honest, claiming))).toEqual({});
  expect(listIdleClaims(LIES, results, honest)).toEqual([{ rule: RULE, id: 'bbbb', file: 'a.spec.ts', title: 'bbbb' }]);
  // One that is red without a lie, or could not be asked, is another matter.
  for (const outcome of ['fail', 'skipped'] as const) {
    const other = honest.map((check) => (check.id === 'bbbb' ? { ...check, outcome } : check));
    expect(listIdleClaims(LIES, results, other)).toEqual([]);
  }
});
