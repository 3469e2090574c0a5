import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from '@playwright/test';
import { type RunLine, type RunShard, readJournal } from '#evidence';
import { type RunResult, verifyRun } from '#report';
import { emptyWorkspace } from './empty-workspace.test-support.ts';
import { mergeRuns, orderParts, type RunPart } from './merge-runs.ts';
import { runSuite } from './run-suite.ts';

/** Checks of both services and of each kind: that ask, that look through a browser, that hold a law against drawn cases, that use a limit up. */
const SELECTION = ['V1-IBN', 'GW-TDS-03', 'OA-SIG-14', 'V1-LIM-03'];

test.describe.configure({ mode: 'serial', timeout: 600_000 });

let folder: string;
const { log } = console;
test.beforeAll(() => {
  // What a run says is of no concern here, and its counts are not those of own tests.
  console.log = () => {};
  folder = mkdtempSync(join(tmpdir(), 'assay-shards-'));
});
test.afterAll(() => {
  console.log = log;
  rmSync(folder, { recursive: true, force: true });
});

function play(name: string, shard: RunShard | undefined): Promise<number> {
  return runSuite({
    target: undefined,
    rules: SELECTION,
    resume: undefined,
    out: join(folder, name),
    workspace: emptyWorkspace(folder),
    lies: [],
    seed: 7,
    shard,
    shuffle: undefined,
    workers: '1',
    setup: false,
    within: undefined,
    gates: {},
    annotate: false,
    argv: ['--seed', '7', ...(shard === undefined ? [] : ['--shard', `${shard.index}/${shard.of}`]), '--rule', 'x'],
  });
}

const read = (name: string) => JSON.parse(readFileSync(join(folder, name, 'run.json'), 'utf8')) as RunResult;

/** What a run says, without when it was and what its exchanges are called. */
function sayingOf({ rules, checks, counts, sums, holes, coverage, verdict, complete, selection, argv }: RunResult) {
  return {
    verdict,
    complete,
    selection,
    argv,
    counts,
    sums,
    coverage,
    rules: rules.map(({ id, verdict, checks, exchanges }) => ({
      id,
      verdict,
      checks: [...checks].sort(),
      exchanges: exchanges.length,
    })),
    checks: checks.map(({ id, outcome, rules }) => ({ id, outcome, rules })).sort((a, b) => (a.id < b.id ? -1 : 1)),
    holes: holes.map(({ id }) => id),
  };
}

test('four parts make the run that one machine would have made, with one signature', async () => {
  expect(await play('whole', undefined)).toBe(0);
  const parts = [1, 2, 3, 4].map((index) => ({ index, of: 4 }));
  for (const part of parts) expect(await play(`part-${part.index}`, part)).toBe(0);
  const part = read('part-2');
  expect([part.verdict, part.incompleteReason]).toEqual(['incomplete', expect.stringContaining('shard 2 of 4')]);
  const folders = parts.map(({ index }) => join(folder, `part-${index}`)).reverse();
  expect(
    await mergeRuns({ folders, out: join(folder, 'merged'), workspace: emptyWorkspace(folder), target: undefined }),
  ).toBe(0);
  expect(sayingOf(read('merged'))).toEqual(sayingOf(read('whole')));
  expect(read('merged').checks.length).toBeGreaterThan(20);
  expect(verifyRun(join(folder, 'merged')).findings).toEqual([]);
});

test('what is no part, or was changed since it was signed, is refused', async () => {
  const merge = (...names: string[]) =>
    mergeRuns({
      folders: names.map((name) => join(folder, name)),
      out: join(folder, 'none'),
      workspace: emptyWorkspace(folder),
      target: undefined,
    });
  await expect(merge('whole')).rejects.toThrow(/whole is no shard of a run/);
  const file = join(folder, 'part-3/evidence.ndjson');
  const text = readFileSync(file, 'utf8');
  writeFileSync(file, text.replace('"outcome":"pass"', '"outcome":"fail"'));
  await expect(merge('part-1', 'part-2', 'part-3', 'part-4')).rejects.toThrow(/part-3 is not what was signed/);
  writeFileSync(file, text);
});

test.describe('parts that do not make one run are refused with one message', () => {
  const part = (
    index: number,
    change: Partial<RunLine> = {},
    status: 'complete' | 'interrupted' = 'complete',
  ): RunPart => {
    const [first] = readJournal(join(folder, 'part-1')) as [RunLine];
    const end = { kind: 'end', finishedAt: '', status, counts: { checks: 0, exchanges: 0 } } as const;
    const changed = { ...first, shard: { index, of: 2 }, ...change };
    return { folder: `part ${index}`, first: changed, lines: [changed, end] };
  };
  const target = (sha256: string) => ({ target: { ...part(1).first.target, sha256 } });
  const cases: readonly [name: string, parts: () => readonly RunPart[], says: RegExp][] = [
    ['one missing', () => [part(2)], /1 of 2 shards are missing: 1/],
    ['one twice', () => [part(1), part(2), part(2)], /shard 2 of 2 is there twice/],
    ['another seed', () => [part(1), part(2, { seed: 8 })], /part 2 is a shard of another run/],
    ['another target', () => [part(1), part(2, target('0'))], /part 2 is a shard of another run/],
    ['another contract', () => [part(1), part(2, { specs: [] })], /part 2 is a shard of another run/],
    ['another number of parts', () => [part(1), part(2, { shard: { index: 2, of: 3 } })], /a shard of another run/],
    ['one that was not finished', () => [part(1), part(2, {}, 'interrupted')], /shard 2 of 2 was not finished/],
    ['none at all', () => [], /no shard was named/],
  ];
  for (const [name, parts, says] of cases) test(name, () => expect(() => orderParts(parts())).toThrow(says));
  test('while two that do are put in order', () => {
    expect(orderParts([part(2), part(1)]).map((one) => one.folder)).toEqual(['part 1', 'part 2']);
  });
});
