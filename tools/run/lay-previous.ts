import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { RunLine } from '#evidence';
import { findPreviousRun, PREVIOUS_FILE } from '#report';

/** Lays the run before beside this one, so that its page says what changed since. @param baseline folder of the accepted run */
export function layPrevious(folder: string, run: RunLine, baseline: string): void {
  const previous = findPreviousRun(folder, run, baseline);
  if (previous !== undefined) writeFileSync(join(folder, PREVIOUS_FILE), `${JSON.stringify(previous)}\n`);
}
