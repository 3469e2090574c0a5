import { expect, test } from '@playwright/test';
import type { CheckLine } from '#evidence';
import { judgeLies, matchDeclarations, proofHolds } from './index.ts';

/** A check that failed under a lie, charged to every rule it claims or to one. */
function red(id: string, lie: string, rules: readonly string[], rule?: string): CheckLine {
  const failures = [{ message: 'wrong', ...(rule === undefined ? {} : { rule }) }];
  const at = { file: 'tests/gateway/capture.spec.ts', line: 1, project: 'gateway', startedAt: '', duration: 1 };
  return { kind: 'check', id, title: id, rules, outcome: 'fail', failures, exchanges: 1, lie, ...at };
}

const LIE = { name: 'captures-twice', rule: 'GW-CAP-05' };
const LINES = [
  red('a', LIE.name, ['GW-CAP-05', 'GW-CAP-06']),
  red('b', LIE.name, ['GW-CAP-05', 'GW-CAP-07'], 'GW-CAP-05'),
  red('c', LIE.name, ['GW-STS-02']),
  red('d', 'another-lie', ['GW-BAL-01']),
];

test('a check that claims two rules turns both red, unless it says which', () => {
  const [result] = judgeLies([LIE], LINES);
  expect(result).toMatchObject({ by: ['a', 'b'], collateral: ['GW-CAP-06', 'GW-STS-02'], apart: ['GW-STS-02'] });
});

test('a red of a check that does not claim the rule needs a declaration', () => {
  const results = judgeLies([LIE], LINES);
  expect(matchDeclarations(results, []).undeclared).toEqual([{ lie: LIE.name, rule: LIE.rule, red: 'GW-STS-02' }]);
  for (const lie of ['captures-twice', 'GW-CAP-05', 'GW-CAP'])
    for (const wide of ['GW-STS', 'GW-STS-02'])
      expect(matchDeclarations(results, [{ lie, reds: [wide], reason: 'seen in the status' }])).toEqual({
        undeclared: [],
        unused: [],
      });
});

test('a declaration of something else does not help, and is told to be unused', () => {
  const beside = { lie: 'GW-CAP-0', reds: ['GW-STS-0'], reason: 'nearly' };
  const { undeclared, unused } = matchDeclarations(judgeLies([LIE], LINES), [beside]);
  expect(undeclared).toHaveLength(1);
  expect(unused).toEqual([beside]);
});

test('a proof with an undeclared red does not hold', () => {
  const lies = judgeLies([LIE], LINES);
  const proof = {
    format: 'assay.proof/1',
    finishedAt: '',
    specs: [],
    full: true,
    rules: [LIE.rule],
    lies,
    idle: [],
  } as const;
  expect(proofHolds({ ...proof, dishonest: [], undeclared: [] })).toBe(true);
  expect(proofHolds({ ...proof, dishonest: [], ...matchDeclarations(lies, []) })).toBe(false);
});
