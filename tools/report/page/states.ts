import type { Run } from '../types.ts';
import { type Html, html, plural } from './html.ts';
import { exchangeLink, section, table } from './marks.ts';
import { stateGraph } from './state-graph.ts';
import type { View } from './view.ts';

/** Draws the changes of state that were observed, as a graph and as a table. */
export function states({ run }: View): Html {
  const { transitions } = run;
  if (transitions.length === 0) {
    return section('states', 'Observed states', 'No change of state was recorded in this run.', html``);
  }
  return section(
    'states',
    'Observed states',
    'How orders were seen to move. The documents name the states and no transitions, so this is observation, not verdict. A number counts sightings.',
    html`<figure class="scroll" tabindex="0" role="region" aria-label="State graph">${stateGraph(transitions)}</figure>
<details><summary>As a table: ${plural(transitions.length, 'transition')}</summary>${rows(transitions)}</details>`,
  );
}

function rows(transitions: Run['transitions']): Html {
  return table(
    'Observed transitions',
    ['From', 'To', 'After', 'Seen', 'First in'],
    transitions.map(
      ({ from, to, via, times, exchange }) =>
        html`<tr><td>${from}</td><td>${to}</td><td><code>${via}</code></td><td>${times}</td><td>${exchangeLink(exchange)}</td></tr>`,
    ),
  );
}
