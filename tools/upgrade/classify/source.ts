import { appendPointer, referencePointer, valueAt } from '#json-pointer';

import { Trouble } from '#trouble';
import { checkVersion, type Description, type DescriptionRoot, placeOf } from '../read/description.ts';

export type SchemaFields = Record<string, unknown>;

/** A mapping found in a description, references followed, and where it really stands. */
export interface FoundMapping {
  readonly fields: SchemaFields;
  readonly pointer: string;
}

/** A description that can be asked. */
export interface SpecSource {
  readonly root: DescriptionRoot;
  readonly description: Description;
  /** The value at a pointer as it is written. */
  at(pointer: string): unknown;
  /** The mapping at a pointer, its reference followed; empty where nothing stands. */
  find(pointer: string): FoundMapping;
  /** Pointer that a reference leads to. */
  target(ref: unknown, from: string): string;
  fail(pointer: string, message: string, reason: string, fix: string): never;
}

/**
 * Opens a description.
 * @throws Trouble (usage) with file and line when it is no OpenAPI 3; later, when a reference leads nowhere
 */
export function openSource(description: Description): SpecSource {
  const fail = (pointer: string, message: string, reason: string, fix: string): never => {
    throw new Trouble('usage', message, {
      place: placeOf(description, pointer),
      reason,
      fix,
    });
  };
  checkVersion(description);
  const seen = new Map<string, unknown>();
  const read = (pointer: string) => {
    if (!seen.has(pointer)) seen.set(pointer, valueAt(description.root, pointer));
    return seen.get(pointer);
  };
  const target = (ref: unknown, from: string): string => {
    if (typeof ref === 'string' && /^#[^/]/.test(ref))
      return fail(
        from,
        `unresolved reference ${ref}`,
        'no schema of the file has this $anchor',
        'correct the reference',
      );
    const pointer = typeof ref === 'string' ? referencePointer(ref) : undefined;
    if (pointer === undefined)
      return fail(
        from,
        `the reference ${JSON.stringify(ref)} leaves the file`,
        'only files in the folder of the description, and below, are followed',
        'put the file there, or bundle the description into one file, for instance with redocly bundle',
      );
    if (read(pointer) === undefined)
      fail(from, `unresolved reference ${ref}`, 'nothing stands at that place of the file', 'correct the reference');
    return pointer;
  };
  const find = (pointer: string): FoundMapping => {
    let here = pointer;
    for (let hops = 0; hops < 50; hops += 1) {
      const value = read(here) ?? {};
      if (!isFields(value))
        return fail(here, 'a mapping is expected here', `there is ${JSON.stringify(value)}`, 'correct this entry');
      if (value.$ref === undefined) return { fields: value, pointer: here };
      here = target(value.$ref, here);
    }
    return fail(pointer, 'the reference leads back to itself', 'a chain of references has no end', 'correct it');
  };
  return { root: description.root as unknown as DescriptionRoot, description, at: read, find, target, fail };
}

export function isFields(value: unknown): value is SchemaFields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Entries of a mapping below a pointer, extensions left out. */
export function entriesAt(source: SpecSource, pointer: string): [name: string, pointer: string][] {
  const value = source.at(pointer);
  return isFields(value)
    ? Object.keys(value)
        .filter((name) => !name.startsWith('x-'))
        .map((name) => [name, appendPointer(pointer, name)])
    : [];
}

export function listOf(value: unknown): unknown[] {
  return Array.isArray(value) ? value : [];
}

/** A text that is the same for equal values, whatever the order of keys. */
export function stableText(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(stableText).join(',')}]`;
  if (!isFields(value)) return JSON.stringify(value) ?? 'absent';
  const keys = Object.keys(value).sort();
  return `{${keys.map((key) => `${JSON.stringify(key)}:${stableText(value[key])}`).join(',')}}`;
}
