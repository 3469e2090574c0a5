import { type ChildProcess, spawn } from 'node:child_process';
import type { Socket } from 'node:net';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { CACHE_FOLDER, ownFolder, SUITE_FOLDER } from '#folders';
import { LEASH, type RunnerOrders } from './process-group.ts';

const PROGRAM = fileURLToPath(new URL('./waiting-runner.mjs', import.meta.url));

/** A process of the runner that has been started and not been told yet what to run; it holds up nobody's end. */
export class WaitingRunner {
  readonly #child: ChildProcess;
  #isFree = true;

  constructor() {
    this.#child = spawn(process.execPath, [PROGRAM], {
      cwd: SUITE_FOLDER,
      stdio: ['pipe', 'inherit', 'inherit', 'pipe'],
      env: { ...process.env, ASSAY_LEASH: String(LEASH), ASSAY_CODE: join(CACHE_FOLDER, 'code') },
      detached: process.platform !== 'win32',
    });
    // One that could not be started or did not last is replaced by another; who waits for that one hears why.
    for (const event of ['error', 'exit']) this.#child.once(event, () => this.#leave());
    this.#child.stdin?.on('error', () => {});
    this.#hold('unref');
  }

  get pid(): number | undefined {
    return this.#child.pid;
  }

  /** Has it run; undefined when it cannot. */
  begin(orders: RunnerOrders): ChildProcess | undefined {
    if (!this.#isFree) return undefined;
    this.#leave();
    this.#hold('ref');
    this.#child.stdin?.end(JSON.stringify(orders));
    return this.#child;
  }

  /** Ends it if it was not told to run anything, with its worker: who reads what this process says would wait for them. */
  dismiss(): void {
    const { pid } = this.#child;
    if (this.#isFree && pid !== undefined) endGroup(pid);
    this.#leave();
  }

  #leave(): void {
    this.#isFree = false;
  }

  #hold(how: 'ref' | 'unref'): void {
    for (const one of [this.#child, ...this.#child.stdio]) (one as ChildProcess | Socket | null)?.[how]();
  }
}

/** Kills what it starts itself along with a process where there are groups, else as soon as that finds nobody to talk to. */
function endGroup(leader: number): void {
  try {
    process.kill(process.platform === 'win32' ? leader : -leader, 'SIGKILL');
  } catch {
    // It has ended by itself.
  }
}

/** Starts the runner's process before it is known what to run; undefined where own checks need it to be started in their own way. */
export function readyRunner(): WaitingRunner | undefined {
  return ownFolder('checks') === undefined ? new WaitingRunner() : undefined;
}
