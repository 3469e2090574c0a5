import { type Baseline, isUnselected } from './baseline.ts';
import type { ObservedChange, RunComparison } from './types.ts';

const RANK: Readonly<Record<string, number>> = {
  pass: 0,
  waived: 1,
  warn: 2,
  unseen: 2,
  skipped: 2,
  broken: 3,
  fail: 4,
};
/** Below this many answers, or this many milliseconds of difference, a band says nothing. */
const FEWEST = 5;
const LEAST = 20;

/** Compares two runs, the earlier one first. Rules that one of them was told to leave out are left out. */
export function compareRuns(a: Baseline, b: Baseline): RunComparison {
  return {
    from: a.id,
    to: b.id,
    sameSpecs:
      JSON.stringify(a.specs.map(({ sha256 }) => sha256)) === JSON.stringify(b.specs.map(({ sha256 }) => sha256)),
    verdicts: verdicts(a, b),
    drift: changes(a, b, 'holes', false),
    shapes: changes(a, b, 'shapes', true),
    timing: timing(a, b),
  };
}

/** What changed, in one sentence. */
export function summariseComparison({ verdicts, drift, shapes, timing }: RunComparison): string {
  const worse = verdicts.filter((one) => one.worse).length;
  const several = (count: number, one: string) => `${count} ${one}${count === 1 ? '' : 's'}`;
  return `${several(worse, 'verdict')} worse, ${verdicts.length - worse} better or new, drift in ${several(drift.length, 'hole')}, ${several(shapes.length, 'changed shape')}, ${several(timing.length, 'changed timing')}.`;
}

function verdicts(a: Baseline, b: Baseline): RunComparison['verdicts'] {
  return union(a.rules, b.rules).flatMap((rule) => {
    const from = a.rules[rule] ?? 'not there';
    const to = b.rules[rule] ?? 'not there';
    if (from === to || isUnselected(from) || isUnselected(to)) return [];
    const rank = (verdict: string) => RANK[verdict.split(':')[0]!] ?? RANK.skipped!;
    return [{ rule, from, to, worse: rank(to) > rank(from) }];
  });
}

function changes(from: Baseline, to: Baseline, part: 'holes' | 'shapes', both: boolean): ObservedChange[] {
  const [a, b] = [from[part], to[part]];
  return union(a, b).flatMap((where) => {
    // An operation that was not called, or a hole nobody looked into, says nothing.
    if (both && (a[where] === undefined || b[where] === undefined)) return [];
    const before = new Set(a[where]);
    const after = new Set(b[where]);
    // A run that was limited to some rules sees less, which says nothing.
    const appeared = isLimited(from) ? [] : [...after].filter((one) => !before.has(one));
    const vanished = isLimited(to) ? [] : [...before].filter((one) => !after.has(one));
    return appeared.length + vanished.length === 0 ? [] : [{ where, appeared, vanished }];
  });
}

function isLimited({ rules }: Baseline): boolean {
  return Object.values(rules).some(isUnselected);
}

function timing(a: Baseline, b: Baseline): RunComparison['timing'] {
  return union(a.timing, b.timing).flatMap((operation) => {
    const from = a.timing[operation];
    const to = b.timing[operation];
    if (!from || !to || Math.min(from.count, to.count) < FEWEST || Math.abs(to.median - from.median) < LEAST) return [];
    const slower = to.median >= 2 * from.median;
    if (!slower && from.median < 2 * to.median) return [];
    return [{ operation, from: [from.median, from.p90] as const, to: [to.median, to.p90] as const, slower }];
  });
}

function union(a: object, b: object): string[] {
  return [...new Set([...Object.keys(a), ...Object.keys(b)])].sort();
}
