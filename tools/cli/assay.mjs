#!/usr/bin/env node
// Hands over to the sources, with a loader for TypeScript, or where there are none to what was compiled of them.
import { closeSync, existsSync, openSync } from 'node:fs';

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

try {
  demandOpenFiles(100);
  const compiled = !existsSync(new URL('./main.ts', import.meta.url));
  if (!compiled) (await import('tsx/esm/api')).register();
  /** @type {{ runProgram(argv: readonly string[]): Promise<number> }} */
  const { runProgram } = await import(compiled ? '../../dist/tools/cli/main.js' : './main.ts');
  process.exitCode = await runProgram(process.argv.slice(2));
} catch (error) {
  fail(error);
}
