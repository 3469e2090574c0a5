import { countJudged } from './judged-verdicts.ts';
import { groupByCause, loudestRules, rulesCausedBy } from './loudest-rules.ts';
import { listHarm, summariseSessions } from './page/sessions.ts';
import { printable } from './printable.ts';
import { countSkipReasons } from './skip-reasons.ts';
import type { RuleResult, RunResult } from './types.ts';

const SHOWN = 5;
/** Ids named in a line. */
const FOLLOWERS = 8;

/**
 * What the terminal says at the end of a run: the first findings, the counts and where the page is.
 * @param folder the run folder as the user should see it; by default the one below reports/
 */
export function renderConclusion(run: RunResult, folder = `reports/${run.id}`): string {
  const { rules, checks, exchanges } = run.counts;
  const found = groupByCause(loudestRules(run, ['fail', 'warn']));
  const lines = found.slice(0, SHOWN).flatMap(([rule, ...others]) => {
    const [first] = rule.failures;
    return [
      `${rule.verdict}  ${rule.id}  ${rule.text}`,
      `      ${(first?.sentence ?? first?.message ?? '').replaceAll('\n', `\n${' '.repeat(6)}`)}`,
      ...(rule.consequence === undefined ? [] : [`      it costs  ${rule.consequence.text}`]),
      ...(first?.exchanges[0] === undefined ? [] : [`      exchange  ${first.exchanges[0]}`]),
      ...(others.length === 0 ? [] : [`      the same for ${nameRules(others)}`]),
      ...followers(run, rule.id),
      '',
    ];
  });
  if (found.length > SHOWN) lines.push(`and ${found.length - SHOWN} more on the page`, '');
  const undecided = groupByCause(loudestRules(run, ['broken']));
  for (const group of undecided.slice(0, SHOWN))
    lines.push(`undecided  ${nameRules(group)}  ${group[0].reason?.code ?? ''}: ${group[0].reason?.text ?? ''}`);
  if (undecided.length > SHOWN) lines.push(`and ${undecided.length - SHOWN} more on the page`);
  for (const { rule, state } of run.waivers) {
    if (state === 'stale' || state === 'expired' || state === 'unknown rule') lines.push(`waiver  ${rule}  ${state}`);
  }
  if (!run.complete) lines.push(`incomplete: ${run.incompleteReason}`);
  if (run.selection !== undefined) lines.push(`selected: ${run.selection}`);
  for (const { at, checks } of run.resumed ?? []) lines.push(`resumed: ${at}, after ${checks} checks that had ended`);
  const skipped = countSkipReasons(run);
  if (skipped.length > 0) lines.push(`skipped: ${skipped.map(({ count, why }) => `${count} ${why}`).join('; ')}`);
  lines.push(
    `${run.verdict}, of ${countJudged(run)} judged: ${rules.total} rules: ${rules.pass} pass, ${rules.fail} fail, ${rules.warn} warn, ${rules.unseen} not seen, ${rules.waived} waived, ${rules.broken} undecided, ${rules.skipped} skipped`,
    `${checks.total} checks: ${checks.pass} passed, ${checks.fail} failed, ${checks.broken} undecided, ${checks.skipped} skipped; ${exchanges.total} exchanges`,
    ...sessionsLines(run),
    proofLine(run),
    `${folder}/index.html`,
  );
  return lines.map(printable).join('\n');
}

/** Of how many rules it is shown that their checks can fail. */
function proofLine({ proof, subject }: RunResult): string {
  if (subject === 'client')
    return 'proof: a scripted wrong client for each rule of the client, in the tests of the suite';
  if (proof === undefined) return 'proof: none at hand';
  const { testable, proven, before } = proof.rules;
  return `proof: ${proven} rules proven, ${before} proven before these changes, ${testable - proven - before} not proven`;
}

/** How a client came through lies, with a line for each under which it did harm. */
function sessionsLines({ sessions }: RunResult): string[] {
  return sessions === undefined
    ? []
    : [`lies: ${summariseSessions(sessions)}`, ...listHarm(sessions).map((one) => `      ${one}`)];
}

/** What could not be decided because of one finding, in one line below it. */
function followers(run: RunResult, rule: string): string[] {
  const caused = rulesCausedBy(run, rule);
  return caused.length === 0 ? [] : [`      so that ${caused.length} could not be decided: ${nameRules(caused)}`];
}

function nameRules(rules: readonly RuleResult[]): string {
  const more = rules.length > FOLLOWERS ? ` and ${rules.length - FOLLOWERS} more` : '';
  return `${rules
    .slice(0, FOLLOWERS)
    .map(({ id }) => id)
    .join(', ')}${more}`;
}
