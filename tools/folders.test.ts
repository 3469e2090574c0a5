import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect, test } from '@playwright/test';
import { transformSync } from 'esbuild';
import { SUITE_FOLDER } from '#folders';

let root: string;
let code: string;
test.beforeAll(() => {
  root = mkdtempSync(join(tmpdir(), 'assay-folders-'));
  const source = readFileSync(join(SUITE_FOLDER, 'tools/folders.ts'), 'utf8');
  code = transformSync(source, { loader: 'ts', format: 'esm' }).code;
});
test.afterAll(() => rmSync(root, { recursive: true, force: true }));

for (const [what, suite, packages, keeper] of [
  ['a clone, beside its packages', 'clone', true, 'clone'],
  ['a clone that cannot be written to, in the workspace', 'closed', false, 'work'],
  ['a package, in the workspace', 'node_modules/suite', true, 'work'],
] as const)
  test(`what can be made again is kept by ${what}`, async () => {
    const file = join(root, suite, 'tools/folders.mjs');
    mkdirSync(join(root, suite, 'tools'), { recursive: true });
    if (packages) mkdirSync(join(root, suite, 'node_modules'));
    writeFileSync(file, code);
    const before = process.env.ASSAY_WORKSPACE;
    process.env.ASSAY_WORKSPACE = join(root, 'work');
    try {
      const { CACHE_FOLDER, REPORTS_FOLDER } = await import(pathToFileURL(file).href);
      expect(CACHE_FOLDER).toBe(join(root, keeper, 'node_modules/.cache/assay'));
      expect(REPORTS_FOLDER).toBe(join(root, 'work/reports'));
    } finally {
      if (before === undefined) delete process.env.ASSAY_WORKSPACE;
      else process.env.ASSAY_WORKSPACE = before;
    }
  });
