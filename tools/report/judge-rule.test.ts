import { expect, test } from '@playwright/test';
import type { CheckLine, Line, RunLine } from '#evidence';
import { judgeJournal } from './run-result.ts';
import { sampleLines } from './sample-run.ts';
import { renderConclusion } from './terminal-conclusion.ts';

const [first] = sampleLines();
const { register, ...identity } = first as RunLine;
const [model] = register.rules;

/** The verdicts of a run of these checks, by rule; the first rule stands beside a member of an answer. */
function judged(checks: readonly Partial<CheckLine>[], met: readonly string[] = [], selection?: string) {
  const rule = (id: string, more = {}) => ({ ...model!, id, level: 'must' as const, ...more });
  const rules = [rule('GW-CAP-01', { at: '/a', traced: true }), rule('GW-CAP-02'), rule('GW-CAP-03')];
  const lines: Line[] = [
    { ...identity, ...(selection === undefined ? {} : { selection }), waivers: [], register: { ...register, rules } },
    ...checks.map(
      (one, i): CheckLine => ({
        kind: 'check',
        id: `0000000${i}`,
        title: `check ${i}`,
        file: 'tests/gateway/capture.spec.ts',
        line: i,
        project: 'gateway',
        rules: [],
        outcome: 'pass',
        failures: [],
        exchanges: 0,
        startedAt: identity.startedAt,
        duration: 1,
        ...one,
      }),
    ),
    ...(met.length === 0
      ? []
      : [{ kind: 'trace', api: 'gateway', operation: 'capture', side: 'response', at: met, exchanges: [] } as const]),
    {
      kind: 'end',
      finishedAt: identity.startedAt,
      status: 'complete',
      counts: { checks: checks.length, exchanges: 0 },
    },
  ];
  return judgeJournal(lines);
}

const verdicts = (run: ReturnType<typeof judged>) =>
  Object.fromEntries(
    run.rules.map(({ id, verdict, reason }) => [id, [verdict, reason?.code].filter(Boolean).join(' ')]),
  );

test('a rule about a member that no answer carried is not seen, whatever its checks say', () => {
  const checks = [{ rules: ['GW-CAP-01', 'GW-CAP-02'] }];
  expect(verdicts(judged(checks))).toMatchObject({ 'GW-CAP-01': 'unseen unseen', 'GW-CAP-02': 'pass' });
  expect(verdicts(judged(checks, ['/a']))).toMatchObject({ 'GW-CAP-01': 'pass' });
});

test('a run in which something was not seen is kept, counts it apart and says so', () => {
  const run = judged([{ rules: ['GW-CAP-01', 'GW-CAP-02', 'GW-CAP-03'] }]);
  expect(run.verdict).toBe('kept');
  expect(run.counts.rules).toMatchObject({ pass: 2, unseen: 1, skipped: 0 });
  expect(run.sums.every(({ holds }) => holds)).toBe(true);
  expect(renderConclusion(run)).toContain('2 pass, 0 fail, 0 warn, 1 not seen');
});

test('a rule of which only a part was tried is no pass', () => {
  const left = { code: 'capability', text: 'no newcomer' } as const;
  const run = judged([
    { rules: ['GW-CAP-02'] },
    { rules: ['GW-CAP-02'], outcome: 'skipped', reason: left },
    { rules: ['GW-CAP-03'], unjudged: [{ rule: 'GW-CAP-03', code: 'partly', text: 'no case' }] },
  ]);
  expect(verdicts(run)).toMatchObject({ 'GW-CAP-02': 'skipped partly', 'GW-CAP-03': 'skipped partly' });
  expect(run.rules[1]!.reason!.text).toBe('1 of 2 checks kept it; what was left out: no newcomer');
});

