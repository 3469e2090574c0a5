/**
 * The suite as JavaScript, for a clone: a file a room and a file a check, in a folder that lies like the tree and is brought up to date
 * whenever the program starts, so that neither the program nor a worker has to compile. Anyone may import it; it imports no room.
 */
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { isDeepStrictEqual } from 'node:util';
import { replaceFile, stampFile } from '#kept-files';

const ROOT = fileURLToPath(new URL('../', import.meta.url));
/** What lies here is compiled; what else a source reads, it reads beside its source. */
const FOLDERS = ['tests', 'tools'];
const CODE = /\.(?:ts|mjs|js)$/;
const OWN_TEST = /\.test(?:-support)?\.ts$/;
/** Where rooms are entered besides their doors: by the program's first file, by the runner, by a user's own checks. */
const SIDE_DOORS = ['tools/cli/main.ts', 'tools/harness/reporter.ts', 'tools/checks/index.ts'];
/** Milliseconds for which the parts of a room that was compiled anew are left to programs that began with them. */
const KEPT = 86_400_000;

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
    await compile(changed, gone, out);
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
 * What shows that a source was changed, of every source.
 * @returns {Stamps}
 */
function stampSources() {
  const paths = ['package.json', 'playwright.config.ts', ...FOLDERS.flatMap(sourcesBelow)];
  const compiler = stampFile(fileURLToPath(import.meta.url));
  return Object.fromEntries(paths.map((path) => [path, `${stampFile(join(ROOT, path))}, ${compiler}`]));
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

/** @param {readonly string[]} changed @param {readonly string[]} gone @param {string} out */
async function compile(changed, gone, out) {
  const esbuild = await import('esbuild');
  const rooms = listRooms();
  const touched = new Set([...changed, ...gone].map(roomOf));
  const isNew = changed.includes('package.json');
  await Promise.all([
    ...[...rooms].flatMap(([room, doors]) =>
      isNew || touched.has(room) ? [compileRoom(esbuild, room, doors, out)] : [],
    ),
    ...changed.flatMap((path) => (rooms.has(roomOf(path)) ? [] : [compileFile(esbuild, path, out)])),
  ]);
}

/** The room that a source lies in, by its path; of one beside the rooms, the path of its folder. @param {string} path */
function roomOf(path) {
  return /^tools\/[^/]+(?=\/)/.exec(path)?.[0] ?? dirname(path);
}

/** Rooms by path with the sources by which they are entered. @returns {Map<string, string[]>} */
function listRooms() {
  const { imports } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'));
  const doors = [...Object.values(imports).map((/** @type {string} */ path) => path.replace('./', '')), ...SIDE_DOORS];
  /** @type {Map<string, string[]>} */
  const rooms = new Map();
  for (const door of doors) {
    const room = roomOf(door);
    if (room === 'tools' || OWN_TEST.test(door) || !existsSync(join(ROOT, door))) continue;
    rooms.set(room, [...(rooms.get(room) ?? []), door]);
  }
  return rooms;
}

/** @type {import('esbuild').CommonOptions} */
const DIALECT = {
  format: 'esm',
  target: 'node20',
  charset: 'utf8',
  tsconfigRaw: { compilerOptions: { verbatimModuleSyntax: true } },
};

/**
 * A room as one file, and one more for each part of it that is loaded later: a process would look for hundreds of files longer than it takes
 * to load them. Without a map, which the runner would work through for every place in it that a stack trace names.
 * @param {typeof import('esbuild')} esbuild @param {string} room @param {readonly string[]} doors @param {string} out
 */
async function compileRoom({ build }, room, doors, out) {
  const folder = join(out, room);
  const { outputFiles } = await build({
    ...DIALECT,
    entryPoints: doors.map((door) => join(ROOT, door)),
    outdir: folder,
    outbase: join(ROOT, room),
    bundle: true,
    splitting: true,
    platform: 'node',
    packages: 'external',
    external: ['#*'],
    write: false,
    logLevel: 'silent',
    plugins: [{ name: 'address', setup: ({ onLoad }) => onLoad({ filter: CODE }, ({ path }) => readSource(path)) }],
  });
  // The doors come last: whoever enters by one finds all that is behind it.
  const isDoor = (/** @type {string} */ file) => !/-[0-9A-Z]{8}\.js$/.test(file);
  for (const { path, text } of outputFiles.sort(
    (one, other) => Number(isDoor(one.path)) - Number(isDoor(other.path)),
  )) {
    mkdirSync(dirname(path), { recursive: true });
    replaceFile(path, text);
  }
  const compiled = new Set(outputFiles.map(({ path }) => path));
  for (const name of readdirSync(folder)) {
    const path = join(folder, name);
    const { mtimeMs } = statSync(path);
    if (!compiled.has(path) && Date.now() - mtimeMs > KEPT) rmSync(path, { recursive: true, force: true });
  }
}

/** What a source calls its own address by; in two parts, for this file is compiled as well and has to go on finding it. */
const OWN_ADDRESS = ['import.meta', 'url'].join('.');

/** A source that knows its own address: what is read beside it lies there. @param {string} path */
function readSource(path) {
  const text = readFileSync(path, 'utf8');
  return {
    contents: text.replaceAll(OWN_ADDRESS, JSON.stringify(pathToFileURL(path).href)),
    loader: /** @type {'ts' | 'js'} */ (path.endsWith('.ts') ? 'ts' : 'js'),
  };
}

/** @param {typeof import('esbuild')} esbuild @param {string} path @param {string} out */
async function compileFile({ transform }, path, out) {
  const source = join(ROOT, path);
  const file = join(out, compiledName(path));
  mkdirSync(dirname(file), { recursive: true });
  if (path === 'package.json') return replaceFile(file, describePackage(readFileSync(source, 'utf8')));
  const { contents, loader } = readSource(source);
  const { code } = await transform(contents, {
    ...DIALECT,
    loader,
    sourcefile: source,
    sourcemap: 'inline',
    sourcesContent: false,
  });
  replaceFile(file, nameCompiled(code));
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

/** @param {unknown} error */
function isReadOnly(error) {
  return ['EACCES', 'EPERM', 'EROFS'].includes(/** @type {NodeJS.ErrnoException} */ (error).code ?? '');
}
