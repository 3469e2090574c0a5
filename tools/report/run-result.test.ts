import { readFileSync } from 'node:fs';
import { expect, test } from '@playwright/test';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { type CheckLine, type Line, VERDICTS } from '#evidence';
import { exitCode, judgeJournal, renderConclusion } from './index.ts';
import { samplePrevious, sampleProofs } from './sample-companions.ts';
import { finishJournal, sampleCheck, sampleExchange, sampleLines, sampleRunLine } from './sample-run.ts';
import type { RunResult } from './types.ts';
import { drawRunFiles } from './write-report.ts';

const verdictOf = (run: RunResult, id: string) => run.rules.find((rule) => rule.id === id)!;
const today = '2026-03-02';

/** A run of one check for one rule, and what it came to. */
function one(rule: string, more: Partial<CheckLine>, ...exchanges: ReturnType<typeof sampleExchange>[]): RunResult {
  const run = sampleRunLine({ waivers: [] });
  return judgeJournal(
    finishJournal([
      run,
      ...exchanges,
      { ...sampleCheck('c0000001', 'does it', [rule], more), exchanges: exchanges.length },
    ]),
    { today },
  );
}

test('states the same verdicts as its schema', () => {
  const schema = JSON.parse(readFileSync(new URL('run.schema.json', import.meta.url), 'utf8'));
  expect([...schema.$defs.verdict.enum].sort()).toEqual([...VERDICTS].sort());
});

test('gives every rule in force exactly one verdict and lists retired ones apart', () => {
  const run = judgeJournal(sampleLines(), { today });
  expect(run.rules.map(({ id, verdict }) => `${id} ${verdict}`)).toEqual([
    'GW-CAP-01 pass',
    'GW-CAP-02 fail',
    'GW-CAP-03 skipped',
    'GW-STS-01 fail',
    'GW-STS-02 pass',
    'GW-TDS-01 pass',
    'GW-CBK-01 broken',
    'GW-ERR-01 waived',
    'GW-ENV-01 skipped',
    'OA-SIG-01 skipped',
    'V1-TRX-01 fail',
    'V1-TRX-02 warn',
    'V1-LIM-01 pass',
    'V1-EVT-01 skipped',
    'V1-DOC-01 skipped',
  ]);
  expect(run.retired.map(({ id }) => id)).toEqual(['GW-ERR-02']);
  expect(run.verdict).toBe('broken');
  expect(run.sums.filter(({ holds }) => !holds)).toEqual([]);
});

test('holds so many sights of a hole and changes of state, however many a service gives', () => {
  const learned = Array.from({ length: 20_000 }, (_, i): Line => {
    const where = `/k${String(i).padStart(5, '0')}`;
    return { kind: 'learned', hole: 'GW-HOLE-01', exchange: 'a0000001.2', where, what: 'x'.repeat(400) };
  });
  const changes = Array.from({ length: 20_000 }, (_, i): Line => {
    return { kind: 'transition', from: 'new', to: `STATE_${i}`, via: 'sale', exchange: 'a0000001.2' };
  });
  const [first, ...rest] = sampleLines();
  const { run, files } = drawRunFiles([first!, ...learned, ...changes, ...rest]);
  const sights = run.holes.find(({ id }) => id === 'GW-HOLE-01')!.learned;
  expect(sights).toHaveLength(201);
  expect(sights.at(-1)).toMatchObject({
    where: 'and',
    what: expect.stringMatching(/^19802 more$/),
    exchange: 'a0000001.2',
  });
  expect(run.transitions).toHaveLength(500);
  expect(files['run.json']!.join('').length).toBeLessThan(500_000);
  expect(files['overlay.yaml']!.join('').length).toBeLessThan(200_000);
});

test('charges a violation noticed in passing to its rule, not to the check that met it', () => {
  const run = judgeJournal(sampleLines(), { today });
  const { failures, exchanges } = verdictOf(run, 'GW-STS-01');
  expect(failures).toHaveLength(1);
  expect(failures[0]!.where).toBe('/orderState');
  expect(failures[0]!.exchanges).toEqual(['a0000004.2']);
  expect(exchanges).toContain('a0000004.2');
  expect(run.checks.find(({ id }) => id === 'a0000004')!.verdict).toBe('pass');
});

