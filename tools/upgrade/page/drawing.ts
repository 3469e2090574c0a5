import { formatCount, type Html, html, renderSection } from '#report';
import { registeredId } from '../impact.ts';
import type { JudgedChange } from '../result.ts';
import { LEVEL_MEANINGS, shownLevel, type UpgradeView } from './view.ts';

const COLUMNS = [
  { title: 'Change', x: 0, width: 250 },
  { title: 'Rules', x: 330, width: 100 },
  { title: 'Checks', x: 510, width: 230 },
  { title: 'Recorded', x: 820, width: 130 },
] as const;
const ROW = 30;
const TOP = 34;
const CHANGES = 8;
const EACH = 5;

interface Box {
  readonly key: string;
  readonly text: string;
  readonly kind?: string;
  readonly href?: string;
  y: number;
}

/** Draws how the loudest changes reach rules, checks and recorded exchanges. */
export function renderImpact({ upgrade }: UpgradeView): Html {
  const loud = upgrade.changes
    .filter(
      (one) =>
        !['safe', 'note'].includes(one.level) && (registeredId(one) === undefined || one.id === 'rule-facts-changed'),
    )
    .slice(0, CHANGES);
  const reached = loud.some(({ impact }) => impact.rules.length + impact.checks.length > 0);
  if (!reached) {
    const quiet = upgrade.changes.filter(({ impact }) => impact.rules.length > 0);
    const rules = new Set(quiet.flatMap(({ impact }) => impact.rules.map(({ id }) => id)));
    const clauses = upgrade.documents?.changes ?? [];
    const ofDocuments = new Set(clauses.flatMap((clause) => clause.rules.map(({ id }) => id))).size;
    return renderSection(
      'impact',
      'Impact',
      rules.size === 0
        ? ofDocuments === 0
          ? 'No change reaches a rule of the register.'
          : html`No change of the descriptions reaches a rule of the register; changed clauses of the documents reach ${formatCount(ofDocuments, 'rule')}, named <a href="#clauses">beside each</a>.`
        : html`Nothing loud to draw. ${formatCount(quiet.length, 'change')} of rules themselves, or of less weight, ${quiet.length === 1 ? 'reaches' : 'reach'} ${formatCount(rules.size, 'rule')}: ${[...rules].slice(0, 12).join(', ')}${rules.size > 12 && ` and ${rules.size - 12} more`}.`,
      html``,
    );
  }
  const columns: Box[][] = [[], [], [], []];
  const lines = new Set<string>();
  for (const change of loud) {
    const from = put(columns[0]!, changeBox(change));
    const rules = change.impact.rules.slice(0, EACH);
    for (const { id } of rules) link(from, put(columns[1]!, { key: id, text: id }));
    for (const { title, place, rules: claimed } of someOf(change)) {
      const check = put(columns[2]!, { key: `${place} ${title}`, text: cut(title, 34) });
      for (const { id } of rules) if (claimed.includes(id)) link(columns[1]!.find(({ key }) => key === id)!, check);
    }
    if (change.impact.exchanges !== undefined) {
      const count = change.impact.exchanges.length;
      const text = count === 0 ? 'never exercised' : `${count} exchanges`;
      const box = put(columns[3]!, { key: change.fingerprint, text, kind: count === 0 ? 'warn' : '' });
      const checks = columns[2]!.filter(({ key }) =>
        someOf(change).some(({ place, title }) => key === `${place} ${title}`),
      );
      for (const one of checks.length > 0 ? checks : [from]) link(one, box);
    }
  }
  const height = TOP + ROW * Math.max(...columns.map(({ length }) => length)) + 4;
  for (const column of columns) {
    const gap = Math.max(ROW, (height - TOP - 4) / Math.max(1, column.length));
    column.forEach((box, i) => {
      box.y = TOP + gap * i;
    });
  }
  const all = columns.flatMap((boxes, i) => boxes.map((box) => ({ ...box, column: COLUMNS[i]! })));
  const end = (key: string) => all.find((box) => `${box.column.title} ${box.key}` === key)!;
  const curves = [...lines].map((line) => {
    const [a, b] = line.split('\n').map(end);
    const [x, y] = [a!.column.x + a!.column.width, a!.y + 11];
    const [x2, y2] = [b!.column.x, b!.y + 11];
    // Commas and whole numbers: digits that only blanks part could pass for a card number.
    const middle = Math.round((x + x2) / 2);
    return html`<path d="M${x},${y.toFixed(0)}C${middle},${y.toFixed(0)},${middle},${y2.toFixed(0)},${x2},${y2.toFixed(0)}"/>`;
  });
  return renderSection(
    'impact',
    'Impact',
    'From the loudest changes to the rules they touch, the checks that claim those rules, and the recorded exchanges that met the place. The cards above say the same in words.',
    html`<div class="scroll" tabindex="0" role="region" aria-label="Drawing of the impact"><svg class="graph flow" width="952" height="${height.toFixed(0)}" viewBox="0,0,952,${height.toFixed(0)}" role="group" aria-label="${loud.length} changes, ${columns[1]!.length} rules, ${columns[2]!.length} checks">
${COLUMNS.map(({ title, x }, i) => html`<text class="head" x="${x}" y="14">${title}${columns[i]!.length === 0 && ': none'}</text>`)}
${curves}
${all.map(({ column, text, y, kind = '', href }) => wrapped(html`<g class="${kind}"><rect x="${column.x}" y="${y.toFixed(0)}" width="${column.width}" height="22" rx="3"/><text x="${column.x + 8}" y="${(y + 15).toFixed(0)}">${text}</text></g>`, href))}
</svg></div>`,
  );

  function put(column: Box[], box: Omit<Box, 'y'>): Box {
    const known = column.find(({ key }) => key === box.key);
    if (known) return known;
    column.push({ ...box, y: 0 });
    return column.at(-1)!;
  }
  function link(a: Box, b: Box): void {
    const name = (box: Box) => `${COLUMNS[columns.findIndex((boxes) => boxes.includes(box))]!.title} ${box.key}`;
    lines.add(`${name(a)}\n${name(b)}`);
  }
}

function changeBox(change: JudgedChange): Omit<Box, 'y'> {
  const { kind, sign } = LEVEL_MEANINGS[shownLevel(change)];
  return {
    key: change.fingerprint,
    text: `${sign} ${cut(change.subject.split('/').slice(-2).join('/'), 32)}`,
    kind,
    href: `#${change.fingerprint}`,
  };
}

/** A few checks of a change, each of its rules before any rule a second time. */
function someOf({ impact: { rules, checks } }: JudgedChange): JudgedChange['impact']['checks'] {
  const first = rules.flatMap(({ id }) => checks.find((check) => check.rules.includes(id)) ?? []);
  return [...new Set([...first, ...checks])].slice(0, EACH);
}

function wrapped(box: Html, href: string | undefined): Html {
  return href === undefined ? box : html`<a href="${href}">${box}</a>`;
}

function cut(text: string, length: number): string {
  return text.length <= length ? text : `${text.slice(0, length - 1)}…`;
}
