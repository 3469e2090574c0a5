import { summariseComparison } from '../compare-runs.ts';
import { countJudged, isJudged } from '../judged-verdicts.ts';
import { groupByCause, loudestRules } from '../loudest-rules.ts';
import { type NextStep, planNextSteps } from '../next-steps.ts';
import { countSkipReasons } from '../skip-reasons.ts';
import type { RuleResult, RunResult } from '../types.ts';
import { verdictWord } from '../verdict-words.ts';
import type { AuditView } from './audit-view.ts';
import { formatCount, type Html, type HtmlPart, html } from './html.ts';
import { exchangeLink, formatUtc, renderVerdictMark, ruleLink, VERDICT_MEANINGS } from './marks.ts';
import { CLIENT_PROOF } from './proof-sections.ts';
import { listHarm, summariseSessions } from './sessions.ts';

/** Findings and rules that one sheet of paper has room for. */
const SHOWN = 5;
const NAMED = 6;

/** What a harm means, beside the sentence that says what it costs. */
export const HARM_WORDS: Readonly<Record<NonNullable<RuleResult['consequence']>['harm'], string>> = {
  money: 'money',
  exposure: 'exposure',
  outcome: 'wrong outcome',
  service: 'service',
  support: 'support',
};

/**
 * Draws what somebody reads who has one minute: scope, findings, who has to do what, what changed and who vouches for it.
 * @param few of a run of a few rules, what became of them: it stands in the place of the areas
 */
export function renderFirstPage({ run }: Pick<AuditView, 'run'>, few?: Html | false): Html {
  const { left, right, below } = arrange(run, few);
  return html`<section class="sheet" id="summary" aria-labelledby="summary-title"><h2 id="summary-title" class="unseen-text">In one page</h2>
<div class="columns"><div>${left}</div><div>${right}</div></div>
${below}
</section>
`;
}

/** What stands where, so that neither column is empty and all there is of a run of few rules goes on one screen. */
function arrange(run: RunResult, few?: Html | false): Readonly<Record<'left' | 'right' | 'below', HtmlPart>> {
  const rules = loudestRules(run, ['fail', 'warn', 'waived']);
  const planned = planNextSteps(run);
  const [loud, extent, todo] = [findings(rules, few), html`${scope(run)}${survival(run)}`, steps(planned)];
  const [change, witness] = [since(run), vouched(run)];
  if (few !== undefined && planned.length > 1)
    return { left: [loud, few, change, witness], right: [extent, todo], below: false };
  if (few !== undefined) return { left: [loud, few], right: [extent, todo, change], below: witness };
  if (rules.length === 0) return { left: [loud, extent, change], right: [todo, witness], below: areas(run) };
  return { left: [loud], right: [extent, todo, change, witness], below: areas(run) };
}

/** What it costs when a rule is broken, with its harm. */
export function renderConsequence({ consequence }: Pick<RuleResult, 'consequence'>): Html | false {
  if (consequence === undefined) return false;
  return html`<p class="cost"><b class="harm ${consequence.harm}">${HARM_WORDS[consequence.harm]}</b> ${consequence.text}</p>`;
}

function findings(rules: readonly RuleResult[], few: Html | false | undefined): Html | false {
  const loud = groupByCause(rules);
  // What follows says it of each rule.
  if (loud.length === 0 && few) return false;
  if (loud.length === 0) return html`<h3>Findings</h3><p>Nothing that was judged is broken.</p>`;
  const more = loud.length - SHOWN;
  return html`<h3>Findings <small>${loud.length}, the gravest first</small></h3><ol class="brief">${loud
    .slice(0, SHOWN)
    .map(([rule, ...others]) =>
      brief(rule, others.length),
    )}</ol>${more > 0 && html`<p class="fine"><a href="#findings">and ${more} more</a></p>`}`;
}

function brief(rule: RuleResult, others: number): Html {
  const [first] = rule.failures;
  const exchange = first?.exchanges[0];
  return html`<li>${renderVerdictMark(rule.verdict)} ${ruleLink(rule.id)} <span class="promise">${rule.text}</span>${renderConsequence(rule)}<p>${first?.sentence ?? first?.message} ${exchange !== undefined && html`<span class="fine">Evidence: ${exchangeLink(exchange)}</span>`}${others > 0 && html` <span class="fine">${formatCount(others, 'other rule')} for the same cause</span>`}</p></li>
`;
}

function steps(all: readonly NextStep[]): Html {
  if (all.length === 0) return html`<h3>What is to be done</h3><p>Nothing.</p>`;
  return html`<h3>Who is to do what</h3><ul class="steps">${all.map(({ who, what, rules }) => html`<li><b>${who}</b> ${what}${rules.length > 0 && html`: ${rules.slice(0, NAMED).map((id, i) => html`${i > 0 && ', '}${ruleLink(id)}`)}${rules.length > NAMED && ` and ${rules.length - NAMED} more`}`}.</li>`)}</ul>`;
}

