/**
 * Scripts of package.json, run so that several can go side by side: what one says is printed as it comes or, of those that would talk into
 * each other, when it is over. For the programs that put such scripts together; it imports nothing of the project.
 */
import { spawn } from 'node:child_process';

/** Scripts under way: who ends the program ends them. @type {Set<import('node:child_process').ChildProcess>} */
const running = new Set();
for (const signal of /** @type {const} */ (['SIGINT', 'SIGTERM', 'SIGHUP']))
  process.on(signal, () => {
    process.exitCode = 1;
    // A terminal interrupts all of them itself.
    if (signal !== 'SIGINT') for (const child of running) child.kill(signal);
  });

/**
 * @typedef {object} ScriptOutcome
 * @property {number} code exit code; 1 for a script that could not be started or was ended by a signal
 * @property {string} seconds that it took
 * @property {Buffer} printed what it said, in order; nothing of one that was shown as it came
 */

/**
 * Runs a script of package.json.
 * @param {string} name
 * @param {{ live?: boolean }} [how] `live`: what it says is shown as it comes
 * @returns {Promise<ScriptOutcome>}
 */
export function runScript(name, { live = false } = {}) {
  return new Promise((done) => {
    const began = Date.now();
    const child = spawn('npm', ['run', '-s', name], {
      stdio: live ? 'inherit' : ['ignore', 'pipe', 'pipe'],
      shell: process.platform === 'win32',
    });
    running.add(child);
    const printed = /** @type {Buffer[]} */ ([]);
    for (const stream of [child.stdout, child.stderr]) stream?.on('data', (chunk) => printed.push(chunk));
    /** @param {number | null} code */
    const end = (code) => {
      running.delete(child);
      done({
        code: code ?? 1,
        seconds: ((Date.now() - began) / 1000).toFixed(1),
        printed: Buffer.concat(printed),
      });
    };
    child.once('error', (error) => {
      printed.push(Buffer.from(`${error.message}\n`));
      end(1);
    });
    child.once('close', end);
  });
}
