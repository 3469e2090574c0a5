import { readdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { type Baseline, readBaseline, verdictsOf } from './baseline.ts';
import { isComparableRun, readRunResult, readStoredFile } from './stored-file.ts';

/** Name of the file that holds the runs a page draws its trend from. */
export const HISTORY_FILE = 'history.json';

/** One other run, as far as a trend needs it. */
export type PastRun = Pick<Baseline, 'id' | 'startedAt' | 'verdict' | 'counts' | 'rules'>;

/** The content of history.json: other runs, the earliest first. */
export interface RunHistory {
  readonly format: 'assay.history/1';
  readonly runs: readonly PastRun[];
}

/**
 * Lays the runs of other folders beside a journal, for the trend on its page.
 * @param folder of the run whose page is drawn
 * @throws Trouble (incomplete) for a folder that holds no run
 */
export function writeHistory(folder: string, others: readonly string[]): RunHistory {
  const own = pastOf(folder).id;
  const runs = new Map(others.map(pastOf).map((past) => [past.id, past]));
  runs.delete(own);
  const history: RunHistory = {
    format: 'assay.history/1',
    runs: [...runs.values()].sort((a, b) => (a.startedAt < b.startedAt ? -1 : 1)),
  };
  writeFileSync(join(folder, HISTORY_FILE), `${JSON.stringify(history)}\n`);
  return history;
}

/** Finished run folders beside one, of the same target and selection. */
export function findSiblingRuns(folder: string): string[] {
  const own = readRunResult(folder);
  const parent = dirname(folder);
  return readdirSync(parent, { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => join(parent, name))
    .filter((path) => {
      const run = readRunResult(path);
      return run !== undefined && own !== undefined && run.id !== own.id && run.complete && isComparableRun(run, own);
    });
}

/**
 * The runs that were laid beside a journal.
 * @throws Trouble (usage) when the file is damaged
 */
export function readHistory(folder: string): RunHistory | undefined {
  return readStoredFile(join(folder, HISTORY_FILE), 'assay.history/1', { what: 'history', fix: 'remove the file' });
}

/** A run as a trend needs it, from its result where there is one, else from its journal. */
function pastOf(folder: string): PastRun {
  const run = readRunResult(folder);
  const { id, startedAt, verdict, counts, rules } =
    run === undefined ? readBaseline(folder) : { ...run, counts: run.counts.rules, rules: verdictsOf(run) };
  return { id, startedAt, verdict, counts, rules };
}
