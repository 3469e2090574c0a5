import type { LieOutcome, Proof } from '../types.ts';
import { formatCount, type Html, html } from './html.ts';

/** One area of the register: its rules and the lies told about each. */
export interface MatrixBlock {
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
 * @param names whether each lie says its name when pointed at; without it a drawing is a tenth of the size
 */
export function renderProofMatrix(blocks: readonly MatrixBlock[], names: boolean): Html {
  return html`<p class="legend">${sample('caught', 'caught')} ${sample('missed', 'missed')} ${sample('beside', 'another rule, red by the same or a declared check')} ${sample('undeclared', 'another rule, nothing accounts for it')} <span>The number beside a rule counts its checks.</span></p>
<div class="matrices">${blocks.map((block) => figure(block, names))}</div>`;
}

function sample(kind: Kind, meaning: string): Html {
  return html`<span><svg class="matrix" viewBox="0 0 12 12" width="12" height="12" aria-hidden="true">${joined([{ kind, x: 0, y: 0 }])}</svg> ${meaning}</span>`;
}

const KINDS = ['caught', 'missed', 'beside', 'undeclared'] as const;
type Kind = (typeof KINDS)[number];

interface Mark {
  readonly kind: Kind;
  readonly x: number;
  readonly y: number;
}

/** All marks of each kind as one path. Each kind has a shape of its own, so that none is told by colour alone. */
function joined(marks: readonly Mark[]): Html {
  return html`${KINDS.map((kind) => {
    const path = marks.filter((mark) => mark.kind === kind).map(({ x, y }) => `M${x} ${y}${SHAPES[kind]}`);
    return path.length > 0 && html`<path class="${kind}" d="${path.join('')}"/>`;
  })}`;
}

/** From the upper left corner of a cell. */
const SHAPES: Readonly<Record<Kind, string>> = {
  caught: 'm1.5 1.5h9v9h-9z',
  missed: 'm1.5 1.5h9v9h-9zl9 9m0-9l-9 9',
  beside: 'm6 2.5l3.5 3.5-3.5 3.5-3.5-3.5z',
  undeclared: 'm6 2.5l3.5 3.5-3.5 3.5-3.5-3.5z',
};

function figure({ id, title, rules }: MatrixBlock, names: boolean): Html {
  const lies = rules.flatMap(({ proof }, row) => (proof?.lies ?? []).map((lie) => ({ lie, row })));
  const caught = lies.filter(({ lie }) => lie.caught).length;
  const rows = new Map(rules.map((rule, row) => [rule.id, row]));
  const others = lies.some(({ lie }) => reds(lie).some(({ rule }) => !rows.has(rule)));
  const width = LEFT + Math.max(lies.length * CELL, 60) + 4;
  const height = TOP + (rules.length + Number(others)) * ROW + 4;
  const drawing = html`<svg class="matrix" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" role="img" aria-label="${id}: ${formatCount(rules.length, 'rule')}, ${caught} of ${formatCount(lies.length, 'lie')} caught"><path class="rows" d="${rules.map(({ proof }, row) => (proof?.lies.length ? `M${LEFT} ${TOP + row * ROW + 7.5}H${width - 4}` : '')).join('')}"/>${rules.map((rule, row) => label(rule, row))}${others && html`<text x="0" y="${TOP + rules.length * ROW + 11}">other areas</text>`}${names ? lies.map(({ lie, row }, column) => named(lie, marksOf(lie, row, column, rows))) : joined(lies.flatMap(({ lie, row }, column) => marksOf(lie, row, column, rows)))}</svg>`;
  const wide = width > NARROW;
  return html`<figure><figcaption><b>${title}</b> <span class="fine">${id}, ${caught} of ${formatCount(lies.length, 'lie')} caught</span></figcaption>${wide ? html`<div class="scroll" tabindex="0" role="region" aria-label="Lies about ${id}">${drawing}</div>` : drawing}</figure>
`;
}

function label({ id, proof }: MatrixBlock['rules'][number], row: number): Html {
  const y = TOP + row * ROW + 11;
  return html`<text x="0" y="${y}">${id}</text>${
    proof === undefined || proof.lies.length === 0
      ? html`<text class="none" x="${LEFT}" y="${y}">no lie told</text>`
      : proof.checks !== undefined && html`<text class="n" x="${LEFT - 8}" y="${y}">${proof.checks}</text>`
  }`;
}

/** Where a lie left its marks: in the row of its rule, and in those of other rules. */
function marksOf(lie: LieOutcome, row: number, column: number, rows: ReadonlyMap<string, number>): Mark[] {
  const at = (kind: Kind, one: number) => ({ kind, x: LEFT + column * CELL, y: TOP + one * ROW + 1 });
  const others = new Map<number, Kind>();
  for (const { rule, reason } of reds(lie)) {
    const place = rows.get(rule) ?? rows.size;
    if (place !== row && others.get(place) !== 'undeclared')
      others.set(place, reason === undefined ? 'undeclared' : 'beside');
  }
  return [at(lie.caught ? 'caught' : 'missed', row), ...[...others].map(([place, kind]) => at(kind, place))];
}

function named(lie: LieOutcome, marks: readonly Mark[]): Html {
  const also = reds(lie).map(({ rule }) => rule);
  return html`<g><title>${lie.name}: ${lie.caught ? `caught by ${formatCount(lie.by.length, 'check')}` : 'missed'}${also.length > 0 && `; also red: ${also.slice(0, 6).join(', ')}${also.length > 6 ? ' …' : ''}`}</title>${joined(marks)}</g>`;
}

/** Other rules that a lie turned red; those of the same check need no other reason. */
function reds({ beside = [], apart = [] }: LieOutcome): { rule: string; reason: string | undefined }[] {
  return [
    ...beside.map((rule) => ({ rule, reason: 'the same check' })),
    ...apart.map(({ rule, reason }) => ({ rule, reason })),
  ];
}
