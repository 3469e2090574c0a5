import type { RunResult } from '../types.ts';
import type { AuditView } from './audit-view.ts';
import { formatCount, type Html, html } from './html.ts';
import { exchangeLink, renderSection, renderTable } from './marks.ts';
import { renderStateGraph } from './state-graph.ts';

/** Draws the changes of state that were observed, as a graph and as a table. */
export function renderObservedStates({ run }: AuditView): Html {
  const { transitions, states = [] } = run;
  if (transitions.length === 0) {
    return renderSection('states', 'States', 'No change of state was recorded in this run.', html``);
  }
  const unseen = states.filter(({ name }) => !transitions.some(({ from, to }) => name === from || name === to));
  return renderSection(
    'states',
    'States',
    html`How orders were seen to move. The documents name the states and no transitions, so this is observation, not verdict. A number counts sightings; a double border marks a state that the documents call final.${unseen.length > 0 && html` <strong>Documented and not seen</strong>: ${unseen.map(({ name }) => name).join(', ')}.`}`,
    html`<figure class="scroll" tabindex="0" role="region" aria-label="State graph">${renderStateGraph(transitions, states)}</figure>
<details><summary>As a table: ${formatCount(transitions.length, 'transition')}</summary>${rows(transitions)}</details>`,
  );
}

function rows(transitions: RunResult['transitions']): Html {
  return renderTable(
    'Observed transitions',
    ['From', 'To', 'After', 'Seen', 'First in'],
    transitions.map(
      ({ from, to, via, times, exchange }) =>
        html`<tr><td>${from}</td><td>${to}</td><td><code>${via}</code></td><td>${times}</td><td>${exchangeLink(exchange)}</td></tr>`,
    ),
  );
}
