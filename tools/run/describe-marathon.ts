import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { RunShard } from '#evidence';
import { listFilesBelow, REPORTS_FOLDER, SUITE_FOLDER } from '#folders';

/** How long a marathon may take, on what. */
export interface MarathonTime {
  /** Seconds that the checks may take; absent: as long as they do. */
  readonly within: number | undefined;
  readonly workers: string | undefined;
  readonly shard: RunShard | undefined;
}

/** Where the marathon keeps how far each property came, and its interesting cases: files that runs add to. */
export const MARATHON_FOLDER = join(REPORTS_FOLDER, 'marathon');

/** What of the time is for drawn cases; the rest is for all other checks and for what a worker has to wait. */
const SHARE = 0.7;

/**
 * Tells the workers of a marathon: cases of each property, the folder of its files, and how long one property may take.
 * @param runs cases of each property, over all runs with one seed
 * @returns environment of the workers
 */
export function describeMarathon(runs: number, { within, workers = '2', shard }: MarathonTime): Record<string, string> {
  const slice =
    within === undefined ? {} : { ASSAY_SLICE: String(sliceOf(within * 1000 * Number(workers) * (shard?.of ?? 1))) };
  return { ASSAY_RUNS: String(runs), ASSAY_MARATHON: MARATHON_FOLDER, ...slice };
}

/** The time of all workers of all machines, divided among all places of the checks where cases are drawn. */
function sliceOf(milliseconds: number): number {
  const drawn = listFilesBelow('tests')
    .filter((path) => /\.spec\.[jt]s$/.test(path))
    .map((path) => readFileSync(join(SUITE_FOLDER, path), 'utf8'))
    .flatMap((text) => text.match(/\b(?:declareLaw|assertProperty|goThroughSequences)\(/g) ?? []);
  return Math.round((milliseconds * SHARE) / Math.max(1, drawn.length));
}
