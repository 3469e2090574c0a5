import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { RunLine } from '#evidence';
import { REPORTS_FOLDER } from '#folders';
import { findPreviousRun, PREVIOUS_FILE } from '#report';

/** Lays the run before beside this one, so that its page says what changed since. */
export function layPrevious(folder: string, run: RunLine): void {
  const previous = findPreviousRun(folder, run, join(REPORTS_FOLDER, 'baseline'));
  if (previous !== undefined) writeFileSync(join(folder, PREVIOUS_FILE), `${JSON.stringify(previous)}\n`);
}
