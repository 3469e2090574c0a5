import fc from 'fast-check';
import { reachSchemas } from '#contract';
import { appendPointer, referencePointer, valueAt } from '#json-pointer';

import { usesOf } from '../impact.ts';
import { type Call, callsOf, type Slot, sameCall } from '../read/calls.ts';
import { demands, within } from '../read/reach.ts';
import { type Fault, Ruler } from '../read/ruler.ts';
import type { Pair } from '../read/sides.ts';
import type { Change, Direction } from '../types.ts';
import { bodiesOf } from './bodies.ts';
import { type Hints, hintsOf } from './hints.ts';

/** A body that one description accepts and the other refuses, made as small as it goes. */
export interface Counterexample {
  readonly operation: string;
  readonly direction: Direction;
  readonly status?: string;
  readonly body: string;
  /** Where in the body, and what the refusing description says. */
  readonly where: string;
  readonly problem: string;
  /** The constraint behind it: pointer of its schema in the refusing description, keyword, member. */
  readonly fault: Pick<Fault, 'at' | 'keyword' | 'member'>;
  readonly seed: number;
  /** With the seed, repeats exactly this case. */
  readonly path: string;
}

/** What looking for a body came to. */
export interface Search {
  readonly operation: string;
  readonly direction: Direction;
  readonly status?: string;
  /** Bodies that were tried; fewer than asked for when the schema is hard to satisfy. */
  readonly bodies: number;
  readonly counterexample?: Counterexample;
}

/** How hard to look. */
export interface Effort {
  readonly seed: number;
  readonly bodies: number;
}

interface Way {
  readonly slot: Slot;
  /** The description whose bodies are drawn, and the one that may refuse them. */
  readonly from: Side;
  readonly by: Side;
  readonly other: Slot;
  readonly hints: Hints;
}

interface Side {
  readonly root: Record<string, unknown>;
  readonly ruler: Ruler;
  readonly places: ReadonlySet<string>;
}

/** Looks for bodies by which two descriptions of one service can be told apart, to the harm of a client. */
export class Searcher {
  readonly #ways: readonly Way[];

  constructor({ old, new: now }: Pair) {
    const rulers = { old: new Ruler(old), new: new Ruler(now) };
    const calls = callsOf(now.root);
    const seen = new Set<string>();
    this.#ways = callsOf(old.root).flatMap((before) => {
      const after = sameCall(before, calls);
      return after === undefined ? [] : pairsOf(before, after).flatMap(way);
    });
    function way([before, after]: readonly [Slot, Slot]): Way[] {
      // Two answers of one shape are one search.
      const key = [before.direction, named(old.root, before.schema), named(now.root, after.schema)].join(' ');
      const same = demands(old.root, before.schema) === demands(now.root, after.schema);
      if (same || seen.has(key)) return [];
      seen.add(key);
      const a = { root: old.root, ruler: rulers.old, places: reachSchemas(old.root, before.schema) };
      const b = { root: now.root, ruler: rulers.new, places: reachSchemas(now.root, after.schema) };
      const [h, i] = [hintsOf(a.root, a.places), hintsOf(b.root, b.places)];
      const hints = {
        numbers: [...new Set([...h.numbers, ...i.numbers])],
        texts: [...new Set([...h.texts, ...i.texts])],
        names: [...new Set([...h.names, ...i.names])],
      };
      return before.direction === 'request'
        ? [{ slot: before, from: a, by: b, other: after, hints }]
        : [{ slot: after, from: b, by: a, other: before, hints }];
    }
  }

  /** Looks once in every body whose schema changed. */
  all(effort: Effort): Search[] {
    return this.#ways.map((way) => look(way, effort, (faults) => faults.length > 0));
  }

  /**
   * Looks for a body that is refused because of one change.
   * @returns undefined when no body reaches the place of the change
   */
  because(change: Change, effort: Effort): Search | undefined {
    const spot = change.direction === 'request' ? change.new : change.old;
    if (spot === undefined) return undefined;
    const statuses = new Set(usesOf(change).flatMap(({ status }) => status ?? []));
    const ways = this.#ways.filter(
      ({ slot, by }) =>
        slot.direction === change.direction &&
        within(by.places, spot.pointer) &&
        // A schema of one direction in an answer is another one in the message that asked for it.
        (slot.status === undefined || statuses.size === 0 || statuses.has(slot.status)),
    );
    // Bodies with fewer places first: they say the same and are easier to read.
    const [way] = ways.sort((a, b) => a.by.places.size - b.by.places.size);
    return way && look(way, effort, (faults) => faults.some((fault) => speaksOf(fault, spot.pointer)));
  }
}

/** Where a schema really stands that is nothing but a reference. */
function named(root: unknown, pointer: string): string {
  const { $ref, ...rest } = valueAt(root, pointer) as { $ref?: string };
  return $ref !== undefined && Object.keys(rest).length === 0 ? (referencePointer($ref) ?? pointer) : pointer;
}

/** Whether a fault comes from the place of a change: its schema, its keyword, the member it is about, or something below it. */
export function speaksOf({ at, keyword, member }: Pick<Fault, 'at' | 'keyword' | 'member'>, spot: string): boolean {
  const own = `${at}/${keyword}`;
  return (
    spot === at ||
    spot === own ||
    spot.startsWith(`${own}/`) ||
    at.startsWith(`${spot}/`) ||
    (member !== undefined && spot === appendPointer(at, 'properties', member))
  );
}

/** Bodies of the same side, status and media type, in both descriptions. */
function pairsOf(before: Call, after: Call): (readonly [Slot, Slot])[] {
  return before.slots.flatMap((slot) => {
    const others = after.slots.filter(({ status }) => status === slot.status);
    const other = others.find(({ media }) => media.toLowerCase() === slot.media.toLowerCase());
    return other ? [[slot, other] as const] : [];
  });
}

function look(
  { slot, from, by, other, hints }: Way,
  { seed, bodies }: Effort,
  wanted: (faults: readonly Fault[]) => boolean,
): Search {
  const refused = (body: unknown) => !by.ruler.keeps(other.schema, body) && wanted(by.ruler.faults(other.schema, body));
  const result = fc.check(
    fc.property(bodiesOf(from.root, slot.schema, hints), (drawn) => {
      // What travels is JSON: no -0, no holes.
      const body: unknown = JSON.parse(JSON.stringify(drawn));
      fc.pre(from.ruler.keeps(slot.schema, body));
      return !refused(body);
    }),
    { seed, numRuns: bodies, maxSkipsPerRun: 20 },
  );
  const { operation, direction, status } = slot;
  const place = { operation, direction, ...(status === undefined ? {} : { status }) };
  if (!result.failed || result.counterexample === null) return { ...place, bodies: result.numRuns };
  const body: unknown = JSON.parse(JSON.stringify(result.counterexample[0]));
  const faults = by.ruler.faults(other.schema, body);
  const fault = faults.find((one) => wanted([one])) ?? faults[0];
  return {
    ...place,
    bodies: result.numRuns,
    counterexample: {
      ...place,
      body: JSON.stringify(body, null, 1),
      where: fault?.path || '/',
      problem: fault?.message ?? 'is refused',
      fault: {
        at: fault?.at ?? '',
        keyword: fault?.keyword ?? '',
        ...(fault?.member === undefined ? {} : { member: fault.member }),
      },
      seed,
      path: result.counterexamplePath ?? '',
    },
  };
}
