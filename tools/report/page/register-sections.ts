import type { AuditView } from './audit-view.ts';
import { formatCount, type Html, html } from './html.ts';
import { exchangeLink, renderSection, renderTable, ruleLink } from './marks.ts';

const SHOWN = 30;

/** Draws what the documents leave open and what was seen there. */
export function renderHoles({ run }: AuditView): Html {
  const { total, learned } = run.counts.holes;
  return renderSection(
    'holes',
    'Not shown, and what was learned',
    html`The documents leave ${formatCount(total, 'thing')} open; this run saw something in ${learned}. Nothing here is a verdict. <a href="overlay.yaml">overlay.yaml</a> holds the same for a person to accept.`,
    html`${run.holes.map(
      ({
        id,
        unknown,
        learned: sights,
      }) => html`<details class="hole" id="${id}"><summary><code class="id">${id}</code><span class="promise">${unknown}</span><span class="n">${sights.length > 0 ? formatCount(sights.length, 'sight') : html`<span class="fine">nothing seen</span>`}</span></summary>
<div class="inside">${
        sights.length === 0
          ? html`<p class="fine">No answer of this run showed anything here.</p>`
          : renderTable(
              `Learned in ${id}`,
              ['Where', 'What', 'Times', 'First in'],
              sights
                .slice(0, SHOWN)
                .map(
                  ({ where, what, times, exchange }) =>
                    html`<tr><td><code>${where || '/'}</code></td><td>${what}</td><td>${times}</td><td>${exchangeLink(exchange)}</td></tr>`,
                ),
            )
      }${sights.length > SHOWN && html`<p class="fine">and ${sights.length - SHOWN} more in run.json</p>`}</div></details>
`,
    )}`,
  );
}

/** Draws what answers for the clauses of the documents, so that no share hides what it is made of. */
export function renderClauseAccount({ run }: AuditView): Html {
  if (run.clauses === undefined)
    return renderSection(
      'clauses',
      'Clauses of the documents',
      'This journal does not say how clauses are claimed.',
      html``,
    );
  const all = run.clauses.reduce((sum, { clauses }) => sum + clauses, 0);
  const untested = run.clauses.reduce((sum, { untestable }) => sum + untestable, 0);
  return renderSection(
    'clauses',
    'Clauses of the documents',
    html`The register accounts for ${formatCount(all, 'clause')}; ${untested} of them ${untested === 1 ? 'rests' : 'rest'} on rules alone that nobody can test. <code>assay ledger --documents DIR</code> holds the documents against it and says which clauses of several statements are covered in part.`,
    renderTable(
      'Clauses by what answers for them',
      ['Document', 'Clauses', 'By rules', 'of these by untestable rules only', 'By holes', 'Context'],
      run.clauses.map(
        ({ document, clauses, rule, untestable, hole, context }) =>
          html`<tr><th scope="row">${document}</th><td>${clauses}</td><td>${rule}</td><td>${untestable}</td><td>${hole}</td><td>${context}</td></tr>`,
      ),
    ),
  );
}

/** Draws the places where a document can be read in more than one way. */
export function renderReadings({ run }: AuditView): Html {
  if (run.readings.length === 0) return renderSection('readings', 'Readings', 'No reading is on record.', html``);
  return renderSection(
    'readings',
    'Readings',
    'Where a document can be read in more than one way: what was taken, why, and which rules would notice the other way.',
    html`${run.readings.map(
      ({
        id,
        question,
        readings: ways,
        taken,
        why,
        notices,
      }) => html`<details class="reading" id="${id}"><summary><code class="id">${id}</code><span class="promise">${question}</span></summary><div class="inside"><ul>${ways.map((way) => html`<li>${way}</li>`)}</ul><dl class="facts"><div><dt>Taken</dt><dd>${taken}</dd></div><div><dt>Why</dt><dd>${why}</dd></div><div><dt>Noticed by</dt><dd>${notices.length > 0 ? notices.map((rule) => html`${ruleLink(rule)} `) : 'no rule'}</dd></div></dl></div></details>
`,
    )}`,
  );
}

/** Draws the failures that a person accepted, with owner and last day. */
export function renderRunWaivers({ run }: AuditView): Html {
  if (run.waivers.length === 0) return renderSection('waivers', 'Waivers', 'No failure is waived.', html``);
  return renderSection(
    'waivers',
    'Waivers',
    'Failures that a person accepted until a day. A waiver past its day, or for a rule that is kept, is a finding.',
    renderTable(
      'Waivers',
      ['Rule', 'State', 'Owner', 'Until', 'Reason'],
      run.waivers.map(
        ({ rule, state, owner, until, reason }) =>
          html`<tr><td>${ruleLink(rule)}</td><td>${state === 'in force' || state === 'not judged' ? state : html`<strong>${state}</strong>`}</td><td>${owner}</td><td>${until}</td><td>${reason}</td></tr>`,
      ),
    ),
  );
}
