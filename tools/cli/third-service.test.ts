import { execFile } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect, test } from '@playwright/test';
import { THIRD_SERVICE_FILES, THIRD_SERVICE_ROWS } from './third-service.test-support.ts';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
const COPIED = [
  'tools',
  'specs',
  'targets',
  'package.json',
  'package-lock.json',
  'playwright.config.ts',
  'tsconfig.json',
];
const PLAIN = Object.fromEntries(Object.entries(process.env).filter(([name]) => !/^(ASSAY_|TEST_|PW_)/.test(name)));

let house: string;
test.beforeAll(() => {
  house = mkdtempSync(join(tmpdir(), 'assay-third-'));
  for (const one of COPIED) cpSync(join(ROOT, one), join(house, one), { recursive: true });
  // The checks of the other services stay where they are: with them the copy would judge three services, and take minutes.
  for (const one of ['waivers', 'collateral', 'permitted'])
    cpSync(join(ROOT, `tests/${one}.yaml`), join(house, `tests/${one}.yaml`));
  symlinkSync(join(ROOT, 'node_modules'), join(house, 'node_modules'));
  for (const [file, text] of Object.entries(THIRD_SERVICE_FILES)) {
    mkdirSync(dirname(join(house, file)), { recursive: true });
    writeFileSync(join(house, file), text);
  }
  for (const [file, before, row] of THIRD_SERVICE_ROWS) {
    const text = readFileSync(join(house, file), 'utf8');
    expect(text.split(before), `${file} has one place for a row`).toHaveLength(2);
    writeFileSync(
      join(house, file),
      text.replace(before, () => row + before),
    );
  }
});
test.afterAll(() => rmSync(house, { recursive: true, force: true }));

/** Runs a program in the copy. */
async function run(...args: string[]): Promise<{ code: number; out: string }> {
  try {
    const { stdout, stderr } = await promisify(execFile)(process.execPath, args, { cwd: house, env: PLAIN });
    return { code: 0, out: stdout + stderr };
  } catch (error) {
    const { code, stdout, stderr } = error as { code: number; stdout: string; stderr: string };
    return { code, out: stdout + stderr };
  }
}

test.describe('a third service, from one row and one folder a room', () => {
  test.describe.configure({ mode: 'serial' });
  test.setTimeout(300_000);

  test('has no type that does not know it', async () => {
    const shapes = await run('node_modules/tsx/dist/cli.mjs', 'tools/shapes.ts');
    expect(shapes.code, shapes.out).toBe(0);
    // Several of them would each work out most types again.
    const asked = ['--noEmit', '--checkers', '1', '--project', '.'];
    expect(await run('node_modules/typescript/bin/tsc', ...asked)).toEqual({ code: 0, out: '' });
  });

  test('is checked against its sandbox, and each verdict stands on the page', async () => {
    const { code, out } = await run('tools/cli/assay.mjs', 'run', '--rule', 'RT', '--out', 'reports/honest');
    expect(code, out).toBe(0);
    const result = JSON.parse(readFileSync(join(house, 'reports/honest/run.json'), 'utf8'));
    const verdicts = result.rules.filter(({ api }: { api: string }) => api === 'rates');
    expect(verdicts).toMatchObject([
      { id: 'RT-CUR-01', verdict: 'pass' },
      { id: 'RT-CUR-02', verdict: 'pass' },
    ]);
    const page = readFileSync(join(house, 'reports/honest/index.html'), 'utf8');
    expect(page).toContain('<option>rates</option>');
    for (const id of ['RT-CUR-01', 'RT-CUR-02'])
      expect(page).toMatch(new RegExp(`<details class="rule" id="${id}" data-verdict="pass"[^>]*data-api="rates"`));
  });

  test('is told lies about, and its check catches them', async () => {
    const lied = await run(
      'tools/cli/assay.mjs',
      'run',
      '--rule',
      'RT',
      '--lie',
      'rate-of-another-currency',
      '--out',
      'reports/lied',
    );
    expect(lied.code, lied.out).toBe(1);
    const result = JSON.parse(readFileSync(join(house, 'reports/lied/run.json'), 'utf8'));
    expect(result.rules.filter(({ api }: { api: string }) => api === 'rates')).toMatchObject([
      { id: 'RT-CUR-01', verdict: 'fail' },
      { id: 'RT-CUR-02', verdict: 'pass' },
    ]);
  });
});
