import { appendPointer } from '#json-pointer';

import {
  flattenSchemas,
  nameParts,
  partBelow,
  type SchemaLayer,
  type SchemaPart,
  type SchemaUnion,
} from './flatten.ts';
import type { HeldValue, ValueBound } from './held.ts';
import { readLimits } from './limits.ts';
import { foldAlternatives, readTypes, sortsOf, type ValueSorts } from './sorts.ts';
import { isFields, listOf, type SpecSource, stableText } from './source.ts';

/** A schema that holds where another one does, or does not. */
export interface SchemaCondition {
  readonly if: SchemaPart;
  /** Under `then`. */
  readonly met?: SchemaPart;
  /** Under `else`. */
  readonly unmet?: SchemaPart;
  readonly at: string;
}

/** What all schemas that must fit a value demand together. */
export interface SchemaShape {
  readonly source: SpecSource;
  readonly name: string;
  /** Where the outermost of them stands. */
  readonly at: string;
  readonly never: boolean;
  /** Types, closed values and whether null fits. */
  readonly sorts: ValueSorts;
  readonly open: HeldValue<readonly unknown[]> | undefined;
  readonly limits: ReadonlyMap<string, HeldValue<ValueBound>>;
  /** Keywords with one plain value: pattern, format, default, deprecated and the like; several of one joined. */
  readonly plain: ReadonlyMap<string, HeldValue<unknown>>;
  readonly properties: ReadonlyMap<string, HeldValue<readonly SchemaPart[]>>;
  readonly required: ReadonlyMap<string, string>;
  readonly patterns: ReadonlyMap<string, HeldValue<readonly SchemaPart[]>>;
  /** Fields not listed: absent for anything, false for none. */
  readonly rest: HeldValue<readonly SchemaPart[] | false> | undefined;
  readonly names: HeldValue<readonly SchemaPart[]> | undefined;
  readonly dependents: ReadonlyMap<string, HeldValue<readonly string[]>>;
  readonly dependentSchemas: ReadonlyMap<string, HeldValue<readonly SchemaPart[]>>;
  readonly items: HeldValue<readonly SchemaPart[] | false> | undefined;
  readonly prefix: ReadonlyMap<string, HeldValue<readonly SchemaPart[]>>;
  readonly contains: HeldValue<readonly SchemaPart[]> | undefined;
  readonly conditions: readonly SchemaCondition[];
  readonly nots: readonly SchemaPart[];
  readonly unions: readonly SchemaUnion[];
  /** Whether anything is said beside the unions. */
  readonly bare: boolean;
}

const SHAPES = new WeakMap<SpecSource, Map<string, SchemaShape>>();

/** The shape of a list of schemas that must all fit; of an empty one, that of anything. */
export function shapeOf(source: SpecSource, parts: readonly SchemaPart[]): SchemaShape {
  const known = SHAPES.get(source) ?? new Map<string, SchemaShape>();
  SHAPES.set(source, known);
  const name = nameParts(parts);
  let made = known.get(name);
  if (!made) {
    known.set(name, { ...NOTHING_YET, source, name });
    made = make(source, parts, name);
  }
  known.set(name, made);
  return made;
}

/** Stands for a shape while it is made: alternatives that lead back to themselves find this. */
const NOTHING_YET: Omit<SchemaShape, 'source' | 'name'> = {
  at: '',
  never: false,
  sorts: { types: undefined, declared: false, values: undefined, nullable: false },
  open: undefined,
  limits: new Map(),
  plain: new Map(),
  properties: new Map(),
  required: new Map(),
  patterns: new Map(),
  rest: undefined,
  names: undefined,
  dependents: new Map(),
  dependentSchemas: new Map(),
  items: undefined,
  prefix: new Map(),
  contains: undefined,
  conditions: [],
  nots: [],
  unions: [],
  bare: true,
};

const takesNull = (source: SpecSource, part: SchemaPart) => shapeOf(source, [part]).sorts.nullable;

const JOINED = ['pattern', 'format', 'multipleOf', 'contentEncoding', 'contentMediaType'];
const LAST = ['default', 'description', 'x-removed', 'x-sunset'];
const FLAGS = ['uniqueItems', 'deprecated', 'readOnly', 'writeOnly'];

type Parts = Map<string, HeldValue<readonly SchemaPart[]>>;

