import { expect, test } from '@playwright/test';
import { judgeJournal, renderGithubAnnotations, renderGithubOutputs } from './index.ts';
import { finishJournal, sampleCheck, sampleLines, sampleRunLine } from './sample-run.ts';

const today = '2026-03-02';

test('annotates what is broken, undecided or past its day, loudest first', () => {
  const lines = renderGithubAnnotations(judgeJournal(sampleLines(), { today })).split('\n');
  expect(lines[0]).toBe(
    '::error title=GW-CAP-02 fail::A capture above the authorized amount is not carried out. The promise calls for captures of 10.00 at most; what came was a capture of 10.01.',
  );
  expect(lines.filter((line) => line.startsWith('::error '))).toHaveLength(3);
  expect(lines.filter((line) => line.startsWith('::warning ')).length).toBeGreaterThan(1);
});

test('what a service sent neither begins a command nor ends one', () => {
  const failures = [
    { message: 'no', rule: 'GW-CAP-01', expected: 'sound', actual: 'x\n::set-output name=a::b\r\n%0A\u001b[31m' },
  ];
  const check = sampleCheck('c0000001', 'does it', ['GW-CAP-01'], { outcome: 'fail', failures });
  const text = renderGithubAnnotations(judgeJournal(finishJournal([sampleRunLine({ waivers: [] }), check]), { today }));
  expect(text.split(/[\r\n]/)).toHaveLength(1);
  expect(text).toContain('%0A::set-output name=a::b');
  expect(text).toContain('%250A');
  expect(text).not.toContain('\u001b');
});

test('a closed gate is annotated, and outputs are one value a line', () => {
  const run = judgeJournal(
    finishJournal([
      sampleRunLine({ waivers: [], gates: { maxSkipped: 0 } }),
      sampleCheck('c0000001', 'does', ['GW-CAP-01']),
    ]),
    { today },
  );
  expect(renderGithubAnnotations(run)).toMatch(/^::error title=gate max-skipped::\d+ rules skipped, at most 0 allowed/);
  const outputs = Object.fromEntries(
    renderGithubOutputs(run, '/reports/x')
      .trim()
      .split('\n')
      .map((line) => line.split('=')),
  );
  expect(outputs).toMatchObject({ verdict: 'incomplete', judged: '1', failed: '0', report: '/reports/x/index.html' });
});
