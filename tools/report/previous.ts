import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { Trouble } from '#trouble';
import { BASELINE, type Baseline, readBaseline } from './baseline.ts';
import type { Run } from './types.ts';

/** Name of the file that holds what a run is compared with on its page. */
export const PREVIOUS = 'previous.json';

/** What must be known of a run in order to find the one before. */
type Later = Pick<Run, 'id' | 'startedAt' | 'target' | 'selection'>;

/**
 * The run that a run is best compared with: the last one before it, finished and honest, of the same target and selection, in a
 * folder beside its own; else the accepted baseline, when it is of that target.
 * @param folder of the run
 * @param baseline folder of the accepted baseline
 */
export function previousOf(folder: string, run: Later, baseline: string): Baseline | undefined {
  const before = dirname(folder);
  const names = readdirSync(before, { withFileTypes: true })
    .filter((entry) => entry.isDirectory() && existsSync(join(before, entry.name, 'run.json')))
    .map(({ name }) => name);
  const found = names
    .flatMap((name) => ({ name, past: read(join(before, name, 'run.json')) }))
    .filter(({ past }) => past !== undefined && isBefore(past, run))
    .sort((a, b) => (a.past!.startedAt < b.past!.startedAt ? 1 : -1));
  for (const { name } of found) {
    try {
      return readBaseline(join(before, name));
    } catch {
      // Its journal is gone or damaged; the one before it may do.
    }
  }
  if (!existsSync(join(baseline, BASELINE))) return undefined;
  const accepted = readBaseline(baseline);
  return accepted.id !== run.id && sameTarget(accepted.target, run.target) ? accepted : undefined;
}

/**
 * What was laid beside a journal to compare it with.
 * @throws Trouble (usage) when it is damaged
 */
export function readPrevious(folder: string): Baseline | undefined {
  const file = join(folder, PREVIOUS);
  if (!existsSync(file)) return undefined;
  try {
    const found = JSON.parse(readFileSync(file, 'utf8')) as Baseline;
    if (found.format === 'assay.baseline/1') return found;
  } catch {
    // Said below, with the place.
  }
  throw new Trouble('usage', 'the previous run is damaged', { place: { file }, fix: 'remove the file' });
}

function isBefore(past: Run, run: Later): boolean {
  return (
    past.id !== run.id &&
    past.complete &&
    past.lie === undefined &&
    past.selection === run.selection &&
    past.startedAt < run.startedAt &&
    sameTarget(past.target, run.target)
  );
}

function sameTarget(a: Baseline['target'], b: Baseline['target']): boolean {
  return a.name === b.name && a.kind === b.kind;
}

function read(file: string): Run | undefined {
  try {
    const run = JSON.parse(readFileSync(file, 'utf8')) as Run;
    return run.format === 'assay.run/1' ? run : undefined;
  } catch {
    return undefined;
  }
}
