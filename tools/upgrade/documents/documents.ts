import { existsSync, readFileSync, statSync } from 'node:fs';
import { basename, join } from 'node:path';
import { APIS } from '#apis';
import { type Clause, type RuleLevel as Duty, splitClauses } from '#contract';
import { Trouble } from '#trouble';
import { fingerprintText } from '../fingerprint.ts';
import type { RegisterEntry, UpgradeRegister } from '../read/register.ts';
import type { FindingWeight } from '../types.ts';
import type { DocumentDecision } from './decisions.ts';
import { type ClausePair, pairClauses } from './pair-clauses.ts';
import { type ComparedWordings, compareWordings, type TextPiece } from './wording.ts';

/** A clause as one version of a document has it. */
export interface ClauseSide {
  readonly line: number;
  readonly section: string;
  readonly text: readonly TextPiece[];
}

/** A rule that comes from a clause, with its checks and how it was judged last. */
export interface ClauseRule {
  readonly id: string;
  readonly level: Duty;
  readonly text: string;
  /** File and line of the checks that claim it. */
  readonly checks: readonly string[];
  /** Absent without a run. */
  readonly verdict?: string;
}

/** One clause of a document that is not as it was. */
export interface ClauseChange {
  /** Twelve letters over both wordings: a decision names them. */
  readonly clause: string;
  readonly document: string;
  readonly section: string;
  readonly fate: ClausePair['fate'];
  /** Of a changed clause: whether it states other facts, or the same in other words. */
  readonly nature?: ComparedWordings['nature'];
  /** Facts that went and came with the change. */
  readonly facts?: { readonly gone: readonly string[]; readonly come: readonly string[] };
  readonly old?: ClauseSide;
  readonly new?: ClauseSide;
  /** How it begins. */
  readonly begins: string;
  /** What comes from it, by either description. */
  readonly rules: readonly ClauseRule[];
  readonly holes: readonly string[];
  /** `unknown`: somebody has to decide what it means. */
  readonly weight: FindingWeight;
  /** Why it has its weight, in one sentence. */
  readonly why: string;
  readonly decision?: DocumentDecision;
}

/** What hangs on clauses. */
export interface ClauseDependents {
  /** Registers of the old and of the new descriptions. */
  readonly registers: { readonly old: readonly UpgradeRegister[]; readonly new: readonly UpgradeRegister[] };
  readonly checksOf: (rules: readonly string[]) => readonly string[];
  readonly verdictOf: (rule: string) => string | undefined;
  readonly decisions: readonly DocumentDecision[];
}

/** Two versions of the documents, clause by clause. */
export interface DocumentsComparison {
  /** How many clauses each version has. */
  readonly old: number;
  readonly new: number;
  /** Every file that was read. */
  readonly files: readonly string[];
  /** What nobody has decided yet first, other facts before other words. */
  readonly changes: readonly ClauseChange[];
  /** Decisions on what did not change. */
  readonly stale: readonly DocumentDecision[];
}

const DOCUMENTS = APIS.map(({ document }) => document);

/**
 * Compares two versions of the documents: files, or folders that hold `gateway.md`, `v1.md` or both.
 * @param hanging what hangs on a clause is told with it
 * @throws Trouble (usage) when one cannot be read or they have no document in common
 */
export function compareDocuments(old: string, now: string, hanging: ClauseDependents): DocumentsComparison {
  const before = readDocuments(old);
  const after = readDocuments(now);
  // Two files of any name are two versions of one document.
  const single = before.size === 1 && after.size === 1;
  const names = single ? [[...before.keys()][0]!] : [...before.keys()].filter((name) => after.has(name));
  if (names.length === 0)
    throw new Trouble('usage', 'the two sides hold different documents', {
      place: { file: now },
      fix: `compare files, or folders that hold ${DOCUMENTS.join(' or ')}`,
    });
  const pairs = names.map((name) => [
    splitClauses(name, before.get(name)!.text),
    splitClauses(name, (single ? [...after.values()][0]! : after.get(name)!).text),
  ]);
  const changes = pairs.flatMap(([a, b]) => {
    const sections = new Set(b!.map(({ section }) => section));
    return pairClauses(a!, b!).map((pair) => toChange(pair, hanging, sections));
  });
  return {
    files: [...before.values(), ...after.values()].map(({ file }) => file),
    old: pairs.reduce((sum, [list]) => sum + list!.length, 0),
    new: pairs.reduce((sum, [, list]) => sum + list!.length, 0),
    changes: changes.sort((a, b) => loudness(a) - loudness(b)),
    stale: hanging.decisions.filter(({ clause }) => !changes.some((one) => one.clause === clause)),
  };
}

