import { Worker } from 'node:worker_threads';

/** Milliseconds for a worker to end by itself after the process that started it. */
const PATIENCE = 5000;

/**
 * Ends this worker when the process that started it is gone, however that ended, and although this worker may be too busy to see it.
 * @returns ends the watch
 */
export function endWithParent(patience = PATIENCE): () => void {
  const thread = new Worker(new URL('./orphan-watch.mjs', import.meta.url), {
    workerData: { parent: process.ppid, patience },
    execArgv: [],
    stdout: false,
  });
  thread.unref();
  return () => void thread.terminate();
}
