import type { ProofFile } from '#report';
import { type KnownLie, listKnownLies } from './known-lies.ts';
import type { HonestCheck, IdleClaim, LieResult } from './types.ts';

/** By the name of a lie: ids of the checks that it is told to. */
export type PlannedPlays = ReadonlyMap<string, ReadonlySet<string>>;

/** What {@link planPlays} goes by. */
export interface PlayGround {
  /** Ids of the checks that claim a rule. */
  readonly claiming: (rule: string) => readonly string[];
  /** Earlier proofs, also those of a suite that was changed since: whom to ask first, and no more than that. */
  readonly kept: ProofFile;
}

/** To how many checks a lie is told at first that no proof knows. */
const GUESSES = 4;

/**
 * The fewest plays that earlier proofs let expect: each lie is told to one check that caught it before, and each check is told one lie about
 * each rule it claims at which it turned red. A lie that no proof knows is told to those first that caught lies of like names, one that no
 * check caught to all that claim its rule, and a check that never turned red is told all lies of it. What comes otherwise than expected
 * {@link planRest} finds.
 */
export function planPlays(lies: readonly KnownLie[], { claiming, kept }: PlayGround): PlannedPlays {
  const plan = new Map<string, Set<string>>();
  for (const [rule, own] of byRule(lies)) {
    const checks = claiming(rule);
    const caughtBy = new Map(
      (kept.rules[rule]?.lies ?? []).map(({ name, by }) => [name, by.filter((id) => checks.includes(id))]),
    );
    const asked = new Set<string>();
    for (const { name } of own) {
      const before = caughtBy.get(name) ?? [];
      const first = before.find((id) => !asked.has(id)) ?? before[0];
      plan.set(name, new Set(first === undefined ? guessChecks(name, caughtBy, checks) : [first]));
      if (first !== undefined) asked.add(first);
    }
    if (!isWhole(rule, own)) continue;
    for (const id of checks) {
      if (own.some(({ name }) => plan.get(name)!.has(id))) continue;
      const red = own.filter(({ name }) => caughtBy.get(name)?.includes(id));
      for (const { name } of red.length > 0 ? red.slice(0, 1) : own) plan.get(name)!.add(id);
    }
  }
  return plan;
}

/** Checks that may catch a lie: those that caught lies of the likest names; all of them where that tells nothing. */
function guessChecks(
  name: string,
  caughtBy: ReadonlyMap<string, readonly string[]>,
  checks: readonly string[],
): readonly string[] {
  if (caughtBy.has(name)) return checks;
  const others = [...caughtBy].map(([other, ids]) => ({ ids, likeness: likenessOf(name, other) }));
  const likest = others.toSorted((a, b) => b.likeness - a.likeness).flatMap(({ ids }) => ids);
  return likest.length === 0 ? checks : [...new Set(likest)].slice(0, GUESSES);
}

/** How much two names have in common, from 0 to 1: the share of their words that are in both. */
function likenessOf(one: string, other: string): number {
  const [words, others] = [new Set(one.split('-')), new Set(other.split('-'))];
  const shared = [...words].filter((word) => others.has(word)).length;
  return shared / (words.size + others.size - shared);
}

/**
 * What is left to be told after a plan was carried out: lies that nobody caught, to the checks of their rule that were not asked, and all
 * lies of a rule to its checks that did not turn red.
 * @param results what the lies came to so far
 */
export function planRest(
  lies: readonly KnownLie[],
  told: PlannedPlays,
  results: readonly LieResult[],
  honest: readonly HonestCheck[],
  claiming: PlayGround['claiming'],
): PlannedPlays {
  const rest = new Map<string, Set<string>>();
  const tell = (name: string, ids: Iterable<string>) => {
    const open = [...ids].filter((id) => told.get(name)?.has(id) !== true);
    if (open.length > 0) rest.set(name, new Set([...(rest.get(name) ?? []), ...open]));
  };
  for (const { name, rule, by } of results) if (by.length === 0) tell(name, claiming(rule));
  for (const { rule, id } of listIdleClaims(lies, results, honest))
    for (const { name } of lies.filter((lie) => lie.rule === rule)) tell(name, [id]);
  return rest;
}

/**
 * The claims that nothing shows able to fail, of rules about which every lie was told.
 * @param lies those that were to be told
 * @param honest the checks of the run without a lie
 */
export function listIdleClaims(
  lies: readonly KnownLie[],
  results: readonly Pick<LieResult, 'rule' | 'by'>[],
  honest: readonly HonestCheck[],
): IdleClaim[] {
  const red = new Map<string, Set<string>>();
  for (const { rule, by } of results) red.set(rule, new Set([...(red.get(rule) ?? []), ...by]));
  return [...byRule(lies)].flatMap(([rule, own]) =>
    isWhole(rule, own)
      ? honest
          .filter(({ id, rules, outcome }) => outcome === 'pass' && rules.includes(rule) && !red.get(rule)?.has(id))
          .map(({ id, file, title }) => ({ rule, id, file, title }))
      : [],
  );
}

/** Whether these are all lies about a rule. */
function isWhole(rule: string, lies: readonly KnownLie[]): boolean {
  return lies.length === listKnownLies().filter((lie) => lie.rule === rule).length;
}

function byRule(lies: readonly KnownLie[]): ReadonlyMap<string, KnownLie[]> {
  const found = new Map<string, KnownLie[]>();
  for (const lie of lies) found.set(lie.rule, [...(found.get(lie.rule) ?? []), lie]);
  return found;
}
