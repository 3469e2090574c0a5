import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from '@playwright/test';
import { sampleLines } from './sample-run.ts';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));

/** The program as a user runs it. */
function assay(...argv: string[]) {
  const { status, stdout, stderr } = spawnSync(process.execPath, [join(ROOT, 'tools/cli/assay.mjs'), ...argv], {
    cwd: ROOT,
    encoding: 'utf8',
  });
  return { status, stdout, stderr };
}

test('signs, verifies, accepts and compares a run, and refuses one that was changed', () => {
  test.setTimeout(180_000);
  const root = mkdtempSync(join(tmpdir(), 'assay-history-'));
  const folder = join(root, 'run');
  const journal = join(folder, 'evidence.ndjson');
  mkdirSync(folder);
  writeFileSync(
    journal,
    sampleLines()
      .map((line) => `${JSON.stringify(line)}\n`)
      .join(''),
  );
  expect(assay('verify', folder)).toMatchObject({ status: 3, stderr: expect.stringContaining('not signed') });
  expect(assay('report', folder, '--sign')).toMatchObject({
    status: 1,
    stdout: expect.stringContaining('signed (unpinned, integrity only): certificate'),
  });
  expect(assay('verify', folder)).toMatchObject({
    status: 0,
    stdout: expect.stringContaining('unpinned, integrity only'),
  });
  const other = assay('verify', folder, '--fingerprint', 'AB'.repeat(32));
  expect(other).toMatchObject({ status: 1, stdout: expect.stringContaining('another than you named') });
  expect(assay('verify', folder, '--fingerprint', 'AB')).toMatchObject({ status: 2 });
  const baseline = join(root, 'baseline');
  expect(assay('accept', folder, '--to', baseline)).toMatchObject({
    status: 0,
    stdout: expect.stringMatching(/^baseline: run /),
  });
  expect(assay('compare', baseline, folder)).toMatchObject({ status: 0, stdout: expect.stringContaining(': 0 worse') });

  writeFileSync(journal, readFileSync(journal, 'utf8').replace('"outcome":"pass"', '"outcome":"skipped"'));
  expect(assay('verify', folder)).toMatchObject({
    status: 1,
    stdout: expect.stringContaining('evidence.ndjson was changed'),
  });
  expect(assay('accept', folder, '--to', baseline)).toMatchObject({ status: 3 });
  expect(assay('compare', baseline, folder)).toMatchObject({ status: 1, stdout: expect.stringContaining('worse') });
  rmSync(root, { recursive: true });
});
