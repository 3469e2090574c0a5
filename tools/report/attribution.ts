import type { CheckLine, Failure } from '#evidence';
import { writeFailureSentence, writeViolationSentence } from './finding-sentence.ts';
import type { ExchangeHead, JournalIndex } from './journal-index.ts';
import type { RuleFinding } from './types.ts';

/** How one check counts for one rule that it claims. */
export type CheckVote = 'pass' | 'fail' | 'partly' | 'unseen' | 'skipped' | 'broken' | 'unsettled';

/** What the journal holds against and for each rule. */
export interface RuleAttributions {
  readonly findings: ReadonlyMap<string, readonly RuleFinding[]>;
  readonly votes: ReadonlyMap<string, readonly { readonly check: CheckLine; readonly vote: CheckVote }[]>;
  /** Rules that each check's own failures are charged to, by position of the check. */
  readonly byCheck: readonly ReadonlySet<string>[];
}

/** Charges every failure and every violation to its rule, the same finding once with all its exchanges. */
export function attributeFailures(shelf: JournalIndex): RuleAttributions {
  const findings = new Map<string, Map<string, Draft>>();
  const votes = new Map<string, { check: CheckLine; vote: CheckVote }[]>();
  const byCheck: Set<string>[] = [];
  const note = (
    rule: string,
    found: Omit<RuleFinding, 'checks' | 'exchanges'>,
    check: string,
    exchange: string | undefined,
  ) => {
    const key = JSON.stringify([found.expected ?? found.message, found.actual ?? '']);
    const drafts = findings.get(rule) ?? new Map<string, Draft>();
    findings.set(rule, drafts);
    const draft = drafts.get(key) ?? { ...found, checks: new Set<string>(), exchanges: new Set<string>() };
    drafts.set(key, { ...found, ...draft });
    draft.checks.add(check);
    if (exchange !== undefined) draft.exchanges.add(exchange);
  };

  for (const check of shelf.checks) {
    const charged = new Set<string>();
    byCheck.push(charged);
    const passive = violations(shelf.byCheck.get(check.id) ?? []);
    const failed = check.outcome === 'fail' || (check.outcome === 'pass' && check.failures.length > 0);
    if (failed) {
      const failures =
        check.failures.length > 0
          ? check.failures
          : [{ message: 'The check failed without saying why.' } satisfies Failure as Failure];
      for (const { rule, exchange, clauses, ...words } of failures) {
        const found = { ...words, sentence: writeFailureSentence(check, { ...words, ...(clauses && { clauses }) }) };
        for (const id of rule === undefined ? check.rules : [rule]) {
          charged.add(id);
          note(id, found, check.id, exchange);
        }
      }
    }
    for (const id of check.rules) {
      const list = votes.get(id) ?? [];
      votes.set(id, list);
      list.push({ check, vote: voteOf(check, id, charged, passive) });
    }
  }
  for (const exchange of shelf.exchanges) {
    for (const violation of exchange.violations) {
      const { rule, expected, actual, where } = violation;
      const sentence = writeViolationSentence(exchange, violation);
      const message = `The contract is not kept at ${where || 'the body'}.`;
      note(rule, { message, sentence, expected, actual, where }, exchange.check, exchange.id);
    }
  }
  return {
    findings: new Map([...findings].map(([rule, drafts]) => [rule, [...drafts.values()].map(settle)])),
    votes,
    byCheck,
  };
}

type Draft = Omit<RuleFinding, 'checks' | 'exchanges'> & { checks: Set<string>; exchanges: Set<string> };

const settle = (draft: Draft): RuleFinding => ({
  ...draft,
  checks: [...draft.checks],
  exchanges: [...draft.exchanges],
});

function violations(exchanges: readonly ExchangeHead[]): Set<string> {
  return new Set(exchanges.flatMap(({ violations: list }) => list.map(({ rule }) => rule)));
}

/**
 * A check that failed only on another rule still passes its own when that failure is a violation the recorder noticed in
 * passing: its own expectations were all met. When an expectation of its own stopped it, nothing is known about the rest.
 */
function voteOf(check: CheckLine, rule: string, charged: ReadonlySet<string>, passive: ReadonlySet<string>): CheckVote {
  if (check.outcome === 'broken') return 'broken';
  if (check.outcome === 'skipped') {
    const code = check.reason?.code;
    return code === 'unseen' || code === 'partly' ? code : 'skipped';
  }
  if (charged.has(rule) || passive.has(rule)) return 'fail';
  const stopped = check.failures.some((failure) => failure.rule !== undefined && !passive.has(failure.rule));
  if (stopped) return 'unsettled';
  const unjudged = check.unjudged?.find((one) => one.rule === rule);
  return unjudged === undefined ? 'pass' : unjudged.code === 'unseen' ? 'unseen' : 'partly';
}
