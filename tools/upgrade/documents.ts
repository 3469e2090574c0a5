import { existsSync, readFileSync, statSync } from 'node:fs';
import { basename, join } from 'node:path';
import { type Clause, splitClauses } from '#contract';
import { Trouble } from '#trouble';
import type { Register } from './read/register.ts';

/** One clause of a document that is not as it was. */
export interface ClauseChange {
  readonly document: string;
  readonly section: string;
  readonly fate: 'gone' | 'changed' | 'moved' | 'new';
  readonly oldLine?: number;
  readonly newLine?: number;
  /** How it begins; the rest stands in the document. */
  readonly begins: string;
  /** First twelve digits of the clause's hash, of the old one where there is one. */
  readonly clause: string;
  /** Ids of the rules and holes that come from it, by either description. */
  readonly rules: readonly string[];
  readonly holes: readonly string[];
  /** File and line of the checks that claim these rules. */
  readonly checks: readonly string[];
}

/** What hangs on clauses: the registers of both descriptions, and the places of the checks of some rules. */
export interface Hanging {
  readonly registers: readonly Register[];
  readonly checksOf: (rules: readonly string[]) => readonly string[];
}

/** Two versions of the documents, clause by clause. */
export interface DocumentsComparison {
  readonly old: number;
  readonly new: number;
  readonly changes: readonly ClauseChange[];
}

const NAMES = ['gateway', 'v1'];
/** Share of words from which on two clauses of a section are taken for two wordings of one. */
const ALIKE = 0.4;

/**
 * Compares two versions of the documents: files, or folders that hold `gateway.md`, `v1.md` or both.
 * @param hanging what hangs on a clause is told with it
 * @throws Trouble (usage) when one cannot be read or they have no document in common
 */
export function compareDocuments(old: string, now: string, hanging: Hanging): DocumentsComparison {
  const before = readDocuments(old);
  const after = readDocuments(now);
  // Two files of any name are two versions of one document.
  const single = before.size === 1 && after.size === 1;
  const names = single ? [[...before.keys()][0]!] : [...before.keys()].filter((name) => after.has(name));
  if (names.length === 0)
    throw new Trouble('usage', 'the two sides hold different documents', {
      place: { file: now },
      fix: 'compare files, or folders that hold gateway.md or v1.md',
    });
  const pairs = names.map((name) => [
    splitClauses(name, before.get(name)!),
    splitClauses(name, single ? [...after.values()][0]! : after.get(name)!),
  ]);
  return {
    old: pairs.reduce((sum, [list]) => sum + list!.length, 0),
    new: pairs.reduce((sum, [, list]) => sum + list!.length, 0),
    changes: pairs.flatMap(([a, b]) => compare(a!, b!, hanging)),
  };
}

function readDocuments(path: string): ReadonlyMap<string, string> {
  const found = existsSync(path) ? (statSync(path).isDirectory() ? inside(path) : [path]) : [];
  if (found.length === 0)
    throw new Trouble('usage', 'there is no document', {
      place: { file: path },
      fix: 'name a Markdown file, or a folder that holds gateway.md or v1.md',
    });
  return new Map(found.map((file) => [basename(file).replace(/\.\w+$/, ''), readFileSync(file, 'utf8')]));
}

const inside = (folder: string) => NAMES.map((name) => join(folder, `${name}.md`)).filter((file) => existsSync(file));

function compare(old: readonly Clause[], now: readonly Clause[], { registers, checksOf }: Hanging): ClauseChange[] {
  const there = new Set(now.map(key));
  const known = new Set(old.map(key));
  const gone = old.filter((clause) => !there.has(key(clause)));
  const fresh = now.filter((clause) => !known.has(key(clause)));
  const taken = new Set<Clause>();
  const fates = new Map<Clause, { fate: 'changed' | 'moved'; to: Clause }>();
  for (const clause of gone) {
    const to = fresh.find((one) => one.sha256 === clause.sha256 && !taken.has(one));
    if (to) fates.set(clause, { fate: 'moved', to });
    if (to) taken.add(to);
  }
  const pairs = gone
    .filter((clause) => !fates.has(clause))
    .flatMap((clause) =>
      fresh
        .filter((one) => !taken.has(one) && one.section === clause.section && one.kind === clause.kind)
        .map((one) => ({ clause, one, likeness: likeness(clause.text, one.text) })),
    )
    .filter((pair) => pair.likeness >= ALIKE)
    .sort((a, b) => b.likeness - a.likeness || a.clause.line - b.clause.line);
  for (const { clause, one } of pairs)
    if (!fates.has(clause) && !taken.has(one)) {
      fates.set(clause, { fate: 'changed', to: one });
      taken.add(one);
    }
  const told = (fate: ClauseChange['fate'], from: Clause | undefined, to: Clause | undefined): ClauseChange => {
    const hashes = [from?.sha256, to?.sha256];
    const hang = (list: 'rules' | 'holes') =>
      [
        ...new Set(
          registers.flatMap((register) =>
            register[list].filter(({ sha256 }) => sha256.some((one) => hashes.includes(one))).map(({ id }) => id),
          ),
        ),
      ].sort();
    const clause = (from ?? to)!;
    const rules = hang('rules');
    return {
      document: clause.document,
      section: clause.section,
      fate,
      ...(from ? { oldLine: from.line } : {}),
      ...(to ? { newLine: to.line } : {}),
      begins: clause.text.split(' ').slice(0, 5).join(' '),
      clause: clause.sha256.slice(0, 12),
      rules,
      holes: hang('holes'),
      checks: checksOf(rules),
    };
  };
  return [
    ...gone.map((clause) => {
      const known = fates.get(clause);
      return known ? told(known.fate, clause, known.to) : told('gone', clause, undefined);
    }),
    ...fresh.filter((clause) => !taken.has(clause)).map((clause) => told('new', undefined, clause)),
  ];
}

function key({ section, sha256 }: Clause): string {
  return `${section}\n${sha256}`;
}

function likeness(a: string, b: string): number {
  const [mine, theirs] = [a, b].map((text) => new Set(text.toLowerCase().match(/[\p{L}\p{N}_]+/gu) ?? []));
  const shared = [...mine!].filter((word) => theirs!.has(word)).length;
  return shared / Math.max(1, mine!.size + theirs!.size - shared);
}
