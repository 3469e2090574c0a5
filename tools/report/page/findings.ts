import { groupByCause, loudestRules, rulesCausedBy } from '../loudest-rules.ts';
import type { RuleFinding, RuleResult } from '../types.ts';
import { type AuditView, reproduceCommand } from './audit-view.ts';
import { exchangeView } from './client/exchange-view.js';
import { renderConsequence } from './first-page.ts';
import { formatCount, type Html, html } from './html.ts';
import { checkLink, exchangeLink, renderSection, renderVerdictMark, ruleLink } from './marks.ts';
import { renderPageNode } from './page-node.ts';

const SHOWN = 6;

/** Draws what is wrong, the loudest first: each finding with what was promised, what came, and how to see it again. */
export function renderFindings(view: AuditView): Html {
  const { run } = view;
  const loud = groupByCause(loudestRules(run));
  const waivers = run.waivers.filter(
    ({ state }) => state === 'stale' || state === 'expired' || state === 'unknown rule',
  );
  const total = loud.length + waivers.length + run.oddities.length;
  if (total === 0)
    return renderSection(
      'findings',
      'Findings',
      'Nothing was found broken.',
      html`<p>See <a href="#skipped">what was not judged</a> and <a href="#risk">what this page cannot tell</a>.</p>`,
    );
  const alarms = [
    ...waivers.map(
      (waiver) =>
        html`<li><strong>Waiver ${waiver.state}</strong>: <a class="id" href="#${waiver.rule}">${waiver.rule}</a>, ${waiver.owner}, until ${waiver.until}. ${ADVICE[waiver.state]}</li>`,
    ),
    ...run.oddities.map((oddity) => html`<li>${oddity}</li>`),
  ];
  return renderSection(
    'findings',
    'Findings',
    'The loudest first, and of these the gravest. Each says what was promised, what it costs, what was expected and what happened, and names the exchange that shows it.',
    html`<ol class="findings">${loud.map((group, i) => card(view, group, i === 0))}</ol>${alarms.length > 0 && html`<ul class="alarms">${alarms}</ul>`}`,
  );
}

/** What the level of a rule means, by whom it binds. */
const WEIGHTS = {
  service: { must: 'must: a client may rely on it', should: 'should: a client is wise not to rely on it' },
  client: { must: 'must: the document asks it of every client', should: 'should: a client is wise to do so' },
} as const;

const ADVICE: Record<string, string> = {
  stale: 'The rule is kept now: take the waiver out.',
  expired: 'Its last day is over: mend the cause or decide anew.',
  'unknown rule': 'No rule has this id: correct the waiver.',
};

/** One card for what one and the same thing stands against: the first rule of it, and what follows from it below. */
function card(view: AuditView, [rule, ...others]: readonly [RuleResult, ...RuleResult[]], open: boolean): Html {
  const { run } = view;
  const area = run.areas.find(({ id }) => id === rule.area)?.title ?? rule.area;
  const readings = run.readings.filter(({ notices }) => notices.includes(rule.id));
  return html`<li class="finding ${rule.verdict}">
<h3>${renderVerdictMark(rule.verdict)} <a class="id" href="#${rule.id}">${rule.id}</a> <span class="promise">${rule.text}</span></h3>
${renderConsequence(rule)}${rule.reason && html`<p class="why"><strong>${rule.reason.code}</strong>: ${rule.reason.text}${rule.waiver && html` (${rule.waiver.owner}, until ${rule.waiver.until})`}</p>`}
${rule.failures.slice(0, SHOWN).map((one, i) => evidence(view, one, i === 0, open))}
${rule.failures.length > SHOWN && html`<p class="fine">and ${formatCount(rule.failures.length - SHOWN, 'more finding')} in <a href="run.json">run.json</a></p>`}
${followers('The same cause, for', others)}${followers('Could not be decided for it', rulesCausedBy(run, rule.id))}
<dl class="facts"><div><dt>${rule.side === 'client' ? 'Asked in' : 'Promised in'}</dt><dd>${renderRuleSources(rule)}</dd></div><div><dt>Weight</dt><dd>${WEIGHTS[rule.side ?? 'service'][rule.level]}; ${area}${rule.operation && html`, operation <code>${rule.operation}</code>`}</dd></div>
<div><dt>Checked by</dt><dd>${rule.checks.length > 0 ? rule.checks.slice(0, 8).map((id) => html`${checkLink(id)} `) : 'validation of every answer'}${rule.checks.length > 8 && ` and ${rule.checks.length - 8} more`}</dd></div>
<div><dt>Reproduce</dt><dd><code class="copyable">${reproduceCommand(view, rule.id)}</code></dd></div>
${readings.length > 0 && html`<div><dt>Read first</dt><dd>${readings.map(({ id, question }) => html`<a class="id" href="#${id}">${id}</a> ${question} `)}</dd></div>`}</dl>
</li>
`;
}

/** What follows from a finding stands below it, and nowhere else. */
function followers(title: string, rules: readonly RuleResult[]): Html | false {
  if (rules.length === 0) return false;
  return html`<details class="follow"><summary>${title} ${formatCount(rules.length, 'other rule')}</summary><ul>${rules.map(({ id, text, verdict }) => html`<li>${renderVerdictMark(verdict)} ${ruleLink(id)} ${text}</li>`)}</ul></details>`;
}

function evidence(view: AuditView, finding: RuleFinding, first: boolean, open: boolean): Html {
  const [id] = finding.exchanges;
  const exchange = id === undefined ? undefined : view.exchanges.get(id);
  const others = finding.exchanges.length - 1;
  const { message, expected, actual, sentence } = finding;
  // A message that only joins what stands below it says nothing more.
  const said =
    expected !== undefined && actual !== undefined && (message.startsWith('The contract') || message.includes(actual));
  return html`<div class="case">
<p class="sentence">${sentence ?? message}</p>
${id !== undefined && html`<p class="fine">Evidence: ${exchangeLink(id)}${others > 0 && html` and ${formatCount(others, 'other')}: ${finding.exchanges.slice(1, 4).map((other) => html`${exchangeLink(other)} `)}${others > 3 && '…'}`}</p>`}
${expected !== undefined && html`<details class="peek"><summary>The values as they were compared</summary>${!said && html`<p class="message">${message}</p>`}<dl class="versus"><div><dt>Expected</dt><dd>${expected}</dd></div>${actual !== undefined && html`<div class="got"><dt>Got</dt><dd>${actual}</dd></div>`}${finding.where !== undefined && html`<div><dt>Where</dt><dd><code>${finding.where || 'the body'}</code></dd></div>`}</dl></details>`}
${exchange && first && html`<details class="peek"${open && ' open'}><summary>The exchange, and how to send it again</summary>${renderPageNode(inline(exchangeView(exchange)))}</details>`}
</div>`;
}

/** The exchange stands in its check with its own anchor; here it is repeated open and without one. */
function inline(node: ReturnType<typeof exchangeView>): ReturnType<typeof exchangeView> {
  if (typeof node === 'string') return node;
  const [tag, { id: _, ...attributes }, ...children] = node;
  return [tag, { ...attributes, open: '' }, ...children];
}

/** Where a rule stands in the documents. */
export function renderRuleSources(rule: Pick<RuleResult, 'source'>): Html {
  return html`${rule.source.map(({ document, section: heading, sha256 }, i) => html`${i > 0 && '; '}${document}: ${heading} <small class="hash" title="SHA-256 of the clause ${sha256}">${sha256.slice(0, 8)}</small>`)}`;
}
