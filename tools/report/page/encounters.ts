import type { RunResult } from '../types.ts';
import type { AuditView } from './audit-view.ts';
import { formatCount, type Html, html } from './html.ts';
import { exchangeLink, renderSection, renderTable } from './marks.ts';

type Encounter = NonNullable<RunResult['encounters']>[number];

const GROUPS: Readonly<Record<Encounter['group'], string>> = {
  state: 'States',
  step: 'Steps of 3-D Secure',
  error: 'Errors',
  flow: 'Flows',
};

/** Draws what a client met and what it never met, and what would bring it about. Nothing where a service was checked. */
export function renderEncounters({ run: { encounters } }: AuditView): Html | undefined {
  if (encounters === undefined) return undefined;
  const met = encounters.filter(({ times }) => times > 0).length;
  const apis = [...new Set(encounters.map(({ api }) => api))];
  return renderSection(
    'encounters',
    'Met and never met',
    `This client met ${met} of ${formatCount(encounters.length, 'state, step, error or flow', 'states, steps, errors and flows')}. What it never met, nothing here says how it would take; the last column says what brings it about at the sandbox.`,
    html`${apis.map((api) => html`<h3>${api}</h3>${renderGrid(encounters.filter((one) => one.api === api))}`)}`,
  );
}

function renderGrid(encounters: readonly Encounter[]): Html {
  return renderTable(
    'What the client met',
    ['', 'What', 'Met', 'First in', 'Brought about by'],
    encounters.map(
      ({ group, name, times, exchange, bring }, i) =>
        html`<tr><th scope="row">${encounters[i - 1]?.group === group ? '' : GROUPS[group]}</th><td>${name}</td>${times > 0 ? html`<td class="seen">${times}</td>` : html`<td class="unseen" title="never met">0</td>`}<td>${exchange !== undefined && exchangeLink(exchange)}</td><td>${times === 0 && bring}</td></tr>`,
    ),
    'grid',
  );
}
