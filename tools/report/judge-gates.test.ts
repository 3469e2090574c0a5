import { expect, test } from '@playwright/test';
import type { RunGates } from '#evidence';
import { exitCode, judgeJournal, renderConclusion } from './index.ts';
import { finishJournal, sampleCheck, sampleRunLine } from './sample-run.ts';
import { drawRunFiles } from './write-report.ts';

const today = '2026-03-02';
const KEPT = ['GW-CAP-01', 'GW-CAP-03'];

/** The lines of a run in which two rules pass and no check ran for any other. */
function linesWith(gates: RunGates, selection?: string) {
  const run = sampleRunLine({ waivers: [], gates, ...(selection === undefined ? {} : { selection }) });
  return finishJournal([run, sampleCheck('c0000001', 'does it', KEPT)]);
}

const judged = (gates: RunGates, selection?: string) => judgeJournal(linesWith(gates, selection), { today });

test('without a gate a run of two rules is kept, and says of how many', () => {
  const run = judged({});
  expect([run.verdict, run.gates, exitCode(run)]).toEqual(['kept', undefined, 0]);
  expect(renderConclusion(run)).toContain('\nkept, of 2 judged: ');
});

for (const [what, gates, gate, reason] of [
  [
    'a required rule that was skipped',
    { require: [...KEPT, 'V1-LIM-01'] },
    'require',
    '2 of 3 required rules judged: V1-LIM-01',
  ],
  ['more rules skipped than allowed', { maxSkipped: 1 }, 'max-skipped', 'rules skipped, at most 1 allowed: '],
  [
    'a verdict that is not allowed',
    { onlyVerdicts: ['pass', 'waived'] },
    'only-verdicts',
    'only pass, waived allowed; ',
  ],
] as const)
  test(`${what} closes a gate: the run cannot tell`, () => {
    const run = judged(gates);
    expect([run.verdict, run.complete, exitCode(run)]).toEqual(['incomplete', false, 3]);
    expect(run.gates).toEqual([{ gate, passed: false, text: expect.stringContaining(reason) }]);
    expect(run.incompleteReason).toContain(`The gate ${gate} is closed: `);
    const summary = drawRunFiles(linesWith(gates)).files['summary.md']!.join('');
    expect(summary).toContain(`**closed**: gate ${gate}`);
  });

test('what was not selected, or cannot be tested, counts for no limit', () => {
  const run = judged({ maxSkipped: 0, onlyVerdicts: ['pass'] }, KEPT.join(', '));
  expect(run.gates?.map(({ passed }) => passed)).toEqual([true, true]);
  expect([run.verdict, exitCode(run)]).toEqual(['kept', 0]);
});

test('a required rule that was not selected is not judged', () => {
  expect(judged({ require: ['V1-LIM-01'] }, KEPT.join(', ')).gates).toMatchObject([{ passed: false }]);
});

test('a broken promise stays broken behind a closed gate', () => {
  const failing = sampleCheck('c0000001', 'does it', ['GW-CAP-01'], {
    outcome: 'fail',
    failures: [{ message: 'it did not', rule: 'GW-CAP-01' }],
  });
  const run = judgeJournal(finishJournal([sampleRunLine({ waivers: [], gates: { maxSkipped: 0 } }), failing]), {
    today,
  });
  expect([run.verdict, exitCode(run)]).toEqual(['broken', 1]);
});
