import { expect, test } from '@playwright/test';
import { projectContract } from '#contract';
import type { Line } from '#evidence';
import { enumerateMutants, MetPlaces, permissionFor, readPermittedMutants, rulesAbout, scoreMutants } from './index.ts';

const contract = projectContract();
const mutants = enumerateMutants(contract);
const mutant = (id: string) => mutants.find((one) => one.id === id)!;

test('every documented answer and event has mutants, each with an id of its own', () => {
  expect(new Set(mutants.map(({ id }) => id)).size).toBe(mutants.length);
  for (const { id, answers } of contract.operations.values())
    for (const status of answers.keys())
      expect(mutants.filter((one) => one.operation === id && one.status === status).length).toBeGreaterThan(0);
  for (const name of contract.events.keys()) expect(mutants.some(({ operation }) => operation === name)).toBe(true);
});

test('the path of an operation is matched, and no other one', () => {
  for (const { id, api, method } of contract.operations.values()) {
    const own = mutants.find(({ operation }) => operation === id)!.wire.answer!;
    const matched = [...contract.operations.values()].filter(
      (one) => one.api === api && one.method === method && new RegExp(own.path).test(`/api${one.path}`),
    );
    expect(matched.map((one) => one.id)).toEqual([id]);
  }
});

test('the rules about a place are those on the way to it', () => {
  const { nearest, all } = rulesAbout(contract, mutant('getIbanDetails 200 /is_valid drop'));
  expect([...nearest]).toContain('V1-IBN-05');
  expect([...all]).toContain('V1-IBN-02');
  expect([...all]).toEqual(expect.arrayContaining([...nearest]));
  expect([...all]).not.toContain('V1-WHK-01');
});

test('checks that met a place come first when they claim a rule about it, then the quickest', () => {
  const { at, status, operation } = mutant('status 200 /orderState drop');
  const check = (id: string, rules: string[], duration: number, outcome = 'pass') =>
    ({ kind: 'check', id, rules, duration, outcome }) as unknown as Line;
  const places = new MetPlaces([
    { kind: 'trace', operation, side: 'response', status, at: [at], exchanges: ['a.1', 'b.1', 'c.2', 'd.1'] } as Line,
    check('a', ['GW-REP-01', 'GW-REP-02'], 5),
    check('b', ['GW-STA-01'], 90),
    check('c', ['GW-REP-01'], 3),
    check('d', ['GW-STA-01'], 1, 'broken'),
  ]);
  expect(
    places.checksFor(mutant('status 200 /orderState drop'), {
      nearest: new Set(['GW-STA-01']),
      all: new Set(['GW-STA-01', 'GW-REP-01']),
    }),
  ).toEqual(['b', 'c', 'a']);
  expect(places.checksFor(mutant('status 400 /errorCode drop'), { nearest: new Set(), all: new Set() })).toEqual([]);
});

test('what is permitted is a mutant, and says why', () => {
  for (const one of readPermittedMutants()) {
    for (const [i, pattern] of one.patterns.entries())
      expect(
        mutants.some(({ id }) => permissionFor([{ ...one, patterns: [pattern] }], id) !== undefined),
        one.mutants[i],
      ).toBe(true);
    expect((one.because ?? one.open)!.length).toBeGreaterThan(20);
  }
});

test('the score leaves out what the documents permit and what nothing reached', () => {
  const fates = ['killed', 'killed elsewhere', 'survived', 'permitted', 'not reached'] as const;
  const results = fates.map((fate) => ({
    id: fate,
    operation: 'o',
    place: '',
    operator: '',
    fate,
    rules: [],
    tried: [],
    broken: 0,
  }));
  expect(scoreMutants(results)).toEqual({
    all: 5,
    judged: 3,
    killed: 2,
    right: 1,
    survived: 1,
    permitted: 1,
    unreached: 1,
  });
});
