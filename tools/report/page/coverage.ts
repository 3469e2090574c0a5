import type { Coverage } from '../types.ts';
import { type Html, html } from './html.ts';
import { section, table } from './marks.ts';
import type { View } from './view.ts';

/** Draws operations against statuses: how often each documented answer was really seen, and what else came. */
export function coverage({ run }: View): Html {
  const statuses = [
    ...new Set(run.coverage.flatMap(({ documented, seen }) => [...documented, ...Object.keys(seen).map(Number)])),
  ].sort((a, b) => a - b);
  const documented = run.coverage.reduce((sum, one) => sum + one.documented.length, 0);
  const reached = run.coverage.reduce(
    (sum, one) => sum + one.documented.filter((status) => one.seen[status]).length,
    0,
  );
  return section(
    'coverage',
    'Coverage',
    `${reached} of ${documented} documented answers were seen. A number counts exchanges; a hollow cell is documented and was not seen; a dot is not documented.`,
    table(
      'Operations by status',
      ['Operation', ...statuses.map(String), 'no answer'],
      run.coverage.map(
        (one) =>
          html`<tr><th scope="row"><code>${one.operation}</code> <small>${one.method} ${one.path}</small></th>${statuses.map((status) => cell(one, status))}<td class="${one.unanswered > 0 ? 'odd' : 'void'}">${one.unanswered > 0 ? one.unanswered : '·'}</td></tr>`,
      ),
      'grid',
    ),
  );
}

function cell({ documented, seen }: Coverage, status: number): Html {
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
