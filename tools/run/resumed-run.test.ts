import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from '@playwright/test';
import { JOURNAL, type Line, readJournal } from '#evidence';
import { verifyRun } from '#report';
import { emptyWorkspace } from './empty-workspace.test-support.ts';
import { runSuite } from './run-suite.ts';

test.describe.configure({ mode: 'serial', timeout: 600_000 });

let folder: string;
const { log } = console;
test.beforeAll(() => {
  // What a run says is of no concern here, and its counts are not those of own tests.
  console.log = () => {};
  folder = mkdtempSync(join(tmpdir(), 'assay-resumed-'));
});
test.afterAll(() => {
  console.log = log;
  rmSync(folder, { recursive: true, force: true });
});

/** A few rules of both services, a law that is held against drawn cases among them. */
const SELECTION = ['V1-IBN', 'GW-STR-01', 'OA-SIG-14'];

function play(how: { out?: string; resume?: string; within?: number }): Promise<number> {
  return runSuite({
    target: undefined,
    rules: how.resume === undefined ? SELECTION : [],
    out: how.out === undefined ? undefined : join(folder, how.out),
    resume: how.resume === undefined ? undefined : join(folder, how.resume),
    workspace: emptyWorkspace(folder),
    lies: [],
    seed: 7,
    shard: undefined,
    shuffle: undefined,
    workers: '1',
    setup: false,
    within: how.within,
    gates: {},
    annotate: false,
    argv: [],
  });
}

/** A result without what no two runs share. */
function comparable(run: string): unknown {
  const result = JSON.parse(readFileSync(join(folder, run, 'run.json'), 'utf8'));
  const untimed = ({ duration: _, ...property }: Record<string, unknown>) => property;
  // The exchanges of a check that was interrupted stay beside those of its second turn.
  const plain = ({
    startedAt: _,
    duration: __,
    exchanges: ___,
    properties = [],
    ...check
  }: Record<string, unknown>) => ({
    ...check,
    properties: (properties as Record<string, unknown>[]).map(untimed),
  });
  return {
    verdict: result.verdict,
    complete: result.complete,
    counts: { rules: result.counts.rules, checks: result.counts.checks },
    rules: result.rules.map(({ id, verdict, checks }: Record<string, unknown>) => ({
      id,
      verdict,
      checks: [...(checks as string[])].sort(),
    })),
    checks: result.checks
      .map(plain)
      .sort((one: { id?: string }, other: { id?: string }) => (one.id! < other.id! ? -1 : 1)),
  };
}

const isExchange = (line: Line) => line.kind === 'exchange';

/** Cuts a run off as a shot does: in the middle of a line, behind the first exchange of a check that has not ended. @returns what was recorded */
function interrupt(run: string, ended: number): readonly Line[] {
  const path = join(folder, run, JOURNAL);
  const lines = readJournal(join(folder, run));
  const last = lines.flatMap((line, i) => (line.kind === 'check' ? [i] : []))[ended - 1]!;
  const next = lines.findIndex((line, i) => i > last && isExchange(line));
  const kept = lines.slice(0, next + 1);
  const text = kept.map((line) => JSON.stringify(line)).join('\n');
  writeFileSync(path, `${text}\n{"kind":"exchange","id":"cut`);
  return kept;
}

