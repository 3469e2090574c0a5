import { closeSync, existsSync, openSync, readdirSync, readSync } from 'node:fs';
import { join } from 'node:path';
import { JOURNAL, JournalFile, type Line } from '#evidence';
import { SUITE_FOLDER } from '#folders';
import type { CheckCost } from '#harness';
import { BASELINE_FILE, readBaseline } from '#report';

/** Earlier runs that are looked at, and how much of each to see which target it was of. */
const RUNS = 30;
const HEAD = 4096;

/**
 * What each check cost in the last run of a target, else in the last run that was kept of any, else in the run that was accepted.
 * @param reports folder that runs and the baseline lie below
 * @param target its name
 * @returns by id of the check; of another target the requests alone, and nothing of checks that were skipped there
 */
export function readEarlierCosts(reports: string, target: string): Readonly<Record<string, CheckCost>> {
  const folders = (existsSync(reports) ? readdirSync(reports) : [])
    .filter((name) => /^\d{8}-\d{6}-\w+$/.test(name))
    .sort()
    .reverse()
    .slice(0, RUNS)
    .map((name) => join(reports, name));
  const own = folders.find((folder) => nameOfTarget(folder) === target);
  const [any = undefined] = folders.filter((folder) => nameOfTarget(folder) !== undefined);
  const folder = own ?? any;
  return {
    ...readAcceptedCosts(reports),
    ...(folder === undefined ? {} : costsOf(new JournalFile(folder), own !== undefined)),
  };
}

/** What each check cost in the run that was accepted, else in the one that came with the suite: the requests alone. */
function readAcceptedCosts(reports: string): Readonly<Record<string, CheckCost>> {
  const folder = [reports, join(SUITE_FOLDER, 'reports')]
    .map((one) => join(one, 'baseline'))
    .find((one) => existsSync(join(one, BASELINE_FILE)));
  try {
    const exchanges = folder === undefined ? {} : (readBaseline(folder).exchanges ?? {});
    return Object.fromEntries(Object.entries(exchanges).map(([id, requests]) => [id, { requests }]));
  } catch {
    // What compares with it says that it is damaged; a plan does without.
    return {};
  }
}

/** @param isSame whether the journal is of the very target: then times and skipped checks tell of it, too */
export function costsOf(lines: Iterable<Line>, isSame: boolean): Readonly<Record<string, CheckCost>> {
  const costs: Record<string, CheckCost> = {};
  for (const line of lines) {
    if (line.kind !== 'check' || line.lie !== undefined || isUnended(line.reason?.code)) continue;
    if (isSame) costs[line.id] = { requests: line.exchanges, seconds: line.duration / 1000 };
    else if (line.outcome !== 'skipped' && line.exchanges > 0) costs[line.id] = { requests: line.exchanges };
  }
  return costs;
}

/** Whether a check with this reason ended before it was done, or never began. */
export function isUnended(code: string | undefined): boolean {
  return code === 'interrupted' || code === 'time';
}

/** The target that a run was of, by the beginning of its journal. */
function nameOfTarget(folder: string): string | undefined {
  const path = join(folder, JOURNAL);
  if (!existsSync(path)) return undefined;
  const file = openSync(path, 'r');
  try {
    const bytes = Buffer.alloc(HEAD);
    const text = bytes.toString('utf8', 0, readSync(file, bytes, 0, HEAD, 0));
    const name = /"target":\{"name":("(?:[^"\\]|\\.)*")/.exec(text)?.[1];
    return name === undefined ? undefined : (JSON.parse(name) as string);
  } finally {
    closeSync(file);
  }
}