test('a check that met nothing takes no pass from another that did', () => {
  const unseen = { outcome: 'skipped', reason: { code: 'unseen', text: 'no code was shown' } } as const;
  expect(verdicts(judged([{ rules: ['GW-CAP-02'] }, { rules: ['GW-CAP-02'], ...unseen }]))['GW-CAP-02']).toBe('pass');
  expect(verdicts(judged([{ rules: ['GW-CAP-02'], ...unseen }]))['GW-CAP-02']).toBe('unseen unseen');
});

test('what follows from one finding stands below it and not beside it', () => {
  const failures = [{ message: 'half was taken', rule: 'GW-CAP-03' }];
  const run = judged([{ rules: ['GW-CAP-01', 'GW-CAP-02', 'GW-CAP-03'], outcome: 'fail', failures }]);
  expect(run.rules.map(({ causedBy }) => causedBy)).toEqual([['GW-CAP-03'], ['GW-CAP-03'], undefined]);
  const said = renderConclusion(run);
  expect(said).toContain('so that 2 could not be decided: GW-CAP-01, GW-CAP-02');
  expect(said).not.toContain('undecided  GW');
});

test('a rule that was not selected is not named where a check of a selected one left it open', () => {
  const reason = { code: 'arrange', text: 'no order was approved' } as const;
  const run = judged([{ rules: ['GW-CAP-02', 'GW-CAP-03'], outcome: 'broken', reason }], [], 'GW-CAP-02');
  expect(verdicts(run)).toMatchObject({ 'GW-CAP-02': 'broken arrange', 'GW-CAP-03': 'skipped unselected' });
  expect(renderConclusion(run)).toContain('undecided  GW-CAP-02  arrange');
  const failures = [{ message: 'half was taken', rule: 'GW-CAP-03' }];
  const found = judged([{ rules: ['GW-CAP-02', 'GW-CAP-03'], outcome: 'fail', failures }], [], 'GW-CAP-02');
  expect(verdicts(found)).toMatchObject({ 'GW-CAP-02': 'broken arrange', 'GW-CAP-03': 'fail' });
});

test('what one arrangement left undecided, and what one answer broke, stands in one place', () => {
  const reason = (sum: number) => ({ code: 'arrange', text: `a capture of 1000 minor units captured ${sum}` }) as const;
  const run = judged([
    { rules: ['GW-CAP-01'], outcome: 'broken', reason: reason(999) },
    { rules: ['GW-CAP-02'], outcome: 'broken', reason: reason(500) },
  ]);
  expect(renderConclusion(run)).toContain('undecided  GW-CAP-01, GW-CAP-02  arrange: a capture of 1000');
  const failures = [{ message: 'expected status 200; got status 500', exchange: 'c0de0001.1' }];
  const said = renderConclusion(judged([{ rules: ['GW-CAP-01', 'GW-CAP-02'], outcome: 'fail', failures }]));
  expect(said.match(/^fail {2}/gm)).toHaveLength(1);
  expect(said).toContain('the same for GW-CAP-02');
});

test('a rule of which a check was left out for want of time is skipped for that, whatever its other checks did not see', () => {
  const text = 'left out: the time that the run was given (--within) did not allow for it';
  const left = (...rules: string[]) => ({ rules, outcome: 'skipped', reason: { code: 'time', text } }) as const;
  const unseen = {
    rules: ['GW-CAP-02'],
    outcome: 'skipped',
    reason: { code: 'unseen', text: 'It never came.' },
  } as const;
  const ran = { rules: ['GW-CAP-01', 'GW-CAP-03'] };
  expect(verdicts(judged([unseen, ran]))).toEqual({
    'GW-CAP-01': 'unseen unseen',
    'GW-CAP-02': 'unseen unseen',
    'GW-CAP-03': 'pass',
  });
  expect(verdicts(judged([unseen, ran, left('GW-CAP-01', 'GW-CAP-02', 'GW-CAP-03')]))).toEqual({
    'GW-CAP-01': 'skipped time',
    'GW-CAP-02': 'skipped time',
    'GW-CAP-03': 'skipped partly',
  });
});