test('joins the same finding of several exchanges and keeps different ones apart', () => {
  const broken = (nth: number, actual: string) =>
    sampleExchange('c0000001', nth, {
      violations: [{ rule: 'GW-STS-01', expected: 'a state', actual, where: '/orderState' }],
    });
  const run = one('GW-STS-02', {}, broken(1, 'null'), broken(2, 'null'), broken(3, 'a number'));
  const { failures } = verdictOf(run, 'GW-STS-01');
  expect(failures.map(({ actual, exchanges }) => [actual, exchanges.length])).toEqual([
    ['null', 2],
    ['a number', 1],
  ]);
});

test('charges a failure that names a rule to that rule only', () => {
  const failures = [{ message: 'no', rule: 'GW-ERR-01' }];
  const run = one('GW-CAP-01', { outcome: 'fail', failures });
  expect(verdictOf(run, 'GW-ERR-01').verdict).toBe('fail');
  // The check stopped there, so nothing is known about its own rule.
  expect(verdictOf(run, 'GW-CAP-01')).toMatchObject({ verdict: 'broken', failures: [] });
});

test('counts a check that failed without a word against its rules', () => {
  expect(verdictOf(one('GW-CAP-01', { outcome: 'fail' }), 'GW-CAP-01').verdict).toBe('fail');
});

test('never lets a pass outweigh a break of the same rule', () => {
  const lines: Line[] = [
    sampleRunLine({ waivers: [] }),
    sampleCheck('c0000001', 'does it', ['GW-CAP-01']),
    sampleCheck('c0000002', 'does it too', ['GW-CAP-01'], {
      outcome: 'broken',
      reason: { code: 'timeout', text: 'late' },
    }),
  ];
  const run = judgeJournal(finishJournal(lines), { today });
  expect(verdictOf(run, 'GW-CAP-01')).toMatchObject({ verdict: 'broken', reason: { code: 'timeout' } });
  expect(exitCode(run)).toBe(3);
});

test('says why a rule was skipped', () => {
  const run = judgeJournal(
    finishJournal([
      sampleRunLine({
        selection: 'GW-CAP',
        target: { ...sampleRunLine().target, hosts: { v1: 'https://v1.example' } },
      }),
    ]),
    { today },
  );
  const code = (id: string) => verdictOf(run, id).reason?.code;
  expect([code('GW-ENV-01'), code('GW-STS-01'), code('GW-CAP-01'), code('V1-DOC-01')]).toEqual([
    'untestable',
    'unselected',
    'service',
    'unselected',
  ]);
  const whole = judgeJournal(finishJournal([sampleRunLine()]), { today });
  expect(verdictOf(whole, 'V1-DOC-01').reason?.code).toBe('unchecked');
});

test('lets a waiver cover a failure to the end of its last day and no longer', () => {
  const lines = sampleLines();
  const at = (day: string) => verdictOf(judgeJournal(lines, { today: day }), 'GW-ERR-01').verdict;
  expect([at('2026-06-30'), at('2026-07-01')]).toEqual(['waived', 'fail']);
  const states = judgeJournal(lines, { today }).waivers.map(({ rule, state }) => `${rule} ${state}`);
  expect(states).toEqual(['GW-ERR-01 in force', 'GW-CAP-01 stale', 'V1-TRX-01 expired']);
});

test('says incomplete when the end is missing, was interrupted, or announces more than there is', () => {
  const lines = sampleLines(sampleRunLine());
  const reasons = [
    lines.slice(0, -1),
    [
      ...lines.slice(0, -1),
      { ...(lines.at(-1) as Extract<Line, { kind: 'end' }>), status: 'interrupted', reason: 'SIGINT' } as Line,
    ],
    lines.filter((line) => line.kind !== 'check' || line.id !== 'a0000003'),
    lines.filter((line) => line.kind !== 'exchange' || line.id !== 'a0000006.2'),
  ].map((journal) => judgeJournal(journal, { today }));
  for (const run of reasons) expect(run.complete).toBe(false);
  expect(reasons.map(({ incompleteReason }) => incompleteReason)).toEqual([
    'The journal has no end line: the run was killed or is still going.',
    'The run was interrupted: SIGINT',
    'The journal holds 11 of the 12 checks that ended.',
    'The journal holds 15 of the 16 exchanges that were made.',
  ]);
});

