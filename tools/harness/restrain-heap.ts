import { setFlagsFromString } from 'node:v8';

/** Per cent of what lives by which the heap grows until it is tidied up. */
const GROWTH = 50;

/**
 * Has this process tidy up once its heap is half as large again as what lives in it. On a machine with much memory V8 lets garbage grow to
 * several times that: a worker in which 90 MB live held 470.
 */
export function restrainHeap(): void {
  setFlagsFromString(`--heap-growing-percent=${GROWTH}`);
}