function readDocuments(path: string): ReadonlyMap<string, { file: string; text: string }> {
  const found = existsSync(path) ? (statSync(path).isDirectory() ? inside(path) : [path]) : [];
  if (found.length === 0)
    throw new Trouble('usage', 'there is no document', {
      place: { file: path },
      fix: `name a Markdown file, or a folder that holds ${DOCUMENTS.join(' or ')}`,
    });
  return new Map(
    found.map((file) => [basename(file).replace(/\.\w+$/, ''), { file, text: readFileSync(file, 'utf8') }]),
  );
}

const inside = (folder: string) => DOCUMENTS.map((name) => join(folder, name)).filter((file) => existsSync(file));

function toChange(
  { fate, old, new: now }: ClausePair,
  hanging: ClauseDependents,
  sections: ReadonlySet<string>,
): ClauseChange {
  const { registers, checksOf, verdictOf, decisions } = hanging;
  const first = (old ?? now)!;
  const all = [...registers.old, ...registers.new];
  const rules = unique([old, now].flatMap((clause) => hangingOn(all, 'rules', clause)));
  const clause = fingerprintText(
    [first.document, old?.sha256, now?.sha256, fate === 'moved' && now?.section].join('\n'),
  );
  const wordings = old && now && fate === 'changed' ? compareWordings(old.text, now.text) : undefined;
  const side = (one: Clause | undefined, text: readonly TextPiece[] | undefined) =>
    one && { line: one.line, section: one.section, text: text ?? [{ text: one.text }] };
  const sides = { old: side(old, wordings?.old), new: side(now, wordings?.new) };
  const claimed = (['rules', 'holes', 'contexts'] as const).some((list) => hangingOn(all, list, now).length > 0);
  const decision = decisions.find((one) => one.clause === clause);
  return {
    clause,
    document: first.document,
    section: first.section,
    fate,
    ...(wordings ? { nature: wordings.nature, facts: { gone: wordings.gone, come: wordings.come } } : {}),
    ...(sides.old ? { old: sides.old } : {}),
    ...(sides.new ? { new: sides.new } : {}),
    begins: first.text.split(' ').slice(0, 5).join(' '),
    rules: rules.map(({ id, level, text }) => {
      const verdict = verdictOf(id);
      return { id, level, text, checks: checksOf([id]), ...(verdict === undefined ? {} : { verdict }) };
    }),
    holes: unique([old, now].flatMap((one) => hangingOn(all, 'holes', one))).map(({ id }) => id),
    ...weigh(fate, { musts: rules.filter(({ level }) => level === 'must'), claimed, old, new: now, sections }),
    ...(decision === undefined ? {} : { decision, weight: 'note' as const }),
  };
}

interface Scales {
  readonly musts: readonly RegisterEntry[];
  /** Whether anything of a register comes from the new wording. */
  readonly claimed: boolean;
  readonly old: Clause | undefined;
  readonly new: Clause | undefined;
  /** Sections of the new version. */
  readonly sections: ReadonlySet<string>;
}

/** A promise may be another one wherever a rule that binds hangs on it, or new text is there that nobody has read. */
function weigh(fate: ClausePair['fate'], { musts, claimed, old, new: now, sections }: Scales) {
  const of = (weight: FindingWeight, why: string) => ({ weight, why });
  if (fate === 'moved') {
    if (musts.length > 0 && sections.has(old!.section))
      return of('unknown', 'The same words may promise something else under another heading.');
    return of('note', 'The same words stand under another heading.');
  }
  if (musts.length > 0)
    return of(
      'unknown',
      fate === 'gone'
        ? 'What a rule that binds comes from is no longer said.'
        : 'A rule that binds comes from it; whether its promise is still this one, only a person can tell.',
    );
  if (now !== undefined && now.kind !== 'heading' && !claimed)
    return of(
      'unknown',
      fate === 'new'
        ? 'No rule, hole or context of the register comes from it: it may promise something.'
        : 'Nothing of the register comes from the new words: they may promise something else.',
    );
  return of('note', 'No rule that binds comes from it.');
}

function hangingOn(
  registers: readonly UpgradeRegister[],
  list: 'rules' | 'holes' | 'contexts',
  clause: Clause | undefined,
) {
  if (clause === undefined) return [];
  return registers.flatMap((register) =>
    register[list].filter(({ source }) =>
      source.some((one) => one.sha256 === clause.sha256 && (one.section ?? clause.section) === clause.section),
    ),
  );
}

function unique(entries: readonly RegisterEntry[]): RegisterEntry[] {
  return [...new Map(entries.map((one) => [one.id, one])).values()].sort((a, b) => (a.id < b.id ? -1 : 1));
}

const FATES = ['gone', 'changed', 'new', 'moved'];

function loudness({ weight, fate, nature, rules }: ClauseChange): number {
  const binds = rules.some(({ level }) => level === 'must');
  const open = (weight === 'unknown' ? 0 : 200) + (binds ? 0 : 100);
  return open + (nature === 'facts' ? 0 : nature === 'words' ? 50 : 10 + FATES.indexOf(fate));
}
