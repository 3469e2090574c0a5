import { reachSchemas } from '#contract';
import type { Line, RunLine, TraceLine } from '#evidence';
import { callsOf, type DescribedCall } from './read/calls.ts';
import { type RegisterEntry, registerOf, rulesNear, type UpgradeRegister } from './read/register.ts';
import type { SpecPair } from './read/sides.ts';
import type { PlaceOfUse, SpecChange } from './types.ts';

/** A check as a run saw it, or as it stands in a test file. */
export interface CheckRef {
  readonly title: string;
  /** File and line. */
  readonly place: string;
  readonly outcome?: string;
  /** Those of the rules asked for that it claims. */
  readonly rules: readonly string[];
  /** How many of its recorded exchanges no longer fit because of the change. */
  readonly unfit?: number;
}

/** What a change touches. */
export interface ChangeImpact {
  readonly rules: readonly { readonly id: string; readonly text: string }[];
  readonly checks: readonly CheckRef[];
  /** Ids of the recorded exchanges that met the place; absent without a run. */
  readonly exchanges?: readonly string[];
  /** `operation`: the run left no trace of that place, so every exchange of the operation is listed. */
  readonly by?: 'trace' | 'operation';
}

/** Where the checks of a rule stand when no run says so. */
export type ChecksOf = (rule: string) => readonly Pick<CheckRef, 'title' | 'place'>[];

/** Follows changes of one pair of descriptions to rules, checks and recorded exchanges. */
export class ImpactFollower {
  readonly #registers: { readonly old: UpgradeRegister; readonly new: UpgradeRegister };
  readonly #calls: readonly DescribedCall[];
  readonly #root: Record<string, unknown>;
  #places: ReadonlySet<string> | undefined;
  readonly #lines: readonly Line[] | undefined;
  readonly #checksOf: ChecksOf;
  readonly #ofNew: boolean;

  /** @param lines of the run's journal; undefined: there is none */
  constructor(pair: SpecPair, lines: readonly Line[] | undefined, checksOf: ChecksOf) {
    this.#lines = lines;
    this.#checksOf = checksOf;
    this.#calls = callsOf(pair.old.root);
    this.#registers = { old: registerOf(pair.old), new: registerOf(pair.new) };
    const run = lines?.find((line): line is RunLine => line.kind === 'run');
    // A run made after the upgrade was traced by the new description.
    this.#ofNew =
      run?.specs.some(({ sha256 }) => sha256 === pair.new.sha256) === true && pair.old.sha256 !== pair.new.sha256;
    this.#root = (this.#ofNew ? pair.new : pair.old).root;
  }

