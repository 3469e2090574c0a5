import type { Proof, Told } from '../types.ts';
import { type Html, html, plural } from './html.ts';

/** One area of the register: its rules and the lies told about each. */
export interface Block {
  readonly id: string;
  readonly title: string;
  readonly rules: readonly { readonly id: string; readonly proof: Proof | undefined }[];
}

const CELL = 12;
const ROW = 15;
const LEFT = 104;
const TOP = 4;
/** Wider than this, a drawing scrolls by itself on the narrowest screen. */
const NARROW = 280;

/**
 * Draws rules by lies, one block an area: a row for each rule, a column for each lie. A lie belongs to one rule, so what was caught
 * makes a staircase; a mark off the staircase is a rule that turned red with another's lie.
 */
export function proofMatrix(blocks: readonly Block[]): Html {
  return html`<p class="legend">${sample('caught', 'caught')} ${sample('missed', 'missed')} ${sample('beside', 'another rule, red by the same or a declared check')} ${sample('undeclared', 'another rule, nothing accounts for it')} <span>The number beside a rule counts its checks.</span></p>
<div class="matrices">${blocks.map(figure)}</div>`;
}

function sample(kind: Kind, meaning: string): Html {
  return html`<span><svg class="matrix" viewBox="0 0 12 12" width="12" height="12" aria-hidden="true">${shape(kind, 0, 0)}</svg> ${meaning}</span>`;
}

type Kind = 'caught' | 'missed' | 'beside' | 'undeclared';

/** Each kind has a shape of its own, so that none is told by colour alone. */
function shape(kind: Kind, x: number, y: number): Html {
  const [l, t, r, b] = [x + 1.5, y + 1.5, x + 10.5, y + 10.5];
  const diamond = `M${x + 6} ${y + 2.5} ${x + 9.5} ${y + 6} ${x + 6} ${y + 9.5} ${x + 2.5} ${y + 6}z`;
  const paths: Record<Kind, string> = {
    caught: `M${l} ${t}h9v9h-9z`,
    missed: `M${l} ${t}h9v9h-9zL${r} ${b}M${r} ${t}L${l} ${b}`,
    beside: diamond,
    undeclared: diamond,
  };
  return html`<path class="${kind}" d="${paths[kind]}"/>`;
}

function figure({ id, title, rules }: Block): Html {
  const lies = rules.flatMap(({ proof }, row) => (proof?.lies ?? []).map((lie) => ({ lie, row })));
  const caught = lies.filter(({ lie }) => lie.caught).length;
  const rows = new Map(rules.map((rule, row) => [rule.id, row]));
  const others = lies.some(({ lie }) => reds(lie).some(({ rule }) => !rows.has(rule)));
  const width = LEFT + Math.max(lies.length * CELL, 60) + 4;
  const height = TOP + (rules.length + Number(others)) * ROW + 4;
  const drawing = html`<svg class="matrix" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" role="img" aria-label="${id}: ${plural(rules.length, 'rule')}, ${caught} of ${plural(lies.length, 'lie')} caught"><path class="rows" d="${rules.map((_, row) => `M${LEFT} ${TOP + row * ROW + 7.5}H${width - 4}`).join('')}"/>${rules.map((rule, row) => label(rule, row))}${others && html`<text x="0" y="${TOP + rules.length * ROW + 11}">other areas</text>`}${lies.map(({ lie, row }, column) => told(lie, row, column, rows))}</svg>`;
  const wide = width > NARROW;
  return html`<figure><figcaption><b>${title}</b> <span class="fine">${id}, ${caught} of ${plural(lies.length, 'lie')} caught</span></figcaption>${wide ? html`<div class="scroll" tabindex="0" role="region" aria-label="Lies about ${id}">${drawing}</div>` : drawing}</figure>
`;
}

function label({ id, proof }: Block['rules'][number], row: number): Html {
  const y = TOP + row * ROW + 11;
  return html`<text x="0" y="${y}">${id}</text>${
    proof === undefined || proof.lies.length === 0
      ? html`<text class="none" x="${LEFT}" y="${y}">no lie told</text>`
      : proof.checks !== undefined &&
        html`<text class="n" x="${LEFT - 8}" y="${y}" text-anchor="end">${proof.checks}</text>`
  }`;
}

function told(lie: Told, row: number, column: number, rows: ReadonlyMap<string, number>): Html {
  const x = LEFT + column * CELL;
  const at = (one: number) => TOP + one * ROW + 1.5;
  const marks = new Map<number, Kind>();
  for (const { rule, reason } of reds(lie)) {
    const place = rows.get(rule) ?? rows.size;
    if (place !== row && marks.get(place) !== 'undeclared')
      marks.set(place, reason === undefined ? 'undeclared' : 'beside');
  }
  const also = reds(lie).map(({ rule }) => rule);
  return html`<g><title>${lie.name}: ${lie.caught ? `caught by ${plural(lie.by.length, 'check')}` : 'missed'}${also.length > 0 && `; also red: ${also.slice(0, 6).join(', ')}${also.length > 6 ? ' …' : ''}`}</title>${shape(lie.caught ? 'caught' : 'missed', x, at(row))}${[...marks].map(([place, kind]) => shape(kind, x, at(place)))}</g>`;
}

/** Other rules that a lie turned red; those of the same check need no other reason. */
function reds({ beside = [], apart = [] }: Told): { rule: string; reason: string | undefined }[] {
  return [
    ...beside.map((rule) => ({ rule, reason: 'the same check' })),
    ...apart.map(({ rule, reason }) => ({ rule, reason })),
  ];
}
