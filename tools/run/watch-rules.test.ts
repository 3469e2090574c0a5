import { type ChildProcess, spawn } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from '@playwright/test';
import { SUITE_FOLDER } from '#folders';

const COPIED = ['specs', 'targets', 'tests', 'tools', 'package.json', 'package-lock.json', 'playwright.config.ts'];
const CHECKS = 'tests/v1/iban-details.spec.ts';
const PLAIN = Object.fromEntries(Object.entries(process.env).filter(([name]) => !/^(?:ASSAY_|TEST_|PW_)/.test(name)));

let clone: string;
let loop: ChildProcess | undefined;
test.beforeAll(() => {
  clone = mkdtempSync(join(tmpdir(), 'assay-loop-'));
  for (const one of COPIED) cpSync(join(SUITE_FOLDER, one), join(clone, one), { recursive: true });
  symlinkSync(join(SUITE_FOLDER, 'node_modules'), join(clone, 'node_modules'));
});
test.afterAll(() => {
  loop?.kill('SIGKILL');
  rmSync(clone, { recursive: true, force: true });
});

test('proves the rule whose check is edited, stays red until it can fail again, and waits while a file is half written', async () => {
  test.setTimeout(240_000);
  loop = spawn(process.execPath, ['tools/cli/assay.mjs', 'prove', '--watch'], { cwd: clone, env: PLAIN });
  let printed = '';
  for (const stream of [loop.stdout, loop.stderr]) stream?.on('data', (chunk) => (printed += chunk));
  const took: string[] = [];
  /** Waits for what is said from the last time on. */
  const hear = async (words: RegExp, about: string) => {
    const began = Date.now();
    await expect.poll(() => printed, { timeout: 60_000, intervals: [100] }).toMatch(words);
    took.push(`${about}: ${((Date.now() - began) / 1000).toFixed(1)} s`);
  };
  const edit = (file: string, change: (text: string) => string) => {
    printed = '';
    const text = readFileSync(join(clone, file), 'utf8');
    expect(change(text), 'an edit that changes something').not.toBe(text);
    writeFileSync(join(clone, file), change(text));
  };
  const [right, weak] = ['=> expect(await lookUp(v1, undefined)).toBeFault(422)', '=> lookUp(v1, undefined)'];

  await hear(/watching specs, tests, tools, targets/, 'ready');
  edit(CHECKS, (text) => text.replace('refuses a lookup', 'turns a lookup down'));
  await hear(/^assay: proven$/m, 'a check and its lie');
  expect(printed).toMatch(/^assay: V1-IBN-01$/m);
  edit(CHECKS, (text) => text.replace(right, weak));
  await hear(/^assay: red \(\d\); the next edit tries it again$/m, 'a check that cannot fail');
  edit('specs/v1.yaml', (text) => text.replace('openapi: 3', 'openapi: [3'));
  await hear(/v1\.yaml:\d+: /, 'half a file');
  edit('specs/v1.yaml', (text) => text.replace('openapi: [3', 'openapi: 3'));
  edit(CHECKS, (text) => text.replace(weak, right));
  await hear(/^assay: proven$/m, 'the check mended');
  expect(printed).toMatch(/^assay: V1-IBN-01$/m);
  edit('tools/harness/poll-target.ts', (text) => `${text}\nexport const unused = 1;\n`);
  await hear(/^assay: \d+ rules rest on this; npx assay prove --changed proves them$/m, 'what all rest on');

  const ended = new Promise((done) => loop!.once('exit', (code) => done(code)));
  loop.kill('SIGINT');
  expect(await ended).toBe(0);
  console.log(took.join(', '));
});
