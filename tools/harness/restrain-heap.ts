import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

/** Per cent of what lives by which the heap grows until it is tidied up: at first, and in a run that takes long. */
const GROWTH = 50;
const LATER_GROWTH = 20;
/** Milliseconds after which what loading left behind is in the way, and after which a run takes long. */
const LOADED = 1500;
const LONG = 60_000;

/**
 * Has this process tidy up once its heap is half as large again as what lives in it. On a machine with much memory V8 lets garbage grow to
 * several times that: a worker in which 90 MB live held 470. What loading left behind, which is as much as what lives then, would be tidied up
 * late; in the run of one rule it is nobody's affair. In a proof more and more lives in a worker, so its heap is held shorter.
 */
export function restrainHeap(): void {
  limitGrowth(GROWTH);
  setTimeout(collectGarbage, LOADED).unref();
  setTimeout(limitGrowth, LONG, LATER_GROWTH).unref();
}

function limitGrowth(percent: number): void {
  setFlagsFromString(`--heap-growing-percent=${percent}`);
}

function collectGarbage(): void {
  setFlagsFromString('--expose-gc');
  (runInNewContext('gc') as () => void)();
}
