import { type ChildProcess, spawn } from 'node:child_process';
import { setTimeout as wait } from 'node:timers/promises';
import { Trouble } from '#trouble';

/** Milliseconds in which a program that was asked to end has to; then its whole group is killed. */
const PATIENCE = 15_000;
/** Milliseconds for what it started to end after it. */
const STRAGGLERS = 5_000;
/** Descriptor that closes in the program when this process is no more, however it ended. */
export const LEASH = 3;

/** What a process is told that waits for it. */
export interface RunnerOrders {
  /** The runner's program and its arguments. */
  readonly arguments: readonly string[];
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Addresses of what its workers load before they know what to check. */
  readonly modules: readonly string[];
}

/** What a worker is told that waits: first what to load, then what to become. */
export interface WorkerOrders {
  readonly env: Readonly<Record<string, string>>;
  readonly modules?: readonly string[];
  /** Path of the worker's program. */
  readonly program?: string;
}

/** A program and what it is given. */
export interface GroupProgram {
  readonly arguments: readonly string[];
  readonly folder: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly quiet: boolean;
  /** Addresses of what a worker that waits loads before it knows what to check. */
  readonly modules?: readonly string[] | undefined;
  /** A process that is told to be the program; absent, or where it cannot: one is started. Not for a quiet program. */
  readonly waiting?: { begin(orders: RunnerOrders): ChildProcess | undefined } | undefined;
}

/** A started program with everything it starts itself. */
export interface ProcessGroup {
  /** Resolves when the last process of the group has ended, so that nothing is written after it. */
  readonly ended: Promise<void>;
  /** Asks the program to end; asked again, or when it does not, the group is killed. */
  stop(): void;
  /** Kills the group at once. */
  kill(): void;
}

/**
 * Starts Node with a group of processes of its own. SIGINT, SIGTERM and SIGHUP to this process are passed on as a request to end; when this
 * process is shot, the program learns it from its leash.
 * @throws Trouble (incomplete), as the rejection of `ended`, when it cannot be started
 */
export function startProcessGroup(group: GroupProgram): ProcessGroup {
  const { arguments: args, folder, env, quiet, modules = [], waiting } = group;
  const grouped = process.platform !== 'win32';
  let child: ChildProcess | undefined;
  let deadline: NodeJS.Timeout | undefined;
  const kill = () => signal(grouped ? -child!.pid! : child!.pid!, 'SIGKILL');
  const stop = () => {
    if (child?.pid === undefined) return;
    if (deadline !== undefined) return void kill();
    deadline = setTimeout(kill, PATIENCE);
    child.kill('SIGINT');
  };
  const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;
  // In force before there is a child: a signal that ended this process alone would leave the checks running.
  for (const name of signals) process.on(name, stop);
  child =
    waiting?.begin({ arguments: args, env, modules }) ??
    spawn(process.execPath, args, {
      cwd: folder,
      stdio: ['ignore', quiet ? 'ignore' : 'inherit', 'inherit', 'pipe'],
      env: { ...env, ASSAY_LEASH: String(LEASH) },
      detached: grouped,
    });
  const ended = (async () => {
    try {
      await new Promise<void>((done, fail) => {
        child.once('close', () => done());
        child.once('error', (error) =>
          fail(
            new Trouble('incomplete', 'the checks could not be started', {
              reason: error.message,
              fix: 'see that this machine has processes, memory and open files left (ulimit -a)',
            }),
          ),
        );
      });
      if (grouped) await outlive(child.pid!);
    } finally {
      clearTimeout(deadline);
      for (const name of signals) process.off(name, stop);
    }
  })();
  return { ended, stop, kill };
}

/** Waits for the rest of a group, and kills it when it stays. */
async function outlive(leader: number): Promise<void> {
  for (let waited = 0; waited < STRAGGLERS; waited += 50) {
    if (!signal(-leader, 0)) return;
    await wait(50);
  }
  signal(-leader, 'SIGKILL');
  // What was killed writes no more; it may still be listed where nobody collects the dead.
  for (let waited = 0; waited < 1000 && signal(-leader, 0); waited += 50) await wait(50);
}

/** @returns whether there was anybody to receive it */
function signal(pid: number, name: NodeJS.Signals | 0): boolean {
  try {
    return process.kill(pid, name);
  } catch {
    return false;
  }
}
