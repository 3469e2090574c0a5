import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect, type PlaywrightTestConfig, test } from '@playwright/test';
import { SUITE_FOLDER } from '#folders';

const SCRIPTS = ['conformance', 'verify', 'check', 'self:collect', 'self', 'prove', 'mutants'];

let folder: string;
test.beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'assay-stages-'));
});
test.afterEach(() => rmSync(folder, { recursive: true, force: true }));

/**
 * Runs the test command of a project whose scripts say two lines each and end with these codes; default 0.
 * @param npm what runs a script: npm itself, which takes a while to start, or something that does what npm would
 */
function testTree(
  codes: Readonly<Record<string, number>>,
  npm: 'itself' | 'stand-in' = 'stand-in',
): { code: number | null; out: string; ran: string[] } {
  const script = (name: string) =>
    `echo '${name} begins'; echo '${name} ends'; printf '${name} ' >> ran; exit ${codes[name] ?? 0}`;
  const scripts = Object.fromEntries(SCRIPTS.map((name) => [name, script(name)]));
  writeFileSync(join(folder, 'ran'), '');
  writeFileSync(join(folder, 'package.json'), JSON.stringify({ name: 'x', private: true, scripts }));
  const cases = SCRIPTS.map((name) => `'run -s ${name}') ${script(name)};;`);
  mkdirSync(join(folder, 'bin'));
  writeFileSync(join(folder, 'bin/npm'), `#!/bin/sh\ncase "$*" in\n${cases.join('\n')}\nesac\nexit 9\n`, {
    mode: 0o755,
  });
  const { status, stdout } = spawnSync(process.execPath, [join(SUITE_FOLDER, 'tools/test-tree.mjs')], {
    cwd: folder,
    env: { ...process.env, ...(npm === 'itself' ? {} : { PATH: `${join(folder, 'bin')}:${process.env.PATH}` }) },
    encoding: 'utf8',
  });
  rmSync(join(folder, 'bin'), { recursive: true });
  return { code: status, out: stdout, ran: readFileSync(join(folder, 'ran'), 'utf8').trim().split(' ') };
}

test('runs every script of the package that guards it, each after what it rests on', () => {
  const { scripts } = JSON.parse(readFileSync(join(SUITE_FOLDER, 'package.json'), 'utf8'));
  expect(Object.keys(scripts)).toEqual(expect.arrayContaining(SCRIPTS));
  const { code, out, ran } = testTree({}, 'itself');
  expect(code).toBe(0);
  expect([...ran].sort()).toEqual([...SCRIPTS].sort());
  for (const [first, then] of [
    ['conformance', 'verify'],
    ['check', 'self:collect'],
    ['verify', 'self'],
    ['self:collect', 'prove'],
    ['prove', 'mutants'],
  ] as const)
    expect(ran.indexOf(first), `${first} before ${then}`).toBeLessThan(ran.indexOf(then));
  // What goes beside another is told when it is over.
  expect(out).toContain('self begins\nself ends\n');
  expect(out).toMatch(/^ok {3}prove \(\d+\.\d s\): prove ends$/m);
  expect(out).not.toContain('prove begins');
});

test('ends with the code of what was red, says all that it said, and begins nothing that rests on it', () => {
  const { code, out, ran } = testTree({ check: 2 });
  expect(code).toBe(2);
  expect(out).toMatch(/^red {2}check \(\d+\.\d s\)\ncheck begins\ncheck ends$/m);
  expect([...ran].sort(), 'what goes beside it is finished').toEqual(['check', 'conformance', 'verify']);
});

test('is red by its last script as by its first', () => {
  expect(testTree({ mutants: 4 }).code).toBe(4);
  expect(testTree({ conformance: 1, check: 2 })).toMatchObject({
    code: 1,
    ran: expect.not.arrayContaining(['verify']),
  });
});

test('the own tests that are begun first are there, and every other comes after them', async () => {
  const { href } = pathToFileURL(join(SUITE_FOLDER, 'playwright.config.ts'));
  const { default: config } = (await import(href)) as { default: PlaywrightTestConfig };
  const [long, others, ...more] = config.projects!.filter(({ name }) => name === 'self');
  expect(more).toEqual([]);
  expect(others!.testIgnore).toEqual(long!.testMatch);
  expect(others!.testMatch).toBe('**/*.test.ts');
  for (const path of long!.testMatch as readonly string[])
    expect(existsSync(join(SUITE_FOLDER, path.replace('**/', ''))), path).toBe(true);
});
