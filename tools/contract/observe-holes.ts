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
  for (const hole of contract.holes.values()) {
    let count = 0;
    for (const sight of hole.where) {
      if (sight.operation !== '*' && sight.operation !== name && sight.event !== name) continue;
      if (sight.operation === '*' && contract.operations.get(name)?.api !== hole.api) continue;
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
  const listed = listedBelow(contract, hole);
  for (const one of places) {
    if (typeof one !== 'object' || one === null) continue;
    for (const key of Object.keys(one))
      if (!listed.has(key))
        yield { hole: id, where: appendPointer(pointer, key), what: kind((one as Record<string, unknown>)[key]) };
  }
}

/** Names of the properties that the schema holding the hole lists. */
function listedBelow(contract: Contract, hole: Hole): ReadonlySet<string> {
  const holder = valueAt(contract.document(hole.api), hole.at) as { properties?: object } | undefined;
  return new Set(Object.keys(holder?.properties ?? {}));
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
