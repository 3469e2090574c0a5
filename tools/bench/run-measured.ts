import { spawnSync } from 'node:child_process';
import { SUITE_FOLDER } from '#folders';

/** What a piece of work cost a process of its own. */
export interface MeasuredWork {
  /** Of processor, user's and system's. */
  readonly seconds: number;
  /** Most megabytes held. */
  readonly memory: number;
}

const START = 'const began = process.cpuUsage();';
const END = `const { user, system } = process.cpuUsage(began);
process.stdout.write('\\n' + JSON.stringify({ seconds: (user + system) / 1e6, memory: process.resourceUsage().maxRSS / 1024 }));`;

/**
 * Runs a script in a process of its own and says what its work cost; starting the process does not count.
 * @param script an ES module; its imports stand first. What stands behind a line `// measured` counts, else all of it
 * @throws Error with what the process said when it failed
 */
export function runMeasured(script: string, env: Readonly<Record<string, string>> = {}): MeasuredWork {
  const [before, after] = script.includes('// measured') ? script.split('// measured') : ['', script];
  // Imports are hoisted: loaded dynamically they count, where they are what is measured.
  const work = (text: string) =>
    text.replaceAll(
      /^\s*import (?:(\{[^}]*\}) from )?('#[\w-]+');/gm,
      (_, names, from) => `${names ? `const ${names} = ` : ''}await import(${from});`,
    );
  const whole = `${work(before!)}\n${START}\n${work(after!)}\n${END}`;
  const { status, stdout, stderr } = spawnSync(
    process.execPath,
    ['--import', 'tsx', '--input-type=module', '-e', whole],
    { encoding: 'utf8', cwd: SUITE_FOLDER, env: { ...process.env, ...env }, maxBuffer: 2 ** 28 },
  );
  if (status !== 0) throw new Error(`a measured process failed: ${stderr.slice(-2000)}`);
  return JSON.parse(stdout.trim().split('\n').at(-1)!) as MeasuredWork;
}
