import { type Change, type Comparison, inShort } from '../compare.ts';
import type { Run } from '../types.ts';
import { type Html, html, plural } from './html.ts';
import { ruleLink, section, table, utc } from './marks.ts';
import type { View } from './view.ts';

const SHOWN = 12;

/** Draws what changed since the run that this one was compared with. */
export function since({ run }: View): Html {
  if (run.since === undefined)
    return section(
      'since',
      'Since the previous run',
      'No earlier finished run of this target was at hand, and no baseline of it.',
      html``,
    );
  const { from, fromStartedAt, fromVerdict, sameSpecs, verdicts, drift, shapes, timing } = run.since;
  const worse = verdicts.filter((one) => one.worse);
  const better = verdicts.filter((one) => !one.worse);
  const nothing = verdicts.length + drift.length + shapes.length + timing.length === 0;
  return section(
    'since',
    'Since the previous run',
    html`Compared with run <code>${from}</code> of ${utc(fromStartedAt)}, which ended ${fromVerdict}. ${inShort(run.since)}`,
    html`${!sameSpecs && html`<p class="why"><strong>The contract changed in between</strong>: a verdict may differ because the promise does.</p>`}${!run.complete && html`<p class="why">This run is incomplete: what it did not get to counts as changed.</p>`}${
      nothing
        ? html`<p>Verdicts, what was seen in the holes, shapes of answers and timing are as they were.</p>`
        : html`${verdictTable(run, 'Verdicts that got worse', worse)}${verdictTable(run, 'Verdicts that got better, or new', better)}${timings(timing)}${changes('Drift where the documents are silent', 'No promise is broken by it.', drift)}${changes('Shapes of answers', 'Members and their types, for operations and statuses that both runs saw.', shapes)}`
    }`,
  );
}

function verdictTable({ rules }: Run, title: string, rows: Comparison['verdicts']): Html {
  const texts = new Map(rules.map(({ id, text }) => [id, text]));
  return html`${
    rows.length > 0 &&
    html`<h3>${title} <small>${plural(rows.length, 'rule')}</small></h3>${table(
      title,
      ['Rule', 'Was', 'Is', 'Promise'],
      rows.map(
        ({ rule, from, to }) =>
          html`<tr><td>${ruleLink(rule)}</td><td>${from}</td><td>${to}</td><td>${texts.get(rule)}</td></tr>`,
      ),
    )}`
  }`;
}

function changes(title: string, lead: string, list: readonly Change[]): Html {
  return html`${
    list.length > 0 &&
    html`<details><summary>${title}: ${plural(list.length, 'place')}. ${lead}</summary>${table(
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

function timings(list: Comparison['timing']): Html {
  return html`${
    list.length > 0 &&
    html`<details><summary>Timing: ${plural(list.length, 'operation')} at least twice as slow or fast</summary>${table(
      'Timing',
      ['Operation', 'Median, was', 'Median, is', '9 of 10 within, was', 'is', 'Now'],
      list.map(
        ({ operation, from, to, slower }) =>
          html`<tr><td><code>${operation}</code></td>${[from[0], to[0], from[1], to[1]].map((ms) => html`<td>${Math.round(ms)} ms</td>`)}<td>${slower ? 'slower' : 'faster'}</td></tr>`,
      ),
    )}</details>`
  }`;
}