function make(source: SpecSource, parts: readonly SchemaPart[], name: string): SchemaShape {
  const flat = flattenSchemas(source, parts);
  const folded = foldAlternatives(source, flat.unions);
  const sorts = sortsOf([...flat.layers.map(readTypes), ...folded.sorts], folded.unions, (part) =>
    takesNull(source, part),
  );
  const plain = new Map<string, HeldValue<unknown>>();
  const properties: Parts = new Map();
  const required = new Map<string, string>();
  const patterns: Parts = new Map();
  const dependents = new Map<string, HeldValue<readonly string[]>>();
  const dependentSchemas: Parts = new Map();
  const prefix: Parts = new Map();
  const conditions: SchemaCondition[] = [];
  const nots: SchemaPart[] = [];
  let open = folded.open;
  let rest: SchemaShape['rest'];
  let items: SchemaShape['items'];
  let names: SchemaShape['names'];
  let contains: SchemaShape['contains'];
  for (const layer of flat.layers) {
    const { fields, pointer } = layer;
    readPlain(layer, plain);
    named(layer, 'properties', properties);
    named(layer, 'patternProperties', patterns);
    named(layer, 'dependentSchemas', dependentSchemas);
    for (const one of listOf(fields.required))
      required.set(String(one), required.get(String(one)) ?? `${pointer}/required`);
    if (isFields(fields.dependentRequired))
      for (const [key, value] of Object.entries(fields.dependentRequired))
        dependents.set(key, {
          value: listOf(value).map(String).sort(),
          at: partBelow(layer, 'dependentRequired', key).pointer,
        });
    rest = narrow(
      rest,
      layer,
      fields.additionalProperties === undefined ? 'unevaluatedProperties' : 'additionalProperties',
    );
    items = narrow(items, layer, fields.items === undefined ? 'unevaluatedItems' : 'items');
    names = join(names, layer, 'propertyNames');
    contains = join(contains, layer, 'contains');
    listOf(fields.prefixItems).forEach((_, i) => void put(prefix, String(i), partBelow(layer, 'prefixItems', i)));
    if (fields.if !== undefined) conditions.push(condition(layer));
    if (fields.not !== undefined) nots.push(partBelow(layer, 'not'));
    const named_ = fields['x-open'] ?? fields['x-extensible-enum'];
    if (Array.isArray(named_))
      open = { value: named_, at: `${pointer}/${fields['x-open'] ? 'x-open' : 'x-extensible-enum'}` };
  }
  const limits = readLimits(flat.layers, sorts);
  const first = flat.layers.at(-1)?.pointer ?? parts[0]?.pointer ?? '';
  const sizes = [limits, properties, required, patterns, dependents, dependentSchemas, prefix];
  const bare =
    !sorts.types &&
    !sorts.values &&
    sizes.every(({ size }) => size === 0) &&
    !rest &&
    !items &&
    !names &&
    !contains &&
    conditions.length + nots.length === 0 &&
    !['pattern', 'format', 'multipleOf'].some((key) => plain.has(key));
  return {
    source,
    name,
    at: first,
    never: flat.never || isEmpty(sorts),
    sorts,
    open,
    limits,
    plain,
    properties,
    required,
    patterns,
    rest,
    names,
    dependents,
    dependentSchemas,
    items,
    prefix,
    contains,
    conditions,
    nots,
    unions: folded.unions,
    bare,
  };
}

/** Whether types or values exclude each other, and null with them. */
const isEmpty = ({ types, values, nullable }: ValueSorts) => !nullable && (types?.size === 0 || values?.length === 0);

function put(parts: Parts, key: string, part: SchemaPart): void {
  const held = parts.get(key);
  parts.set(key, { value: [...(held?.value ?? []), part], at: held?.at ?? part.pointer });
}

function named(layer: SchemaLayer, keyword: string, parts: Parts): void {
  const value = layer.fields[keyword];
  if (isFields(value)) for (const key of Object.keys(value)) put(parts, key, partBelow(layer, keyword, key));
}

function join(
  held: HeldValue<readonly SchemaPart[]> | undefined,
  layer: SchemaLayer,
  key: string,
): HeldValue<readonly SchemaPart[]> | undefined {
  const value = layer.fields[key];
  if (value === undefined || isAnything(value)) return held;
  const part = partBelow(layer, key);
  return { value: [...(held?.value ?? []), part], at: held?.at ?? part.pointer };
}

function narrow(held: HeldValue<readonly SchemaPart[] | false> | undefined, layer: SchemaLayer, key: string) {
  if (held?.value === false) return held;
  if (layer.fields[key] === false) return { value: false as const, at: partBelow(layer, key).pointer };
  return join(held as HeldValue<readonly SchemaPart[]> | undefined, layer, key);
}

function condition(layer: SchemaLayer): SchemaCondition {
  const { fields } = layer;
  return {
    if: partBelow(layer, 'if'),
    at: partBelow(layer, 'if').pointer,
    ...(fields.then === undefined ? {} : { met: partBelow(layer, 'then') }),
    ...(fields.else === undefined ? {} : { unmet: partBelow(layer, 'else') }),
  };
}

function isAnything(value: unknown): boolean {
  return (
    value === true ||
    (isFields(value) && Object.keys(value).every((key) => key === 'description' || key.startsWith('x-')))
  );
}

function readPlain({ fields, pointer }: SchemaLayer, plain: Map<string, HeldValue<unknown>>): void {
  const hold = (key: string, value: unknown) => plain.set(key, { value, at: appendPointer(pointer, key) });
  for (const key of JOINED) {
    const value = fields[key];
    if (value === undefined || (key === 'multipleOf' && value === 1 && stableText(fields.type).includes('integer')))
      continue;
    const held = plain.get(key);
    if (held === undefined) hold(key, value);
    else if (held.value !== value) hold(key, [String(held.value), String(value)].sort().join(' and '));
  }
  for (const key of LAST) if (fields[key] !== undefined) hold(key, fields[key]);
  for (const key of FLAGS) if (fields[key] === true) hold(key, true);
  if (isFields(fields.discriminator)) hold('discriminator', fields.discriminator);
}

/** The value of a plain keyword. */
export function plainOf(shape: SchemaShape, key: string): unknown {
  return shape.plain.get(key)?.value;
}
