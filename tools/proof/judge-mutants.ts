import type { LoadedContract, Rule } from '#contract';
import type { CheckLine, Line, TraceLine } from '#evidence';
import type { MutantOutcome } from '#report';
import type { ContractMutant } from './enumerate-mutants.ts';

/** A mutant and what the checks said to it. */
export type MutantResult = MutantOutcome;

/** Which checks met which places of a contract, from the journal of an honest run. */
export class MetPlaces {
  readonly #checks = new Map<string, Set<string>>();
  readonly #durations = new Map<string, number>();
  readonly #claims = new Map<string, readonly string[]>();

  constructor(lines: readonly Line[]) {
    for (const line of lines) {
      if (line.kind === 'trace') this.#note(line);
      if (line.kind === 'check' && line.outcome === 'pass') {
        this.#durations.set(line.id, line.duration);
        this.#claims.set(line.id, line.rules);
      }
    }
  }

  /** Ids of the green checks whose exchanges met the place of a mutant: those that claim a rule near it first, then the quickest. */
  checksFor(mutant: ContractMutant, { nearest, all }: RulesAbout): string[] {
    const met = [...(this.#checks.get(keyOf(mutant.operation, mutant.status, mutant.at)) ?? [])];
    const claims = (check: string) => {
      const rules = this.#claims.get(check) ?? [];
      return rules.some((rule) => nearest.has(rule)) ? 2 : Number(rules.some((rule) => all.has(rule)));
    };
    const takes = (check: string) => this.#durations.get(check) ?? 0;
    return met
      .filter((check) => this.#durations.has(check))
      .sort((a, b) => claims(b) - claims(a) || takes(a) - takes(b) || (a < b ? -1 : 1));
  }

  #note({ operation, side, status, at, exchanges }: TraceLine): void {
    if (side === 'request') return;
    for (const place of at) {
      const key = keyOf(operation, status, place);
      const checks = this.#checks.get(key) ?? new Set();
      this.#checks.set(key, checks);
      for (const exchange of exchanges) checks.add(exchange.replace(/\.\d+$/, ''));
    }
  }
}

const keyOf = (operation: string, status: number | undefined, at: string) => `${operation} ${status ?? ''} ${at}`;

/** The rules that are about the place of a mutant. */
export interface RulesAbout {
  /** Those that stand there, or on the way to it. */
  readonly nearest: ReadonlySet<string>;
  /** These, those of its operation, those that answer for its media type and for JSON, and all of the areas of these. */
  readonly all: ReadonlySet<string>;
}

/** Finds the rules that are about the place of a mutant. */
export function rulesAbout(contract: LoadedContract, mutant: ContractMutant): RulesAbout {
  const operation = contract.operations.get(mutant.operation);
  const described = operation ?? contract.events.get(mutant.operation)!;
  const answer = mutant.status === undefined ? undefined : operation?.answers.get(mutant.status);
  const { attribution } = contract.compiled[described.api];
  const general =
    answer === undefined ? [] : [attribution.media(answer), attribution.json(answer), attribution.absence(answer)];
  const rules = [...contract.rules.values()].filter(({ api }) => api === described.api);
  const nearest = rules.filter(({ at }) => mutant.way.includes(at));
  const own = rules.filter(
    ({ id, at, operation }) => at === described.at || operation === mutant.operation || general.includes(id),
  );
  const areas = new Set([...nearest, ...own].map(({ area }) => area));
  const ids = (some: readonly Rule[]) => new Set(some.map(({ id }) => id));
  return { nearest: ids(nearest), all: ids(rules.filter(({ area }) => areas.has(area))) };
}

/** What checks said to a mutant in one round. */
export interface MutantRound {
  readonly tried: string[];
  /** Rules that turned red. */
  readonly rules: string[];
  /** How many of the checks could not be carried to their end. */
  broken: number;
}

/** What one round of checks said, by mutant. */
export function readRound(lines: readonly Line[]): ReadonlyMap<string, MutantRound> {
  const found = new Map<string, MutantRound>();
  for (const line of lines) {
    if (line.kind !== 'check' || line.lie === undefined) continue;
    const one = found.get(line.lie) ?? { tried: [], rules: [], broken: 0 };
    found.set(line.lie, one);
    if (line.outcome !== 'skipped') one.tried.push(line.id);
    if (line.outcome === 'broken') one.broken += 1;
    for (const rule of redRules(line)) if (!one.rules.includes(rule)) one.rules.push(rule);
  }
  return found;
}

function redRules(check: CheckLine): string[] {
  if (check.outcome !== 'fail') return [];
  return check.failures.flatMap(({ rule }) => (rule === undefined ? check.rules : [rule]));
}

/** Share of the mutants that are killed, and of these at the right rule; permitted and unreached ones are left out. */
export function scoreMutants(results: readonly MutantResult[]): {
  readonly all: number;
  readonly judged: number;
  readonly killed: number;
  readonly right: number;
  readonly survived: number;
  readonly permitted: number;
  readonly unreached: number;
} {
  const count = (fate: MutantOutcome['fate']) => results.filter((one) => one.fate === fate).length;
  const [right, elsewhere, survived] = [count('killed'), count('killed elsewhere'), count('survived')];
  return {
    all: results.length,
    judged: right + elsewhere + survived,
    killed: right + elsewhere,
    right,
    survived,
    permitted: count('permitted'),
    unreached: count('not reached'),
  };
}
