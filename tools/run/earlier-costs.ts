import { closeSync, existsSync, openSync, readdirSync, readSync } from 'node:fs';
import { join } from 'node:path';
import { JOURNAL, JournalFile, type Line } from '#evidence';
import type { CheckCost } from '#harness';

/** Earlier runs that are looked at, and how much of each to see which target it was of. */
const RUNS = 30;
const HEAD = 4096;

/**
 * What each check cost in the last run of a target, else in the last run that was kept of any.
 * @param reports folder that runs lie below
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
  return folder === undefined ? {} : costsOf(new JournalFile(folder), own !== undefined);
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
