import { execFile } from 'node:child_process';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { expect, test } from '@playwright/test';

const KEPT_CODE = pathToFileURL(join(import.meta.dirname, 'kept-code.mjs')).href;
const BY_NODE = 'enableCompileCache' in process.getBuiltinModule('node:module');

let folder: string;
let code: string;
let inside: string;
test.beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'assay-code-'));
  code = join(folder, 'code');
  inside = join(folder, 'node_modules/one');
  mkdirSync(inside, { recursive: true });
  writePackage(
    `module.exports = { sum: [1, 2, 3].reduce((a, b) => a + b), other: require('./other').name, own: require.main === module };`,
  );
  writeFileSync(
    join(inside, 'other.js'),
    `exports.name = require.resolve('./other').split('/').at(-1) + (__dirname === module.path);`,
  );
});
test.afterEach(() => rmSync(folder, { recursive: true, force: true }));

const writePackage = (text: string) => writeFileSync(join(inside, 'index.js'), text);

/** What a process says that loads the package with the code that is kept. */
async function load(then = 'one'): Promise<unknown> {
  const program = `
    import { createRequire } from 'node:module';
    import { keepCode } from ${JSON.stringify(KEPT_CODE)};
    keepCode(${JSON.stringify(code)}, 'test');
    const one = createRequire(${JSON.stringify(join(folder, 'here.js'))})('one');
    console.log(JSON.stringify(await ${then}));`;
  const { stdout, stderr } = await promisify(execFile)(process.execPath, ['--input-type=module', '-e', program]);
  expect(stderr).toBe('');
  return JSON.parse(stdout);
}

const keptFiles = () =>
  readdirSync(code, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name));

const EXPECTED = { sum: 6, other: 'other.jstrue', own: false };

test('code that is kept does what its source does, until that changes', async () => {
  expect(await load()).toEqual(EXPECTED);
  expect(keptFiles().length).toBeGreaterThan(0);
  const before = keptFiles().map((file) => readFileSync(file));
  expect(await load()).toEqual(EXPECTED);
  expect(keptFiles().map((file) => readFileSync(file))).toEqual(before);
  writePackage('module.exports = { sum: 7 };');
  expect(await load()).toEqual({ sum: 7 });
});

test('code that is damaged is compiled anew, and kept again', async () => {
  await load();
  const sizes = keptFiles().map((file) => readFileSync(file).length);
  for (const damage of [
    (bytes: Buffer) => bytes.fill(0x41, Math.floor(bytes.length / 2)),
    (bytes: Buffer) => bytes.subarray(0, bytes.length - 30),
    () => Buffer.alloc(0),
  ]) {
    for (const file of keptFiles()) writeFileSync(file, damage(readFileSync(file)));
    expect(await load()).toEqual(EXPECTED);
    if (!BY_NODE) expect(keptFiles().map((file) => readFileSync(file).length)).toEqual(sizes);
  }
});

test('processes that keep code at the same time leave whole files behind', async () => {
  expect(await Promise.all(Array.from({ length: 4 }, () => load()))).toEqual(Array(4).fill(EXPECTED));
  expect(keptFiles().filter((file) => /\.\d+$/.test(file))).toEqual([]);
  expect(await load()).toEqual(EXPECTED);
});

test('where nothing can be written everything runs as it does elsewhere', async () => {
  writeFileSync(code, 'a file where the folder would be');
  expect(await load()).toEqual(EXPECTED);
  rmSync(code);
  mkdirSync(code);
  chmodSync(code, 0o500);
  expect(await load()).toEqual(EXPECTED);
  chmodSync(code, 0o700);
  expect(existsSync(code)).toBe(true);
});

test('a script that imports goes on doing so when it was loaded before', async () => {
  writePackage(`exports.late = async () => (await import('node:path')).sep;
    exports.later = async () => (await eval('import("node:path")')).sep;`);
  for (let time = 0; time < 3; time += 1) {
    expect(await load('one.late()')).toBe('/');
    expect(await load('one.later()')).toBe('/');
  }
});

test('a package that is a module of ECMAScript is left to Node', async () => {
  writePackage('export const sum = 8;');
  for (let time = 0; time < 2; time += 1) expect(await load('({ sum: one.sum })')).toEqual({ sum: 8 });
});
