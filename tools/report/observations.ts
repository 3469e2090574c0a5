import type { JournalIndex } from './journal-index.ts';
import type { HoleResult, OperationCoverage, RunResult } from './types.ts';

/** Counts the statuses that every operation of the register was seen with; an operation nobody called has none. */
export function countCoverage(shelf: JournalIndex): OperationCoverage[] {
  const seen = new Map<string, { statuses: Record<string, number>; unanswered: number }>();
  for (const { direction, operation, status } of shelf.exchanges) {
    if (direction === 'in' || operation === undefined) continue;
    const entry = seen.get(operation) ?? { statuses: {}, unanswered: 0 };
    seen.set(operation, entry);
    if (status === undefined) entry.unanswered += 1;
    else entry.statuses[status] = (entry.statuses[status] ?? 0) + 1;
  }
  return shelf.run.register.operations.map(({ id, api, method, path, answers }) => ({
    operation: id,
    api,
    method,
    path,
    documented: [...answers].sort((a, b) => a - b),
    seen: seen.get(id)?.statuses ?? {},
    unanswered: seen.get(id)?.unanswered ?? 0,
  }));
}

/** Sights of one hole that a result holds, and changes of state: ten times what any whole run saw. */
const MOST_SIGHTS = 200;
const MOST_TRANSITIONS = 500;

/**
 * Joins every hole with what was seen in it, the same sight once with its count and first exchange; the last of many says how many more
 * there were.
 */
export function collectHoles(shelf: JournalIndex): HoleResult[] {
  const byHole = new Map<string, Map<string, { where: string; what: string; times: number; exchange: string }>>();
  for (const { hole, where, what, exchange } of shelf.learned) {
    const sights = byHole.get(hole) ?? new Map();
    byHole.set(hole, sights);
    const key = JSON.stringify([where, what]);
    const sight = sights.get(key);
    if (sight) sight.times += 1;
    else sights.set(key, { where, what, times: 1, exchange });
  }
  const order = (a: { where: string; what: string }, b: { where: string; what: string }) =>
    a.where < b.where ? -1 : a.where > b.where ? 1 : a.what < b.what ? -1 : a.what > b.what ? 1 : 0;
  return shelf.run.register.holes.map(({ id, api, unknown, at }) => ({
    id,
    api,
    unknown,
    at,
    learned: firstSights([...(byHole.get(id)?.values() ?? [])].sort(order)),
  }));
}

function firstSights(sights: HoleResult['learned']): HoleResult['learned'] {
  const [next, ...rest] = sights.slice(MOST_SIGHTS);
  if (next === undefined) return sights;
  const times = rest.reduce((sum, one) => sum + one.times, next.times);
  const more = { where: 'and', what: `${rest.length + 1} more`, times, exchange: next.exchange };
  return [...sights.slice(0, MOST_SIGHTS), more];
}

/** Joins equal state changes, with how often each was seen and the first exchange that shows it, up to five hundred. */
export function collectTransitions(shelf: JournalIndex): RunResult['transitions'] {
  const joined = new Map<string, { from: string; to: string; via: string; times: number; exchange: string }>();
  for (const { from, to, via, exchange } of shelf.transitions) {
    const key = JSON.stringify([from, to, via]);
    const one = joined.get(key);
    if (one) one.times += 1;
    else joined.set(key, { from, to, via, times: 1, exchange });
  }
  const sorted = [...joined].sort(([a], [b]) => (a < b ? -1 : 1));
  return sorted.slice(0, MOST_TRANSITIONS).map(([, one]) => one);
}
