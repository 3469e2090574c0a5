import type { CheckLine } from '#evidence';
import type { ExchangeHead, JournalIndex } from './journal-index.ts';

/** What holding recorded outcomes against recorded exchanges came to. */
export interface RecomputedOutcomes {
  readonly checks: number;
  /** Outcomes that the exchanges settle by themselves: a finding that is a violation on record, a service that never answered. */
  readonly settled: number;
  /** Outcomes that the exchanges cannot have. */
  readonly findings: readonly string[];
}

/**
 * Recomputes what became of each check as far as its exchanges allow. What a check compared by itself is not on record; there only what
 * contradicts the exchanges is found.
 */
export function recomputeOutcomes({ checks, byCheck }: Pick<JournalIndex, 'checks' | 'byCheck'>): RecomputedOutcomes {
  const findings: string[] = [];
  let settled = 0;
  for (const check of checks) {
    const exchanges = byCheck.get(check.id) ?? [];
    const wrong = contradiction(check, exchanges);
    if (wrong !== undefined) findings.push(`check ${check.id} is recorded as ${check.outcome}, and ${wrong}`);
    else if (isSettled(check, exchanges)) settled += 1;
  }
  return { checks: checks.length, settled, findings };
}

function contradiction(check: CheckLine, exchanges: readonly ExchangeHead[]): string | undefined {
  const { outcome, failures, reason } = check;
  const violated = claimedViolations(check, exchanges)[0];
  const known = new Set(exchanges.map(({ id }) => id));
  const stray = failures.find(({ exchange }) => exchange !== undefined && !known.has(exchange));
  if (outcome === 'pass' && violated !== undefined) return `exchange ${violated.exchange} breaks ${violated.rule}`;
  if (outcome === 'pass' && failures.length > 0) return 'it names failures';
  if (outcome === 'pass' && isUnanswered(exchanges)) return 'none of its exchanges was answered';
  if (outcome === 'fail' && failures.length === 0) return 'it names no failure';
  if (stray !== undefined) return `names exchange ${stray.exchange}, which is not its own`;
  if ((outcome === 'skipped' || outcome === 'broken') && reason === undefined) return 'it names no reason';
  return undefined;
}

function isSettled(check: CheckLine, exchanges: readonly ExchangeHead[]): boolean {
  if (check.outcome === 'fail') return claimedViolations(check, exchanges).length > 0;
  return check.outcome === 'broken' && check.reason?.code === 'unreachable' && isUnanswered(exchanges);
}

function claimedViolations({ rules }: CheckLine, exchanges: readonly ExchangeHead[]) {
  return exchanges.flatMap(({ id, violations }) =>
    violations.filter(({ rule }) => rules.includes(rule)).map(({ rule }) => ({ rule, exchange: id })),
  );
}

/** Whether the service was called and never answered. */
function isUnanswered(exchanges: readonly ExchangeHead[]): boolean {
  const calls = exchanges.filter(({ direction }) => direction === 'out');
  return calls.length > 0 && calls.every(({ status }) => status === undefined);
}
