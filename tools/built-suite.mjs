/**
 * The suite as JavaScript, for a clone: each source compiled for itself, into a folder that lies like the tree and is brought up to date
 * whenever the program starts, so that neither the program nor a worker has to compile. Anyone may import it; it imports nothing of the project.
 */
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { isDeepStrictEqual } from 'node:util';

const ROOT = fileURLToPath(new URL('../', import.meta.url));
/** What lies here is compiled; what else a source reads, it reads beside its source. */
const FOLDERS = ['tests', 'tools'];
const CODE = /\.(?:ts|mjs|js)$/;
const OWN_TEST = /\.test(?:-support)?\.ts$/;

/** What was compiled when, by path from the root. @typedef {Record<string, string>} Stamps */

/** Name that a source is compiled to. @param {string} path */
const compiledName = (path) => path.replace(/\.ts$/, '.js');

/**
 * Brings the compiled suite up to date.
 * @returns its folder; undefined where nothing can be written beside the packages, and the sources have to be run themselves
 */
export async function buildSuite() {
  if (isPackage()) return ROOT;
  const out = builtFolder();
  const list = join(out, 'built.json');
  const [stamps, built] = [stampSources(), readStamps(list)];
  const changed = Object.keys(stamps).filter((path) => stamps[path] !== built[path]);
  const gone = Object.keys(built).filter((path) => !(path in stamps));
  if (changed.length + gone.length === 0) return out;
  try {
    if (!existsSync(list)) forgetGoneClones();
    await compile(changed, out);
    for (const path of gone) rmSync(join(out, compiledName(path)), { force: true });
    replaceFile(join(out, 'root.txt'), ROOT);
    replaceFile(list, JSON.stringify(stamps));
  } catch (error) {
    if (isReadOnly(error)) return undefined;
    throw error;
  }
  return out;
}

/** Folder of the compiled suite, when it is up to date. */
export function findBuiltSuite() {
  if (isPackage()) return ROOT;
  return isDeepStrictEqual(stampSources(), readStamps(join(builtFolder(), 'built.json'))) ? builtFolder() : undefined;
}

/** Whether the suite was compiled once and for all. */
function isPackage() {
  return !existsSync(join(ROOT, 'playwright.config.ts'));
}

/** Where the compiled suite of this clone lies: clones may share their packages. */
function builtFolder() {
  const name = createHash('sha256').update(ROOT).digest('hex').slice(0, 12);
  return join(ROOT, 'node_modules/.cache/assay/suite', name);
}

/** Clones that shared these packages and are no more leave nothing behind. */
function forgetGoneClones() {
  const all = dirname(builtFolder());
  for (const name of existsSync(all) ? readdirSync(all) : []) {
    const root = join(all, name, 'root.txt');
    if (existsSync(root) && !existsSync(readFileSync(root, 'utf8')))
      rmSync(join(all, name), { recursive: true, force: true });
  }
}

/**
 * What shows that a source was changed, of every source. The time of its last change cannot be set by anybody.
 * @returns {Stamps}
 */
function stampSources() {
  const paths = ['package.json', 'playwright.config.ts', ...FOLDERS.flatMap(sourcesBelow)];
  const compiler = stampFile(fileURLToPath(import.meta.url));
  return Object.fromEntries(paths.map((path) => [path, `${stampFile(join(ROOT, path))}, ${compiler}`]));
}

/** @param {string} file */
function stampFile(file) {
  const { ctimeMs, ino, size } = statSync(file);
  return `${ctimeMs} ${ino} ${size}`;
}

/** Paths of all code below a folder, from the root. @param {string} folder @returns {string[]} */
function sourcesBelow(folder) {
  return readdirSync(join(ROOT, folder), { withFileTypes: true }).flatMap((entry) => {
    const path = `${folder}/${entry.name}`;
    if (entry.isDirectory()) return sourcesBelow(path);
    return CODE.test(path) && !OWN_TEST.test(path) ? [path] : [];
  });
}

/** @param {string} file @returns {Stamps} */
function readStamps(file) {
  try {
    return JSON.parse(readFileSync(file, 'utf8'));
  } catch {
    return {};
  }
}

/** @param {readonly string[]} paths @param {string} out */
async function compile(paths, out) {
  const { transform } = await import('esbuild');
  await Promise.all(
    paths.map(async (path) => {
      const source = join(ROOT, path);
      const file = join(out, compiledName(path));
      const text = readFileSync(source, 'utf8');
      mkdirSync(dirname(file), { recursive: true });
      if (path === 'package.json') return replaceFile(file, describePackage(text));
      const { code } = await transform(text, {
        loader: path.endsWith('.ts') ? 'ts' : 'js',
        format: 'esm',
        target: 'node20',
        charset: 'utf8',
        // What is read beside a source lies beside the source.
        define: { 'import.meta.url': JSON.stringify(pathToFileURL(source).href) },
        sourcefile: source,
        sourcemap: 'inline',
        sourcesContent: false,
        tsconfigRaw: { compilerOptions: { verbatimModuleSyntax: true } },
      });
      replaceFile(file, nameCompiled(code));
    }),
  );
}

/** Lets imports of sources name what these are compiled to. @param {string} code */
function nameCompiled(code) {
  return code
    .replace(/^((?:import|export|\})[^"\n]*")(\.\.?\/[^"\n]*)\.ts(";)$/gm, '$1$2.js$3')
    .replace(/\bimport\("(\.\.?\/[^"\n]*)\.ts"\)/g, 'import("$1.js")');
}

/** The rooms' doors as they are compiled. @param {string} text */
function describePackage(text) {
  const { name, version, imports } = JSON.parse(text);
  const doors = Object.entries(imports).map(([door, path]) => [door, compiledName(path)]);
  return JSON.stringify({ name, version, type: 'module', imports: Object.fromEntries(doors) });
}

/** Writes a file at once, so that whoever reads it meanwhile sees the old or the new. @param {string} file @param {string} text */
function replaceFile(file, text) {
  const other = `${file}.${process.pid}`;
  writeFileSync(other, text);
  renameSync(other, file);
}

/** @param {unknown} error */
function isReadOnly(error) {
  return ['EACCES', 'EPERM', 'EROFS'].includes(/** @type {NodeJS.ErrnoException} */ (error).code ?? '');
}
