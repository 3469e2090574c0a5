import type { LoadedContract, Rule } from '#contract';
import type { CheckLine, Line, TraceLine } from '#evidence';
import type { MutantOutcome } from '#report';
import type { WireOperator } from '#sandbox';
import type { ContractMutant } from './enumerate-mutants.ts';

/** A mutant and what the checks said to it. */
export type MutantResult = MutantOutcome;

/** Operators that show only where something is sent more than once. */
const OVER_TIME: readonly WireOperator[] = [
  ...(['first', 'stale'] as const),
  ...(['suppress-some', 'suppress-later', 'send-late', 'send-before-again'] as const),
];

/** Which checks met which places of a contract, from the journal of an honest run. */
export class MetPlaces {
  /** By place: checks, and in how many exchanges. */
  readonly #checks = new Map<string, Map<string, number>>();
  /** Operations and statuses of all answers, names of all messages. */
  readonly #answers = new Set<string>();
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

  /**
   * Ids of the green checks whose exchanges met the place of a mutant: those that claim a rule near it first, then the quickest, but
   * of the near ones and of the others no second check of a rule before each rule had one. What shows only over time is asked of those that met the place repeatedly.
   */
  checksFor(mutant: ContractMutant, { nearest, all }: RulesAbout): string[] {
    const met = this.#checks.get(keyOf(mutant.operation, mutant.status, mutant.at)) ?? new Map<string, number>();
    const rulesOf = (check: string) => this.#claims.get(check) ?? [];
    const claims = (check: string) =>
      rulesOf(check).some((rule) => nearest.has(rule)) ? 2 : Number(rulesOf(check).some((rule) => all.has(rule)));
    const takes = (check: string) => this.#durations.get(check) ?? 0;
    // The entries of one list show it at once.
    const isOfEntries = mutant.wire.member?.includes('*') === true;
    const least = OVER_TIME.includes(mutant.wire.operator) && !isOfEntries ? 2 : 1;
    const sorted = [...met]
      .filter(([check, exchanges]) => this.#durations.has(check) && exchanges >= least)
      .map(([check]) => check)
      .sort((a, b) => claims(b) - claims(a) || takes(a) - takes(b) || (a < b ? -1 : 1));
    const covered = new Set<string>();
    const first = sorted.filter((check) => {
      const isNew = rulesOf(check).some((rule) => !covered.has(rule));
      for (const rule of rulesOf(check)) covered.add(rule);
      return isNew;
    });
    const near = (some: readonly string[]) => some.filter((check) => claims(check) === 2);
    return [...new Set([...near(first), ...near(sorted), ...first, ...sorted])];
  }

  /** Why no check can have seen a mutant: what of it never came. */
  lackFor({ operation, status, at }: ContractMutant): string {
    const what = status === undefined ? 'message' : `answer of ${status}`;
    if (!this.#answers.has(`${operation} ${status ?? ''}`))
      return `no check brings about such ${status === undefined ? 'a' : 'an'} ${what}`;
    if (!this.#checks.has(keyOf(operation, status, at))) return `no such ${what} of the honest sandbox has this place`;
    return 'nothing that went out was another for it';
  }

  #note({ operation, side, status, at, exchanges }: TraceLine): void {
    if (side === 'request') return;
    this.#answers.add(`${operation} ${status ?? ''}`);
    for (const place of at) {
      const key = keyOf(operation, status, place);
      const checks = this.#checks.get(key) ?? new Map<string, number>();
      this.#checks.set(key, checks);
      for (const exchange of exchanges) {
        const check = exchange.replace(/\.\d+$/, '');
        checks.set(check, (checks.get(check) ?? 0) + 1);
      }
    }
  }
}

const keyOf = (operation: string, status: number | undefined, at: string) => `${operation} ${status ?? ''} ${at}`;

/** The rules that are about the place of a mutant. */
export interface RulesAbout {
  /** Those that stand there, or on the way to it. */
  readonly nearest: ReadonlySet<string>;
  /** These, those of its operation and, of errors, of what opens it, those that answer for its media type and for JSON, and all of the areas of these. */
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
  // Who is refused, and with what, is said where the schemes are described that open an operation.
  const schemes =
    (mutant.status ?? 0) < 400 ? [] : (operation?.security ?? []).map((name) => `/components/securitySchemes/${name}`);
  const rules = [...contract.rules.values()].filter(({ api }) => api === described.api);
  const nearest = rules.filter(({ at }) => mutant.way.includes(at));
  const own = rules.filter(
    ({ id, at, operation }) =>
      at === described.at || schemes.includes(at) || operation === mutant.operation || general.includes(id),
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
