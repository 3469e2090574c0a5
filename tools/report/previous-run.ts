import { existsSync, readdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { BASELINE_FILE, type Baseline, readBaseline } from './baseline.ts';
import { type RunHead, readRunHead } from './run-head.ts';
import { isComparableRun, isSameTarget, readStoredFile } from './stored-file.ts';
import type { RunResult } from './types.ts';

/** Name of the file that holds what a run is compared with on its page. */
export const PREVIOUS_FILE = 'previous.json';

/** What must be known of a run in order to find the one before. */
type Later = Pick<RunResult, 'id' | 'startedAt' | 'target' | 'selection'>;

/**
 * The run that a run is best compared with: the last one before it, finished and honest, of the same target and selection, in a
 * folder beside its own; else the accepted baseline, when it is of that target.
 * @param folder of the run
 * @param baseline folder of the accepted baseline
 */
export function findPreviousRun(folder: string, run: Later, baseline: string): Baseline | undefined {
  const parent = dirname(folder);
  const found = readdirSync(parent, { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => join(parent, name))
    .flatMap((path) => ({ path, past: readRunHead(path) }))
    .filter(({ past }) => past !== undefined && isBefore(past, run))
    .sort((a, b) => (a.past!.startedAt < b.past!.startedAt ? 1 : -1));
  for (const { path } of found) {
    try {
      return readBaseline(path);
    } catch {
      // Its journal is gone or damaged; the one before it may do.
    }
  }
  if (!existsSync(join(baseline, BASELINE_FILE))) return undefined;
  const accepted = readBaseline(baseline);
  return accepted.id !== run.id && isSameTarget(accepted.target, run.target) ? accepted : undefined;
}

/**
 * What was laid beside a journal to compare it with.
 * @throws Trouble (usage) when it is damaged
 */
export function readPreviousRun(folder: string): Baseline | undefined {
  return readStoredFile(join(folder, PREVIOUS_FILE), 'assay.baseline/1', {
    what: 'previous run',
    fix: 'remove the file',
  });
}

function isBefore(past: RunHead, run: Later): boolean {
  return (
    past.id !== run.id &&
    past.complete &&
    past.lie === undefined &&
    past.startedAt < run.startedAt &&
    isComparableRun(past, run)
  );
}
