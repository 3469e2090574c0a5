import { readdirSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { readWorkerTask, stalledTaskFile } from './worker-pulse.ts';

const LOOK = 1000;
/** Seconds without progress after which a worker is ended. */
export const WORKER_PATIENCE = 90;

/**
 * Ends every worker that makes no progress: an answer may keep it busy for ever, and then no time limit inside of it can fire. Playwright
 * goes on with another one.
 * @param folder where the workers show their pulse
 * @param patience in seconds of this process's own looking, so that a machine that slept does not count
 * @returns ends the watch
 */
export function watchWorkers(folder: string, patience = WORKER_PATIENCE): () => void {
  const looks = new Map<number, { touched: number; unchanged: number }>();
  const timer = setInterval(() => {
    for (const [pid, touched] of pulses(folder)) {
      const last = looks.get(pid);
      const unchanged = last?.touched === touched ? last.unchanged + 1 : 0;
      looks.set(pid, { touched, unchanged });
      if ((unchanged * LOOK) / 1000 < patience) continue;
      looks.delete(pid);
      end(folder, pid, patience);
    }
  }, LOOK);
  return () => clearInterval(timer);
}

function end(folder: string, pid: number, patience: number): void {
  const task = readWorkerTask(folder, pid);
  const text = `no progress for ${patience} s at ${task?.text ?? 'its start'}; its worker was ended`;
  if (task !== undefined) writeFileSync(stalledTaskFile(folder, task.check), JSON.stringify({ ...task, text }));
  try {
    process.kill(pid, 'SIGKILL');
    console.error(`assay: check ${task?.check ?? 'unknown'}: ${text}`);
  } catch {
    // It has ended meanwhile.
  }
}

/** When each worker last showed that it gets along. */
function pulses(folder: string): (readonly [number, number])[] {
  return readdirSync(folder).flatMap((name) => {
    const pid = /^pulse-(\d+)$/.exec(name)?.[1];
    try {
      return pid === undefined ? [] : [[Number(pid), statSync(join(folder, name)).mtimeMs] as const];
    } catch {
      return [];
    }
  });
}
