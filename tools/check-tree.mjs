/**
 * Everything about the tree that can be checked without running a check, side by side (`npm run check`). What a check says is printed when it
 * is red; the program ends with 1 then.
 */
import { runScript } from './script-run.mjs';

/** The longest first. */
const CHECKS = ['types', 'lint', 'missing', 'specs', 'ids:check'];

/** @param {string} name of a script of package.json @returns {Promise<boolean>} whether it is content */
async function check(name) {
  const { code, seconds, printed } = await runScript(name);
  console.log(`${code === 0 ? 'ok ' : 'red'}  ${name} (${seconds} s)`);
  if (code !== 0) process.stdout.write(printed);
  return code === 0;
}

const content = await Promise.all(CHECKS.map(check));
process.exitCode = content.every(Boolean) ? 0 : 1;
