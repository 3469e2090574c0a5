import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';
import { expect, test } from '@playwright/test';

const LOCK = fileURLToPath(new URL('../../package-lock.json', import.meta.url));

/** Packages with a script that npm would run, and that work without it: whoever adds one sees to that first. */
const WORK_WITHOUT = ['node_modules/esbuild'];

test('only a development tool has an install script, and it works without', () => {
  const { packages } = JSON.parse(readFileSync(LOCK, 'utf8')) as {
    packages: Record<string, { hasInstallScript?: boolean; dev?: boolean }>;
  };
  const scripted = Object.keys(packages).filter((name) => packages[name]!.hasInstallScript);
  expect(scripted).toEqual(WORK_WITHOUT);
  expect(
    scripted.filter((name) => packages[name]!.dev !== true),
    'what a user of the package installs',
  ).toEqual([]);
  // Its script only takes a shortcut to the program that this package brings.
  const near = createRequire(createRequire(import.meta.url).resolve('esbuild'));
  expect(near.resolve(`@esbuild/${process.platform}-${process.arch}/package.json`)).toContain('esbuild');
});
