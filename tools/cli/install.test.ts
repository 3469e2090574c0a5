import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';
import { expect, test } from '@playwright/test';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
const read = (name: string) => readFileSync(`${ROOT}${name}`, 'utf8');

/** Packages with a script that npm would run, and that work without it: whoever adds one sees to that first. */
const WORK_WITHOUT = ['node_modules/esbuild'];

test('an installation runs no script of any package', () => {
  expect(read('.npmrc').split('\n')).toContain('ignore-scripts=true');
  const { packages } = JSON.parse(read('package-lock.json')) as {
    packages: Record<string, { hasInstallScript?: boolean }>;
  };
  const scripted = Object.keys(packages).filter((name) => packages[name]!.hasInstallScript);
  expect(scripted).toEqual(WORK_WITHOUT);
  // Its script only takes a shortcut to the program that this package brings.
  const near = createRequire(createRequire(import.meta.url).resolve('esbuild'));
  expect(near.resolve(`@esbuild/${process.platform}-${process.arch}/package.json`)).toContain('esbuild');
});

test('no script of ours waits for one that is not run', () => {
  const names = Object.keys((JSON.parse(read('package.json')) as { scripts: object }).scripts);
  const lifecycle = names.filter(
    (name) =>
      /^(?:(?:pre|post)?(?:install|prepare|publish|pack)|dependencies|prepublishOnly)$/.test(name) ||
      names.some((other) => name === `pre${other}` || name === `post${other}`),
  );
  expect(lifecycle).toEqual([]);
});
