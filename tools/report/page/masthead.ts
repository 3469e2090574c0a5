import { countJudged } from '../judged-verdicts.ts';
import { verdictWord } from '../verdict-words.ts';
import type { AuditView } from './audit-view.ts';
import { formatCount, type Html, html } from './html.ts';
import { formatUtc, renderVerdictMark, VERDICT_MEANINGS } from './marks.ts';

/** Draws the head of the page: what was judged, the verdict in one sentence, and the counts behind it. */
export function renderMasthead({ run }: AuditView): Html {
  const { rules } = run.counts;
  return html`<header class="masthead">
<p class="brand"><b>Assay</b> ${run.subject === 'client' ? 'on the client' : 'audit of'} <b>${run.target.name}</b></p>
${warning(run)}
<div class="verdict ${run.verdict}"><h1>${headline(run)}</h1>
<p>${run.complete ? html`The run is complete.` : html`<strong>Incomplete.</strong> ${run.incompleteReason}`} ${countJudged(run)} of ${formatCount(rules.total, 'rule')} judged${rules.unseen > 0 && html`, <a href="#skipped">${rules.unseen} not seen</a>`}${rules.skipped > 0 && html`, <a href="#skipped">${rules.skipped} skipped</a>`}${rules.broken > 0 && html`, ${rules.broken} undecided on our side`}.</p></div>
${bar(run)}
<dl class="counts">${VERDICT_MEANINGS.map(([verdict, meaning]) => html`<div class="${rules[verdict] === 0 && 'zero'}"><dt>${renderVerdictMark(verdict)}</dt><dd><b>${rules[verdict]}</b></dd><dd>${meaning}</dd></div>`)}</dl>
<p class="strip"><span>Run <code>${run.id}</code></span> <span><time datetime="${run.startedAt}">${formatUtc(run.startedAt)}</time></span> ${Object.entries(run.target.hosts).map(([api, host]) => html`<span>${api} <code>${host}</code></span> `)}<span>seed <code>${run.seed}</code></span> ${run.since && html`<a href="#since">${changed(run.since.verdicts)} since the previous run</a> `}${run.proof && html`<a href="#proof">${run.proof.rules.proven} of ${formatCount(run.proof.rules.testable, 'rule')} proven${run.proof.rules.before > 0 && html`, ${run.proof.rules.before} before these changes`}</a> `}<a href="#identity">full identity</a></p>
</header>
`;
}

/** Before what a client was judged. */
const CLIENT_WHERE: Readonly<Record<AuditView['run']['target']['kind'], Html | undefined>> = {
  embedded: html`<b>Embedded sandbox.</b> The client was judged by what it sent to the suite’s own sandbox, and by what it did about the answers.`,
  mock: html`<b>Mock.</b> The client was judged by what it sent to a stand-in.`,
  production: html`<b>Production.</b> The client was judged by what it sent to a live service.`,
  sandbox: undefined,
};

function headline(run: AuditView['run']): string {
  const { verdict, counts, complete, subject } = run;
  const { fail, warn, unseen, waived, broken } = counts.rules;
  if (verdict === 'broken' && subject === 'client') return clientHeadline(run);
  if (verdict === 'broken') return `${formatCount(fail, 'promise is', 'promises are')} broken`;
  if (verdict === 'incomplete')
    return complete
      ? `This run cannot tell: ${formatCount(broken, 'rule')} could not be judged`
      : 'This run cannot tell: it is incomplete';
  const aside = [
    warn > 0 && formatCount(warn, 'warning'),
    unseen > 0 && `${unseen} not seen`,
    waived > 0 && `${waived} waived`,
  ]
    .filter(Boolean)
    .join(', ');
  return `Every must that was judged is kept${aside === '' ? '' : `, ${aside}`}`;
}

/** Who broke what: traffic shows the client first, and of the service what an answer alone shows. */
function clientHeadline({ rules }: AuditView['run']): string {
  const failed = rules.filter(({ verdict }) => verdict === 'fail');
  const own = failed.filter(({ side }) => side === 'client').length;
  const service = formatCount(failed.length - own, 'promise');
  if (own === 0) return `The client keeps what was judged; the service breaks ${service}`;
  const client = `The client breaks ${formatCount(own, 'rule')}`;
  return own === failed.length ? client : `${client}, the service ${service}`;
}

function changed(verdicts: readonly { readonly worse: boolean }[]): string {
  const worse = verdicts.filter((one) => one.worse).length;
  return verdicts.length === 0 ? 'no verdict changed' : `${worse} worse, ${verdicts.length - worse} better`;
}

function warning({ subject, target, lie, sessions }: AuditView['run']): Html {
  const told =
    sessions === undefined
      ? undefined
      : html`<p class="unreal" role="note"><b>Told to lie.</b> The sandbox told another lie on purpose <a href="#sessions">in each session</a>.</p>`;
  const what =
    subject === 'client'
      ? CLIENT_WHERE[target.kind]
      : {
          embedded: html`<b>Embedded sandbox.</b> The suite’s own reference was judged, not a real service.`,
          mock: html`<b>Mock.</b> A stand-in was judged, not a real service.`,
          production: html`<b>Production.</b> This run was made against a live service.`,
          sandbox: undefined,
        }[target.kind];
  return html`${what && html`<p class="unreal" role="note">${what}</p>`}${lie !== undefined && html`<p class="unreal" role="note"><b>Told to lie.</b> The sandbox told the lie <code>${lie}</code> on purpose.</p>`}${told}`;
}

/** The share of each verdict as one bar. */
function bar({ counts: { rules } }: AuditView['run']): Html {
  const total = Math.max(1, rules.total);
  let from = 0;
  const parts = VERDICT_MEANINGS.filter(([verdict]) => rules[verdict] > 0).map(([verdict]) => {
    const width = (rules[verdict] / total) * 1000;
    const part = html`<rect class="${verdict}" x="${from.toFixed(2)}" y="0" width="${Math.max(width - 1.5, 1).toFixed(2)}" height="10"/>`;
    from += width;
    return part;
  });
  return html`<svg class="bar" viewBox="0 0 1000 10" preserveAspectRatio="none" role="img" aria-label="${VERDICT_MEANINGS.map(([verdict]) => `${rules[verdict]} ${verdictWord(verdict)}`).join(', ')}">${parts}</svg>`;
}
