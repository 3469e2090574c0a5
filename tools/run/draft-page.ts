import type { Redactor } from '#evidence';
import { writeReport } from '#report';

/** How often the page of a run in progress is brought up to date at most, in milliseconds. */
const REFRESH = 60_000;
/** How many times as long as drawing it took the checks are left alone: they share the machine. */
const RESPITE = 20;

/**
 * Draws the page of a run in progress and keeps it up to date.
 * @param over aborted when the checks have ended, and with them the need for it
 * @throws Trouble (incomplete) when a secret would be in the first one: then nothing of the run is kept
 */
export function keepDraft(folder: string, redactor: Redactor, over: AbortSignal): void {
  if (over.aborted) return;
  writeReport(folder, { redactor, ownsFolder: true, isDraft: true });
  let timer: NodeJS.Timeout;
  const wait = (took: number) => {
    timer = setTimeout(draw, Math.max(REFRESH, RESPITE * took)).unref();
  };
  const draw = () => {
    const began = performance.now();
    try {
      writeReport(folder, { redactor, isDraft: true });
    } catch (error) {
      // Whatever stands in the way of it is said by the last one.
      console.error(`assay: no page for now: ${(error as Error).message}`);
    }
    wait(performance.now() - began);
  };
  wait(0);
  over.addEventListener('abort', () => clearTimeout(timer), { once: true });
}
