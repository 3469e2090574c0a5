import type { LoadedContract } from '#contract';
import type { CheckLine, Line, TraceLine } from '#evidence';
import { appendPointer, valueAt } from '#json-pointer';
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

  /** Ids of the green checks whose exchanges met the place of a mutant: those that claim a rule about it first, then the quickest. */
  checksFor(mutant: ContractMutant, about: ReadonlySet<string>): string[] {
    const met = [...(this.#checks.get(keyOf(mutant.operation, mutant.status, mutant.at)) ?? [])];
    const claims = (check: string) => Number(this.#claims.get(check)?.some((rule) => about.has(rule)) === true);
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

/**
 * The rules that are about the place of a mutant: those that stand there or on the way to it, those of its operation, those that
 * answer for its media type and for JSON, and all of the areas of these.
 */
export function rulesAbout(contract: LoadedContract, mutant: ContractMutant): ReadonlySet<string> {
  const operation = contract.operations.get(mutant.operation);
  const event = contract.events.get(mutant.operation);
  const api = (operation ?? event)!.api;
  const root = contract.document(api);
  const answer = mutant.status === undefined ? undefined : operation?.answers.get(mutant.status);
  const start = answer?.schema?.at ?? event?.schema?.at;
  const places = new Set([mutant.at, answer?.at, start, (operation ?? event)!.at].filter((at) => at !== undefined));
  if (start !== undefined) for (const at of wayTo(root, start, mutant.wire.member ?? [])) places.add(at);
  const { attribution } = contract.compiled[api];
  const general =
    answer === undefined ? [] : [attribution.media(answer), attribution.json(answer), attribution.absence(answer)];
  const own = [...contract.rules.values()].filter(
    (rule) =>
      rule.api === api && (places.has(rule.at) || rule.operation === mutant.operation || general.includes(rule.id)),
  );
  const areas = new Set(own.map(({ area }) => area));
  return new Set([...contract.rules.values()].filter(({ area }) => areas.has(area)).map(({ id }) => id));
}

/** Pointers of every schema on the way from one to a member below it. */
function wayTo(root: unknown, schemaAt: string, path: readonly string[]): string[] {
  const found: string[] = [];
  const visit = (at: string, rest: readonly string[], above: readonly string[]): void => {
    const schema = valueAt(root, at) as Record<string, unknown> | undefined;
    if (typeof schema !== 'object' || schema === null || above.includes(at)) return;
    found.push(at);
    const way = [...above, at];
    if (typeof schema.$ref === 'string') visit(schema.$ref.slice(1), rest, way);
    for (const key of ['allOf', 'anyOf', 'oneOf'])
      for (const i of ((schema[key] as unknown[] | undefined) ?? []).keys()) visit(`${at}/${key}/${i}`, rest, way);
    const [token, ...more] = rest;
    if (token === undefined) return;
    if (token === '*') visit(`${at}/items`, more, []);
    else visit(appendPointer(`${at}/properties`, token), more, []);
  };
  visit(schemaAt, path, []);
  return found;
}

/** What one round of checks said: for each mutant the rules that turned red, and how many checks broke. */
export function readRound(lines: readonly Line[]): ReadonlyMap<string, { rules: string[]; broken: number }> {
  const found = new Map<string, { rules: string[]; broken: number }>();
  for (const line of lines) {
    if (line.kind !== 'check' || line.lie === undefined) continue;
    const one = found.get(line.lie) ?? { rules: [], broken: 0 };
    found.set(line.lie, one);
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
