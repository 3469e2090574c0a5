import type { SchemaPart } from './flatten.ts';
import { type SchemaShape, shapeOf } from './shape.ts';
import { isFields, type SpecSource, stableText } from './source.ts';

const DEEPEST = 12;

/** From here on a component is its name: components that lead to one another would unfold without end. */
const NAMED = 4;

const TEXTS = new WeakMap<SpecSource, Map<string, string>>();

/** A text that is the same for schemas that demand the same, however they are written and wherever they stand. */
export function canonicalText(source: SpecSource, parts: readonly SchemaPart[]): string {
  const { name } = shapeOf(source, parts);
  const known = TEXTS.get(source) ?? new Map<string, string>();
  TEXTS.set(source, known);
  const text = known.get(name) ?? stableText(render(source, parts, []));
  known.set(name, text);
  return text;
}

const CONSTRAINTS = [
  'pattern',
  'format',
  'multipleOf',
  'contentEncoding',
  'contentMediaType',
  'uniqueItems',
  'readOnly',
  'writeOnly',
];

function render(source: SpecSource, parts: readonly SchemaPart[], above: readonly string[]): unknown {
  const shape = shapeOf(source, parts);
  const back = above.lastIndexOf(shape.name);
  if (back >= 0) return `${above.length - back} up`;
  if (above.length > DEEPEST) return 'deeper';
  if (shape.never) return false;
  const ref = above.length > NAMED && parts.length === 1 ? referenceOf(source, parts[0]!) : undefined;
  if (ref !== undefined) return ref;
  const inner = (list: readonly SchemaPart[]) => render(source, list, [...above, shape.name]);
  const map = (parts_: SchemaShape['properties']) =>
    Object.fromEntries([...parts_].map(([key, { value }]) => [key, inner(value)]));
  const one = (held: SchemaShape['rest']) => held && (held.value === false ? false : inner(held.value));
  const { sorts } = shape;
  const made: Record<string, unknown> = {
    types: !sorts.values && sorts.types && [...sorts.types].sort(),
    values: sorts.values?.map(stableText).sort(),
    nullable: (sorts.types || sorts.values) && sorts.nullable ? true : undefined,
    open: shape.open && [...shape.open.value].map(stableText).sort(),
    limits: Object.fromEntries([...shape.limits].map(([key, { value }]) => [key, value])),
    plain: Object.fromEntries(
      [...shape.plain].filter(([key]) => CONSTRAINTS.includes(key)).map(([key, { value }]) => [key, value]),
    ),
    properties: map(shape.properties),
    required: [...shape.required.keys()].sort(),
    patterns: map(shape.patterns),
    rest: one(shape.rest),
    names: one(shape.names),
    dependents: Object.fromEntries([...shape.dependents].map(([key, { value }]) => [key, value])),
    dependentSchemas: map(shape.dependentSchemas),
    items: one(shape.items),
    prefix: map(shape.prefix),
    contains: one(shape.contains),
    conditions: shape.conditions
      .map((each) => stableText([inner([each.if]), each.met && inner([each.met]), each.unmet && inner([each.unmet])]))
      .sort(),
    nots: shape.nots.map((part) => stableText(inner([part]))).sort(),
    unions: shape.unions
      .map(({ kind, members, nullable }) =>
        stableText([kind, nullable, members.map((part) => stableText(inner([part]))).sort()]),
      )
      .sort(),
  };
  return Object.fromEntries(Object.entries(made).filter(([, value]) => !isEmpty(value)));
}

function referenceOf(source: SpecSource, { pointer, nullable }: SchemaPart): string | undefined {
  const value = source.at(pointer);
  return isFields(value) && typeof value.$ref === 'string' && !nullable ? value.$ref : undefined;
}

function isEmpty(value: unknown): boolean {
  return value === undefined || (typeof value === 'object' && value !== null && Object.keys(value).length === 0);
}
