import type { Run } from '../types.ts';
import { type Html, html, plural } from './html.ts';
import { exchangeLink, section, table } from './marks.ts';
import type { View } from './view.ts';

const BOX = { width: 132, height: 34, across: 250, down: 74 };

/** Draws the changes of state that were observed, as a graph and as a table. */
export function states({ run }: View): Html {
  if (run.transitions.length === 0)
    return section('states', 'Observed states', 'No change of state was recorded in this run.', html``);
  return section(
    'states',
    'Observed states',
    'How orders were seen to move. The documents name the states and no transitions, so this is observation, not verdict.',
    html`<figure class="scroll" tabindex="0" role="region" aria-label="State graph">${graph(run.transitions)}<figcaption class="fine">A number counts sightings. The same as a table below.</figcaption></figure>
<details><summary>As a table: ${plural(run.transitions.length, 'transition')}</summary>${table(
      'Observed transitions',
      ['From', 'To', 'After', 'Seen', 'First in'],
      run.transitions.map(
        ({ from, to, via, times, exchange }) =>
          html`<tr><td>${from}</td><td>${to}</td><td><code>${via}</code></td><td>${times}</td><td>${exchangeLink(exchange)}</td></tr>`,
      ),
    )}</details>`,
  );
}

/** Columns by distance from the states that nothing leads to; edges as curves with their counts. */
function graph(transitions: Run['transitions']): Html {
  const names = [...new Set(transitions.flatMap(({ from, to }) => [from, to]))];
  const column = columns(names, transitions);
  const rows = new Map<number, number>();
  const at = new Map<string, { x: number; y: number }>();
  for (const name of names) {
    const x = column.get(name)!;
    const y = rows.get(x) ?? 0;
    rows.set(x, y + 1);
    at.set(name, { x: 24 + x * BOX.across, y: y * BOX.down });
  }
  const tallest = Math.max(...rows.values());
  for (const name of names) at.get(name)!.y += 40 + ((tallest - rows.get(column.get(name)!)!) * BOX.down) / 2;
  const joined = new Map<string, { from: string; to: string; times: number; via: Set<string> }>();
  for (const { from, to, times, via } of transitions) {
    const one = joined.get(`${from}\n${to}`) ?? { from, to, times: 0, via: new Set<string>() };
    joined.set(`${from}\n${to}`, { ...one, times: one.times + times, via: one.via.add(via) });
  }
  const width = 48 + Math.max(...column.values()) * BOX.across + BOX.width + 40;
  const height = 60 + tallest * BOX.down;
  return html`<svg class="graph" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" role="img" aria-label="States and observed transitions"><defs><marker id="tip" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="7" markerHeight="7" orient="auto-start-reverse"><path d="M0 0 8 4 0 8z"/></marker></defs>
${[...joined.values()].map(({ from, to, times, via }) => edge(at.get(from)!, at.get(to)!, times, [...via].join(', ')))}
${names.map((name) => html`<g><rect x="${at.get(name)!.x}" y="${at.get(name)!.y}" width="${BOX.width}" height="${BOX.height}" rx="5"/><text x="${at.get(name)!.x + BOX.width / 2}" y="${at.get(name)!.y + 22}" text-anchor="middle">${name}</text></g>`)}</svg>`;
}

function edge(from: { x: number; y: number }, to: { x: number; y: number }, times: number, via: string): Html {
  const mid = BOX.height / 2;
  let path: string;
  let label: { x: number; y: number };
  if (from === to) {
    const x = from.x + BOX.width / 2;
    path = `M${x - 18} ${from.y} C${x - 26} ${from.y - 34} ${x + 26} ${from.y - 34} ${x + 18} ${from.y}`;
    label = { x, y: from.y - 28 };
  } else if (to.x > from.x) {
    const [x1, y1, x2, y2] = [from.x + BOX.width, from.y + mid, to.x, to.y + mid];
    const bend = (x2 - x1) / 2;
    path = `M${x1} ${y1} C${x1 + bend} ${y1} ${x2 - bend} ${y2} ${x2} ${y2}`;
    label = { x: x1 + (x2 - x1) * 0.62, y: y1 + (y2 - y1) * 0.68 - 6 };
  } else {
    const down = to.y >= from.y;
    const [x1, x2] = [
      from.x + BOX.width / 2 + (to.x === from.x ? 20 : 0),
      to.x + BOX.width / 2 + (to.x === from.x ? 20 : 0),
    ];
    const [y1, y2] =
      to.x === from.x
        ? [down ? from.y + BOX.height : from.y, down ? to.y : to.y + BOX.height]
        : [from.y + BOX.height, to.y + BOX.height];
    const dip = to.x === from.x ? 0 : 44;
    path = `M${x1} ${y1} C${x1} ${y1 + dip} ${x2} ${y2 + dip} ${x2} ${y2}`;
    label = { x: (x1 + x2) / 2 + (dip ? 0 : 16), y: (y1 + y2) / 2 + dip * 0.75 };
  }
  return html`<g class="edge"><title>${plural(times, 'time')}, after ${via}</title><path d="${path}" marker-end="url(#tip)"/><text x="${label.x}" y="${label.y}" text-anchor="middle">${times}</text></g>`;
}

function columns(names: readonly string[], transitions: Run['transitions']): Map<string, number> {
  const roots = names.filter((name) => !transitions.some(({ from, to }) => to === name && from !== name));
  const column = new Map<string, number>((roots.length > 0 ? roots : names.slice(0, 1)).map((name) => [name, 0]));
  for (const name of column.keys()) {
    for (const { from, to } of transitions) if (from === name && !column.has(to)) column.set(to, column.get(name)! + 1);
  }
  for (const name of names) if (!column.has(name)) column.set(name, 0);
  return column;
}
