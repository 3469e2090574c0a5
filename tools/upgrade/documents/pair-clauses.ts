import type { Clause } from '#contract';
import { factsIn } from './wording.ts';

/** What became of a clause: `old` alone is gone, `new` alone is new. */
export interface ClausePair {
  readonly fate: 'gone' | 'changed' | 'moved' | 'new';
  readonly old?: Clause;
  readonly new?: Clause;
}

/** Share of words from which on two clauses of a section are taken for two wordings of one. */
const ALIKE = 0.4;
/** What the same first cell of a row adds: it is what a row is known by. */
const SAME_ROW = 0.3;

/** Pairs the clauses of two versions of a document that are not in both, in the order of the old version, what is new at the end. */
export function pairClauses(old: readonly Clause[], now: readonly Clause[]): ClausePair[] {
  const there = new Set(now.map(key));
  const known = new Set(old.map(key));
  // What stands where it stood has become nothing else.
  const gone = old.filter((clause) => !there.has(key(clause)));
  const fresh = now.filter((clause) => !known.has(key(clause)));
  const taken = new Set<Clause>();
  const found = new Map<Clause, ClausePair>();
  const take = (fate: 'changed' | 'moved', clause: Clause, to: Clause) => {
    if (found.has(clause) || taken.has(to)) return;
    found.set(clause, { fate, old: clause, new: to });
    taken.add(to);
  };
  for (const clause of gone) {
    const to = fresh.find((one) => one.sha256 === clause.sha256 && !taken.has(one));
    if (to) take('moved', clause, to);
  }
  const pairs = gone.flatMap((clause) =>
    fresh
      .filter((one) => one.section === clause.section && one.kind === clause.kind)
      .map((one) => ({ clause, one, likeness: likeness(clause, one) })),
  );
  const alike = pairs.filter((pair) => pair.likeness >= ALIKE);
  for (const { clause, one } of alike.sort((a, b) => b.likeness - a.likeness || a.clause.line - b.clause.line))
    take('changed', clause, one);
  for (const { clause, one } of pairs) if (saysTheSame(clause, one)) take('changed', clause, one);
  return [
    ...gone.map((clause): ClausePair => found.get(clause) ?? { fate: 'gone', old: clause }),
    ...fresh.filter((clause) => !taken.has(clause)).map((clause): ClausePair => ({ fate: 'new', new: clause })),
  ];
}

function key({ section, sha256 }: Clause): string {
  return `${section}\n${sha256}`;
}

function likeness(a: Clause, b: Clause): number {
  const [mine, theirs] = [a, b].map(({ text }) => new Set(text.toLowerCase().match(/[\p{L}\p{N}_]+/gu) ?? []));
  const shared = [...mine!].filter((word) => theirs!.has(word)).length;
  const rows = a.kind === 'row' && cell(a) === cell(b) ? SAME_ROW : 0;
  return rows + shared / Math.max(1, mine!.size + theirs!.size - shared);
}

/** In other words, with the same facts, a figure or a name among them. */
function saysTheSame(a: Clause, b: Clause): boolean {
  const facts = factsIn(a.text);
  return facts.some((one) => !one.startsWith('~')) && facts.join(' ') === factsIn(b.text).join(' ');
}

const cell = ({ text }: Clause) => text.split(' | ')[0];
