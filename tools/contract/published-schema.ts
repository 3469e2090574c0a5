import { isDeepStrictEqual } from 'node:util';
import { referencePointer, valueAt } from '#json-pointer';
import { isSchemaObject, mergeSchemas, type SchemaMembers } from './merge-schemas.ts';
import { chainConditions, isDemand, oneAtLeast, type SchemaCondition, writeCondition } from './schema-conditions.ts';
import { SUBSCHEMA_KEYWORDS } from './schema-reach.ts';

const { one, several, byName } = SUBSCHEMA_KEYWORDS;

/**
 * A schema of a spec as one object of keywords: parts of `allOf` merged in, demands of which one must be kept and parts that depend on
 * a value as `if`. What no one object can say stays in `allOf`.
 * @param root the spec, for references
 */
export function publishSchema(root: object, schema: unknown): unknown {
  if (!isSchemaObject(schema)) return schema;
  const { allOf = [], if: when, then: met, else: unmet, ...rest } = publishParts(root, schema);
  let own: SchemaMembers = rest;
  const apart: SchemaMembers[] = [];
  const conditions: SchemaCondition[] = when === undefined ? [] : [{ when, met, unmet } as SchemaCondition];
  const mergeIn = (part: SchemaMembers) => {
    const merged = mergeSchemas(resolve(root, own), resolve(root, part));
    if (merged === undefined) apart.push(part);
    else own = merged;
  };
  for (const part of allOf as SchemaMembers[]) {
    const { if: when, then: met, else: unmet, ...plain } = resolve(root, part);
    if (when !== undefined) conditions.push({ when, met, unmet } as SchemaCondition);
    if (Object.keys(plain).length > 0) mergeIn(plain);
  }
  if (Array.isArray(own.anyOf) && own.anyOf.every(isDemand)) {
    conditions.push(oneAtLeast(own.anyOf));
    own = withoutKeyword(own, 'anyOf');
  }
  const open = conditions.filter((one) => {
    const holds = isDeepStrictEqual(one.when, { $ref: own.$ref }) && one.met !== undefined;
    if (holds) mergeIn(one.met!);
    return !holds;
  });
  const chain = chainConditions(open);
  if (chain === undefined) apart.push(...open.map(writeCondition));
  return { ...own, ...chain, ...(apart.length > 0 ? { allOf: apart } : {}) };
}

/** The schema with its parts published and nothing that only this project reads. */
function publishParts(root: object, schema: SchemaMembers): SchemaMembers {
  const published: Record<string, unknown> = {};
  for (const [key, value] of Object.entries(schema)) {
    if (key.startsWith('x-')) continue;
    if (one.includes(key)) published[key] = publishSchema(root, value);
    else if (several.includes(key)) published[key] = (value as unknown[]).map((one) => publishSchema(root, one));
    else if (byName.includes(key)) published[key] = mapMembers(value, (one) => publishSchema(root, one));
    else published[key] = value;
  }
  if (schemaTypes(schema).includes('array') && published.items === undefined) published.items = {};
  if (schemaTypes(schema).includes('null') && Array.isArray(schema.enum) && schema.enum.includes(null)) {
    const { type: _, enum: values, ...rest } = published;
    const texts = (values as unknown[]).filter((one) => one !== null);
    return { ...rest, anyOf: [{ type: typeWithoutNull(schema), enum: texts }, { type: 'null' }] };
  }
  const notes = [published.description, ...describeOpenness(schema)].filter((one) => one !== undefined);
  if (notes.length > 0) published.description = notes.join(' ');
  return published;
}

/** What the register says of an incomplete enumeration and of a field that is going, in words. */
function describeOpenness(schema: SchemaMembers): string[] {
  const { 'x-open': open, 'x-removed': removed } = schema;
  const named = Array.isArray(open) ? open.map((one) => `\`${one}\``).join(', ') : '';
  return [
    ...(named === '' ? [] : [`Values that are named: ${named}; others may come.`]),
    ...(removed === undefined ? [] : [`Announced to be gone from ${removed} on.`]),
  ];
}

/** A schema that is a reference, alone or among other keywords, with what it refers to in its place. */
function resolve(root: object, schema: SchemaMembers): SchemaMembers {
  const pointer = typeof schema.$ref === 'string' ? referencePointer(schema.$ref) : undefined;
  if (pointer === undefined) return schema;
  const target = publishSchema(root, valueAt(root, pointer)) as SchemaMembers;
  return mergeSchemas(withoutKeyword(schema, '$ref'), target) ?? schema;
}

/** Types of a schema as a list. */
export function schemaTypes(schema: SchemaMembers): readonly unknown[] {
  return [schema.type].flat();
}

/** The type of a schema that takes null besides, without it. */
export function typeWithoutNull(schema: SchemaMembers): unknown {
  const types = schemaTypes(schema).filter((one) => one !== 'null');
  return types.length === 1 ? types[0] : types;
}

/** An object with each member changed. */
export function mapMembers(value: unknown, change: (one: unknown) => unknown): Record<string, unknown> {
  return Object.fromEntries(Object.entries(value as object).map(([name, one]) => [name, change(one)]));
}

/** A schema less one keyword. */
export function withoutKeyword(schema: SchemaMembers, key: string): Record<string, unknown> {
  return Object.fromEntries(Object.entries(schema).filter(([one]) => one !== key));
}
