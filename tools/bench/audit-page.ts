import { closeSync, mkdtempSync, openSync, rmSync, statSync, writeFileSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { chromium } from '@playwright/test';
import { BROWSER_SWITCHES, findBrowser } from '#harness';
import { largeSample, PREVIOUS_FILE, readBaseline, writeProof } from '#report';
import type { BenchFigure, BenchPart, BenchSize, GrowthPoint } from './bench-figure.ts';
import { fitGrowth } from './fit-growth.ts';
import { runMeasured } from './run-measured.ts';
import { takeTurns } from './take-turns.ts';

const DRAW = `import { writeReport } from '#report';
// measured
writeReport(process.env.FOLDER);`;

/** Sizes of what a run may have, 1, 10 and 100 times as much. */
const EXCHANGES = [1000, 10_000, 100_000];
const RULES = [40, 400, 4000];
const EXCHANGES_OF_A_RULE = 5;

/** The audit page: what drawing 20,000 exchanges takes, and how it grows with exchanges and with rules. */
export async function benchAuditPage({ isTrial }: BenchSize): Promise<BenchPart> {
  const exchanges = isTrial ? [20, 200] : EXCHANGES;
  const rules = isTrial ? [40, 400] : RULES;
  return {
    figures: await benchLargePage(isTrial ? 200 : 20_000, isTrial),
    growth: [
      fitGrowth(
        { id: 'page-by-exchanges', title: 'Drawing a run folder', what: 'exchanges' },
        await measureEach(exchanges, (count) => ({ count })),
      ),
      fitGrowth(
        { id: 'page-by-rules', title: 'Drawing a run folder, five exchanges a rule', what: 'rules' },
        await measureEach(rules, (count) => ({ count: EXCHANGES_OF_A_RULE * count, rules: count })),
      ),
    ],
  };
}

async function measureEach(
  sizes: readonly number[],
  of: (size: number) => { count: number; rules?: number },
): Promise<GrowthPoint[]> {
  const points: GrowthPoint[] = [];
  for (const size of sizes) {
    const { count, rules } = of(size);
    const folder = await layRun(count, rules);
    points.push({ size, ...runMeasured(DRAW, { FOLDER: folder }) });
    rmSync(folder, { recursive: true });
  }
  return points;
}

async function benchLargePage(count: number, isTrial: boolean): Promise<BenchFigure[]> {
  const folder = await layRun(count);
  const rounds = isTrial ? 1 : 3;
  const name = `${count.toLocaleString('en-US')} exchanges`;
  const draws = Array.from({ length: rounds }, () => runMeasured(DRAW, { FOLDER: folder }));
  const one = (id: string, title: string, unit: BenchFigure['unit'], values: readonly number[], atMost: number) => {
    let turn = 0;
    return takeTurns([{ name, turn: () => values[turn++] }], {
      ...{ id, title, unit, rounds: values.length, warmUp: 0, isGiven: true },
      goals: [{ text: `at most ${atMost} ${unit}`, atMost }],
    });
  };
  const bytes = statSync(join(folder, 'index.html')).size;
  const browser = findBrowser();
  const figures = [
    await one(
      'page-drawn',
      'Drawing all files of a run folder, of processor time',
      's',
      draws.map(({ seconds }) => seconds),
      3,
    ),
    await one(
      'page-memory',
      'Most memory while they are drawn',
      'MB',
      draws.map(({ memory }) => memory),
      300,
    ),
    await one('page-size', 'Size of the page', 'MB', [bytes / 1e6], 5),
    ...(browser === undefined
      ? []
      : [
          await one(
            'page-usable',
            'Until the page can be used in a browser',
            'ms',
            await openPage(folder, browser, rounds),
            1000,
          ),
        ]),
  ];
  rmSync(folder, { recursive: true });
  return figures;
}

/** Lays the journal of a made-up run into a folder, with a proof and an earlier run. */
async function layRun(exchanges: number, rules?: number): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), 'assay-bench-'));
  const { largeLines, largeProofs } = await largeSample();
  const journal = openSync(join(folder, 'evidence.ndjson'), 'w');
  for (const line of largeLines(exchanges, rules)) writeSync(journal, `${JSON.stringify(line)}\n`);
  closeSync(journal);
  writeProof(folder, largeProofs(rules));
  writeFileSync(join(folder, PREVIOUS_FILE), JSON.stringify(readBaseline(folder)));
  return folder;
}

/** Milliseconds until the page has its script run and its rules counted; the browser is warm. */
async function openPage(folder: string, executablePath: string, rounds: number): Promise<number[]> {
  const browser = await chromium.launch({ executablePath, args: [...BROWSER_SWITCHES] });
  try {
    const times: number[] = [];
    for (let round = 0; round <= rounds; round += 1) {
      const page = await browser.newPage();
      await page.goto(pathToFileURL(join(folder, 'index.html')).href);
      await page.waitForFunction("document.getElementById('shown').textContent !== ''");
      times.push(
        (await page.evaluate("performance.getEntriesByType('navigation')[0].domContentLoadedEventEnd")) as number,
      );
      await page.close();
    }
    return times.slice(1);
  } finally {
    await browser.close();
  }
}
