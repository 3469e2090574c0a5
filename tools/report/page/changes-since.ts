import { summariseComparison } from '../compare-runs.ts';
import type { ObservedChange, RunComparison, RunResult } from '../types.ts';
import { verdictWord } from '../verdict-words.ts';
import type { AuditView } from './audit-view.ts';
import { formatCount, type Html, html } from './html.ts';
import { formatUtc, renderSection, renderTable, ruleLink } from './marks.ts';

const SHOWN = 12;

/** Draws what changed since the run that this one was compared with. */
export function renderChangesSince({ run }: AuditView): Html {
  if (run.since === undefined)
    return renderSection(
      'since',
      'Since the previous run',
      'No earlier finished run of this target was at hand, and no baseline of it.',
      html``,
    );
  const { from, fromStartedAt, fromVerdict, sameSpecs, verdicts, drift, shapes, timing } = run.since;
  const worse = verdicts.filter((one) => one.worse);
  const better = verdicts.filter((one) => !one.worse);
  const nothing = verdicts.length + drift.length + shapes.length + timing.length === 0;
  return renderSection(
    'since',
    'Since the previous run',
    html`Compared with run <code>${from}</code> of ${formatUtc(fromStartedAt)}, which ended ${fromVerdict}. ${summariseComparison(run.since)}`,
    html`${!sameSpecs && html`<p class="why"><strong>The contract changed in between</strong>: a verdict may differ because the promise does.</p>`}${!run.complete && html`<p class="why">This run is incomplete: what it did not get to counts as changed.</p>`}${
      nothing
        ? html`<p>Verdicts, what was seen in the holes, shapes of answers and timing are as they were.</p>`
        : html`${verdictTable(run, 'Verdicts that got worse', worse)}${verdictTable(run, 'Verdicts that got better, or new', better)}${timings(timing)}${changes('Drift where the documents are silent', 'No promise is broken by it.', drift)}${changes('Shapes of answers', 'Members and their types, for operations and statuses that both runs saw.', shapes)}`
    }`,
  );
}

function verdictTable({ rules }: RunResult, title: string, rows: RunComparison['verdicts']): Html {
  const texts = new Map(rules.map(({ id, text }) => [id, text]));
  return html`${
    rows.length > 0 &&
    html`<h3>${title} <small>${formatCount(rows.length, 'rule')}</small></h3>${renderTable(
      title,
      ['Rule', 'Was', 'Is', 'Promise'],
      rows.map(
        ({ rule, from, to }) =>
          html`<tr><td>${ruleLink(rule)}</td><td>${verdictWord(from)}</td><td>${verdictWord(to)}</td><td>${texts.get(rule)}</td></tr>`,
      ),
    )}`
  }`;
}

function changes(title: string, lead: string, list: readonly ObservedChange[]): Html {
  return html`${
    list.length > 0 &&
    html`<details><summary>${title}: ${formatCount(list.length, 'place')}. ${lead}</summary>${renderTable(
      title,
      ['Where', 'New', 'Gone'],
      list.map(
        ({ where, appeared, vanished }) =>
          html`<tr><td><code>${where}</code></td><td>${some(appeared)}</td><td>${some(vanished)}</td></tr>`,
      ),
    )}</details>`
  }`;
}

function some(ones: readonly string[]): Html {
  return html`${ones.slice(0, SHOWN).map((one) => html`<code>${one}</code><br>`)}${ones.length > SHOWN && html`<span class="fine">and ${ones.length - SHOWN} more in <a href="run.json">run.json</a></span>`}`;
}

function timings(list: RunComparison['timing']): Html {
  return html`${
    list.length > 0 &&
    html`<details><summary>Timing: ${formatCount(list.length, 'operation')} at least twice as slow or fast</summary>${renderTable(
      'Timing',
      ['Operation', 'Median, was', 'Median, is', '9 of 10 within, was', 'is', 'Now'],
      list.map(
        ({ operation, from, to, slower }) =>
          html`<tr><td><code>${operation}</code></td>${[from[0], to[0], from[1], to[1]].map((ms) => html`<td>${Math.round(ms)} ms</td>`)}<td>${slower ? 'slower' : 'faster'}</td></tr>`,
      ),
    )}</details>`
  }`;
}
