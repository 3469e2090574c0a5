import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { SUITE_FOLDER } from '#folders';
import { verifyRun } from '#report';
import type { AttackTry } from './attack-tally.ts';

const SIGNALS = ['SIGKILL', 'SIGTERM', 'SIGINT', 'SIGHUP'] as const;
/** Milliseconds from the start of a run in which it may be struck. */
const WINDOW = 9000;
/** Milliseconds in which everybody has to be gone. */
const GONE_WITHIN = 30_000;

/** Runs struck at moments drawn from a seed, half of them by a signal that nobody can catch. */
export function killTries(count: number, seed: number): AttackTry[] {
  return Array.from({ length: count }, (_, index) => {
    const signal = index % 2 === 0 ? 'SIGKILL' : SIGNALS[1 + (Math.floor(index / 2) % 3)]!;
    const moment = createHash('sha256').update(`${seed} ${index}`).digest().readUInt32BE(0) % WINDOW;
    return { name: `${signal} after ${moment} ms`, run: () => strike(signal, moment) };
  });
}

/** @returns what got through: somebody left behind, a signed folder that does not verify, a verdict of a run that was cut short */
async function strike(signal: NodeJS.Signals, moment: number): Promise<string | undefined> {
  const folder = mkdtempSync(join(tmpdir(), 'assay-kill-'));
  const run = join(folder, 'run');
  try {
    const { ASSAY_RUN: _run, ASSAY_PROOF: _proof, ...env } = process.env;
    const argv = [join(SUITE_FOLDER, 'tools/cli/assay.mjs'), 'run', '--out', run];
    const child = spawn(process.execPath, argv, { cwd: SUITE_FOLDER, env, stdio: 'ignore' });
    const ended = new Promise<number | null>((done) => child.once('close', done));
    await wait(moment);
    child.kill(signal);
    const code = await ended;
    const since = Date.now();
    while (membersOf(run) > 0 && Date.now() - since < GONE_WITHIN) await wait(200);
    if (membersOf(run) > 0) return `${membersOf(run)} processes are left`;
    if (code !== null && code !== 3) return `exit code ${code}`;
    if (!existsSync(join(run, 'SHA256SUMS.p7s'))) return undefined;
    return verifyRun(run).findings[0];
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** How many processes were started for a run: those that have its folder in their environment. */
function membersOf(run: string): number {
  return readdirSync('/proc').filter((name) => {
    try {
      return /^\d+$/.test(name) && readFileSync(`/proc/${name}/environ`, 'utf8').includes(`ASSAY_RUN=${run}\0`);
    } catch {
      return false;
    }
  }).length;
}