test('is broken with 1, incomplete with 3, kept with 0, and never kept when nothing was judged', () => {
  const kept = one('GW-CAP-01', {});
  expect([kept.verdict, exitCode(kept)]).toEqual(['kept', 0]);
  const warned = one('V1-TRX-02', { outcome: 'fail' });
  expect([verdictOf(warned, 'V1-TRX-02').verdict, exitCode(warned)]).toEqual(['warn', 0]);
  const cut = judgeJournal([sampleRunLine(), sampleCheck('c0000001', 'does it', ['GW-CAP-01'])], { today });
  expect([cut.verdict, exitCode(cut)]).toEqual(['incomplete', 3]);
  const cutAndBroken = judgeJournal(sampleLines().slice(0, -1), { today });
  expect([cutAndBroken.verdict, exitCode(cutAndBroken), cutAndBroken.complete]).toEqual(['broken', 1, false]);
  const nothing = judgeJournal(finishJournal([sampleRunLine()]), { today });
  expect([nothing.verdict, exitCode(nothing), nothing.complete]).toEqual(['incomplete', 3, false]);
});

test('lists claims of unknown rules instead of losing them', () => {
  const run = one('GW-CAP-77', { outcome: 'fail' });
  expect(run.oddities).toEqual(['A check or exchange names GW-CAP-77, which is retired or not in the register.']);
});

test('is described by its schema, whole and in every state', () => {
  const ajv = new Ajv2020({ strict: true, strictTypes: false, strictRequired: false, allErrors: true });
  const validate = ajv.compile(JSON.parse(readFileSync(new URL('./run.schema.json', import.meta.url), 'utf8')));
  const runs = [
    judgeJournal(sampleLines(), { today, proofs: sampleProofs() }),
    drawRunFiles(sampleLines(), { previous: samplePrevious() }).run,
    judgeJournal(sampleLines().slice(0, -1), { today }),
    judgeJournal([sampleRunLine({ selection: 'GW-CAP', lie: 'capture-short' })], { today }),
  ];
  for (const run of runs) {
    validate(JSON.parse(JSON.stringify(run)));
    expect(validate.errors ?? []).toEqual([]);
  }
  expect(validate({ ...runs[0], verdict: 'green' })).toBe(false);
  expect(validate({ ...runs[0], surprise: true })).toBe(false);
  const [first, ...rest] = runs[0]!.rules;
  expect(validate({ ...runs[0], rules: [{ ...first, verdict: 'skipped' }, ...rest] })).toBe(false);
});

test('ends the terminal with counts and the path of the page, findings before', () => {
  const lines = renderConclusion(judgeJournal(sampleLines(), { today }), '/tmp/run').split('\n');
  expect(lines.at(-1)).toBe('/tmp/run/index.html');
  expect(lines.at(-2)).toBe('proof: none at hand');
  expect(lines.at(-4)).toBe(
    'broken, of 9 judged: 15 rules: 4 pass, 3 fail, 1 warn, 0 not seen, 1 waived, 1 undecided, 5 skipped',
  );
  expect(lines.slice(0, 4)).toEqual([
    'fail  GW-CAP-02  A capture above the authorized amount is not carried out.',
    '      The promise calls for captures of 10.00 at most; what came was a capture of 10.01.',
    '      it costs  A customer could be charged more than was agreed to.',
    '      exchange  a0000002.2',
  ]);
  // biome-ignore lint/suspicious/noControlCharactersInRegex: no escape sequence of a service reaches the terminal
  expect(lines.join('\n')).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u202e]/);
});
