import type { Rule } from '#contract';
import type { CheckLine, RunLine, Verdict, Waiver } from '#evidence';
import type { RuleAttributions } from './attribution.ts';
import type { JournalIndex } from './journal-index.ts';
import type { VerdictReason, WaiverResult } from './types.ts';

/** What a rule's verdict rests on besides the charges against it. */
export interface VerdictCircumstances {
  readonly run: RunLine;
  readonly complete: boolean;
  /** YYYY-MM-DD; a waiver holds to the end of its last day. */
  readonly today: string;
  /** Whether an answer or event of the run met a place of a spec. */
  readonly isMet: JournalIndex['isMet'];
}

interface RuleJudgement {
  readonly verdict: Verdict;
  readonly reason?: VerdictReason;
  readonly causedBy?: readonly string[];
  readonly waiver?: Waiver;
}

/** Verdicts that say what the service did. */
const SETTLED: readonly Verdict[] = ['pass', 'warn', 'fail', 'waived'];

/**
 * Judges one rule: broken promises first, then our own breakage, then passes; what nobody judged is skipped with its reason. A rule
 * about something that never came is not seen, and one of which a part could not be tried is skipped: neither is a pass. A rule that
 * was not selected, and that a check of a selected one claims as well, is named only where it is settled.
 * @returns verdict, the reason where it needs one, and the waiver where one is in force
 */
export function judgeRule(rule: Rule, charges: RuleAttributions, at: VerdictCircumstances): RuleJudgement {
  const judged = judgeClaimed(rule, charges, at);
  const isAsked = at.run.selection === undefined || selects(at.run.selection, rule);
  if (isAsked || SETTLED.includes(judged.verdict) || rule.untestable) return judged;
  return { verdict: 'skipped', reason: unselected(at.run.selection!) };
}

function judgeClaimed(rule: Rule, charges: RuleAttributions, at: VerdictCircumstances): RuleJudgement {
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
  const passes = votes.filter(({ vote }) => vote === 'pass');
  const isUnmet = passes.length > 0 && rule.traced && !at.isMet(rule.api, rule.at);
  // What a check that was left out for want of time would have seen, nobody knows.
  const untimely = votes.find(({ vote, check }) => vote === 'skipped' && check.reason?.code === 'time');
  if (untimely && (isUnmet || (passes.length === 0 && unsettled === undefined)))
    return { verdict: 'skipped', reason: whyNot(untimely.check, rule) };
  if (isUnmet)
    return { verdict: 'unseen', reason: { code: 'unseen', text: 'No answer of this run carried what it speaks of.' } };
  const left = votes.filter(({ vote }) => vote === 'skipped' || vote === 'partly');
  if (passes.length > 0) return left.length === 0 ? { verdict: 'pass' } : partlyJudged(rule, passes.length, left);
  if (unsettled) {
    const causedBy = [...new Set(unsettled.check.failures.flatMap(({ rule: id }) => id ?? []))];
    const text = `Its check stopped on a failure charged to ${causedBy.join(', ')}.`;
    return { verdict: 'broken', reason: { code: 'arrange', text }, causedBy };
  }
  const unseen = votes.find(({ vote }) => vote === 'unseen');
  if (unseen) return { verdict: 'unseen', reason: whyNot(unseen.check, rule) };
  const [partly] = votes.filter(({ vote }) => vote === 'partly');
  return {
    verdict: 'skipped',
    reason: skipReason(rule, (partly ?? votes[0]) && whyNot((partly ?? votes[0])!.check, rule), at),
  };
}

/** What was tried held, and something was not tried: nothing that may be called kept. */
function partlyJudged(
  rule: Rule,
  kept: number,
  left: readonly { readonly check: CheckLine }[],
): { verdict: Verdict; reason: VerdictReason } {
  const why = [...new Set(left.map(({ check }) => whyNot(check, rule).text))];
  const text = `${kept} of ${kept + left.length} checks kept it; what was left out: ${why.join('; ')}`;
  return { verdict: 'skipped', reason: { code: 'partly', text } };
}

/** Why a check says nothing about a rule, or not all. */
function whyNot({ unjudged, reason }: CheckLine, rule: Rule): VerdictReason {
  const own = unjudged?.find((one) => one.rule === rule.id);
  if (own !== undefined) return { code: own.code, text: own.text };
  return reason ?? { code: 'unchecked', text: 'It gives no reason.' };
}

function skipReason(
  rule: Rule,
  given: VerdictReason | undefined,
  { run, complete }: VerdictCircumstances,
): VerdictReason {
  if (given) return given;
  if (rule.untestable) return { code: 'untestable', text: rule.untestable };
  if (run.selection !== undefined && !selects(run.selection, rule)) {
    return unselected(run.selection);
  }
  if (run.target.hosts[rule.api] === undefined) {
    return { code: 'service', text: `The target has no ${rule.api} service.` };
  }
  const text = complete ? 'No check claims this rule.' : 'No check of this rule finished before the run ended.';
  return { code: 'unchecked', text };
}

const unselected = (selection: string): VerdictReason => ({
  code: 'unselected',
  text: `The run was limited to ${selection}.`,
});

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
