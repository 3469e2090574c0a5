import type { OperationCoverage } from '../types.ts';
import type { AuditView } from './audit-view.ts';
import { formatCount, type Html, html } from './html.ts';
import { renderSection, renderTable } from './marks.ts';

/** Draws operations against statuses, service by service: how often each documented answer was really seen, and what else came. */
export function renderCoverage({ run }: AuditView): Html {
  const documented = run.coverage.reduce((sum, one) => sum + one.documented.length, 0);
  const reached = run.coverage.reduce(
    (sum, one) => sum + one.documented.filter((status) => one.seen[status]).length,
    0,
  );
  const apis = [...new Set(run.coverage.map(({ api }) => api))];
  return renderSection(
    'coverage',
    'Coverage',
    `${reached} of ${formatCount(documented, 'documented answer')} ${reached === 1 ? 'was' : 'were'} seen. A number counts exchanges; an outlined 0 is documented and never came; a shaded number is not documented for that operation; a dot is neither.`,
    html`${apis.map((api) =>
      grid(
        api,
        run.coverage.filter((one) => one.api === api),
      ),
    )}`,
  );
}

function grid(api: string, rows: readonly OperationCoverage[]): Html {
  const seen = rows.flatMap((row) => [...row.documented, ...Object.keys(row.seen).map(Number)]);
  const statuses = [...new Set(seen)].sort((a, b) => a - b);
  return html`<h3>${api}</h3>${renderTable(
    `Operations of ${api} by status`,
    ['Operation', ...statuses.map(String), 'no answer'],
    rows.map(
      (one) =>
        html`<tr><th scope="row"><code>${one.operation}</code> <small>${one.method} ${one.path}</small></th>${statuses.map((status) => cell(one, status))}${one.unanswered > 0 ? html`<td class="odd">${one.unanswered}</td>` : html`<td class="void">·</td>`}</tr>`,
    ),
    'grid',
  )}`;
}

function cell({ documented, seen }: OperationCoverage, status: number): Html {
  const count = seen[status] ?? 0;
  const known = documented.includes(status);
  if (known)
    return count > 0
      ? html`<td class="seen">${count}</td>`
      : html`<td class="unseen" title="documented, not seen">0</td>`;
  return count > 0
    ? html`<td class="odd" title="not documented for this operation">${count}</td>`
    : html`<td class="void">·</td>`;
}
