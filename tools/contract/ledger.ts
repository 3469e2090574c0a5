import type { Clause } from './clause.ts';
import type { ClauseSource, Contract } from './types.ts';

/** Ways in which a clause is accounted for, the strongest first. */
const WAYS = ['rule', 'hole', 'context'] as const;

/** How a clause is accounted for. */
export type ClaimWay = (typeof WAYS)[number];

/** Something in a spec that says it comes from a clause. */
export interface ClauseClaim {
  readonly way: ClaimWay;
  /** Id of the rule or hole, or why the clause is context. */
  readonly name: string;
  readonly source: ClauseSource;
  /** Our own words on it: of a changed clause nothing else is left to know it by. */
  readonly words: string;
  /** JSON Pointer of what it stands beside, in its spec. */
  readonly at: string;
  /** Whether no client, receiver or signer can observe it. */
  readonly untestable: boolean;
}

/** Counts over one document; a clause with several claims counts for the strongest. */
export interface ClauseTally {
  readonly document: string;
  readonly clauses: number;
  readonly rule: number;
  /** Of those by rule: claimed by rules alone that nobody can test. */
  readonly untestable: number;
  readonly hole: number;
  readonly context: number;
  readonly unclaimed: number;
}

/** A clause that claims speak of and the document does not have. */
export interface LostClause {
  readonly source: ClauseSource;
  readonly claims: readonly ClauseClaim[];
  /** `changed`: another clause of its section may be its new wording; `moved`: same words elsewhere; `gone`: neither. */
  readonly fate: 'changed' | 'moved' | 'gone';
  readonly now?: Clause;
}

/** A clause that names several things, of which its rules name only some. */
export interface PartlyCovered {
  readonly clause: Clause;
  readonly missing: readonly string[];
}

/** The account of all documents. */
export interface ClauseLedger {
  readonly tallies: readonly ClauseTally[];
  readonly unclaimed: readonly Clause[];
  readonly lost: readonly LostClause[];
  /** Clauses claimed by rules that name several things in code spans, and of these the ones not wholly covered. */
  readonly several: number;
  readonly partly: readonly PartlyCovered[];
  /** Who claims a clause. */
  claimsOf(clause: Clause): readonly ClauseClaim[];
}

/**
 * Accounts for every clause: claimed by rules, by a hole or as context; and for every claim: its clause is there, changed or gone.
 * A retired rule claims nothing.
 * @param clauses of all documents, in reading order
 */
export function keepLedger(contract: Contract, clauses: readonly Clause[]): ClauseLedger {
  const claims = group(claimsOf(contract));
  const claimsFor = (clause: Clause) => claims.get(key(clause)) ?? [];
  const unclaimed = clauses.filter((clause) => claimsFor(clause).length === 0);
  const there = new Set(clauses.map(key));
  const documents = [...new Set(clauses.map(({ document }) => document))];
  const tallies = documents.map((document) =>
    tallyClauses(document, clauses.filter((clause) => clause.document === document).map(claimsFor)),
  );
  const missing = [...claims].filter(([id]) => !there.has(id)).map(([, list]) => list);
  const several = clauses.filter((clause) => clause.names.length > 1 && wayOf(claimsFor(clause)) === 'rule');
  const partly = several
    .map((clause) => ({ clause, missing: uncovered(clause, claimsFor(clause)) }))
    .filter(({ missing: names }) => names.length > 0);
  const lost = trace(missing, unclaimed);
  return { tallies, unclaimed, lost, several: several.length, partly, claimsOf: claimsFor };
}

/**
 * How many clauses of each document the register claims, and how; without the documents at hand nothing more can be said.
 * @returns tallies in which no clause is unclaimed
 */
export function tallyRegister(contract: Contract): ClauseTally[] {
  const groups = [...group(claimsOf(contract)).values()];
  return [...new Set(groups.map(([claim]) => claim!.source.document))].sort().map((document) =>
    tallyClauses(
      document,
      groups.filter(([claim]) => claim!.source.document === document),
    ),
  );
}

/** @param claimed for each clause of a document its claims */
function tallyClauses(document: string, claimed: readonly (readonly ClauseClaim[])[]): ClauseTally {
  const count = (way: ClaimWay | undefined) => claimed.filter((list) => wayOf(list) === way).length;
  return {
    document,
    clauses: claimed.length,
    rule: count('rule'),
    untestable: claimed.filter(isUntestableOnly).length,
    hole: count('hole'),
    context: count('context'),
    unclaimed: count(undefined),
  };
}

