/**
 * Everything that guards this project (`npm test`). What waits goes beside what works: while checks run against the embedded sandbox, the tree
 * is looked at and own tests are compiled; while own tests run, lies and mutants are told. Ends with the code of the first stage that is red,
 * and starts none of the later ones.
 */
import { runScript } from './script-run.mjs';

/**
 * Stages one after the other; the lanes of one go side by side, the scripts of a lane in turn. The first lane is shown as it goes; of the
 * scripts of the others the last line, or all when they are red.
 */
const STAGES = [
  [
    ['conformance', 'verify'],
    ['check', 'self:collect'],
  ],
  [['self'], ['prove', 'mutants']],
];

/** @param {readonly string[]} scripts @param {boolean} live @returns {Promise<number>} exit code of the first that is red, else 0 */
async function runLane(scripts, live) {
  for (const name of scripts) {
    const { code, seconds, printed } = await runScript(name, { live });
    const text = printed.toString().trimEnd();
    if (!live && code === 0) console.log(`ok   ${name} (${seconds} s): ${text.slice(text.lastIndexOf('\n') + 1)}`);
    if (!live && code !== 0) console.log(`red  ${name} (${seconds} s)\n${text}`);
    if (code !== 0) return code;
  }
  return 0;
}

for (const lanes of STAGES) {
  const codes = await Promise.all(lanes.map((scripts, i) => runLane(scripts, i === 0)));
  process.exitCode ||= codes.find((code) => code !== 0) ?? 0;
  if (process.exitCode !== 0) break;
}
