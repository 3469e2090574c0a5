import { execFileSync } from 'node:child_process';
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from '@playwright/test';
import { SUITE_FOLDER } from '#folders';

let clone: string;
test.beforeEach(() => {
  clone = mkdtempSync(join(tmpdir(), 'assay-built-'));
  for (const folder of ['tools', 'tests', 'node_modules']) mkdirSync(join(clone, folder));
  for (const name of ['esbuild', '@esbuild'])
    symlinkSync(join(SUITE_FOLDER, 'node_modules', name), join(clone, 'node_modules', name));
  for (const name of ['tools/built-suite.mjs', 'tools/kept-files.mjs'])
    cpSync(join(SUITE_FOLDER, name), join(clone, name));
  writeFileSync(
    join(clone, 'package.json'),
    '{ "name": "x", "type": "module", "imports": { "#one": "./tools/one.ts", "#kept-files": "./tools/kept-files.mjs" } }',
  );
  writeFileSync(join(clone, 'playwright.config.ts'), 'export default {};\n');
  writeFileSync(
    join(clone, 'tools/one.ts'),
    'export const here: string = import.meta.url;\nexport const word = "one";\n',
  );
  writeFileSync(
    join(clone, 'tools/two.ts'),
    "import { word } from './one.ts';\nexport const later = async () => (await import('./one.ts')).here;\nexport { word };\n",
  );
});
test.afterEach(() => rmSync(clone, { recursive: true, force: true }));

/** Runs code that begins with the compiled suite's folder as `built`, in a process of its own. */
function run(code: string): string {
  const script = `import { buildSuite, findBuiltSuite } from ${JSON.stringify(join(clone, 'tools/built-suite.mjs'))};\nconst before = findBuiltSuite();\nconst built = await buildSuite();\n${code}`;
  return execFileSync(process.execPath, ['--input-type=module', '-e', script], { encoding: 'utf8' }).trim();
}

test('a source is compiled, names what its imports were compiled to, and lies where its source does', () => {
  const said = run("const two = await import(built + '/tools/two.js'); console.log(two.word, await two.later());");
  expect(said).toBe(`one file://${clone}/tools/one.ts`);
});

test('what was changed is compiled again, and what is gone is gone', () => {
  run('');
  expect(run('console.log(String(before === built))')).toBe('true');
  writeFileSync(join(clone, 'tools/one.ts'), "export const here = '';\nexport const word = 'two';\n");
  expect(run("console.log(String(before), (await import(built + '/tools/two.js')).word)")).toBe('undefined two');
  rmSync(join(clone, 'tools/two.ts'));
  expect(existsSync(join(run('console.log(built)'), 'tools/two.js'))).toBe(false);
});

test('what was compiled compiles anew what is changed meanwhile', () => {
  const again = "const { buildSuite: again } = await import(built + '/tools/built-suite.mjs');";
  const change = `(await import('node:fs')).appendFileSync(${JSON.stringify(join(clone, 'tools/one.ts'))}, 'export const more = 1;');`;
  expect(run(`${again} ${change} await again(); console.log((await import(built + '/tools/one.js')).here);`)).toBe(
    `file://${clone}/tools/one.ts`,
  );
});

test('a room is one file behind its door, each of its sources knows its own address, and what is loaded later is a file of its own', () => {
  const room = join(clone, 'tools/room');
  mkdirSync(join(room, 'inside'), { recursive: true });
  writeFileSync(
    join(clone, 'package.json'),
    '{ "name": "x", "type": "module", "imports": { "#one": "./tools/one.ts", "#room": "./tools/room/index.ts", "#kept-files": "./tools/kept-files.mjs" } }',
  );
  writeFileSync(
    join(room, 'index.ts'),
    "export { near } from './inside/near.ts';\nexport { word } from '#one';\nexport const later = async () => (await import('./later.ts')).far;\n",
  );
  writeFileSync(join(room, 'inside/near.ts'), 'export const near: string = import.meta.url;\n');
  writeFileSync(
    join(room, 'later.ts'),
    "import { near } from './inside/near.ts';\nexport const far = 'later ' + near;\n",
  );
  const ask =
    "const room = await import(built + '/tools/room/index.js'); console.log(room.word, room.near, await room.later());";
  expect(run(ask)).toBe(
    `one file://${clone}/tools/room/inside/near.ts later file://${clone}/tools/room/inside/near.ts`,
  );
  const files = () => readdirSync(join(run('console.log(built)'), 'tools/room'), { recursive: true, encoding: 'utf8' });
  const before = files();
  expect(before).toContain('index.js');
  expect(before.filter((name) => name.includes('near'))).toEqual([]);
  expect(before.filter((name) => name.startsWith('later-'))).toHaveLength(1);
  // A program that began before a change finds the part that it has yet to load.
  writeFileSync(join(room, 'later.ts'), "export const far = 'changed';\n");
  expect(run(ask)).toContain('changed');
  expect(files()).toEqual(expect.arrayContaining(before));
});

test('a clone that is no more leaves nothing in packages that it shared', () => {
  const gone = join(clone, 'node_modules/.cache/assay/suite/gone');
  mkdirSync(gone, { recursive: true });
  writeFileSync(join(gone, 'root.txt'), join(clone, 'not-there/'));
  const built = run('console.log(built)');
  expect(readdirSync(join(gone, '..'))).toEqual([built.split('/').at(-1)]);
  expect(readFileSync(join(built, 'root.txt'), 'utf8')).toContain('assay-built-');
});
