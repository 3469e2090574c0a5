import type { Redactor } from '#evidence';
import { writeReport } from '#report';

/** Milliseconds until a run is long enough for somebody to look at it while it is under way. */
const FIRST = 2000;
/** How often the page of a run in progress is brought up to date at most, in milliseconds. */
const REFRESH = 60_000;
/** How many times as long as drawing it took the checks are left alone: they share the machine. */
const RESPITE = 20;

/**
 * Draws the page of a run in progress once that takes a while, and keeps it up to date.
 * @param over aborted when the checks have ended, and with them the need for it
 */
export function keepDraft(folder: string, redactor: Redactor, over: AbortSignal): void {
  if (over.aborted) return;
  let timer = setTimeout(draw, FIRST).unref();
  over.addEventListener('abort', () => clearTimeout(timer), { once: true });

  function draw(): void {
    const began = performance.now();
    try {
      writeReport(folder, { redactor, isDraft: true });
    } catch (error) {
      // Whatever stands in the way of it is said by the last one.
      console.error(`assay: no page for now: ${(error as Error).message}`);
    }
    timer = setTimeout(draw, Math.max(REFRESH, RESPITE * (performance.now() - began))).unref();
  }
}
