import { type FSWatcher, watch } from 'node:fs';
import { join } from 'node:path';
import { JOURNAL } from '#evidence';

/** Milliseconds after which nobody waits for a record any more: it takes its time, or this disk tells nobody of it. */
const LATEST = 5000;

/**
 * Resolves when the first check of a run has recorded something: before, runner and worker need the machine to begin.
 * @param over aborted when the checks have ended
 */
export function awaitFirstRecord(folder: string, over: AbortSignal): Promise<void> {
  return new Promise((done) => {
    const watcher = watchFile(join(folder, JOURNAL), end);
    const timer = setTimeout(end, LATEST);
    over.addEventListener('abort', end, { once: true });
    if (over.aborted) end();

    function end(): void {
      watcher?.close();
      clearTimeout(timer);
      done();
    }
  });
}

/** Undefined where the machine has no watches left. */
function watchFile(path: string, onChange: () => void): FSWatcher | undefined {
  try {
    return watch(path, onChange).once('error', onChange);
  } catch {
    return undefined;
  }
}
