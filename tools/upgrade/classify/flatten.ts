import { appendPointer } from '#json-pointer';

import { isFields, type SchemaFields, type SpecSource } from './source.ts';

/** One of the schemas that must all fit a value. */
export interface SchemaPart {
  readonly pointer: string;
  /** null fits too, whatever the schema says. */
  readonly nullable?: boolean;
}

/** Several alternatives, of which one (or exactly one) must fit. */
export interface SchemaUnion {
  readonly kind: 'anyOf' | 'oneOf';
  readonly members: readonly SchemaPart[];
  readonly nullable: boolean;
  readonly pointer: string;
  readonly discriminator?: SchemaFields | undefined;
}

/** One schema object as it is written, references and allOf followed. */
export interface SchemaLayer {
  readonly fields: SchemaFields;
  readonly pointer: string;
  readonly nullable: boolean;
}

/** What a list of parts comes to. */
export interface FlatSchema {
  readonly layers: SchemaLayer[];
  readonly unions: SchemaUnion[];
  never: boolean;
}

/** Names a list of parts; equal lists have equal names. */
export function nameParts(parts: readonly SchemaPart[]): string {
  return parts.map(({ pointer, nullable }) => (nullable ? `${pointer}?` : pointer)).join('&');
}

/** Follows references and allOf, and unfolds alternatives that are none: one member, or one member and null. */
export function flattenSchemas(source: SpecSource, parts: readonly SchemaPart[]): FlatSchema {
  const flat: FlatSchema = { layers: [], unions: [], never: false };
  const seen = new Set<string>();
  const add = (pointer: string, outer: boolean): void => {
    const key = `${pointer}${outer ? '?' : ''}`;
    if (seen.has(key)) return;
    seen.add(key);
    const value = source.at(pointer);
    if (value === true) return;
    if (value === false) {
      flat.never = true;
      return;
    }
    if (!isFields(value))
      source.fail(pointer, 'a schema is expected here', `there is ${JSON.stringify(value)}`, 'write a schema here');
    const fields = value as SchemaFields;
    const nullable = outer || fields.nullable === true;
    if (fields.$ref !== undefined) add(source.target(fields.$ref, pointer), nullable);
    if (Array.isArray(fields.allOf)) fields.allOf.forEach((_, i) => void add(`${pointer}/allOf/${i}`, nullable));
    for (const kind of ['anyOf', 'oneOf'] as const) {
      const list = fields[kind];
      if (!Array.isArray(list)) continue;
      const all = list.map((_, i): SchemaPart => ({ pointer: `${pointer}/${kind}/${i}` }));
      const members = all.filter((part) => !isNull(source, part.pointer));
      const withNull = nullable || members.length < all.length;
      if (members.length === 1) add(members[0]!.pointer, withNull);
      else {
        const discriminator = isFields(fields.discriminator) ? fields.discriminator : undefined;
        flat.unions.push({ kind, members, nullable: withNull, pointer: `${pointer}/${kind}`, discriminator });
      }
    }
    flat.layers.push({ fields, pointer, nullable });
  };
  for (const { pointer, nullable } of parts) add(pointer, nullable ?? false);
  return flat;
}

/** Part of a schema under a keyword. */
export function partBelow(layer: SchemaLayer, ...tokens: (string | number)[]): SchemaPart {
  return { pointer: appendPointer(layer.pointer, ...tokens) };
}

function isNull(source: SpecSource, pointer: string): boolean {
  const value = source.at(pointer);
  if (!isFields(value)) return false;
  if (typeof value.$ref === 'string') return isNull(source, source.find(pointer).pointer);
  const { type, enum: list } = value;
  if (type === 'null' || (Array.isArray(type) && type.length === 1 && type[0] === 'null')) return true;
  return ('const' in value && value.const === null) || (Array.isArray(list) && list.length === 1 && list[0] === null);
}
