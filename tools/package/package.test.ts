import { execFileSync, spawnSync } from 'node:child_process';
import {
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { expect, test } from '@playwright/test';
import { SUITE_FOLDER } from '#folders';
import { describeSuite } from '#run';

const LIMIT = 5 * 1024 * 1024;
const NPM = { encoding: 'utf8', stdio: 'pipe' } as const;

/** What the runner of these tests, or a run that these tests are part of, would tell a run of its own. */
const { ASSAY_WORKSPACE: _workspace, ASSAY_WORKERS: _workers, TEST_WORKER_INDEX: _index, ...env } = process.env;

test.describe('the package', () => {
  test.describe.configure({ mode: 'serial', timeout: 600_000 });
  let project: string;
  let tarball: string;

  const assay = (...argv: readonly string[]) => {
    const program = join(project, 'node_modules/.bin/assay');
    const { status, stdout, stderr } = spawnSync(program, argv, { cwd: project, env, encoding: 'utf8' });
    return { status, text: stdout + stderr };
  };

  test.beforeAll(() => {
    project = mkdtempSync(join(tmpdir(), 'assay-project-'));
    execFileSync('npm', ['pack', '--silent', '--pack-destination', project], { ...NPM, cwd: SUITE_FOLDER });
    tarball = join(project, readdirSync(project).find((name) => name.endsWith('.tgz'))!);
    writeFileSync(join(project, 'package.json'), '{ "name": "shop", "private": true }\n');
    execFileSync('npm', ['install', '--no-audit', '--no-fund', '--prefer-offline', tarball], { ...NPM, cwd: project });
  });
  test.afterAll(() => rmSync(project, { recursive: true, force: true }));

  test('is small, and brings neither sources to compile nor own tests', () => {
    expect(statSync(tarball).size).toBeLessThan(LIMIT);
    const files = readdirSync(join(project, 'node_modules/@assay-conformance/assay'), {
      recursive: true,
      encoding: 'utf8',
    });
    expect(files.filter((file) => /(?<!\.d)\.ts$|\.test(-support)?\./.test(file))).toEqual([]);
    expect(existsSync(join(project, 'node_modules/tsx')), 'a loader of TypeScript').toBe(false);
  });

  test('names checks by their sources, as a clone does', () => {
    const { status, text } = assay('explain', 'GW-CAP-03');
    expect([status, text]).toEqual([0, expect.stringContaining('(tests/gateway/capture.spec.ts:')]);
  });

  test('runs in an empty project and leaves its report there', () => {
    const { status, text } = assay('run', '--rule', 'V1-IBN-02', '--seed', '1');
    expect(text).toContain('kept, of 1 judged: ');
    expect(status).toBe(0);
    const folder = /^(.*)\/index\.html$/m.exec(text)![1]!;
    expect(dirname(folder)).toBe(join(realpathSync(project), 'reports'));
    const run = JSON.parse(readFileSync(join(folder, 'run.json'), 'utf8'));
    expect(run.suite, 'the suite that it was built from').toMatchObject({ ...describeSuite() });
    expect(run.checks.map(({ file }: { file: string }) => file)).toContain('tests/v1/iban-details.spec.ts');
    expect(assay('verify', folder).status).toBe(0);
    expect(existsSync(join(project, 'reports/latest')), 'a run of one rule is not the last run').toBe(false);
  });

  test('catches a lie, and proves that it does', () => {
    const lied = assay('run', '--rule', 'V1-IBN-02', '--lie', firstLie('V1-IBN-02'));
    expect([lied.status, lied.text]).toEqual([1, expect.stringMatching(/^fail {2}V1-IBN-02/m)]);
    const proved = assay('prove', '--rule', 'V1-IBN-02');
    expect([proved.status, proved.text]).toEqual([0, expect.stringContaining('1 of 1 rules proven')]);
    expect(existsSync(join(project, 'reports/proof.json'))).toBe(true);
  });

  const firstLie = (rule: string) => /^lie +(\S+)/m.exec(assay('explain', rule).text)![1]!;
});
