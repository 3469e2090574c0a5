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
}

/** Counts over one document; a clause with several claims counts for the strongest. */
export interface ClauseTally {
  readonly document: string;
  readonly clauses: number;
  readonly rule: number;
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

/** The account of all documents. */
export interface ClauseLedger {
  readonly tallies: readonly ClauseTally[];
  readonly unclaimed: readonly Clause[];
  readonly lost: readonly LostClause[];
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
  const tallies = documents.map((document): ClauseTally => {
    const own = clauses.filter((clause) => clause.document === document);
    const ways = own.map((clause) => WAYS.find((way) => claimsFor(clause).some((claim) => claim.way === way)));
    const count = (way: ClaimWay | undefined) => ways.filter((one) => one === way).length;
    return {
      document,
      clauses: own.length,
      rule: count('rule'),
      hole: count('hole'),
      context: count('context'),
      unclaimed: count(undefined),
    };
  });
  const missing = [...claims].filter(([id]) => !there.has(id)).map(([, list]) => list);
  return { tallies, unclaimed, lost: trace(missing, unclaimed, clauses), claimsOf: claimsFor };
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
    ...[...contract.rules.values()]
      .filter(({ retired }) => retired === undefined)
      .flatMap(({ id, text, source }) =>
        source.map((one): ClauseClaim => ({ way: 'rule', name: id, source: one, words: text })),
      ),
    ...[...contract.holes.values()].flatMap(({ id, unknown, source }) =>
      source.map((one): ClauseClaim => ({ way: 'hole', name: id, source: one, words: unknown })),
    ),
    ...contract.contexts.map((one): ClauseClaim => ({ way: 'context', name: one.why, source: one, words: one.why })),
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

/** Pairs lost claims with what may have become of their clauses; each new clause is the new wording of one old clause at most. */
function trace(
  missing: readonly ClauseClaim[][],
  unclaimed: readonly Clause[],
  clauses: readonly Clause[],
): LostClause[] {
  const pairs = missing
    .flatMap((claims) =>
      unclaimed
        .filter(
          ({ document, section }) => document === claims[0]!.source.document && section === claims[0]!.source.section,
        )
        .map((clause) => ({ claims, clause, likeness: likeness(claims, clause) })),
    )
    .sort((a, b) => b.likeness - a.likeness || a.clause.line - b.clause.line);
  const found = new Map<readonly ClauseClaim[], Clause>();
  for (const { claims, clause } of pairs) {
    if (!found.has(claims) && ![...found.values()].includes(clause)) found.set(claims, clause);
  }
  return missing.map((claims): LostClause => {
    const { source } = claims[0]!;
    const moved = clauses.find(({ document, sha256 }) => document === source.document && sha256 === source.sha256);
    const changed = found.get(claims);
    if (moved) return { source, claims, fate: 'moved', now: moved };
    return changed ? { source, claims, fate: 'changed', now: changed } : { source, claims, fate: 'gone' };
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
