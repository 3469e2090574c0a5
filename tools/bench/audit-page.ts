import { closeSync, mkdtempSync, openSync, rmSync, statSync, writeFileSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { chromium } from '@playwright/test';
import { BROWSER_SWITCHES, findBrowser } from '#browser';
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

/** What a page of a large run may take. */
interface PageGoals {
  /** Seconds of processor. */
  readonly drawn: number;
  /** Megabytes held. */
  readonly memory: number;
  /** Megabytes of the page. */
  readonly size: number;
  /** Milliseconds until it can be used. */
  readonly usable: number;
}

const TITLES: Readonly<Record<keyof PageGoals, string>> = {
  drawn: 'Drawing all files of a run folder, of processor time',
  memory: 'Most memory while they are drawn',
  size: 'Size of the page',
  usable: 'Until the page can be used in a browser',
};

/** A page to be measured. */
interface LargePage {
  /** What its figures are called by, behind what they are of. */
  readonly id: string;
  readonly count: number;
  readonly rounds: number;
  readonly goals: PageGoals;
}

const LARGE_PAGES: readonly LargePage[] = [
  { id: '', count: 20_000, rounds: 3, goals: { drawn: 3, memory: 300, size: 5, usable: 500 } },
  { id: '-by-100000', count: 100_000, rounds: 3, goals: { drawn: 15, memory: 300, size: 25, usable: 2000 } },
];

/** The audit page: what drawing and opening 20,000 and 100,000 exchanges takes, and how it grows with exchanges and with rules. */
export async function benchAuditPage({ isTrial }: BenchSize): Promise<BenchPart> {
  const exchanges = isTrial ? [20, 200] : EXCHANGES;
  const rules = isTrial ? [40, 400] : RULES;
  const figures: BenchFigure[] = [];
  for (const page of LARGE_PAGES)
    figures.push(...(await benchLargePage(isTrial ? { ...page, count: page.count / 100, rounds: 1 } : page)));
  return {
    figures,
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

async function benchLargePage({ id, count, rounds, goals }: LargePage): Promise<BenchFigure[]> {
  const folder = await layRun(count);
  const name = `${count.toLocaleString('en-US')} exchanges`;
  const draws = Array.from({ length: rounds }, () => runMeasured(DRAW, { FOLDER: folder }));
  const one = (of: keyof PageGoals, unit: BenchFigure['unit'], values: readonly number[]) => {
    let turn = 0;
    return takeTurns([{ name, turn: () => values[turn++] }], {
      ...{
        id: `page-${of}${id}`,
        title: `${TITLES[of]}${id && `, ${name}`}`,
        unit,
        rounds: values.length,
        warmUp: 0,
        isGiven: true,
      },
      goals: [{ text: `at most ${goals[of]} ${unit}`, atMost: goals[of] }],
    });
  };
  const browser = findBrowser();
  try {
    return [
      await one(
        'drawn',
        's',
        draws.map(({ seconds }) => seconds),
      ),
      await one(
        'memory',
        'MB',
        draws.map(({ memory }) => memory),
      ),
      await one('size', 'MB', [statSync(join(folder, 'index.html')).size / 1e6]),
      ...(browser === undefined ? [] : [await one('usable', 'ms', await openPage(folder, browser, rounds))]),
    ];
  } finally {
    rmSync(folder, { recursive: true });
  }
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
