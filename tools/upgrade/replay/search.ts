import fc from 'fast-check';
import { reachSchemas } from '#contract';
import { appendPointer, referencePointer, valueAt } from '#json-pointer';

import { usesOf } from '../impact.ts';
import { type BodySlot, callsOf, type DescribedCall, sameCall } from '../read/calls.ts';
import { demandsAt, namesSchemaOf } from '../read/reach.ts';
import { rulerOf, type SchemaFault, type SchemaRuler } from '../read/ruler.ts';
import type { SpecPair } from '../read/sides.ts';
import type { ChangeDirection, SpecChange } from '../types.ts';
import { bodiesOf } from './bodies.ts';
import { hintsOf } from './hints.ts';

/** A body that one description accepts and the other refuses, made as small as it goes. */
export interface Counterexample {
  readonly operation: string;
  readonly direction: ChangeDirection;
  readonly status?: string;
  readonly body: string;
  /** Where in the body, and what the refusing description says. */
  readonly where: string;
  readonly problem: string;
  /** The constraint behind it: pointer of its schema in the refusing description, keyword, member. */
  readonly fault: Pick<SchemaFault, 'at' | 'keyword' | 'member'>;
  readonly seed: number;
  /** With the seed, repeats exactly this case. */
  readonly path: string;
}

/** What looking for a body came to. */
export interface BodySearch {
  readonly operation: string;
  readonly direction: ChangeDirection;
  readonly status?: string;
  /** Bodies that were tried; fewer than asked for when the schema is hard to satisfy. */
  readonly bodies: number;
  readonly counterexample?: Counterexample;
}

/** How hard to look. */
export interface SearchEffort {
  readonly seed: number;
  readonly bodies: number;
}

interface Way {
  readonly slot: BodySlot;
  /** The description whose bodies are drawn, and the one that may refuse them. */
  readonly from: Side;
  readonly by: Side;
  readonly other: BodySlot;
  /** Schemas that are not the same on both sides. */
  readonly differing: ReadonlySet<string>;
  /** How many schemas it consists of. */
  readonly size: number;
}

interface Side {
  readonly root: Record<string, unknown>;
  readonly ruler: () => SchemaRuler;
}

/** Looks for bodies by which two descriptions of one service can be told apart, to the harm of a client. */
export class BodySearcher {
  readonly #ways: readonly Way[];

  constructor({ old, new: now }: SpecPair) {
    const calls = callsOf(now.root);
    const seen = new Set<string>();
    const changed = changedBetween(old.root, now.root);
    this.#ways = callsOf(old.root).flatMap((before) => {
      const after = sameCall(before, calls);
      return after === undefined ? [] : pairsOf(before, after).flatMap(way);
    });
    function way([before, after]: readonly [BodySlot, BodySlot]): Way[] {
      // Two answers of one shape are one search.
      const key = [before.direction, named(old.root, before.schema), named(now.root, after.schema)].join(' ');
      if (seen.has(key)) return [];
      seen.add(key);
      const places = { old: reachSchemas(old.root, before.schema), new: reachSchemas(now.root, after.schema) };
      const differing = changed(places.old, places.new);
      if (differing.size === 0) return [];
      const size = places.new.size;
      const [a, b] = [old, now].map((spec): Side => ({ root: spec.root, ruler: () => rulerOf(spec) })) as [Side, Side];
      return before.direction === 'request'
        ? [{ slot: before, from: a, by: b, other: after, differing, size }]
        : [{ slot: after, from: b, by: a, other: before, differing, size }];
    }
  }

  /** The bodies to look in: where several changed by the same schemas, the smallest. */
  get #chosen(): readonly Way[] {
    const covered = new Set<string>();
    const chosen = new Set(
      bySize(this.#ways).filter(({ slot, differing }) => {
        const fresh = [...differing].map((place) => `${slot.direction} ${place}`).filter((one) => !covered.has(one));
        for (const one of fresh) covered.add(one);
        return fresh.length > 0;
      }),
    );
    return this.#ways.filter((one) => chosen.has(one));
  }

  /** How many bodies {@link all} looks in when nothing limits it. */
  get bodies(): number {
    return this.#chosen.length;
  }

  /** Looks once in every body whose schema changed, in no more than `most`. */
  all(effort: SearchEffort, most = Number.POSITIVE_INFINITY): BodySearch[] {
    return this.#chosen.slice(0, most).map((way) => searchBody(way, effort, (faults) => faults.length > 0));
  }

  /**
   * Looks for a body that is refused because of one change.
   * @returns undefined when no body reaches the place of the change
   */
  because(change: SpecChange, effort: SearchEffort): BodySearch | undefined {
    const spot = change.direction === 'request' ? change.new : change.old;
    if (spot === undefined) return undefined;
    const statuses = new Set(usesOf(change).flatMap(({ status }) => status ?? []));
    const open = this.#ways.filter(
      ({ slot }) =>
        slot.direction === change.direction &&
        // A schema of one direction in an answer is another one in the message that asked for it.
        (slot.status === undefined || statuses.size === 0 || statuses.has(slot.status)),
    );
    const operations = new Set(usesOf(change).map(({ operation }) => operation));
    const near = open.filter(({ differing }) => namesSchemaOf(differing, spot.pointer));
    const ways =
      near.length > 0
        ? near
        : open.filter(
            ({ slot, by, other }) =>
              operations.has(slot.operation) && namesSchemaOf(reachSchemas(by.root, other.schema), spot.pointer),
          );
    // Bodies with fewer places first: they say the same and are easier to read.
    const [way] = bySize(ways);
    return way && searchBody(way, effort, (faults) => faults.some((fault) => speaksOf(fault, spot.pointer)));
  }
}

