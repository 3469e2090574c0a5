/**
 * Machine code of the packages that a process loads, kept from one process to the next: the runner and a worker read ten megabytes of
 * JavaScript each before the first check, and compiling it takes most of that time.
 */
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import module from 'node:module';
import { dirname, join, sep } from 'node:path';
import { deserialize, serialize } from 'node:v8';
import vm from 'node:vm';
import { keepFile, stampFile } from '#kept-files';

const PACKAGES = `${sep}node_modules${sep}`;
/** Bytes of the hash that a file of kept code begins with. */
const HASH = 20;

/**
 * A script that was taken from a folder cannot import: these are imported behind a proxy that negotiates, for tests of components, and where
 * there is no global crypto. What imports anything else is not kept.
 */
const IMPORTS = /\bimport\((?!\)|"(?:kerberos|vite|node:crypto)"\))/;

/**
 * Code of a file, undefined for one that is not kept, and what shows that it is of the file as it lies there.
 * @typedef {{ stamp: string, code: Buffer | undefined }} KeptFile
 */

/**
 * Takes the code of packages from a folder, and keeps there what was not found once the process ends. Nothing depends on it: what is
 * damaged or of another version of Node is compiled anew, and where nothing can be written nothing is kept.
 * @param {string | undefined} folder undefined: nothing is taken or kept
 * @param {string} name of the process; what it loads is kept by itself
 */
export function keepCode(folder, name) {
  if (folder === undefined) return;
  const { enableCompileCache } = /** @type {{ enableCompileCache?: (folder: string) => unknown }} */ (
    /** @type {unknown} */ (module)
  );
  // Node does it by itself from version 22.8 on.
  if (enableCompileCache !== undefined) return void enableCompileCache(folder);
  const file = join(folder, `${name}-${process.version}-${process.arch}`);
  const kept = readKept(file);
  /** @type {Map<string, { stamp: string, script: vm.Script | undefined }>} */
  const fresh = new Map();
  const { prototype } = /** @type {{ prototype: any }} */ (/** @type {unknown} */ (module));
  const compile = prototype._compile;
  /** @this {any} @param {string} content @param {string} path @param {unknown[]} rest */
  prototype._compile = function (content, path, ...rest) {
    if (!path.includes(PACKAGES) || rest[0] === 'module') return compile.call(this, content, path, ...rest);
    const stamp = stampFile(path);
    const known = kept.get(path);
    const isKnown = known?.stamp === stamp;
    const script = isKnown ? known.code && compileScript(content, path, known.code) : tryScript(content, path);
    if (!isKnown || script?.cachedDataRejected) fresh.set(path, { stamp, script });
    if (script === undefined) return compile.call(this, content, path, ...rest);
    const run = script.runInThisContext();
    return run.call(this.exports, this.exports, requireFor(this), this, path, dirname(path));
  };
  process.once('exit', () => {
    // What was compiled while it ran is kept as well, so it is asked for at the end.
    for (const [path, { stamp, script }] of fresh) kept.set(path, { stamp, code: script?.createCachedData() });
    if (fresh.size > 0) writeKept(file, kept);
  });
}

/**
 * @param {string} content @param {string} filename
 * @returns undefined where it imports, or is no script that stands alone: the loader of Node knows what it is
 */
function tryScript(content, filename) {
  if (IMPORTS.test(content)) return undefined;
  try {
    return compileScript(content, filename);
  } catch {
    return undefined;
  }
}

/** @param {string} content @param {string} filename @param {Buffer} [cachedData] */
function compileScript(content, filename, cachedData) {
  return new vm.Script(module.wrap(content), { filename, ...(cachedData && { cachedData }) });
}

/** What a script of a package is given to require others with. @param {any} own its module */
function requireFor(own) {
  const loader = /** @type {any} */ (module);
  return Object.assign((/** @type {string} */ request) => own.require(request), {
    resolve: (/** @type {string} */ request, /** @type {object} */ options) =>
      loader._resolveFilename(request, own, false, options),
    main: process.mainModule,
    extensions: loader._extensions,
    cache: loader._cache,
  });
}

/** @param {string} file @returns {Map<string, KeptFile>} */
function readKept(file) {
  try {
    const bytes = readFileSync(file);
    const body = bytes.subarray(HASH);
    if (hash(body).equals(bytes.subarray(0, HASH))) return deserialize(body);
  } catch {
    // There is none yet, or none that can be used.
  }
  return new Map();
}

/** @param {string} file @param {Map<string, KeptFile>} kept */
function writeKept(file, kept) {
  const body = serialize(kept);
  keepFile(file, Buffer.concat([hash(body), body]));
}

/** @param {Buffer} bytes */
function hash(bytes) {
  return createHash('sha1').update(bytes).digest();
}
