import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect, test } from '@playwright/test';
import { WaitingRunner } from './waiting-runner.ts';

const CLI = join(dirname(createRequire(import.meta.url).resolve('@playwright/test/package.json')), 'cli.js');

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

test('a runner that waits runs what it is told, once', async () => {
  const runner = new WaitingRunner();
  const child = runner.begin({ arguments: [CLI, 'test', '--no-such-option'], env: {}, modules: [] });
  expect(runner.begin({ arguments: [CLI, '--version'], env: {}, modules: [] })).toBeUndefined();
  runner.dismiss();
  // What it was told is wrong, and it says so: it was told.
  expect((await once(child!, 'close'))[0]).toBe(1);
});

test('the first worker has waited, has loaded what it was told to, and knows the environment of the runner', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'assay-waiting-'));
  try {
    const playwright = pathToFileURL(
      createRequire(import.meta.url)
        .resolve('@playwright/test')
        .replace(/js$/, 'mjs'),
    ).href;
    const [note, loaded] = [join(folder, 'note.json'), join(folder, 'loaded.mjs')];
    writeFileSync(loaded, 'globalThis.loadedWith = process.env.PROBE;');
    writeFileSync(join(folder, 'playwright.config.mjs'), 'export default { workers: 1, reporter: "null" };');
    writeFileSync(
      join(folder, 'one.spec.mjs'),
      `import { writeFileSync } from 'node:fs';
       import { test } from ${JSON.stringify(playwright)};
       test('notes', () => {
         const { PROBE, FORCE_COLOR, TEST_WORKER_INDEX } = process.env;
         const note = { program: process.argv[1], loadedWith: globalThis.loadedWith, PROBE, FORCE_COLOR, TEST_WORKER_INDEX };
         writeFileSync(${JSON.stringify(note)}, JSON.stringify(note));
       });`,
    );
    const runner = new WaitingRunner();
    const child = runner.begin({
      arguments: [CLI, 'test', `--config=${join(folder, 'playwright.config.mjs')}`],
      env: { PROBE: 'told' },
      modules: [pathToFileURL(loaded).href, 'file:///no/such/module.mjs'],
    });
    expect((await once(child!, 'close'))[0]).toBe(0);
    expect(JSON.parse(readFileSync(note, 'utf8'))).toEqual({
      program: expect.stringMatching(/waiting-worker\.mjs$/),
      loadedWith: 'told',
      PROBE: 'told',
      FORCE_COLOR: '1',
      TEST_WORKER_INDEX: '0',
    });
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});

test('a runner that is told nothing ends', async () => {
  const runner = new WaitingRunner();
  expect(isAlive(runner.pid!)).toBe(true);
  runner.dismiss();
  await expect.poll(() => isAlive(runner.pid!), { timeout: 30_000 }).toBe(false);
  expect(runner.begin({ arguments: [CLI, '--version'], env: {}, modules: [] })).toBeUndefined();
});
