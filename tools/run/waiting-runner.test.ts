import { once } from 'node:events';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
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
  const child = runner.begin({ arguments: [CLI, 'test', '--no-such-option'], env: {} });
  expect(runner.begin({ arguments: [CLI, '--version'], env: {} })).toBeUndefined();
  runner.dismiss();
  // What it was told is wrong, and it says so: it was told.
  expect((await once(child!, 'close'))[0]).toBe(1);
});

test('a runner that is told nothing ends', async () => {
  const runner = new WaitingRunner();
  expect(isAlive(runner.pid!)).toBe(true);
  runner.dismiss();
  await expect.poll(() => isAlive(runner.pid!), { timeout: 30_000 }).toBe(false);
  expect(runner.begin({ arguments: [CLI, '--version'], env: {} })).toBeUndefined();
});
