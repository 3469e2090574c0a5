import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { SUITE_FOLDER } from '#folders';
import { verifyRun } from '#report';
import type { AttackTry } from './attack-tally.ts';

const CAUGHT = ['SIGTERM', 'SIGINT', 'SIGHUP'] as const;
/** A worker that the runner started for checks; the one that waits from the beginning on is called otherwise. */
const WORKER = /workerProcessEntry\.js/;
const RUNNER = /waiting-runner\.mjs|cli\.js\0test/;
const VICTIMS = ['program', 'runner', 'program and runner', 'worker'] as const;
/** Milliseconds in which a run may be struck: from its start, and once its checks are under way. */
const EARLY = 6000;
const LATE = 12_000;
/** Milliseconds in which everybody has to be gone. */
const GONE_WITHIN = 30_000;

type Victim = (typeof VICTIMS)[number];

/**
 * Runs struck at moments drawn from a seed: the program, the runner that it starts, both at once or one of the workers; half of the time by
 * the signal that nobody can catch; half of the time once the checks are under way.
 */
export function killTries(count: number, seed: number): AttackTry[] {
  return Array.from({ length: count }, (_, index) => {
    const drawn = createHash('sha256').update(`${seed} ${index}`).digest();
    const pair = Math.floor(index / 2);
    const signal = index % 2 === 0 ? 'SIGKILL' : CAUGHT[pair % CAUGHT.length]!;
    const victim = VICTIMS[pair % VICTIMS.length]!;
    // Before the checks are under way there is nobody but the program.
    const isLate = victim !== 'program' || drawn.readUInt8(4) % 2 === 0;
    const moment = drawn.readUInt32BE(0) % (isLate ? LATE : EARLY);
    const since = isLate ? 'of its checks' : 'of its start';
    return {
      name: `${signal} to the ${victim} ${moment} ms ${since}`,
      run: () => strike(signal, victim, moment, isLate),
    };
  });
}

/** @returns what got through: somebody left behind, a signed folder that does not verify, a verdict of a run that was cut short */
async function strike(
  signal: NodeJS.Signals,
  victim: Victim,
  moment: number,
  isLate: boolean,
): Promise<string | undefined> {
  const folder = mkdtempSync(join(tmpdir(), 'assay-kill-'));
  const run = join(folder, 'run');
  try {
    const { ASSAY_RUN: _run, ASSAY_PROOF: _proof, ...env } = process.env;
    // A run that loses a worker goes on; nobody waits for the whole of it.
    const limit = victim === 'worker' ? ['--within', '40s'] : [];
    const argv = [join(SUITE_FOLDER, 'tools/cli/assay.mjs'), 'run', '--out', run, ...limit];
    const child = spawn(process.execPath, argv, {
      cwd: SUITE_FOLDER,
      env: { ...env, STRUCK_RUN: run },
      stdio: 'ignore',
    });
    const ended = new Promise<number | null>((done) => child.once('close', done));
    for (let waited = 0; isLate && membersOf(run, WORKER).length === 0 && waited < 60_000; waited += 100)
      await wait(100);
    await wait(moment);
    const struck = [
      ...(victim.includes('program') ? [child.pid!] : []),
      ...(victim.includes('runner') ? membersOf(run, RUNNER) : []),
      ...(victim === 'worker' ? membersOf(run, WORKER).slice(0, 1) : []),
    ];
    for (const pid of struck) send(pid, signal);
    if (victim === 'worker') return await endsWell(run, ended);
    const code = await ended;
    const left = await remaining(run);
    if (left > 0) return `${left} processes are left`;
    if (code !== null && code !== 3) return `exit code ${code}`;
    if (!existsSync(join(run, 'SHA256SUMS.p7s'))) return undefined;
    return verifyRun(run).findings[0] ?? keeps(run);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** @returns what is wrong with a run that lost a worker and went on */
async function endsWell(run: string, ended: Promise<number | null>): Promise<string | undefined> {
  const code = await ended;
  if ((await remaining(run)) > 0) return 'processes are left';
  if (code !== 0 && code !== 3) return `exit code ${code}`;
  if (!existsSync(join(run, 'SHA256SUMS.p7s'))) return 'the folder is not signed';
  return verifyRun(run).findings[0];
}

/** A run that was cut short and says that promises are kept got through. */
function keeps(run: string): string | undefined {
  const { verdict } = JSON.parse(readFileSync(join(run, 'run.json'), 'utf8')) as { verdict: string };
  return verdict === 'incomplete' ? undefined : `a run that was cut short says ${verdict}`;
}

async function remaining(run: string): Promise<number> {
  const since = Date.now();
  while (membersOf(run).length > 0 && Date.now() - since < GONE_WITHIN) await wait(200);
  return membersOf(run).length;
}

function send(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch {
    // It has ended meanwhile.
  }
}

/** Processes that were started for a run: those that have its folder in their environment. */
function membersOf(run: string, called = /(?:)/): number[] {
  return readdirSync('/proc').flatMap((name) => {
    try {
      const isMember =
        /^\d+$/.test(name) &&
        readFileSync(`/proc/${name}/environ`, 'utf8').includes(`STRUCK_RUN=${run}\0`) &&
        called.test(readFileSync(`/proc/${name}/cmdline`, 'utf8'));
      return isMember ? [Number(name)] : [];
    } catch {
      return [];
    }
  });
}
