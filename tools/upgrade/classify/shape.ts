import { appendPointer } from '#json-pointer';

import { below, flatten, type Layer, nameParts, type Part, type Union } from './flatten.ts';
import type { Bound, Held } from './held.ts';
import { readLimits } from './limits.ts';
import { alternatives, readTypes, type Sorts, sortsOf } from './sorts.ts';
import { isFields, list, type Source, stable } from './source.ts';

/** A schema that holds where another one does, or does not. */
export interface Condition {
  readonly if: Part;
  /** Under `then`. */
  readonly met?: Part;
  /** Under `else`. */
  readonly unmet?: Part;
  readonly at: string;
}

/** What all schemas that must fit a value demand together. */
export interface Shape {
  readonly source: Source;
  readonly name: string;
  /** Where the outermost of them stands. */
  readonly at: string;
  readonly never: boolean;
  /** Types, closed values and whether null fits. */
  readonly sorts: Sorts;
  readonly open: Held<readonly unknown[]> | undefined;
  readonly limits: ReadonlyMap<string, Held<Bound>>;
  /** Keywords with one plain value: pattern, format, default, deprecated and the like; several of one joined. */
  readonly plain: ReadonlyMap<string, Held<unknown>>;
  readonly properties: ReadonlyMap<string, Held<readonly Part[]>>;
  readonly required: ReadonlyMap<string, string>;
  readonly patterns: ReadonlyMap<string, Held<readonly Part[]>>;
  /** Fields not listed: absent for anything, false for none. */
  readonly rest: Held<readonly Part[] | false> | undefined;
  readonly names: Held<readonly Part[]> | undefined;
  readonly dependents: ReadonlyMap<string, Held<readonly string[]>>;
  readonly dependentSchemas: ReadonlyMap<string, Held<readonly Part[]>>;
  readonly items: Held<readonly Part[] | false> | undefined;
  readonly prefix: ReadonlyMap<string, Held<readonly Part[]>>;
  readonly contains: Held<readonly Part[]> | undefined;
  readonly conditions: readonly Condition[];
  readonly nots: readonly Part[];
  readonly unions: readonly Union[];
  /** Whether anything is said beside the unions. */
  readonly bare: boolean;
}

const SHAPES = new WeakMap<Source, Map<string, Shape>>();

/** The shape of a list of schemas that must all fit; of an empty one, that of anything. */
export function shapeOf(source: Source, parts: readonly Part[]): Shape {
  const known = SHAPES.get(source) ?? new Map<string, Shape>();
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
const NOTHING_YET: Omit<Shape, 'source' | 'name'> = {
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

const takesNull = (source: Source, part: Part) => shapeOf(source, [part]).sorts.nullable;

const JOINED = ['pattern', 'format', 'multipleOf', 'contentEncoding', 'contentMediaType'];
const LAST = ['default', 'description', 'x-removed', 'x-sunset'];
const FLAGS = ['uniqueItems', 'deprecated', 'readOnly', 'writeOnly'];

type Parts = Map<string, Held<readonly Part[]>>;

function make(source: Source, parts: readonly Part[], name: string): Shape {
  const flat = flatten(source, parts);
  const folded = alternatives(source, flat.unions);
  const sorts = sortsOf([...flat.layers.map(readTypes), ...folded.sorts], folded.unions, (part) =>
    takesNull(source, part),
  );
  const plain = new Map<string, Held<unknown>>();
  const properties: Parts = new Map();
  const required = new Map<string, string>();
  const patterns: Parts = new Map();
  const dependents = new Map<string, Held<readonly string[]>>();
  const dependentSchemas: Parts = new Map();
  const prefix: Parts = new Map();
  const conditions: Condition[] = [];
  const nots: Part[] = [];
  let open = folded.open;
  let rest: Shape['rest'];
  let items: Shape['items'];
  let names: Shape['names'];
  let contains: Shape['contains'];
  for (const layer of flat.layers) {
    const { fields, pointer } = layer;
    readPlain(layer, plain);
    named(layer, 'properties', properties);
    named(layer, 'patternProperties', patterns);
    named(layer, 'dependentSchemas', dependentSchemas);
    for (const one of list(fields.required))
      required.set(String(one), required.get(String(one)) ?? `${pointer}/required`);
    if (isFields(fields.dependentRequired))
      for (const [key, value] of Object.entries(fields.dependentRequired))
        dependents.set(key, {
          value: list(value).map(String).sort(),
          at: below(layer, 'dependentRequired', key).pointer,
        });
    rest = narrow(
      rest,
      layer,
      fields.additionalProperties === undefined ? 'unevaluatedProperties' : 'additionalProperties',
    );
    items = narrow(items, layer, fields.items === undefined ? 'unevaluatedItems' : 'items');
    names = join(names, layer, 'propertyNames');
    contains = join(contains, layer, 'contains');
    list(fields.prefixItems).forEach((_, i) => void put(prefix, String(i), below(layer, 'prefixItems', i)));
    if (fields.if !== undefined) conditions.push(condition(layer));
    if (fields.not !== undefined) nots.push(below(layer, 'not'));
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
const isEmpty = ({ types, values, nullable }: Sorts) => !nullable && (types?.size === 0 || values?.length === 0);

function put(parts: Parts, key: string, part: Part): void {
  const held = parts.get(key);
  parts.set(key, { value: [...(held?.value ?? []), part], at: held?.at ?? part.pointer });
}

function named(layer: Layer, keyword: string, parts: Parts): void {
  const value = layer.fields[keyword];
  if (isFields(value)) for (const key of Object.keys(value)) put(parts, key, below(layer, keyword, key));
}

function join(held: Held<readonly Part[]> | undefined, layer: Layer, key: string): Held<readonly Part[]> | undefined {
  const value = layer.fields[key];
  if (value === undefined || isAnything(value)) return held;
  const part = below(layer, key);
  return { value: [...(held?.value ?? []), part], at: held?.at ?? part.pointer };
}

function narrow(held: Held<readonly Part[] | false> | undefined, layer: Layer, key: string) {
  if (held?.value === false) return held;
  if (layer.fields[key] === false) return { value: false as const, at: below(layer, key).pointer };
  return join(held as Held<readonly Part[]> | undefined, layer, key);
}

function condition(layer: Layer): Condition {
  const { fields } = layer;
  return {
    if: below(layer, 'if'),
    at: below(layer, 'if').pointer,
    ...(fields.then === undefined ? {} : { met: below(layer, 'then') }),
    ...(fields.else === undefined ? {} : { unmet: below(layer, 'else') }),
  };
}

function isAnything(value: unknown): boolean {
  return (
    value === true ||
    (isFields(value) && Object.keys(value).every((key) => key === 'description' || key.startsWith('x-')))
  );
}

function readPlain({ fields, pointer }: Layer, plain: Map<string, Held<unknown>>): void {
  const hold = (key: string, value: unknown) => plain.set(key, { value, at: appendPointer(pointer, key) });
  for (const key of JOINED) {
    const value = fields[key];
    if (value === undefined || (key === 'multipleOf' && value === 1 && stable(fields.type).includes('integer')))
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
export function plainOf(shape: Shape, key: string): unknown {
  return shape.plain.get(key)?.value;
}
