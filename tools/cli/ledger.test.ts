import { execFile } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect, test } from '@playwright/test';
import { callProgram } from './call-program.test-support.ts';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
const DOCUMENTS = fileURLToPath(new URL('../../../shared/documents', import.meta.url));
const AT_HAND = ['gateway.md', 'v1.md'].every((name) => existsSync(`${DOCUMENTS}/${name}`));

/** The program as a user runs it. */
async function startProgram(args: string[], env: Record<string, string> = {}) {
  const run = promisify(execFile)(process.execPath, ['tools/cli/assay.mjs', ...args], {
    cwd: ROOT,
    env: { ...process.env, ...env },
    maxBuffer: 1e8,
  });
  return run.then(
    ({ stdout, stderr }) => ({ code: 0, stdout, stderr }),
    (error: { code: number; stdout: string; stderr: string }) => error,
  );
}

test.describe('with the documents', () => {
  test.skip(!AT_HAND, 'the documents are not at hand');

  test('accounts for every clause of both', async () => {
    const { code, stdout } = await startProgram(['ledger', '--documents', DOCUMENTS, '--json']);
    const found = JSON.parse(stdout) as { documents: { document: string; clauses: number }[]; percent: number };
    expect(found).toMatchObject({ percent: 100, unclaimed: [], lost: [] });
    expect(found.documents.map(({ document }) => document)).toEqual(['gateway', 'v1']);
    expect(found.documents.every(({ clauses }) => clauses > 150)).toBe(true);
    expect(code).toBe(0);
  });

  test('names a changed row, its new line, and the rules and checks that hang on it', async ({}, info) => {
    const folder = info.outputPath('documents');
    mkdirSync(folder, { recursive: true });
    cpSync(DOCUMENTS, folder, { recursive: true });
    const text = readFileSync(`${folder}/gateway.md`, 'utf8');
    const before = text.split('\n').findIndex((row) => row.startsWith('| CaptureRequest |'));
    writeFileSync(
      `${folder}/gateway.md`,
      text.split('\n').with(before, '| CaptureRequest | `captureAmount` is required |').join('\n'),
    );
    const { code, out: stdout } = await callProgram(['ledger', '--documents', folder]);
    expect(code).toBe(1);
    expect(stdout).toContain(`gateway:${before + 1}  row  Resources and their fields > Request objects`);
    expect(stdout).toMatch(
      new RegExp(
        `changed to line ${before + 1}\\n(.*\\n)*?\\s+rule GW-CAP-\\d\\d\\n\\s+check .*tests/gateway/capture.spec.ts:\\d+`,
      ),
    );
    expect(stdout).toMatch(/total .* 99\.\d %/);
  });

  test('lists clauses with hash and claims, and their text only to be read', async () => {
    const text = (await callProgram(['ledger', '--documents', DOCUMENTS, '--list'])).out;
    expect(text).toMatch(/^v1:\d+ {2}row {2}Limits\n {2}[0-9a-f]{12} {2}V1-[A-Z]{3}-\d\d.*\n {2}\S/m);
    const json = (await callProgram(['ledger', '--documents', DOCUMENTS, '--list', '--json'])).out;
    expect(json).not.toContain('"text"');
  });
});

test('asks for the documents when they are not named or not there', async ({}, info) => {
  const unnamed = await startProgram(['ledger']);
  expect([unnamed.code, unnamed.stderr]).toEqual([2, expect.stringContaining('ledger needs --documents DIR')]);
  const absent = await callProgram(['ledger', '--documents', info.outputPath('nowhere')]);
  expect([absent.code, absent.err]).toEqual([2, expect.stringContaining('gateway.md: the document cannot be read')]);
});

test('a broken spec ends the program with one message and exit code 2', async ({}, info) => {
  cpSync(`${ROOT}specs/gateway.yaml`, info.outputPath('gateway.yaml'));
  const v1 = readFileSync(`${ROOT}specs/v1.yaml`, 'utf8').replace('type: string', 'type: strin');
  writeFileSync(info.outputPath('v1.yaml'), v1);
  const line = v1.split('\n').findIndex((one) => one.includes('type: strin,') || /type: strin( |$)/.test(one)) + 1;
  const { code, stdout, stderr } = await startProgram(['rules'], { ASSAY_SPECS: info.outputPath() });
  expect([code, stdout]).toEqual([2, '']);
  expect(stderr).toMatch(
    new RegExp(`^assay: \\S*v1\\.yaml:${line}: type of a schema: strin is no type; did you mean string`),
  );
  expect(stderr.trim().split('\n')).toHaveLength(1);
});
