import { createHash } from 'node:crypto';
import { closeSync, constants, openSync, readFileSync, writeSync } from 'node:fs';
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
        const text = readText(path);
        const { next, result } = change(parse<T>(text) ?? start);
        writeOver(path, JSON.stringify(next).padEnd(text.length));
        return result;
      } finally {
        free();
      }
    },
  };
}

/** Empty when it is not there yet. */
function readText(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return '';
    throw error;
  }
}

/** Undefined for what is no JSON: nothing yet, or cut short by the end of the worker that wrote it. */
function parse<T>(text: string): T | undefined {
  try {
    return JSON.parse(text) as T;
  } catch {
    return undefined;
  }
}

/** Writes a text of ASCII that is at least as long as what is there: a file that is emptied first goes to the disk before one may go on. */
function writeOver(path: string, text: string): void {
  const file = openSync(path, constants.O_WRONLY | constants.O_CREAT);
  try {
    writeSync(file, text);
  } finally {
    closeSync(file);
  }
}