test('an interrupted run that goes on equals one that was not interrupted, and loses nothing', async () => {
  expect(await play({ out: 'whole' })).toBe(0);
  // What was recorded until then is what a run records until then.
  cpSync(join(folder, 'whole'), join(folder, 'cut'), { recursive: true });
  const recorded = interrupt('cut', 9);
  const half = recorded.at(-1)!;
  expect(await play({ resume: 'cut' })).toBe(0);

  expect(comparable('cut')).toEqual(comparable('whole'));
  const lines = readJournal(join(folder, 'cut'));
  expect(lines).toEqual(expect.arrayContaining(recorded.slice(1)));
  const checks = lines.flatMap((line) => (line.kind === 'check' ? [line.id] : []));
  expect(new Set(checks).size, 'no check that ended is repeated').toBe(checks.length);
  const ids = lines.flatMap((line) => (line.kind === 'exchange' ? [line.id] : []));
  expect(new Set(ids).size, 'no exchange takes the place of another').toBe(ids.length);
  expect(half.kind === 'exchange' && ids.filter((id) => id.startsWith(`${half.check}.`)).length).toBeGreaterThan(1);

  const result = JSON.parse(readFileSync(join(folder, 'cut/run.json'), 'utf8'));
  expect(result.resumed).toEqual([{ at: expect.any(String), checks: 9 }]);
  expect(verifyRun(join(folder, 'cut')).findings).toEqual([]);
});

test('a run goes on with nothing but what it was: the same target, contract and suite, and not when it ended', async () => {
  await expect(play({ resume: 'whole' })).rejects.toThrow(/whole is not interrupted/);
  await expect(play({ resume: 'nowhere' })).rejects.toThrow(/nowhere holds no run/);
  for (const [what, change] of [
    ['suite', (run: Record<string, Record<string, unknown>>) => (run.suite!.sha256 = '0'.repeat(64))],
    ['target', (run) => (run.target!.sha256 = '0'.repeat(64))],
    ['contract', (run) => ((run.specs as unknown as { sha256: string }[])[0]!.sha256 = '0'.repeat(64))],
  ] satisfies [string, (run: Record<string, Record<string, unknown>>) => unknown][]) {
    const path = join(folder, 'cut', JOURNAL);
    const text = readFileSync(path, 'utf8');
    interrupt('cut', 9);
    const [first, ...rest] = readFileSync(path, 'utf8').split('\n');
    const run = JSON.parse(first!);
    change(run);
    writeFileSync(path, [JSON.stringify(run), ...rest].join('\n'));
    await expect(play({ resume: 'cut' })).rejects.toThrow(/cannot go on/);
    await expect(play({ resume: 'cut' })).rejects.toMatchObject({
      reason: expect.stringContaining(`its ${what} is not`),
    });
    writeFileSync(path, text);
  }
});

/** Lays a run beside the others in which every check took its time. */
function layEarlierRun(seconds: number): void {
  const [first, ...rest] = readJournal(join(folder, 'whole'));
  const earlier = join(folder, 'reports/20260101-000000-aaaa');
  mkdirSync(earlier, { recursive: true });
  const lines = rest.map((line) => (line.kind === 'check' ? { ...line, duration: seconds * 1000 } : line));
  writeFileSync(join(earlier, JOURNAL), `${[first, ...lines].map((line) => JSON.stringify(line)).join('\n')}\n`);
}

test('a run within a time leaves out what does not fit, says so, and passes nothing of it', async () => {
  layEarlierRun(30);
  expect(await play({ out: 'short', within: 300 })).toBe(0);
  const result = JSON.parse(readFileSync(join(folder, 'short/run.json'), 'utf8'));
  const left = result.checks.filter(({ reason }: { reason?: { code: string } }) => reason?.code === 'time');
  expect(left.length).toBeGreaterThan(0);
  expect(result.counts.checks.pass, 'what asks nothing, and what fits').toBeGreaterThan(0);
  const named: string[] = left.flatMap(({ rules }: { rules: string[] }) => rules);
  // Of rules that were not asked about, a check that claims them as well says nothing.
  for (const id of new Set(named.filter((one) => SELECTION.some((asked) => one.startsWith(asked))))) {
    const { verdict, reason } = result.rules.find((rule: { id: string }) => rule.id === id);
    expect([verdict, ['time', 'partly'].includes(reason.code)]).toEqual(['skipped', true]);
    expect(reason.text).toMatch(/--within/);
  }
  expect(await play({ resume: 'short' }), 'what was left out can be played later').toBe(0);
  expect(comparable('short')).toEqual(comparable('whole'));
});
