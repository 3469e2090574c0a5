#!/usr/bin/env node
// Hands over to what was compiled: of a package once and for all, of a clone as its sources stand.
import { closeSync, existsSync, openSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

// A reader that has seen enough (`assay rules | head`) does not end the work.
for (const stream of [process.stdout, process.stderr])
  stream.on('error', (/** @type {NodeJS.ErrnoException} */ error) => {
    if (error.code !== 'EPIPE') throw error;
  });

/**
 * What a machine has run out of, and how to get more of it.
 * @type {Readonly<Record<string, readonly [what: string, fix: string]>>}
 */
const EXHAUSTED = {
  EMFILE: ['no more files can be opened', 'raise the limit (ulimit -n 1024)'],
  ENFILE: ['no more files can be opened on this machine', 'close programs, or raise fs.file-max'],
  ENOSPC: ['the disk is full', 'make room; assay report DIR draws what was recorded'],
  EDQUOT: ['the quota of the disk is used up', 'make room; assay report DIR draws what was recorded'],
  ENOMEM: ['there is no memory left', 'close programs'],
  EAGAIN: ['no more processes can be started', 'raise the limit (ulimit -u)'],
};

/**
 * Ends with 3; 1 would say that a promise is broken: nobody knows whether one is.
 * @param {any} error
 */
function fail(error) {
  const code = error?.code ?? /\b(?:EMFILE|ENFILE|ENOSPC|EDQUOT|ENOMEM)\b/.exec(String(error?.message))?.[0];
  const [what, fix] = EXHAUSTED[code] ?? [];
  if (what === undefined) console.error(error);
  else console.error(`assay: ${what}\n  cause: ${error.message}\n  fix:   ${fix}`);
  process.exit(3);
}
process.on('uncaughtException', fail);

/**
 * Without these the loader fails halfway, in ways that tell nobody why.
 * @param {number} count
 */
function demandOpenFiles(count) {
  const files = [];
  try {
    while (files.length < count) files.push(openSync(import.meta.filename, 'r'));
  } finally {
    for (const file of files) closeSync(file);
  }
}

/** The program's first module. */
async function findMain() {
  if (!existsSync(new URL('./main.ts', import.meta.url))) return '../../dist/tools/cli/main.js';
  const { buildSuite } = await import('#built-suite');
  const built = await buildSuite();
  if (built !== undefined) return pathToFileURL(join(built, 'tools/cli/main.js')).href;
  // Nothing can be written beside the packages of this clone.
  (await import('tsx/esm/api')).register();
  return './main.ts';
}

try {
  demandOpenFiles(100);
  /** @type {{ runProgram(argv: readonly string[]): Promise<number> }} */
  const { runProgram } = await import(await findMain());
  process.exitCode = await runProgram(process.argv.slice(2));
} catch (error) {
  fail(error);
}
