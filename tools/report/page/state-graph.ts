import type { RunResult } from '../types.ts';
import { formatCount, type Html, html } from './html.ts';

const WIDTH = 124;
const HEIGHT = 32;
const ACROSS = 212;
const DOWN = 78;

interface Edge {
  readonly from: string;
  readonly to: string;
  times: number;
  readonly via: Set<string>;
}

interface Box {
  readonly x: number;
  readonly y: number;
  readonly column: number;
}

/** Draws states in columns by how far an order has come, forward changes as curves, backward ones as dashed curves below. */
export function renderStateGraph(
  transitions: RunResult['transitions'],
  documented: NonNullable<RunResult['states']> = [],
): Html {
  const edges = join(transitions);
  const names = [...new Set(edges.flatMap(({ from, to }) => [from, to]))];
  const columns = depth(names, edges);
  const used = [...new Set(columns.values())].sort((a, b) => a - b);
  const groups = used.map((column) => names.filter((name) => columns.get(name) === column));
  const tallest = Math.max(...groups.map((group) => group.length));
  const spans = edges.map(({ from, to }) => used.indexOf(columns.get(to)!) - used.indexOf(columns.get(from)!));
  const longest = Math.max(...spans);
  const back = edges.some(({ from, to }) => from !== to && columns.get(to)! <= columns.get(from)!);
  const top = longest > 1 ? 26 + lift(longest) : 48;
  const boxes = new Map<string, Box>();
  groups.forEach((group, column) => {
    group.forEach((name, row) => {
      boxes.set(name, { column, x: 8 + column * ACROSS, y: top + (row + (tallest - group.length) / 2) * DOWN });
    });
  });
  const unseen = documented.filter(({ name }) => !names.includes(name));
  const bottom = top + (tallest - 1) * DOWN + HEIGHT + (back ? 76 : 16);
  const width = Math.max(16 + (groups.length - 1) * ACROSS + WIDTH, 8 + unseen.length * (WIDTH + 16));
  const height = bottom + (unseen.length > 0 ? HEIGHT + 16 : 0);
  const isFinal = new Set(documented.filter((state) => state.isFinal).map(({ name }) => name));
  return html`<svg class="graph" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" role="img" aria-label="${formatCount(names.length, 'state')}, ${formatCount(edges.length, 'observed change')}; the table below says the same"><defs><marker id="tip" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="7" markerHeight="7" orient="auto-start-reverse"><path d="M0 0 8 4 0 8z"/></marker></defs>
${edges.map((edge) => draw(edge, boxes.get(edge.from)!, boxes.get(edge.to)!, top))}
${names.map((name) => box(name, boxes.get(name)!, isFinal.has(name)))}${unseen.map(({ name }, i) => html`<g class="never">${box(name, { x: 8 + i * (WIDTH + 16), y: bottom, column: 0 }, isFinal.has(name))}</g>`)}</svg>`;
}

function join(transitions: RunResult['transitions']): Edge[] {
  const edges = new Map<string, Edge>();
  for (const { from, to, times, via } of transitions) {
    const key = JSON.stringify([from, to]);
    const edge = edges.get(key) ?? { from, to, times: 0, via: new Set<string>() };
    edge.times += times;
    edge.via.add(via);
    edges.set(key, edge);
  }
  return [...edges.values()];
}

/** The longest way to each state that passes none twice, so that nearly every change leads to the right. */
function depth(names: readonly string[], edges: readonly Edge[]): Map<string, number> {
  const entered = new Set(edges.filter(({ from, to }) => from !== to).map(({ to }) => to));
  const roots = names.filter((name) => !entered.has(name));
  const found = new Map<string, number>(names.map((name) => [name, 0]));
  let steps = 0;
  const walk = (name: string, way: readonly string[]) => {
    steps += 1;
    if (way.length > found.get(name)!) found.set(name, way.length);
    if (steps > 5000) return;
    for (const { from, to } of edges) if (from === name && to !== name && !way.includes(to)) walk(to, [...way, name]);
  };
  for (const root of roots.length > 0 ? roots : names.slice(0, 1)) walk(root, []);
  return found;
}

function draw({ times, via }: Edge, from: Box, to: Box, top: number): Html {
  const { path, x, y, backward } = route(from, to, top);
  return html`<g class="edge${backward && ' back'}"><title>${formatCount(times, 'time')}, after ${[...via].sort().join(', ')}</title><path d="${path}" marker-end="url(#tip)"/><text x="${x}" y="${y}" text-anchor="middle">${times}</text></g>`;
}

function route(from: Box, to: Box, top: number): { path: string; x: number; y: number; backward: boolean } {
  const [x1, y1, x2, y2] = [from.x + WIDTH, from.y + HEIGHT / 2, to.x, to.y + HEIGHT / 2];
  if (from === to) {
    const x = from.x + WIDTH / 2;
    const path = `M${x - 16} ${from.y} C${x - 24} ${from.y - 32} ${x + 24} ${from.y - 32} ${x + 16} ${from.y}`;
    return { path, x, y: from.y - 27, backward: false };
  }
  const span = to.column - from.column;
  if (span === 1) {
    const bend = (x2 - x1) / 2;
    const path = `M${x1} ${y1} C${x1 + bend} ${y1} ${x2 - bend} ${y2} ${x2} ${y2}`;
    // Near its own end, where the curves have come apart.
    return { path, x: x1 + (x2 - x1) * 0.7, y: y1 + (y2 - y1) * 0.82 - 5, backward: false };
  }
  if (span > 1) {
    const [sx, ex] = [from.x + WIDTH / 2 - 14 * (span - 2), to.x + WIDTH / 2 - 18];
    const peak = top - lift(span);
    // A curve comes three quarters of the way to its handles.
    const over = (peak - (from.y + to.y) / 8) / 0.75;
    const path = `M${sx} ${from.y} C${sx} ${over} ${ex} ${over} ${ex} ${to.y}`;
    // Changes to states below each other share their peak: each number stands a little further on.
    const along = 0.42 + 0.18 * ((to.y - top) / DOWN);
    return { path, x: sx + (ex - sx) * along, y: peak - 4, backward: false };
  }
  const [sx, ex] = [from.x + WIDTH / 2 + 14, to.x + WIDTH / 2 - 14];
  const low = Math.max(from.y, to.y) + HEIGHT + 44;
  const path = `M${sx} ${from.y + HEIGHT} C${sx} ${low} ${ex} ${low} ${ex} ${to.y + HEIGHT}`;
  return { path, x: (sx + ex) / 2, y: (from.y + to.y + 2 * HEIGHT) / 8 + low * 0.75 + 4, backward: true };
}

/** How far above the boxes a change over that many columns is drawn. */
const lift = (span: number) => 26 + 26 * (span - 2);

function box(name: string, { x, y }: Box, isFinal: boolean): Html {
  const inner = html`<rect x="${x + 3}" y="${y + 3}" width="${WIDTH - 6}" height="${HEIGHT - 6}" rx="2"/>`;
  return html`<g><rect x="${x}" y="${y}" width="${WIDTH}" height="${HEIGHT}" rx="4"/>${isFinal && inner}<text x="${x + WIDTH / 2}" y="${y + HEIGHT / 2 + 4}" text-anchor="middle">${name}</text></g>`;
}