const wayOf = (claims: readonly ClauseClaim[]) => WAYS.find((way) => claims.some((claim) => claim.way === way));

function isUntestableOnly(claims: readonly ClauseClaim[]): boolean {
  const rules = claims.filter(({ way }) => way === 'rule');
  return rules.length > 0 && rules.every(({ untestable }) => untestable);
}

/** What a clause names and no claim does, by its words or its place; a claim on all of something covers whatever is named. */
function uncovered({ names }: Clause, claims: readonly ClauseClaim[]): string[] {
  if (claims.some(({ words: text }) => /\b(?:all|every|each|both|either|any)\b/i.test(text))) return [];
  return names.filter((name) => !claims.some(({ words: text, at }) => `${text} ${at}`.includes(name)));
}

/**
 * Share of accounted clauses in percent, one decimal; 100.0 only when none is missing.
 */
export function claimedShare(tallies: readonly ClauseTally[]): string {
  const all = tallies.reduce((sum, { clauses }) => sum + clauses, 0);
  const open = tallies.reduce((sum, { unclaimed }) => sum + unclaimed, 0);
  return open === 0 && all > 0 ? '100.0' : (Math.floor((1000 * (all - open)) / Math.max(1, all)) / 10).toFixed(1);
}

function claimsOf(contract: Contract): ClauseClaim[] {
  return [
    ...[...contract.rules.values(), ...contract.clientRules.values()]
      .filter(({ retired }) => retired === undefined)
      .flatMap(({ id, text, source, at, untestable }) =>
        source.map(
          (one): ClauseClaim => ({
            way: 'rule',
            name: id,
            source: one,
            words: text,
            at,
            untestable: untestable !== undefined,
          }),
        ),
      ),
    ...[...contract.holes.values()].flatMap(({ id, unknown, source, at }) =>
      source.map((one): ClauseClaim => ({ way: 'hole', name: id, source: one, words: unknown, at, untestable: false })),
    ),
    ...contract.contexts.map(
      (one): ClauseClaim => ({ way: 'context', name: one.why, source: one, words: one.why, at: '', untestable: false }),
    ),
  ];
}

function group(claims: readonly ClauseClaim[]): ReadonlyMap<string, ClauseClaim[]> {
  const groups = new Map<string, ClauseClaim[]>();
  for (const claim of claims) groups.set(key(claim.source), [...(groups.get(key(claim.source)) ?? []), claim]);
  return groups;
}

function key({ document, section, sha256 }: ClauseSource): string {
  return [document, section, sha256].join('\n');
}

/**
 * Pairs lost claims with what may have become of their clauses: the same words elsewhere, else a new wording in the section. A clause
 * that is claimed where it stands has become nothing else, and each open clause is the new form of one lost clause at most.
 */
function trace(missing: readonly ClauseClaim[][], unclaimed: readonly Clause[]): LostClause[] {
  const taken = new Set<Clause>();
  const found = new Map<readonly ClauseClaim[], { fate: 'moved' | 'changed'; now: Clause }>();
  const take = (claims: readonly ClauseClaim[], fate: 'moved' | 'changed', now: Clause) => {
    if (found.has(claims) || taken.has(now)) return;
    taken.add(now);
    found.set(claims, { fate, now });
  };
  const pairs = missing.flatMap((claims) => unclaimed.map((clause) => ({ claims, clause, from: claims[0]!.source })));
  for (const { claims, clause, from } of pairs)
    if (clause.document === from.document && clause.sha256 === from.sha256) take(claims, 'moved', clause);
  const alike = pairs
    .filter(({ clause, from }) => clause.document === from.document && clause.section === from.section)
    .map(({ claims, clause }) => ({ claims, clause, likeness: likeness(claims, clause) }))
    .sort((a, b) => b.likeness - a.likeness || a.clause.line - b.clause.line);
  for (const { claims, clause } of alike) take(claims, 'changed', clause);
  return missing.map((claims): LostClause => {
    const { source } = claims[0]!;
    return { source, claims, ...(found.get(claims) ?? { fate: 'gone' as const }) };
  });
}

/** Words that a clause shares with what the specs say about the lost one. */
function likeness(claims: readonly ClauseClaim[], clause: Clause): number {
  const mine = words(claims.map((claim) => claim.words).join(' '));
  const theirs = words(clause.text);
  return [...mine].filter((word) => theirs.has(word)).length / Math.max(1, mine.size + theirs.size);
}

function words(text: string): ReadonlySet<string> {
  return new Set(text.toLowerCase().match(/[a-z_]{3,}|\d+/g) ?? []);
}
