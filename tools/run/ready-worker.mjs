import childProcess from 'node:child_process';
import { fileURLToPath } from 'node:url';

const PROGRAM = fileURLToPath(new URL('./waiting-worker.mjs', import.meta.url));
/** The runner's program of a worker, and how it talks to one. */
const WORKER = /[\\/]playwright[\\/]lib[\\/]worker[\\/]workerProcessEntry\.js$/;
/** @type {['ignore', 'pipe', 'pipe', 'ipc']} */
const STDIO = ['ignore', 'pipe', 'pipe', 'ipc'];

/**
 * Starts the process of the first worker that the runner will start, in this process. What the runner starts otherwise, or a worker that
 * did not last, it starts itself.
 * @returns {(modules: readonly string[]) => void} has it load modules by their addresses, with the environment as it is by then
 */
export function readyWorker() {
  const { fork } = childProcess;
  const { DEBUG_COLORS = '1' } = process.env;
  const worker = fork(PROGRAM, ['workerProcessEntry'], {
    stdio: STDIO,
    env: { ...process.env, FORCE_COLOR: '1', DEBUG_COLORS },
  });
  let isFree = true;
  const leave = () => {
    isFree = false;
  };
  for (const event of ['error', 'exit', 'disconnect']) worker.on(event, leave);
  // Nobody waits for one that has nothing to do.
  const held = [worker, worker.channel, worker.stdout, worker.stderr];
  const hold = (/** @type {'ref' | 'unref'} */ how) => {
    for (const one of held) /** @type {any} */ (one)?.[how]();
  };
  hold('unref');
  process.once('exit', () => isFree && worker.kill('SIGKILL'));

  childProcess.fork = /** @type {typeof fork} */ (
    (/** @type {string} */ program, /** @type {childProcess.ForkOptions} */ options) => {
      if (!isFree || !WORKER.test(program) || String(options.stdio) !== String(STDIO)) return fork(program, options);
      leave();
      hold('ref');
      worker.send({ env: options.env, program });
      return worker;
    }
  );
  return (modules) => void (isFree && worker.send({ env: process.env, modules }));
}
