/**
 * The audit page of runs of 1,000, 5,000 and 20,000 exchanges, with a proof of some 950 lies and a run before to compare with: how
 * large it is, how long drawing it takes and with how much memory, and when a browser can be used on it. Times depend on the machine;
 * the promises (5 MB, 3 s, 300 MB, 1 s for 20,000) are for an idle one, so each value is printed beside its promise.
 *
 *     npm run bench:report
 */
import { spawnSync } from 'node:child_process';
import { closeSync, mkdtempSync, openSync, rmSync, statSync, writeFileSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { chromium } from '@playwright/test';
import { BROWSER_SWITCHES, findBrowser } from '#harness';
import { largeSample, PREVIOUS_FILE, readBaseline, writeProof } from '#report';

const ROUNDS = 3;
const DRAW = `
import { writeReport } from '#report';
const before = process.cpuUsage();
const began = performance.now();
writeReport(process.argv[1]);
const { user, system } = process.cpuUsage(before);
console.log(JSON.stringify({ wall: performance.now() - began, cpu: (user + system) / 1000, memory: process.resourceUsage().maxRSS * 1024 }));
`;

interface Measured {
  readonly wall: number;
  readonly cpu: number;
  readonly memory: number;
}

/** Lays the journal of a made-up run into a folder, with a proof and an earlier run. */
async function lay(folder: string, exchanges: number): Promise<void> {
  const { largeLines, largeProofs } = await largeSample();
  const journal = openSync(join(folder, 'evidence.ndjson'), 'w');
  for (const line of largeLines(exchanges)) writeSync(journal, `${JSON.stringify(line)}\n`);
  closeSync(journal);
  writeProof(folder, largeProofs());
  writeFileSync(join(folder, PREVIOUS_FILE), JSON.stringify(readBaseline(folder)));
}

/** Draws a run folder in a process of its own. */
function draw(folder: string): Measured {
  const { status, stdout, stderr } = spawnSync(
    process.execPath,
    ['--import', 'tsx', '--input-type=module', '-e', DRAW, folder],
    { encoding: 'utf8' },
  );
  if (status !== 0) throw new Error(stderr);
  return JSON.parse(stdout) as Measured;
}

/** Milliseconds until the page has its script run and its rules counted; the browser is warm. */
async function interactive(folder: string, executablePath: string): Promise<number> {
  const browser = await chromium.launch({ executablePath, args: [...BROWSER_SWITCHES] });
  try {
    const times: number[] = [];
    for (let round = 0; round <= ROUNDS; round += 1) {
      const page = await browser.newPage();
      await page.goto(pathToFileURL(join(folder, 'index.html')).href);
      await page.waitForFunction("document.getElementById('shown').textContent !== ''");
      times.push(
        (await page.evaluate("performance.getEntriesByType('navigation')[0].domContentLoadedEventEnd")) as number,
      );
      await page.close();
    }
    return Math.min(...times.slice(1));
  } finally {
    await browser.close();
  }
}

const least = (values: readonly number[]) => Math.min(...values);
const row = (cells: readonly string[]) => console.log(cells.map((cell) => cell.padStart(14)).join(''));

const browser = findBrowser();
row(['exchanges', 'page', 'drawn in', 'processor', 'memory', 'interactive']);
for (const exchanges of [1000, 5000, 20_000]) {
  const folder = mkdtempSync(join(tmpdir(), 'assay-bench-'));
  await lay(folder, exchanges);
  const rounds = Array.from({ length: ROUNDS }, () => draw(folder));
  row([
    exchanges.toLocaleString('en-US'),
    `${(statSync(join(folder, 'index.html')).size / 1e6).toFixed(2)} MB`,
    `${(least(rounds.map(({ wall }) => wall)) / 1000).toFixed(2)} s`,
    `${(least(rounds.map(({ cpu }) => cpu)) / 1000).toFixed(2)} s`,
    `${Math.round(Math.max(...rounds.map(({ memory }) => memory)) / 1e6)} MB`,
    browser === undefined ? 'no browser' : `${Math.round(await interactive(folder, browser))} ms`,
  ]);
  rmSync(folder, { recursive: true });
}
row(['promised', '5 MB', '3 s', '', '300 MB', '1000 ms']);