  /** Both registers, the old one first. */
  get registers(): readonly UpgradeRegister[] {
    return [this.#registers.old, this.#registers.new];
  }

  /** Everything a change touches. */
  follow(change: SpecChange): ChangeImpact {
    const rules = this.#rules(change);
    const checks = this.checks(rules.map(({ id }) => id));
    return { rules: rules.map(({ id, text }) => ({ id, text })), checks, ...this.#exchanges(change) };
  }

  /** The checks that claim any of these rules. */
  checks(rules: readonly string[]): CheckRef[] {
    const found = new Map<string, CheckRef & { rules: string[] }>();
    for (const line of this.#lines ?? []) {
      if (line.kind !== 'check') continue;
      const own = line.rules.filter((rule) => rules.includes(rule));
      const place = `${line.file}:${line.line}`;
      if (own.length > 0)
        found.set(`${place} ${line.title}`, { title: line.title, place, outcome: line.outcome, rules: own });
    }
    const ran = [...found.values()];
    for (const rule of rules)
      for (const { title, place } of this.#checksOf(rule)) {
        // One check of a file may have run under several titles.
        if (ran.some((one) => one.place === place || one.title === title)) continue;
        const known = found.get(`${place} ${title}`);
        if (known) known.rules.push(rule);
        else found.set(`${place} ${title}`, { title, place, rules: [rule] });
      }
    return [...found.values()];
  }

  /** What a change touches, with the checks that sent or received what no longer fits: these first, whatever rules they claim. */
  withRecorded(impact: ChangeImpact, unfit: readonly string[]): ChangeImpact {
    const owners = new Map<string, number>();
    for (const line of this.#lines ?? [])
      if (line.kind === 'exchange' && unfit.includes(line.id))
        owners.set(line.check, (owners.get(line.check) ?? 0) + 1);
    const met = new Map<string, CheckRef>();
    for (const line of this.#lines ?? []) {
      if (line.kind !== 'check') continue;
      const place = `${line.file}:${line.line}`;
      const key = `${place} ${line.title}`;
      const count = (owners.get(line.id) ?? 0) + (met.get(key)?.unfit ?? 0);
      const rules = line.rules.filter((rule) => impact.rules.some(({ id }) => id === rule));
      if (count > 0) met.set(key, { title: line.title, place, outcome: line.outcome, rules, unfit: count });
    }
    const others = impact.checks.filter(({ place, title }) => !met.has(`${place} ${title}`));
    return { ...impact, checks: [...met.values(), ...others] };
  }

  /** Ids of the exchanges that met a place of the description the run was traced by. */
  met(place: string): readonly string[] {
    return unique(this.#traces().flatMap(({ at, exchanges }) => (at.includes(place) ? exchanges : [])));
  }

  #rules(change: SpecChange): readonly RegisterEntry[] {
    const { old, new: now } = this.#registers;
    const own = registeredId(change);
    if (own !== undefined) return [...old.rules, ...now.rules].filter(({ id }) => id === own).slice(0, 1);
    const near = {
      old: change.old ? rulesNear(old.rules, change.old.pointer) : [],
      new: change.new ? rulesNear(now.rules, change.new.pointer) : [],
    };
    // Of what came the old side has only the place it came to, of what went the new side.
    const [first, second] = change.new && change.id.endsWith('-added') ? [near.new, near.old] : [near.old, near.new];
    const found = first.length > 0 ? first : this.#rulesOfOperations(change);
    const all = found.length > 0 ? found : second;
    return [...new Map(all.map((entry) => [entry.id, entry])).values()].sort((a, b) => (a.id < b.id ? -1 : 1));
  }

  /** Where nothing is promised about the place itself: what is promised about the operation, or about the answer it stands in. */
  #rulesOfOperations(change: SpecChange): RegisterEntry[] {
    const { rules } = this.#registers.old;
    return changedOperations(change).flatMap((id) => {
      const call = this.#calls.find((one) => one.id === id);
      if (call === undefined) return [];
      const answer = change.status === undefined ? undefined : call.answers.get(change.status)?.at;
      const places = change.direction === 'response' && answer !== undefined ? [answer] : [call.at];
      return rules.filter(({ at }) => places.includes(at));
    });
  }

  #exchanges(change: SpecChange): Pick<ChangeImpact, 'exchanges' | 'by'> {
    if (this.#lines === undefined) return {};
    const spot = (this.#ofNew ? (change.new ?? change.old) : (change.old ?? change.new))?.pointer;
    const operations = changedOperations(change);
    const schema = spot === undefined ? undefined : this.#schemaAt(spot);
    const traces = this.#traces();
    const meets = (operation: string, status: string) =>
      usesOf(change).length === 0 ||
      usesOf(change).some(
        (use) =>
          use.operation === operation && (use.status === undefined || use.status === status || !/^\d/.test(use.status)),
      );
    if (schema !== undefined && traces.length > 0) {
      const met = traces.filter(
        ({ at, operation, status, side }) =>
          at.includes(schema) &&
          (side === 'request'
            ? operations.length === 0 || operations.includes(operation)
            : meets(operation, String(status))) &&
          (change.direction === undefined || (change.direction === 'request') === (side === 'request')),
      );
      return { exchanges: unique(met.flatMap(({ exchanges }) => exchanges)), by: 'trace' };
    }
    if (operations.length === 0) return {};
    const sent = this.#lines.flatMap((line) =>
      line.kind === 'exchange' &&
      operations.includes(line.operation ?? '') &&
      (change.direction !== 'response' || meets(line.operation ?? '', String(line.response?.status)))
        ? [line.id]
        : [],
    );
    return { exchanges: sent, by: 'operation' };
  }

  /** The schema that a pointer names, or whose keyword it names; of something new the schema it was added to. */
  #schemaAt(pointer: string): string | undefined {
    const tokens = pointer.split('/');
    const ways = [0, 1, 2].map((less) => tokens.slice(0, tokens.length - less).join('/'));
    this.#places ??= reachSchemas(
      this.#root,
      callsOf(this.#root).flatMap(({ slots }) => slots.map(({ schema }) => schema)),
    );
    const places = this.#places;
    return ways.find((way) => places.has(way));
  }

  #traces(): readonly TraceLine[] {
    return (this.#lines ?? []).filter((line): line is TraceLine => line.kind === 'trace');
  }
}

/** The operations a change concerns. */
export function changedOperations(change: SpecChange): readonly string[] {
  return unique([...(change.operation === undefined ? [] : [change.operation]), ...(change.uses ?? [])]);
}

/** Id of the rule or hole that a change of the register is about. */
export function registeredId({ id, subject }: SpecChange): string | undefined {
  return /^(?:rule|hole)-/.test(id) ? subject.split(' ').at(-1) : undefined;
}

/** Every place at which a change is met. */
export function usesOf(change: SpecChange): readonly Pick<PlaceOfUse, 'operation' | 'status'>[] {
  const { places, operation, status } = change;
  return places ?? (operation === undefined ? [] : [{ operation, ...(status === undefined ? {} : { status }) }]);
}

function unique<T>(list: readonly T[]): T[] {
  return [...new Set(list)];
}
