import { createHash } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { acquireLock } from './worker-lock.ts';

/** A few numbers that all workers of a run share; in this process only when there is no folder for them. */
export interface SharedTally<T> {
  /** Reads, changes and writes them, nobody else in between. */
  update<R>(change: (now: T) => { next: T; result: R }): Promise<R>;
}

/**
 * Numbers under a name.
 * @param folder the run's folder for what its workers share; absent: a worker by itself
 */
export function openSharedTally<T>(folder: string | undefined, name: string, start: T): SharedTally<T> {
  if (folder === undefined) {
    let now = start;
    return {
      async update(change) {
        const { next, result } = change(now);
        now = next;
        return result;
      },
    };
  }
  const path = join(folder, `${createHash('sha256').update(name).digest('hex').slice(0, 16)}.json`);
  return {
    async update(change) {
      const free = await acquireLock(path, 5);
      try {
        const { next, result } = change(stored(path) ?? start);
        writeFileSync(path, JSON.stringify(next));
        return result;
      } finally {
        free();
      }
    },
  };
}

function stored<T>(path: string): T | undefined {
  try {
    return JSON.parse(readFileSync(path, 'utf8')) as T;
  } catch (error) {
    // Not there yet, or cut short by the end of the worker that wrote it.
    if (error instanceof SyntaxError || (error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}
