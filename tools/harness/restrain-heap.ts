import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

/** Per cent of what lives by which the heap grows until it is tidied up. */
const GROWTH = 50;
/** Milliseconds after which a worker is one of a long run. */
const LONG_RUN = 1500;

/**
 * Has this process tidy up once its heap is half as large again as what lives in it. On a machine with much memory V8 lets garbage grow to
 * several times that: a worker in which 90 MB live held 470. What loading left behind, which is as much as what lives then, would be tidied up
 * late; in a short run it is nobody's affair.
 */
export function restrainHeap(): void {
  setFlagsFromString(`--heap-growing-percent=${GROWTH}`);
  setTimeout(collectGarbage, LONG_RUN).unref();
}

function collectGarbage(): void {
  setFlagsFromString('--expose-gc');
  (runInNewContext('gc') as () => void)();
}
