import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { AxeBuilder } from '@axe-core/playwright';
import { chromium, expect, test } from '@playwright/test';
import { BROWSER_SWITCHES, findBrowser } from '#harness';
import { baselineOfJournal } from './baseline.ts';
import { compareRuns, renderComparePage } from './index.ts';
import { samplePrevious } from './sample-companions.ts';
import { HOSTILE_TEXT, sampleLines } from './sample-run.ts';

const executablePath = findBrowser();
test.skip(executablePath === undefined, 'no browser is installed');

test('draws two runs side by side, inert, whole and accessible', async () => {
  test.slow();
  const a = samplePrevious();
  const now = baselineOfJournal(sampleLines());
  const b = {
    ...now,
    shapes: { ...now.shapes, 'status 200': ['/ object', '/orderState string', `/x${HOSTILE_TEXT} string`] },
  };
  const found = compareRuns(a, b);
  const home = mkdtempSync(join(tmpdir(), 'assay-compare-'));
  const file = join(home, 'compare.html');
  writeFileSync(file, renderComparePage({ a, b, found, texts: new Map([['GW-CAP-02', 'A limit.']]) }));
  const browser = await chromium.launch({ ...(executablePath && { executablePath }), args: [...BROWSER_SWITCHES] });
  for (const [colorScheme, width] of [
    ['light', 1360],
    ['dark', 320],
  ] as const) {
    const context = await browser.newContext({ colorScheme, viewport: { width, height: 900 } });
    const page = await context.newPage();
    const complaints: string[] = [];
    page.on('console', (message) => complaints.push(message.text()));
    page.on('request', (request) => {
      if (request.url() !== pathToFileURL(file).href) complaints.push(request.url());
    });
    await page.goto(pathToFileURL(file).href);
    await expect(page.getByRole('heading', { level: 1 })).toContainText(/got worse|changed/);
    expect(await page.locator('#shapes ins').count()).toBeGreaterThan(0);
    expect(await page.locator('#shapes del').count()).toBeGreaterThan(0);
    expect(await page.locator('#timing svg').count()).toBeGreaterThan(0);
    expect(await page.evaluate(() => (globalThis as { harmed?: number }).harmed)).toBeUndefined();
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(width);
    const { violations } = await new AxeBuilder({ page }).setLegacyMode(true).analyze();
    expect(violations.map(({ id, nodes }) => `${id}: ${nodes[0]?.html}`)).toEqual([]);
    expect(complaints).toEqual([]);
    await context.close();
  }
  await browser.close();
  rmSync(home, { recursive: true });
});
