import type { ExchangeLine } from '#evidence';
import type { AuditView } from './audit-view.ts';
import { formatCount, type Html, html } from './html.ts';
import { checkLink, renderSection } from './marks.ts';

const SHOWN = 8;
const STEPS = 24;
const LANES = { suite: 90, browser: 300, service: 510 } as const;

/** Draws what went to and fro where a browser or a callback took part: one drawing for each different course. */
export function renderSequences(view: AuditView): Html {
  const { run, journal: shelf } = view;
  const courses = new Map<string, { id: string; title: string; steps: readonly ExchangeLine[]; more: number }>();
  const loudFirst = [...run.checks].sort((a, b) => Number(b.verdict !== 'pass') - Number(a.verdict !== 'pass'));
  for (const { id, title } of loudFirst) {
    const steps = shelf.byCheck.get(id) ?? [];
    if (!steps.some(({ direction }) => direction !== 'out')) continue;
    const key = steps
      .map(({ direction, operation, response }) => `${direction} ${operation} ${response?.status}`)
      .join('\n');
    const known = courses.get(key);
    if (known) known.more += 1;
    else courses.set(key, { id, title, steps, more: 0 });
  }
  if (courses.size === 0)
    return renderSection('sequences', 'Sequences', 'No browser and no callback took part in this run.', html``);
  const shown = [...courses.values()].slice(0, SHOWN);
  return renderSection(
    'sequences',
    'Sequences',
    html`3-D Secure steps, hosted pages and callbacks as they really went, drawn from the exchanges.${courses.size > SHOWN && ` ${SHOWN} of ${courses.size} different courses are drawn, those with findings first.`}`,
    html`${shown.map(
      ({ id, title, steps, more }) =>
        html`<figure class="course"><figcaption>${checkLink(id)} ${title}${more > 0 && html` <span class="fine">and ${formatCount(more, 'other check')} went the same way</span>`}</figcaption><div class="scroll" tabindex="0" role="region" aria-label="Sequence of ${title}">${drawing(steps)}</div></figure>`,
    )}`,
  );
}

function drawing(steps: readonly ExchangeLine[]): Html {
  const shown = steps.slice(0, STEPS);
  const height = 58 + shown.length * 40 + (steps.length > STEPS ? 20 : 0);
  return html`<svg class="lanes" viewBox="0 0 600 ${height}" width="600" height="${height}" role="group" aria-label="${formatCount(steps.length, 'step')}: ${shown.map(({ operation, direction }) => operation ?? direction).join(', ')}">
${Object.entries(LANES).map(([name, x]) => html`<line class="lane" x1="${x}" y1="34" x2="${x}" y2="${height - 8}"/><text class="head" x="${x}" y="22" text-anchor="middle">${name}</text>`)}
${shown.map((step, i) => arrow(step, 62 + i * 40))}
${steps.length > STEPS && html`<text x="300" y="${height - 10}" text-anchor="middle">and ${steps.length - STEPS} more</text>`}</svg>`;
}

function arrow({ id, direction, operation, request, response, failure }: ExchangeLine, y: number): Html {
  const [from, to] = {
    out: [LANES.suite, LANES.service],
    in: [LANES.service, LANES.suite],
    browser: [LANES.browser, LANES.service],
  }[direction] as [number, number];
  const way = to > from ? -7 : 7;
  const path = request.url.replace(/^[a-z]+:\/\/[^/]*/i, '').replace(/\?.*$/, '');
  const label = `${request.method} ${operation ?? (path.length > 38 ? `…${path.slice(-37)}` : path)}`;
  return html`<a href="#x-${id}" class="${direction}"><title>${id}</title><line x1="${from}" y1="${y}" x2="${to + way}" y2="${y}"/><path class="tip" d="M${to + way} ${y - 5} ${to} ${y} ${to + way} ${y + 5}z"/><text x="${(from + to) / 2}" y="${y - 6}" text-anchor="middle">${label}</text><text class="back" x="${(from + to) / 2}" y="${y + 13}" text-anchor="middle">${response ? `answered ${response.status}` : (failure ?? 'no answer').slice(0, 50)}</text></a>`;
}
