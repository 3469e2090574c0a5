import type { CheckResult } from '../types.ts';
import type { AuditView } from './audit-view.ts';
import { exchangeView } from './client/exchange-view.js';
import { formatCount, type Html, html } from './html.ts';
import { exchangeLink, renderSection, renderVerdictMark, ruleLink } from './marks.ts';
import { renderPageNode } from './page-node.ts';

/** Draws every check with the rules it claims and the exchanges it made: from evidence back to promise. */
export function renderChecks(view: AuditView): Html {
  const { run } = view;
  const files = [...new Set(run.checks.map(({ file }) => file))].sort();
  const packed = run.counts.exchanges.total - view.written.size;
  const known = new Set(run.checks.map(({ id }) => id));
  const orphans = view.journal.exchanges.filter(({ check }) => !known.has(check));
  const twice = new Map<string, number>();
  return renderSection(
    'checks',
    'Checks and evidence',
    html`${formatCount(run.counts.checks.total, 'check')} in ${formatCount(files.length, 'file')}, ${formatCount(run.counts.exchanges.total, 'exchange')}.${packed > 0 && html` To keep the page light, ${formatCount(packed, 'exchange')} of quiet checks are packed into it and unpacked when you open a check; with scripts off, and on paper, read them in <code>evidence.ndjson</code> under the same ids.`}`,
    html`${files.map((file) => {
      const own = run.checks.filter((check) => check.file === file);
      return html`<section class="area"><h3>${file} <small>${formatCount(own.length, 'check')}</small></h3>${own.map(
        (check) => {
          const nth = (twice.get(check.id) ?? 0) + 1;
          twice.set(check.id, nth);
          return one(view, check, nth);
        },
      )}</section>`;
    })}
${orphans.length > 0 && html`<section class="area"><h3>Of no finished check <small>${formatCount(orphans.length, 'exchange')}</small></h3>${orphans.slice(0, 100).map((exchange) => renderPageNode(exchangeView(exchange)))}</section>`}`,
  );
}

function one(view: AuditView, check: CheckResult, nth: number): Html {
  const { id, title, line, verdict, rules, duration, reason, failures, exchanges, properties } = check;
  const written = nth > 1 ? [] : exchanges.filter((exchange) => view.written.has(exchange));
  const packs = nth > 1 ? [] : (view.packsOf.get(id) ?? []);
  return html`<details class="check" id="c-${id}${nth > 1 && `-${nth}`}"${packs.length > 0 && html` data-packs="${packs.join(' ')}"`}><summary><code class="id">${id}</code><span class="promise">${title}</span>${renderVerdictMark(verdict)}<span class="n">${formatCount(exchanges.length, 'exchange')}</span><span class="n">${Math.round(duration)} ms</span></summary>
<div class="inside"><p>Claims ${rules.length > 0 ? rules.map((rule) => html`${ruleLink(rule)} `) : 'no rule'} <span class="fine">line ${line}</span></p>${reason && html`<p class="why"><strong>${reason.code}</strong>: ${reason.text}</p>`}${failures.map((failure) => html`<p class="violation">${failure.rule !== undefined && html`${ruleLink(failure.rule)}: `}${failure.message}${failure.expected !== undefined && html` Expected <strong>${failure.expected}</strong>`}${failure.actual !== undefined && html`, got <strong>${failure.actual}</strong>`} ${failure.exchange !== undefined && exchangeLink(failure.exchange)}</p>`)}${properties && html`<p class="fine">${properties.map((property) => html`property ${property.name}, ${property.runs} runs, seed ${property.seed} `)}</p>`}<div class="evidence">${written.map((exchange) => renderPageNode(exchangeView(view.exchanges.get(exchange)!)))}${nth > 1 && exchanges.length > 0 && html`<p class="fine">Exchanges stand with the first run of this check.</p>`}</div></div></details>
`;
}
