import { referencePointer, valueAt } from '#json-pointer';
import type { SchemaPart } from './flatten.ts';
import type { SpecSource } from './source.ts';

/** Tells schemas that are written alike and refer to nothing that is not: comparing them is for nothing. */
export type SameSchemas = (old: readonly SchemaPart[], now: readonly SchemaPart[]) => boolean;

/** @returns never true for schemas that demand different things; false says nothing */
export function samenessOf(old: SpecSource, now: SpecSource): SameSchemas {
  const changed = changedTargets(old.root, now.root);
  return (a, b) =>
    a.length === b.length &&
    a.every((one, i) => {
      const other = b[i]!;
      const refs = new Set<string>();
      const value = old.at(one.pointer);
      return (
        ['object', 'boolean', 'undefined'].includes(typeof value) &&
        one.nullable === other.nullable &&
        isAlike(value, now.at(other.pointer), refs) &&
        ![...refs].some((ref) => changed.has(ref))
      );
    });
}

/** References to what is not alike in both descriptions, or leads to such by further references. */
function changedTargets(old: unknown, now: unknown): ReadonlySet<string> {
  const all = new Set<string>();
  gatherReferences(old, all);
  gatherReferences(now, all);
  const changed = new Set<string>();
  const usedBy = new Map<string, string[]>();
  for (const ref of all) {
    const pointer = referencePointer(ref);
    const refs = new Set<string>();
    const [a, b] = pointer === undefined ? [] : [valueAt(old, pointer), valueAt(now, pointer)];
    if (a === undefined || b === undefined || !isAlike(a, b, refs)) changed.add(ref);
    for (const used of refs) usedBy.set(used, [...(usedBy.get(used) ?? []), ref]);
  }
  const open = [...changed];
  for (let ref = open.pop(); ref !== undefined; ref = open.pop())
    for (const user of usedBy.get(ref) ?? [])
      if (!changed.has(user)) {
        changed.add(user);
        open.push(user);
      }
  return changed;
}

function gatherReferences(node: unknown, found: Set<string>): void {
  if (typeof node !== 'object' || node === null) return;
  for (const [key, value] of Object.entries(node)) {
    if (key === '$ref' && typeof value === 'string') found.add(value);
    else gatherReferences(value, found);
  }
}

/** Whether two values are equal, whatever the order of members; gathers what they refer to. */
function isAlike(a: unknown, b: unknown, refs: Set<string>): boolean {
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return a === b;
  const keys = Object.keys(a);
  if (Array.isArray(a) !== Array.isArray(b) || keys.length !== Object.keys(b).length) return false;
  return keys.every((key) => {
    const [one, other] = [(a as Record<string, unknown>)[key], (b as Record<string, unknown>)[key]];
    if (key === '$ref' && typeof one === 'string') refs.add(one);
    return Object.hasOwn(b, key) && isAlike(one, other, refs);
  });
}
