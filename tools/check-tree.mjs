/**
 * Everything about the tree that can be checked without running a check, side by side (`npm run check`). What a check says is printed when it
 * is red; the program ends with 1 then.
 */
import { spawn } from 'node:child_process';

/** The longest first. */
const CHECKS = ['types', 'lint', 'missing', 'specs', 'ids:check'];

/** @param {string} name of a script of package.json @returns {Promise<boolean>} whether it is content */
function check(name) {
  return new Promise((done) => {
    const began = Date.now();
    const child = spawn('npm', ['run', '-s', name], {
      stdio: ['ignore', 'pipe', 'pipe'],
      shell: process.platform === 'win32',
    });
    const said = /** @type {Buffer[]} */ ([]);
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => said.push(chunk));
    child.once('error', (error) => said.push(Buffer.from(`${error.message}\n`)));
    child.once('close', (code) => {
      console.log(`${code === 0 ? 'ok ' : 'red'}  ${name} (${((Date.now() - began) / 1000).toFixed(1)} s)`);
      if (code !== 0) process.stdout.write(Buffer.concat(said));
      done(code === 0);
    });
  });
}

const content = await Promise.all(CHECKS.map(check));
process.exitCode = content.every(Boolean) ? 0 : 1;
