import { API_NAMES } from '#apis';
import { stateOfProof } from '../proof-file.ts';
import type { LieOutcome, Proof, RuleResult } from '../types.ts';
import { verdictWord } from '../verdict-words.ts';
import { type AuditView, reproduceCommand } from './audit-view.ts';
import { renderRuleSources } from './findings.ts';
import { renderConsequence } from './first-page.ts';
import { formatCount, type Html, html } from './html.ts';
import { checkLink, exchangeLink, renderSection, renderVerdictMark, VERDICT_MEANINGS } from './marks.ts';

const SHOWN = 6;
/** Exchanges named in a rule's row; all of them stand with its checks, and each name weighs on a large page. */
const NAMED = 2;

/** Draws the matrix: every rule of the register with verdict, checks, proof and evidence. */
export function renderRules(view: AuditView): Html {
  const { run } = view;
  const areas = run.areas.filter(({ id }) => run.rules.some(({ area }) => area === id));
  const known = new Set(areas.map(({ id }) => id));
  const groups = [
    ...areas.map(({ id, title }) => ({ id, title, rules: run.rules.filter(({ area }) => area === id) })),
    { id: 'other', title: 'Other', rules: run.rules.filter(({ area }) => !known.has(area)) },
  ].filter((group) => group.rules.length > 0);
  return renderSection(
    'rules',
    'Promises',
    run.subject === 'client'
      ? `${run.counts.rules.total} rules: what the documents ask of a client, and of the service what one answer shows. Open one to see where it comes from and what stands behind its verdict.`
      : `All ${run.counts.rules.total} rules of the register in force, from promise to check to proof to evidence. Open one to see where it comes from and what stands behind its verdict.`,
    html`${filters(view)}
<div class="heads" aria-hidden="true"><span>Rule</span><span>Promise</span><span>Verdict</span><span>Checks</span><span>Proof</span><span>Evidence</span></div>
${groups.map(
  (
    group,
  ) => html`<section class="area" aria-labelledby="area-${group.id}"><h3 id="area-${group.id}">${group.title} <small>${group.id}, ${formatCount(group.rules.length, 'rule')}</small></h3>
${group.rules.map((rule) => row(view, rule))}</section>`,
)}
${run.retired.length > 0 && html`<h3>Retired</h3><ul>${run.retired.map(({ id, text, retired }) => html`<li id="${id}"><b class="id">${id}</b> ${text} <span class="fine">Retired: ${retired}</span></li>`)}</ul>`}`,
  );
}

function filters({ run }: AuditView): Html {
  return html`<form id="filters" class="filters" role="search" aria-label="Filter the rules" hidden>
<label>Search <input type="search" name="text" autocomplete="off" placeholder="id or words"></label>
<label>Verdict <select name="verdict"><option value="">all</option>${VERDICT_MEANINGS.map(([verdict]) => html`<option value="${verdict}">${verdictWord(verdict)} (${run.counts.rules[verdict]})</option>`)}</select></label>
<label>Level <select name="level"><option value="">all</option><option>must</option><option>should</option></select></label>
<label>Service <select name="api"><option value="">all</option>${API_NAMES.map((name) => html`<option>${name}</option>`)}</select></label>
<button type="reset">Clear</button><output id="shown" aria-live="polite"></output></form>`;
}

function row(view: AuditView, rule: RuleResult): Html {
  const { id, verdict, level, api, checks, exchanges, proof, side, text } = rule;
  const caught = proof?.lies.filter((lie) => lie.caught).length ?? 0;
  const state = side === 'client' ? 'by wrong clients' : stateOfProof(proof);
  return html`<details class="rule" id="${id}" data-verdict="${verdict}" data-level="${level}" data-api="${api}"><summary><code class="id">${id}</code><span class="promise">${text}${level === 'should' && html` <em class="level">should</em>`}</span>${renderVerdictMark(verdict)}<span class="n">${formatCount(checks.length, 'check')}</span><span class="n">${proof && `${caught} of ${formatCount(proof.of ?? proof.lies.length, 'lie')}`}${state !== 'proven' && html` <span class="fine">${state}</span>`}</span><span class="n">${formatCount(exchanges.length, 'exchange')}</span></summary>
<div class="inside">${rule.reason && html`<p class="why"><strong>${rule.reason.code}</strong>: ${rule.reason.text}</p>`}
${rule.reason?.code === 'unselected' ? factsOfUnasked(view, rule, state) : facts(view, rule, state)}</div></details>
`;
}

/** Of a rule that nobody asked for: where it comes from, and how to ask. */
function factsOfUnasked(view: AuditView, rule: RuleResult, state: string): Html {
  return html`<dl class="facts"><div><dt>Promised in</dt><dd>${renderRuleSources(rule)}</dd></div><div><dt>Proof</dt><dd>${state}</dd></div><div><dt>Run it</dt><dd><code class="copyable">${reproduceCommand(view, rule.id)}</code></dd></div></dl>`;
}

function facts(view: AuditView, rule: RuleResult, state: string): Html {
  const { id, checks, exchanges, proof, side } = rule;
  return html`${rule.failures.slice(0, 3).map((one) => html`<p class="violation">${one.sentence ?? one.message} ${one.exchanges[0] !== undefined && exchangeLink(one.exchanges[0])}</p>`)}
${renderConsequence(rule)}<dl class="facts"><div><dt>${side === 'client' ? 'Asked in' : 'Promised in'}</dt><dd>${renderRuleSources(rule)}</dd></div>${rule.operation && html`<div><dt>Operation</dt><dd><code>${rule.operation}</code></dd></div>`}
<div><dt>Checks</dt><dd>${checks.length > 0 ? checks.slice(0, SHOWN).map((check) => html`${checkLink(check)} ${view.checks.get(check)?.title}<br>`) : 'none claims it'}${checks.length > SHOWN && `and ${checks.length - SHOWN} more`}</dd></div>
<div><dt>Proof</dt><dd>${state}${proof && html`<br>${proofOf(proof)}`}</dd></div>
<div><dt>Evidence</dt><dd>${exchanges.length > 0 ? exchanges.slice(0, NAMED).map((one) => html`${exchangeLink(one)} `) : 'none'}${exchanges.length > NAMED && html`and ${formatCount(exchanges.length - NAMED, 'more', 'more')} below the checks`}</dd></div>
<div><dt>Run again</dt><dd><code class="copyable">${reproduceCommand(view, id)}</code></dd></div></dl>`;
}

/** Lies by the checks that caught them. */
function proofOf({ lies }: Proof): Html {
  const groups = new Map<string, LieOutcome[]>();
  for (const lie of lies) {
    const key = lie.by.join(' ');
    groups.set(key, [...(groups.get(key) ?? []), lie]);
  }
  return html`${[...groups.values()].map((group) => {
    const { by, caught } = group[0]!;
    return html`${caught ? html`Caught by ${by.map((check) => html`${checkLink(check)} `)}` : html`<strong>Missed</strong>`}: ${group.map(({ name }, i) => html`${i > 0 && ', '}<code>${name}</code>`)}<br>`;
  })}`;
}
