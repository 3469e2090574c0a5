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

/**
 * What one answer (or delivered message) shows in the holes that look at it.
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
    for (const sight of hole.where) {
      if (sight.operation !== '*' && sight.operation !== name && sight.event !== name) continue;
      if (sight.operation === '*' && contract.operations.get(name)?.api !== hole.api) continue;
      if (sight.status !== undefined && Number(sight.status) !== received.status) continue;
      for (const one of see(contract, hole, sight, received, value))
        found.set(`${one.hole} ${one.where} ${one.what}`, one);
    }
  }
  return [...found.values()];
}

function see(
  contract: Contract,
  hole: Hole,
  sight: HoleSight,
  received: WireMessage,
  value: unknown,
): HoleObservation[] {
  const { id } = hole;
  if (sight.observe === 'status') return [{ hole: id, where: 'status', what: String(received.status) }];
  if (sight.observe === 'headers')
    return [...received.headers.keys()].map((name) => ({ hole: id, where: `header: ${name}`, what: 'present' }));
  const pointer = sight.body ?? '';
  const places = reach(value, pointerTokens(pointer));
  if (sight.observe === 'presence') return places.length ? [{ hole: id, where: pointer, what: 'present' }] : [];
  if (sight.observe === 'values') {
    return places
      .filter((one) => typeof one !== 'object')
      .map((one) => ({ hole: id, where: pointer, what: JSON.stringify(one) }));
  }
  const listed = listedBelow(contract, hole);
  return places.flatMap((one) =>
    typeof one !== 'object' || one === null
      ? []
      : Object.entries(one)
          .filter(([key]) => !listed.has(key))
          .map(([key, member]) => ({ hole: id, where: appendPointer(pointer, key), what: kind(member) })),
  );
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
