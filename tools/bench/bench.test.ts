import { spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from '@playwright/test';
import { findBrowser } from '#browser';
import { SUITE_FOLDER } from '#folders';
import { lookInBothSchemes } from '#page-look';
import type { BenchResult, GrowthPoint } from './bench-figure.ts';
import { renderBenchPage } from './bench-page.ts';
import { compareResults } from './compare-results.ts';
import { fitGrowth } from './fit-growth.ts';
import { takeTurns } from './take-turns.ts';

let folder: string;
test.beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'assay-bench-test-'));
});
test.afterAll(() => rmSync(folder, { recursive: true, force: true }));

const bench = (...args: string[]) =>
  spawnSync(process.execPath, [join(SUITE_FOLDER, 'tools/bench/bench.mjs'), ...args], {
    encoding: 'utf8',
    cwd: SUITE_FOLDER,
  });

test('takes tiny turns and fetches nothing, as it was told, and leaves result and page', () => {
  test.setTimeout(240_000);
  const parts = ['contract', 'validation', 'exchange', 'signing', 'proxy'];
  const { status, stdout, stderr } = bench(
    '--trial',
    '--offline',
    '--out',
    folder,
    ...parts.flatMap((name) => ['--only', name]),
  );
  expect([status, stderr]).toEqual([0, expect.any(String)]);
  expect(stdout).toContain('without programs of other hands');
  const result = JSON.parse(readFileSync(join(folder, 'bench.json'), 'utf8')) as BenchResult;
  expect(result.isTrial).toBe(true);
  expect(result.figures.map(({ id }) => id)).toEqual(
    expect.arrayContaining([
      'contract-load',
      'response-validation',
      'answer-judged',
      'checked-exchange',
      'signing',
      'proxy-overhead',
    ]),
  );
  for (const { contestants, ratios } of result.figures) {
    for (const { median, best } of contestants) expect(Math.min(median, best)).toBeGreaterThan(0);
    expect(ratios).toHaveLength(contestants.length - 1);
  }
  expect(readdirSync(folder).filter((name) => /^\d{8}T\d{6}\.json$/.test(name))).toHaveLength(1);
  expect(readFileSync(join(folder, 'index.html'), 'utf8')).toContain('A trial of');
});

test('refuses a part that is none, and a trial as the result to compare with', () => {
  expect(bench('--only', 'everything')).toMatchObject({
    status: 2,
    stderr: expect.stringContaining('no part of the bench is called everything'),
  });
  expect(bench('--trial', '--accept')).toMatchObject({
    status: 2,
    stderr: expect.stringContaining('a trial is no result to compare with'),
  });
});

test('the ratio of the best turns is told, whatever the machine did in others', async () => {
  const values = { ours: [10, 20, 3000], theirs: [20, 40, 60] };
  const taker = (name: keyof typeof values) => ({ name, turn: () => values[name].shift() });
  const plan = { id: 'a', title: 'A', unit: 'ms', rounds: 3, warmUp: 0, isGiven: true } as const;
  const goals = [
    { text: 'half', to: 'theirs', atMost: 0.5 },
    { text: 'quarter', to: 'theirs', atMost: 0.25 },
    { text: 'gone', to: 'nobody', atMost: 1 },
  ];
  const { ratios, goals: judged, contestants } = await takeTurns([taker('ours'), taker('theirs')], { ...plan, goals });
  expect(ratios).toEqual([{ to: 'theirs', value: 0.5 }]);
  expect(judged.map(({ isReached }) => isReached)).toEqual([true, false]);
  expect(contestants[0]).toMatchObject({ best: 10, median: 20, turns: 3 });
});

const grown = (power: number, start = 0): GrowthPoint[] =>
  [10, 100, 1000].map((size) => ({ size, seconds: start + size ** power / 1e4, memory: 100 + size / 10 }));
const NAMES = { id: 'g', title: 'Growing', what: 'things' };

test('growth that is worse than linear is missed, though a slow start flattens the fit', () => {
  expect(fitGrowth(NAMES, grown(1)).goals.map(({ isReached }) => isReached)).toEqual([true, true]);
  expect(fitGrowth(NAMES, grown(1)).exponent).toBeCloseTo(1);
  const slow = fitGrowth(NAMES, grown(2, 3));
  expect(slow.fitted).toBeLessThan(1.1);
  expect(slow.goals[0]).toMatchObject({ isReached: false });
  expect(fitGrowth(NAMES, grown(1), 150).goals[1]).toMatchObject({ value: 200, isReached: false });
});

function result(change = 1): BenchResult {
  const contestants = ['ours', 'theirs <b>'].map((name, i) => ({
    name,
    median: 10 * (i + 1),
    best: 8 * (i + 1),
    turns: 5,
  }));
  const goals = [{ text: 'at most 0.4', atMost: 0.4, value: 0.5 * change, isReached: false }];
  return {
    format: 'assay.bench/1',
    measuredAt: '2026-03-01T10:00:00.000Z',
    machine: { node: 'v22', cores: 2, processor: 'one' },
    isTrial: false,
    figures: [
      {
        id: 'f',
        title: 'A figure',
        unit: 'µs',
        contestants,
        ratios: [{ to: 'theirs <b>', value: 0.5 * change }],
        goals,
      },
      {
        id: 'm',
        title: 'Memory',
        unit: 'MB',
        contestants: contestants.slice(0, 1),
        ratios: [],
        goals: [],
        missing: ['the rest'],
      },
    ],
    growth: [fitGrowth(NAMES, grown(1, 0.01)), fitGrowth({ ...NAMES, id: 'h', title: 'Growing fast' }, grown(1.4))],
  };
}

test('results are compared by ratio, exponent and memory, and what moved is marked', () => {
  const changes = compareResults(result(), result(1.5));
  expect(changes.map(({ isMarked }) => isMarked)).toEqual([true, false, false, false]);
  expect(changes[0]).toMatchObject({ name: 'A figure: ours to theirs <b>', was: 0.5, is: 0.75, factor: 1.5 });
});

test('the page has goals, bars, growth and what moved, and is accessible in either scheme and narrow', async () => {
  test.slow();
  test.skip(findBrowser() === undefined, 'no browser is installed');
  const file = join(folder, 'page.html');
  writeFileSync(file, renderBenchPage(result(), compareResults(result(1.5), result())));
  await lookInBothSchemes(file, async (page) => {
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('3 of 5 goals reached');
    await expect(page.locator('#goals tbody tr').first()).toContainText('no');
    expect(await page.locator('svg.bars').count()).toBe(2);
    expect(await page.locator('svg.growth').count()).toBe(2);
    await expect(page.locator('#since strong')).toHaveText('−33 %');
  });
});
