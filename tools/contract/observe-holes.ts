import { appendPointer, pointerTokens, valueAt } from '#json-pointer';
import type { WireMessage } from './judge.ts';

import type { Contract, Hole, HoleSight } from './types.ts';

/** Something seen in a hole. */
export interface HoleObservation {
  readonly hole: string;
  /** Pointer with `*` for elements, header name, or `status`. */
  readonly where: string;
  /** JSON type, a value, or `present`. */
  readonly what: string;
}

/** Of what one message shows in one hole no more is looked at: a message may have a million members. */
const MOST_SIGHTS = 10_000;

/**
 * What one answer (or delivered message) shows in the holes that look at it, up to ten thousand sights a hole.
 * @param name operation id, or event name
 */
export function observeHoles(contract: Contract, name: string, received: WireMessage): HoleObservation[] {
  const found = new Map<string, HoleObservation>();
  let value: unknown;
  try {
    value = JSON.parse(received.body);
  } catch {
    value = undefined;
  }
  for (const { hole, sights } of lookingAt(contract, name)) {
    let count = 0;
    for (const sight of sights) {
      if (sight.status !== undefined && Number(sight.status) !== received.status) continue;
      for (const one of see(contract, hole, sight, received, value)) {
        if (count >= MOST_SIGHTS) break;
        count += 1;
        found.set(`${one.hole} ${one.where} ${one.what}`, one);
      }
    }
  }
  return [...found.values()];
}

/** A hole with the sights of it that look at one kind of message. */
interface LookingHole {
  readonly hole: Hole;
  readonly sights: readonly HoleSight[];
}

/** By contract and name of an operation or event: every exchange asks for the same. */
const looking = new WeakMap<Contract, Map<string, readonly LookingHole[]>>();

function lookingAt(contract: Contract, name: string): readonly LookingHole[] {
  const byName = looking.get(contract) ?? new Map<string, readonly LookingHole[]>();
  looking.set(contract, byName);
  const known = byName.get(name);
  if (known !== undefined) return known;
  const api = contract.operations.get(name)?.api;
  const looks = ({ operation, event }: HoleSight, hole: Hole) =>
    operation === '*' ? api === hole.api : operation === name || event === name;
  const found = [...contract.holes.values()]
    .map((hole) => ({ hole, sights: hole.where.filter((sight) => looks(sight, hole)) }))
    .filter(({ sights }) => sights.length > 0);
  byName.set(name, found);
  return found;
}

function* see(
  contract: Contract,
  hole: Hole,
  sight: HoleSight,
  received: WireMessage,
  value: unknown,
): Generator<HoleObservation> {
  const { id } = hole;
  if (sight.observe === 'status') return yield { hole: id, where: 'status', what: String(received.status) };
  if (sight.observe === 'headers') {
    for (const name of received.headers.keys()) yield { hole: id, where: `header: ${name}`, what: 'present' };
    return;
  }
  const pointer = sight.body ?? '';
  const places = reach(value, pointerTokens(pointer));
  if (sight.observe === 'presence') {
    if (places.length > 0) yield { hole: id, where: pointer, what: 'present' };
    return;
  }
  if (sight.observe === 'values') {
    for (const one of places)
      if (typeof one !== 'object') yield { hole: id, where: pointer, what: JSON.stringify(one) };
    return;
  }
  const names = listedBelow(contract, hole);
  for (const one of places) {
    if (typeof one !== 'object' || one === null) continue;
    for (const key of Object.keys(one))
      if (!names.has(key))
        yield { hole: id, where: appendPointer(pointer, key), what: kind((one as Record<string, unknown>)[key]) };
  }
}

const listed = new WeakMap<Hole, ReadonlySet<string>>();

/** Names of the properties that the schema holding the hole lists. */
function listedBelow(contract: Contract, hole: Hole): ReadonlySet<string> {
  const known = listed.get(hole);
  if (known !== undefined) return known;
  const holder = valueAt(contract.document(hole.api), hole.at) as { properties?: object } | undefined;
  const names = new Set(Object.keys(holder?.properties ?? {}));
  listed.set(hole, names);
  return names;
}

function reach(value: unknown, tokens: readonly string[]): unknown[] {
  const [token, ...rest] = tokens;
  if (token === undefined) return value === undefined ? [] : [value];
  if (typeof value !== 'object' || value === null) return [];
  if (token === '*') return Object.values(value).flatMap((one) => reach(one, rest));
  return reach((value as Record<string, unknown>)[token], rest);
}

function kind(value: unknown): string {
  return value === null ? 'null' : Array.isArray(value) ? 'array' : typeof value;
}
