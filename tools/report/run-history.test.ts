import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from '@playwright/test';
import { callProgram } from '#call-program';
import { sampleLines } from './sample-run.ts';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));

/** The program as a user runs it: each command once. */
function startProgram(...argv: string[]) {
  const { status, stdout, stderr } = spawnSync(process.execPath, [join(ROOT, 'tools/cli/assay.mjs'), ...argv], {
    cwd: ROOT,
    encoding: 'utf8',
  });
  return { status, stdout, stderr };
}

async function assay(...argv: string[]) {
  const { code, out, err } = await callProgram(argv);
  return { status: code, stdout: out, stderr: err };
}

test('signs, verifies, accepts and compares a run, and refuses one that was changed', async () => {
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
  expect(startProgram('verify', folder)).toMatchObject({ status: 3, stderr: expect.stringContaining('not signed') });
  expect(startProgram('report', folder, '--sign')).toMatchObject({
    status: 1,
    stdout: expect.stringContaining('signed (unpinned, integrity only): certificate'),
  });
  expect(await assay('verify', folder)).toMatchObject({
    status: 0,
    stdout: expect.stringContaining('unpinned, integrity only'),
  });
  const other = await assay('verify', folder, '--fingerprint', 'AB'.repeat(32));
  expect(other).toMatchObject({ status: 1, stdout: expect.stringContaining('another than you named') });
  expect(await assay('verify', folder, '--fingerprint', 'AB')).toMatchObject({ status: 2 });
  const baseline = join(root, 'baseline');
  expect(startProgram('accept', folder, '--to', baseline)).toMatchObject({
    status: 0,
    stdout: expect.stringMatching(/^baseline: run /),
  });
  expect(startProgram('compare', baseline, folder)).toMatchObject({
    status: 0,
    stdout: expect.stringContaining(': 0 worse'),
  });

  writeFileSync(journal, readFileSync(journal, 'utf8').replace('"outcome":"pass"', '"outcome":"skipped"'));
  expect(await assay('verify', folder)).toMatchObject({
    status: 1,
    stdout: expect.stringContaining('evidence.ndjson was changed'),
  });
  expect(await assay('accept', folder, '--to', baseline)).toMatchObject({ status: 3 });
  expect(await assay('compare', baseline, folder)).toMatchObject({
    status: 1,
    stdout: expect.stringContaining('worse'),
  });
  rmSync(root, { recursive: true });
});