const bySize = (ways: readonly Way[]) => [...ways].sort((a, b) => a.size - b.size);

/** Tells which schemas of two sets are not the same in both descriptions; each is compared once. */
function changedBetween(old: object, now: object) {
  const known = new Map<string, boolean>();
  return (before: ReadonlySet<string>, after: ReadonlySet<string>): ReadonlySet<string> => {
    const differing = new Set<string>();
    const isChanged = (place: string) => {
      if (!known.has(place)) known.set(place, demandsAt(old, place) !== demandsAt(now, place));
      return known.get(place)!;
    };
    for (const place of before) if (!after.has(place) || isChanged(place)) differing.add(place);
    for (const place of after) if (!before.has(place)) differing.add(place);
    return differing;
  };
}

/** Where a schema really stands that is nothing but a reference. */
function named(root: unknown, pointer: string): string {
  const { $ref, ...rest } = valueAt(root, pointer) as { $ref?: string };
  return $ref !== undefined && Object.keys(rest).length === 0 ? (referencePointer($ref) ?? pointer) : pointer;
}

/** Whether a fault comes from the place of a change: its schema, its keyword, the member it is about, or something below it. */
export function speaksOf(
  { at, keyword, member }: Pick<SchemaFault, 'at' | 'keyword' | 'member'>,
  spot: string,
): boolean {
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
function pairsOf(before: DescribedCall, after: DescribedCall): (readonly [BodySlot, BodySlot])[] {
  return before.slots.flatMap((slot) => {
    const others = after.slots.filter(({ status }) => status === slot.status);
    const other = others.find(({ media }) => media.toLowerCase() === slot.media.toLowerCase());
    return other ? [[slot, other] as const] : [];
  });
}

function searchBody(
  { slot, from, by, other }: Way,
  { seed, bodies }: SearchEffort,
  wanted: (faults: readonly SchemaFault[]) => boolean,
): BodySearch {
  const [giver, judge] = [from.ruler(), by.ruler()];
  const [h, i] = [
    hintsOf(from.root, reachSchemas(from.root, slot.schema)),
    hintsOf(by.root, reachSchemas(by.root, other.schema)),
  ];
  const hints = {
    numbers: [...new Set([...h.numbers, ...i.numbers])],
    texts: [...new Set([...h.texts, ...i.texts])],
    names: [...new Set([...h.names, ...i.names])],
  };
  const refused = (body: unknown) => !judge.keeps(other.schema, body) && wanted(judge.faults(other.schema, body));
  const result = fc.check(
    fc.property(bodiesOf(from.root, slot.schema, hints), (drawn) => {
      // What travels is JSON: no -0, no holes.
      const body: unknown = JSON.parse(JSON.stringify(drawn));
      fc.pre(giver.keeps(slot.schema, body));
      return !refused(body);
    }),
    { seed, numRuns: bodies, maxSkipsPerRun: 20 },
  );
  const { operation, direction, status } = slot;
  const place = { operation, direction, ...(status === undefined ? {} : { status }) };
  if (!result.failed || result.counterexample === null) return { ...place, bodies: result.numRuns };
  const body: unknown = JSON.parse(JSON.stringify(result.counterexample[0]));
  const faults = judge.faults(other.schema, body);
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
