import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from '@playwright/test';
import { findBrowser } from '#browser';
import { lookInBothSchemes } from '#page-look';
import { baselineOfJournal } from './baseline.ts';
import { compareRuns, renderComparePage } from './index.ts';
import { samplePrevious } from './sample-companions.ts';
import { HOSTILE_TEXT, sampleLines } from './sample-run.ts';

test.skip(findBrowser() === undefined, 'no browser is installed');

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
  await lookInBothSchemes(file, async (page) => {
    await expect(page.getByRole('heading', { level: 1 })).toContainText(/got worse|changed/);
    expect(await page.locator('#shapes ins').count()).toBeGreaterThan(0);
    expect(await page.locator('#shapes del').count()).toBeGreaterThan(0);
    expect(await page.locator('#timing svg').count()).toBeGreaterThan(0);
    expect(await page.evaluate(() => (globalThis as { harmed?: number }).harmed)).toBeUndefined();
  });
  rmSync(home, { recursive: true });
});

test('claims nothing of rules that one of the runs was told to leave out', () => {
  const a = baselineOfJournal(sampleLines());
  const leaveOut = (ids: readonly string[]) => ({
    ...a,
    rules: Object.fromEntries(
      Object.entries(a.rules).map(([id, verdict]) => [id, ids.includes(id) ? 'skipped: unselected' : verdict]),
    ),
  });
  const all = Object.keys(a.rules);
  const draw = (b: typeof a) => renderComparePage({ a, b, found: compareRuns(a, b), texts: new Map() });
  expect(draw(a)).toContain('<h1>No verdict changed</h1>');
  expect(draw(a)).not.toContain('are compared');
  expect(draw(leaveOut(all.slice(1)))).toContain(`1 of ${all.length} rules are compared`);
  expect(draw(leaveOut(all))).toContain('verdict incomplete"><h1>No rule was asked for in both runs</h1>');
});
