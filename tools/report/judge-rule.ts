import type { Rule } from '#contract';
import type { RunLine, Verdict, Waiver } from '#evidence';
import type { RuleAttributions } from './attribution.ts';
import type { VerdictReason, WaiverResult } from './types.ts';

/** What a rule's verdict rests on besides the charges against it. */
export interface VerdictCircumstances {
  readonly run: RunLine;
  readonly complete: boolean;
  /** YYYY-MM-DD; a waiver holds to the end of its last day. */
  readonly today: string;
}

/**
 * Judges one rule: broken promises first, then our own breakage, then passes; what nobody judged is skipped with its reason.
 * @returns verdict, the reason where it needs one, and the waiver where one is in force
 */
export function judgeRule(
  rule: Rule,
  charges: RuleAttributions,
  at: VerdictCircumstances,
): { verdict: Verdict; reason?: VerdictReason; waiver?: Waiver } {
  if ((charges.findings.get(rule.id)?.length ?? 0) > 0) {
    const waiver = at.run.waivers.find((one) => one.rule === rule.id && one.until >= at.today);
    if (waiver) return { verdict: 'waived', reason: { code: 'waived', text: waiver.reason }, waiver };
    return { verdict: rule.level === 'must' ? 'fail' : 'warn' };
  }
  const votes = charges.votes.get(rule.id) ?? [];
  const broken = votes.find(({ vote }) => vote === 'broken');
  if (broken)
    return {
      verdict: 'broken',
      reason: broken.check.reason ?? { code: 'defect', text: 'The check broke without saying why.' },
    };
  const unsettled = votes.find(({ vote }) => vote === 'unsettled');
  if (votes.some(({ vote }) => vote === 'pass')) return { verdict: 'pass' };
  if (unsettled) {
    const text = `Its check stopped on a failure charged to ${unsettled.check.failures.map(({ rule: id }) => id).join(', ')}.`;
    return { verdict: 'broken', reason: { code: 'arrange', text } };
  }
  return { verdict: 'skipped', reason: skipReason(rule, votes[0]?.check.reason, at) };
}

function skipReason(
  rule: Rule,
  given: VerdictReason | undefined,
  { run, complete }: VerdictCircumstances,
): VerdictReason {
  if (given) return given;
  if (rule.untestable) return { code: 'untestable', text: rule.untestable };
  if (run.selection !== undefined && !selects(run.selection, rule)) {
    return { code: 'unselected', text: `The run was limited to ${run.selection}.` };
  }
  if (run.target.hosts[rule.api] === undefined) {
    return { code: 'service', text: `The target has no ${rule.api} service.` };
  }
  const text = complete ? 'No check claims this rule.' : 'No check of this rule finished before the run ended.';
  return { code: 'unchecked', text };
}

function selects(selection: string, rule: Rule): boolean {
  return selection
    .split(/[\s,]+/)
    .some((word) => word === rule.id || word === rule.area || rule.id.startsWith(`${word}-`));
}

/** Says where each waiver stands; one that covers no failure any more is a finding of its own. */
export function judgeWaivers(
  waivers: readonly Waiver[],
  verdicts: ReadonlyMap<string, Verdict>,
  today: string,
): WaiverResult[] {
  return waivers.map((waiver) => {
    const verdict = verdicts.get(waiver.rule);
    const state =
      verdict === undefined
        ? 'unknown rule'
        : waiver.until < today
          ? 'expired'
          : verdict === 'waived'
            ? 'in force'
            : verdict === 'pass'
              ? 'stale'
              : 'not judged';
    return { ...waiver, state };
  });
}
