import { spawn } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { SUITE_FOLDER } from '#folders';
import type { BenchFigure, BenchPart, BenchSize } from './bench-figure.ts';
import { judgeGoal } from './take-turns.ts';

const PROGRAM = fileURLToPath(new URL('../cli/assay.mjs', import.meta.url));
const ONE_RULE = 'V1-IBN-02';
const LOOK_EVERY = 250;

/** One run of the program. */
interface ProgramRun {
  readonly seconds: number;
  /** Most megabytes that one process held of the program and all that it started, browsers apart; 0 where nobody tells. */
  readonly memory: number;
}

/** The program from start to end: one rule, its proof, and with the whole bench every rule and the whole proof. */
export async function benchWholeRun({ isTrial, isWhole }: BenchSize): Promise<BenchPart> {
  const plans = [
    { id: 'run-rule', title: `assay run --rule ${ONE_RULE}`, args: ['run', '--rule', ONE_RULE], atMost: 2.5 },
    ...(isTrial
      ? []
      : [
          {
            id: 'prove-rule',
            title: `assay prove --rule ${ONE_RULE}`,
            args: ['prove', '--rule', ONE_RULE],
            atMost: undefined,
          },
        ]),
    ...(isWhole
      ? [
          { id: 'run-whole', title: 'assay run', args: ['run'], atMost: 30 },
          { id: 'prove-whole', title: 'assay prove', args: ['prove'], atMost: undefined },
        ]
      : []),
  ];
  const figures: BenchFigure[] = [];
  for (const { id, title, args, atMost } of plans) {
    const turns = isTrial || args.length === 1 ? 1 : 3;
    const runs: ProgramRun[] = [];
    for (let turn = 0; turn < turns; turn += 1) runs.push(await runProgram(args));
    figures.push(
      alone(
        id,
        title,
        's',
        runs.map(({ seconds }) => seconds),
        atMost,
      ),
      alone(
        `${id}-memory`,
        `${title}: most memory of one process`,
        'MB',
        runs.map(({ memory }) => memory),
        300,
      ),
    );
  }
  return { figures: figures.filter(({ contestants }) => contestants[0]!.best > 0) };
}

function alone(
  id: string,
  title: string,
  unit: 's' | 'MB',
  values: readonly number[],
  atMost: number | undefined,
): BenchFigure {
  const sorted = [...values].sort((a, b) => a - b);
  // Of memory the most counts, of time the least.
  const best = unit === 'MB' ? sorted.at(-1)! : sorted[0]!;
  const median = sorted[Math.floor(sorted.length / 2)]!;
  const goals = atMost === undefined ? [] : [judgeGoal({ text: `at most ${atMost} ${unit}`, atMost }, best)];
  return { id, title, unit, contestants: [{ name: 'ours', median, best, turns: values.length }], ratios: [], goals };
}

/** Runs the program in a workspace of its own. @throws Error when it ends otherwise than with promises kept */
async function runProgram(args: readonly string[]): Promise<ProgramRun> {
  const workspace = mkdtempSync(join(tmpdir(), 'assay-bench-'));
  const { ASSAY_RUN: _run, TEST_WORKER_INDEX: _index, ...env } = process.env;
  const began = performance.now();
  const child = spawn(process.execPath, [PROGRAM, ...args, '--seed', '1'], {
    cwd: SUITE_FOLDER,
    env: { ...env, ASSAY_WORKSPACE: workspace },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  let said = '';
  child.stderr.on('data', (chunk: Buffer) => {
    said += chunk.toString();
  });
  let memory = 0;
  const look = setInterval(() => {
    memory = Math.max(memory, largestProcess(child.pid!));
  }, LOOK_EVERY);
  const status = await new Promise<number | null>((done) => child.once('close', done));
  clearInterval(look);
  const seconds = (performance.now() - began) / 1000;
  rmSync(workspace, { recursive: true, force: true });
  if (status !== 0) throw new Error(`assay ${args.join(' ')} ended with ${status}: ${said.slice(-500)}`);
  return { seconds, memory };
}

/** Megabytes that the largest process below one has held so far, by what Linux says; 0 elsewhere. */
function largestProcess(root: number): number {
  const parents = new Map<number, number>();
  const held = new Map<number, number>();
  let pids: string[];
  try {
    pids = readdirSync('/proc').filter((name) => /^\d+$/.test(name));
  } catch {
    return 0;
  }
  for (const pid of pids)
    try {
      const status = readFileSync(`/proc/${pid}/status`, 'utf8');
      const value = (name: string) => Number(new RegExp(`^${name}:\\s*(\\d+)`, 'm').exec(status)?.[1] ?? 0);
      parents.set(Number(pid), value('PPid'));
      if (/^Name:\s*(node|MainThread)/m.test(status)) held.set(Number(pid), value('VmHWM') / 1024);
    } catch {
      // It ended meanwhile.
    }
  const isBelow = (pid: number): boolean => pid === root || (pid > 1 && isBelow(parents.get(pid) ?? 0));
  return Math.max(0, ...[...held].filter(([pid]) => isBelow(pid)).map(([, memory]) => memory));
}
