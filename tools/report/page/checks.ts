import type { CheckResult } from '../types.ts';
import type { AuditView } from './audit-view.ts';
import { checkView } from './client/check-view.js';
import { exchangeView } from './client/exchange-view.js';
import { formatCount, Html, html } from './html.ts';
import { exchangeLink, renderSection, renderVerdictMark, ruleLink } from './marks.ts';
import { listOrphans, packNames } from './pack-exchanges.ts';
import { renderPageNode } from './page-node.ts';

/** From so many checks on, those that kept what they claim are folded: a browser builds them when somebody looks. */
const MANY = 1000;

/** A check that kept what it claims, as the page carries it folded. */
export interface QuietCheck {
  readonly anchor: string;
  readonly id: string;
  readonly title: string;
  readonly line: number;
  readonly rules: readonly string[];
  /** Milliseconds. */
  readonly duration: number;
  /** Of its exchanges. */
  readonly count: number;
  /** Names of the packs that hold them, with blanks between. */
  readonly packs: string;
  /** Whether it was played before in this run. */
  readonly again: boolean;
}

/** Draws every check with the rules it claims and the exchanges it made: from evidence back to promise. */
export function renderChecks(view: AuditView): Html {
  const { run } = view;
  const files = [...new Set(run.checks.map(({ file }) => file))].sort();
  const packed = run.counts.exchanges.total - view.written.size;
  const byFile = new Map(files.map((file) => [file, [] as CheckResult[]]));
  for (const check of run.checks) byFile.get(check.file)!.push(check);
  const orphans = listOrphans(run, view.journal.exchanges);
  const twice = new Map<string, number>();
  return renderSection(
    'checks',
    'Checks and evidence',
    html`${formatCount(run.counts.checks.total, 'check')} in ${formatCount(files.length, 'file')}, ${formatCount(run.counts.exchanges.total, 'exchange')}.${packed > 0 && html` To keep the page light, ${formatCount(packed, 'exchange')} of quiet checks are packed into it and unpacked when you open a check; with scripts off, and on paper, read them in <code>evidence.ndjson</code> under the same ids.`}`,
    html`${files.map((file) => {
      const own = byFile.get(file)!;
      const folded: QuietCheck[] = [];
      const shown = own.map((check) => {
        const nth = (twice.get(check.id) ?? 0) + 1;
        twice.set(check.id, nth);
        if (!isQuiet(view, check)) return one(view, check, nth);
        const quiet = quietCheck(view, check, nth);
        if (run.checks.length < MANY) return html`${renderPageNode(checkView(quiet))}\n`;
        folded.push(quiet);
        return false;
      });
      return html`<section class="area"><h3>${file} <small>${formatCount(own.length, 'check')}</small></h3>${shown}${fold(folded)}</section>`;
    })}
${orphans.length > 0 && html`<section class="area"><h3>Of no finished check <small>${formatCount(orphans.length, 'exchange')}</small></h3>${orphans.map(({ id }) => renderPageNode(exchangeView(view.exchanges.get(id)!)))}</section>`}`,
  );
}

/** Whether nothing is to be said of a check but that it kept what it claims, and its exchanges are packed. */
function isQuiet({ written }: AuditView, { verdict, reason, failures, properties, exchanges }: CheckResult): boolean {
  return (
    verdict === 'pass' &&
    reason === undefined &&
    failures.length === 0 &&
    properties === undefined &&
    !exchanges.some((exchange) => written.has(exchange))
  );
}

function quietCheck(
  view: AuditView,
  { id, title, line, rules, duration, exchanges }: CheckResult,
  nth: number,
): QuietCheck {
  const packs = nth > 1 ? '' : packNames(view.packsOf.get(id) ?? []);
  const anchor = anchorOf(id, nth);
  const again = nth > 1;
  return { anchor, id, title, line, rules, duration: Math.round(duration), count: exchanges.length, packs, again };
}

function fold(checks: readonly QuietCheck[]): Html | false {
  if (checks.length === 0) return false;
  const data = JSON.stringify(checks).replace(/</g, '\\u003c');
  return html`<details class="quiets"><summary>${formatCount(checks.length, 'check')} that kept what ${checks.length === 1 ? 'it claims' : 'they claim'}</summary><noscript><p class="fine">With scripts off, read them in <code>run.json</code>.</p></noscript><script type="application/json">${new Html(data)}</script></details>`;
}

function anchorOf(id: string, nth: number): string {
  return `c-${id}${nth > 1 ? `-${nth}` : ''}`;
}

function one(view: AuditView, check: CheckResult, nth: number): Html {
  const { id, title, line, verdict, rules, duration, reason, failures, exchanges, properties } = check;
  const written = nth > 1 ? [] : exchanges.filter((exchange) => view.written.has(exchange));
  const packs = nth > 1 ? [] : (view.packsOf.get(id) ?? []);
  return html`<details class="check" id="${anchorOf(id, nth)}"${packs.length > 0 && html` data-packs="${packNames(packs)}" data-exchanges="${exchanges.length}"`}><summary><code class="id">${id}</code><span class="promise">${title}</span>${renderVerdictMark(verdict)}<span class="n">${formatCount(exchanges.length, 'exchange')}</span><span class="n">${Math.round(duration)} ms</span></summary>
<div class="inside"><p>Claims ${rules.length > 0 ? rules.map((rule) => html`${ruleLink(rule)} `) : 'no rule'} <span class="fine">line ${line}</span></p>${reason && html`<p class="why"><strong>${reason.code}</strong>: ${reason.text}</p>`}${failures.map((failure) => html`<p class="violation">${failure.rule !== undefined && html`${ruleLink(failure.rule)}: `}${failure.message}${failure.expected !== undefined && html` Expected <strong>${failure.expected}</strong>`}${failure.actual !== undefined && html`, got <strong>${failure.actual}</strong>`} ${failure.exchange !== undefined && exchangeLink(failure.exchange)}</p>`)}${properties && html`<p class="fine">${properties.map((property) => html`property ${property.name}, ${property.runs} runs, seed ${property.seed}. `)}</p>`}<div class="evidence">${written.map((exchange) => renderPageNode(exchangeView(view.exchanges.get(exchange)!)))}${nth > 1 && exchanges.length > 0 && html`<p class="fine">Exchanges stand with the first run of this check.</p>`}</div></div></details>
`;
}
