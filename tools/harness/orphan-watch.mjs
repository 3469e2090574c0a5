// A thread beside a worker's own: an answer may keep that one too busy to learn that nobody is left who started it.
import { workerData } from 'node:worker_threads';

const LOOK = 1000;
const { parent, patience } = workerData;

function isOrphan() {
  if (process.ppid !== parent) return true;
  try {
    return !process.kill(parent, 0);
  } catch (error) {
    return /** @type {NodeJS.ErrnoException} */ (error).code === 'ESRCH';
  }
}

let alone = 0;
setInterval(() => {
  alone = isOrphan() ? alone + LOOK : 0;
  if (alone > patience) process.kill(process.pid, 'SIGKILL');
}, LOOK);
