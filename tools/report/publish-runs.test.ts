import {
  appendFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from '@playwright/test';
import { findBrowser } from '#browser';
import { lookInBothSchemes } from '#page-look';
import { publishRuns, signRun, writeReport } from './index.ts';
import { sampleLines, sampleRunLine } from './sample-run.ts';
import { ephemeralSigner, type RunSigner } from './sign-run.ts';

let root: string;
test.beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'assay-publish-'));
});
test.afterEach(() => rmSync(root, { recursive: true, force: true }));

/** One key for all: making one takes longer than the rest of a run folder. */
let somebody: RunSigner | undefined;

/** A signed run folder. */
function signedRun(id: string, day: number, change: Partial<ReturnType<typeof sampleRunLine>> = {}): string {
  const folder = join(root, id);
  mkdirSync(folder);
  const startedAt = `2026-03-0${day}T04:17:00.000Z`;
  const lines = sampleLines(sampleRunLine({ id, startedAt, ...change }));
  writeFileSync(join(folder, 'evidence.ndjson'), lines.map((line) => `${JSON.stringify(line)}\n`).join(''));
  writeReport(folder);
  somebody ??= ephemeralSigner('somebody');
  signRun(folder, id, somebody);
  return folder;
}

test('publishes runs that verify, the latest first, and keeps as many as it is told', () => {
  const to = join(root, 'public');
  const runs = [1, 2, 3].map((day) => signedRun(`run-${day}`, day));
  const other = signedRun('other', 1, { target: { ...sampleRunLine().target, name: 'another' } });
  publishRuns(runs.slice(0, 2), to);
  publishRuns([runs[2]!, other], to, { keep: 2 });
  expect(readdirSync(to).sort()).toEqual(['.nojekyll', 'index.html', 'other', 'run-2', 'run-3', 'runs.json']);
  const { runs: listed } = JSON.parse(readFileSync(join(to, 'runs.json'), 'utf8'));
  expect(listed.map(({ id }: { id: string }) => id)).toEqual(['run-3', 'run-2', 'other']);
  const page = readFileSync(join(to, 'index.html'), 'utf8');
  for (const text of ['run-3/index.html', 'intact, signer unknown', 'id="trend"']) expect(page).toContain(text);
  expect(page).not.toContain('run-1');
});

test('refuses a run that was changed or never signed, and says of one that was changed where it lies', () => {
  const to = join(root, 'public');
  const [sound, changed] = [signedRun('sound', 1), signedRun('changed', 2)];
  appendFileSync(join(changed, 'summary.md'), ' ');
  expect(() => publishRuns([sound, changed], to)).toThrow(/does not verify/);
  expect(existsSync(to), 'nothing is published halfway').toBe(false);
  rmSync(join(changed, 'SHA256SUMS'));
  rmSync(join(changed, 'SHA256SUMS.p7s'));
  expect(() => publishRuns([changed], to)).toThrow(/not signed/);
  expect(publishRuns([sound], to)[0]!.changed).toBeUndefined();
  appendFileSync(join(to, 'sound/run.json'), ' ');
  const [run] = publishRuns([], to);
  expect(run!.changed).toBe('run.json is not as it was signed');
  expect(readFileSync(join(to, 'index.html'), 'utf8')).toContain('does not verify');
});

test('writes into no folder that holds something else', () => {
  const to = join(root, 'public');
  mkdirSync(to);
  writeFileSync(join(to, 'index.html'), 'the shop');
  expect(() => publishRuns([signedRun('run', 1)], to)).toThrow(/holds something else/);
  expect(readFileSync(join(to, 'index.html'), 'utf8')).toBe('the shop');
});

test('the index is a page for everybody, and asks nobody for anything', async () => {
  test.skip(findBrowser() === undefined, 'no browser is installed');
  const to = join(root, 'public');
  const hostile = { target: { ...sampleRunLine().target, name: '<img src=x onerror=alert(1)>' } };
  publishRuns([signedRun('run-1', 1, hostile), signedRun('run-2', 2, hostile), signedRun('run-3', 3)], to);
  appendFileSync(join(to, 'run-1/run.json'), ' ');
  publishRuns([signedRun('run-4', 4)], to);
  await lookInBothSchemes(
    join(to, 'index.html'),
    async (page) => {
      await expect(page.getByRole('heading', { level: 1 })).toHaveText('The latest run: broken');
      await expect(page.getByRole('cell', { name: /does not verify/ })).toHaveCount(1);
    },
    async (page) => {
      await page.getByRole('link', { name: '2026-03-04 04:17:00 UTC' }).last().click();
      await expect(page.getByRole('heading', { level: 1 })).toContainText('broken');
    },
  );
});
