import type { OperationCoverage } from '../types.ts';
import type { AuditView } from './audit-view.ts';
import { formatCount, type Html, html } from './html.ts';
import { renderSection, renderTable } from './marks.ts';

/** Draws operations against statuses, service by service: how often each documented answer was really seen, and what else came. */
export function renderCoverage({ run, journal }: AuditView): Html {
  const firsts = firstExchanges(journal);
  const documented = run.coverage.reduce((sum, one) => sum + one.documented.length, 0);
  const reached = run.coverage.reduce(
    (sum, one) => sum + one.documented.filter((status) => one.seen[status]).length,
    0,
  );
  const apis = [...new Set(run.coverage.map(({ api }) => api))];
  return renderSection(
    'coverage',
    'Coverage',
    `${reached} of ${formatCount(documented, 'documented answer')} ${reached === 1 ? 'was' : 'were'} seen. A number counts exchanges and leads to the first of them; an outlined 0 is documented and never came; a shaded number is not documented for that operation; a dot is neither.`,
    html`${apis.map((api) =>
      grid(
        api,
        run.coverage.filter((one) => one.api === api),
        firsts,
      ),
    )}`,
  );
}

/** The first exchange of every operation with every status, by both; `operation none` for one without an answer. */
function firstExchanges({ exchanges }: AuditView['journal']): ReadonlyMap<string, string> {
  const firsts = new Map<string, string>();
  for (const { id, direction, operation, status } of exchanges) {
    const key = `${operation} ${status ?? 'none'}`;
    if (direction !== 'in' && operation !== undefined && !firsts.has(key)) firsts.set(key, id);
  }
  return firsts;
}

function grid(api: string, rows: readonly OperationCoverage[], firsts: ReadonlyMap<string, string>): Html {
  const seen = rows.flatMap((row) => [...row.documented, ...Object.keys(row.seen).map(Number)]);
  const statuses = [...new Set(seen)].sort((a, b) => a - b);
  return html`<h3>${api}</h3>${renderTable(
    `Operations of ${api} by status`,
    ['Operation', ...statuses.map(String), 'no answer'],
    rows.map(
      (one) =>
        html`<tr><th scope="row"><code>${one.operation}</code> <small>${one.method} ${one.path}</small></th>${statuses.map((status) => cell(one, status, firsts))}${one.unanswered > 0 ? html`<td class="odd">${counted(one.unanswered, firsts.get(`${one.operation} none`))}</td>` : html`<td class="void">·</td>`}</tr>`,
    ),
    'grid',
  )}`;
}

function cell(
  { operation, documented, seen }: OperationCoverage,
  status: number,
  firsts: ReadonlyMap<string, string>,
): Html {
  const count = seen[status] ?? 0;
  const known = documented.includes(status);
  if (count === 0)
    return known ? html`<td class="unseen" title="documented, not seen">0</td>` : html`<td class="void">·</td>`;
  const number = counted(count, firsts.get(`${operation} ${status}`));
  return known
    ? html`<td class="seen">${number}</td>`
    : html`<td class="odd" title="not documented for this operation">${number}</td>`;
}

/** A count that leads to the first exchange behind it. */
function counted(count: number, exchange: string | undefined): Html {
  return exchange === undefined ? html`${count}` : html`<a href="#x-${exchange}">${count}</a>`;
}
