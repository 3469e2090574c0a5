import { HARMS } from '#contract';
import type { Verdict } from '#evidence';
import type { RuleResult, RunResult } from './types.ts';

/** How grave it is when a rule is broken, the gravest 0; last what nobody said. */
export function rankHarm({ consequence }: Pick<RuleResult, 'consequence'>): number {
  return consequence === undefined ? HARMS.length : HARMS.indexOf(consequence.harm);
}

/**
 * Rules with a finding, and undecided ones that follow from no other's, the loudest first; among equals the gravest by consequence, then
 * those whose own check failed, since it says more than a violation noticed in passing.
 */
export function loudestRules(
  run: RunResult,
  verdicts: readonly Verdict[] = ['fail', 'warn', 'broken', 'waived'],
): RuleResult[] {
  const failed = new Set(run.checks.filter(({ outcome }) => outcome === 'fail').map(({ id }) => id));
  return verdicts.flatMap((verdict) => {
    const rules = run.rules.filter((rule) => rule.verdict === verdict && rule.causedBy === undefined);
    const own = (rule: RuleResult) => rule.checks.some((id) => failed.has(id));
    const sorted = [...rules.filter(own), ...rules.filter((rule) => !own(rule))];
    return sorted.sort((a, b) => rankHarm(a) - rankHarm(b));
  });
}

/** Rules that could not be decided because of what was found about this one. */
export function rulesCausedBy(run: RunResult, rule: string): RuleResult[] {
  return run.rules.filter(({ causedBy }) => causedBy?.includes(rule));
}

/**
 * Rules that one and the same thing stands against: the same answer met in the same way, or the same arrangement that failed, whatever
 * the numbers in it. Each group and each rule in it in the order given.
 */
export function groupByCause(rules: readonly RuleResult[]): (readonly [RuleResult, ...RuleResult[]])[] {
  const groups = new Map<string, [RuleResult, ...RuleResult[]]>();
  for (const rule of rules) {
    const [first] = rule.failures;
    const cause =
      first === undefined
        ? `${rule.reason?.code} ${rule.reason?.text.replace(/\d+/g, '#') ?? rule.id}`
        : `${first.exchanges[0] ?? rule.id} ${first.message}`;
    const key = cause;
    const there = groups.get(key);
    if (there === undefined) groups.set(key, [rule]);
    else there.push(rule);
  }
  return [...groups.values()];
}
