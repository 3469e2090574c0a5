import { VERDICTS } from '#evidence';
import type { JournalIndex } from './journal-index.ts';
import type { ReconciledSum, RuleResult, RunResult } from './types.ts';

const OUTCOMES = ['pass', 'fail', 'skipped', 'broken'] as const;

/** Counts everything the page counts, from the lines and the results alone. */
export function countEverything(
  shelf: JournalIndex,
  rules: readonly RuleResult[],
  retired: number,
  learned: number,
): RunResult['counts'] {
  const tally = <K extends string>(keys: readonly K[], values: readonly string[]) =>
    Object.fromEntries(keys.map((key) => [key, values.filter((value) => value === key).length])) as Record<K, number>;
  const { exchanges, checks, effects } = shelf;
  const skipped: Record<string, number> = {};
  for (const { verdict, reason } of rules) {
    if (verdict === 'skipped') skipped[reason!.code] = (skipped[reason!.code] ?? 0) + 1;
  }
  return {
    rules: {
      total: rules.length,
      ...tally(
        VERDICTS,
        rules.map(({ verdict }) => verdict),
      ),
      retired,
    },
    checks: {
      total: checks.length,
      ...tally(
        OUTCOMES,
        checks.map(({ outcome }) => outcome),
      ),
    },
    exchanges: {
      total: exchanges.length,
      ...tally(
        ['out', 'in', 'browser'],
        exchanges.map(({ direction }) => direction),
      ),
      unanswered: exchanges.filter(({ status }) => status === undefined).length,
      violating: exchanges.filter(({ violations }) => violations.length > 0).length,
    },
    skipped: Object.fromEntries(Object.entries(skipped).sort(([a], [b]) => (a < b ? -1 : 1))),
    holes: { total: shelf.run.register.holes.length, learned },
    effects: { total: effects.length, restored: effects.filter(({ restored }) => restored).length },
    redactions: exchanges.reduce((sum, { redactions }) => sum + redactions, 0),
  };
}

/** The sums that must come out before anything on the page may be believed. */
export function reconcileCounts(shelf: JournalIndex, counts: RunResult['counts']): ReconciledSum[] {
  const sum = (claim: string, total: number, parts: readonly (readonly [string, number])[]): ReconciledSum => ({
    claim,
    total,
    parts: parts.map(([label, count]) => ({ label, count })),
    holds: parts.reduce((all, [, count]) => all + count, 0) === total,
  });
  const { rules, checks, exchanges } = counts;
  const claimed = shelf.checks.reduce((all, check) => all + check.exchanges, 0);
  const known = new Set(shelf.checks.map(({ id }) => id));
  const orphans = shelf.exchanges.filter(({ check }) => !known.has(check)).length;
  return [
    sum('Rules of the register, each with one verdict', shelf.run.register.rules.length, [
      ...VERDICTS.map((verdict) => [verdict, rules[verdict]] as const),
      ['retired', rules.retired],
    ]),
    sum('Skipped rules, each with one reason', rules.skipped, Object.entries(counts.skipped)),
    sum(
      'Checks in the journal, each with one outcome',
      checks.total,
      OUTCOMES.map((outcome) => [outcome, checks[outcome]] as const),
    ),
    sum('Exchanges in the journal, by direction', exchanges.total, [
      ['sent by the suite', exchanges.out],
      ['received from the service', exchanges.in],
      ['made by a browser', exchanges.browser],
    ]),
    sum('Exchanges in the journal, by what the checks report', exchanges.total, [
      ['reported by checks', claimed],
      ['of no finished check', orphans],
    ]),
    ...(shelf.end
      ? [
          sum('Checks that the end line announces', shelf.end.counts.checks, [['found in the journal', checks.total]]),
          sum('Exchanges that the end line announces', shelf.end.counts.exchanges, [
            ['found in the journal', exchanges.total],
          ]),
        ]
      : []),
  ];
}