function scope(run: RunResult): Html {
  const reasons = countSkipReasons(run).map(({ count, why }) => `${count} ${why}`);
  return html`<h3>Scope</h3><p>${scopeSentence(run)}</p>${reasons.length > 0 && html`<p class="fine"><a href="#skipped">Skipped</a>: ${reasons.join('; ')}.</p>`}`;
}

/** Whether a client came through what it was told. */
function survival({ sessions }: RunResult): Html | false {
  if (sessions === undefined) return false;
  const harm = listHarm(sessions);
  return html`<h3>Does it survive?</h3><p>${summariseSessions(sessions)} <a href="#sessions">Lie by lie</a>.</p>${harm.length > 0 && html`<ul class="steps">${harm.slice(0, SHOWN).map((one) => html`<li>${one}</li>`)}</ul>`}${harm.length > SHOWN && html`<p class="fine">and ${harm.length - SHOWN} more</p>`}`;
}

/** What was and was not judged, in one sentence. */
export function scopeSentence(run: RunResult): string {
  const { rules } = run.counts;
  const rest = [
    rules.unseen > 0 && `${rules.unseen} speak of what never came`,
    rules.skipped > 0 && `${rules.skipped} were skipped`,
    rules.broken > 0 && `${rules.broken} could not be decided`,
  ].filter(Boolean);
  const limited = run.selection === undefined ? 'The run' : `Limited to ${run.selection}, the run`;
  const named = new Set(run.rules.flatMap(({ source }) => source.map(({ document }) => document)));
  const documents = formatCount(named.size, 'document');
  const judged = `${limited} judged ${countJudged(run)} of ${formatCount(rules.total, run.subject === 'client' ? 'rule' : 'promise')} of ${documents}`;
  return `${judged}${rest.length === 0 ? '' : `; ${rest.join(', ').replace(/, ([^,]*)$/, ' and $1')}`}.`;
}

/** How far each area was judged, those left out that nobody asked about. */
function areas(run: RunResult): Html | false {
  const bars = run.areas.flatMap(({ id, title }) => {
    const own = run.rules.filter((rule) => rule.area === id);
    return run.selection !== undefined && own.every(({ verdict }) => verdict === 'skipped')
      ? []
      : [area(id, title, own)];
  });
  return bars.length > 0 && html`<h3>Judged, by area</h3><dl class="areas">${bars}</dl>`;
}

/** One area as a bar: what is broken, kept, and not judged. */
function area(id: string, title: string, rules: readonly RuleResult[]): Html {
  const judged = rules.filter(({ verdict }) => isJudged(verdict)).length;
  let from = 0;
  const parts = VERDICT_MEANINGS.map(([verdict]) => {
    const count = rules.filter((rule) => rule.verdict === verdict).length;
    const width = (count / rules.length) * 100;
    from += width;
    return (
      count > 0 &&
      html`<rect class="${verdict}" x="${(from - width).toFixed(1)}" width="${width.toFixed(1)}" height="8"/>`
    );
  });
  const said = VERDICT_MEANINGS.map(
    ([verdict]) => [rules.filter((rule) => rule.verdict === verdict).length, verdict] as const,
  )
    .filter(([count]) => count > 0)
    .map(([count, verdict]) => `${count} ${verdictWord(verdict)}`)
    .join(', ');
  return html`<div><dt><a href="#area-${id}">${title}</a></dt><dd><svg class="bar" viewBox="0 0 100 8" preserveAspectRatio="none" role="img" aria-label="${said}"><title>${said}</title>${parts}</svg></dd><dd>${judged}/${rules.length}</dd></div>`;
}

function since({ since: change }: RunResult): Html {
  if (change === undefined)
    return html`<h3>Since last time</h3><p>No earlier finished run of this target was at hand.</p>`;
  return html`<h3>Since last time</h3><p>${summariseComparison(change)} <a href="#since">Compared with ${formatUtc(change.fromStartedAt)}</a>.</p>`;
}

/** Who vouches: a page cannot vouch for itself, so it says where its signature is and what that shows. */
function vouched(run: RunResult): Html {
  const { proof } = run;
  const { signOff } = run;
  return html`<h3>Who vouches</h3>${
    signOff === undefined
      ? html`<p>No reviewer has signed the run off. `
      : html`<p><b>${signOff.decision}</b> by ${signOff.name}, ${signOff.date}.${signOff.note !== undefined && html` ${signOff.note}`}</p><p>`
  }This page is covered by the signature beside it, once the run has ended: <code>npx assay verify reports/${run.id}</code> says by whom and when. ${
    run.subject === 'client'
      ? CLIENT_PROOF
      : proof === undefined
        ? 'No proof is at hand that its checks can fail.'
        : html`For <a href="#proof">${proof.rules.proven} of ${formatCount(proof.rules.testable, 'rule')}</a> it is proven that their checks can fail.`
  }</p>`;
}
