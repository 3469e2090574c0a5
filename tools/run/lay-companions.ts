import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { RunLine } from '#evidence';
import { copyProof } from '#proof';
import { findPreviousRun, PREVIOUS_FILE } from '#report';
import { suiteHash } from './suite-hash.ts';

/**
 * Lays into a run folder what its page is drawn with besides the journal: the proof of the checks, and the run before this one. Neither
 * depends on what the checks find.
 * @param baseline folder of the accepted run
 */
export async function layCompanions(folder: string, run: RunLine, baseline: string): Promise<void> {
  await copyProof(folder, suiteHash());
  const previous = findPreviousRun(folder, run, baseline);
  if (previous !== undefined) writeFileSync(join(folder, PREVIOUS_FILE), `${JSON.stringify(previous)}\n`);
}
