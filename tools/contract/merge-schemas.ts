import { isDeepStrictEqual } from 'node:util';

/** A schema as its keywords. */
export type SchemaMembers = Readonly<Record<string, unknown>>;

/**
 * One schema that accepts what both accept.
 * @param a wins where only words differ (descriptions, examples)
 * @returns undefined where one object of keywords cannot say it, such as two patterns
 */
export function mergeSchemas(a: SchemaMembers, b: SchemaMembers): SchemaMembers | undefined {
  // Members that one of them does not name and the other forbids would have to be counted up.
  if ([a, b].some((one) => isSchemaObject(one.additionalProperties) || one.additionalProperties === false)) {
    const names = (one: SchemaMembers) => Object.keys((one.properties ?? {}) as object).sort();
    if (!isDeepStrictEqual(names(a), names(b))) return undefined;
  }
  const merged: Record<string, unknown> = { ...a, ...without(b, a) };
  for (const key of Object.keys(a)) {
    if (!(key in b) || isDeepStrictEqual(a[key], b[key]) || WORDS.includes(key)) continue;
    const one = (MERGERS[key] ?? refuse)(a[key], b[key]);
    if (one === undefined) return undefined;
    merged[key] = one;
  }
  if ('const' in merged && Array.isArray(merged.enum)) {
    if (!merged.enum.includes(merged.const)) return undefined;
    delete merged.enum;
  }
  // Says nothing of what is no array.
  if ('type' in merged && ![merged.type].flat().includes('array')) delete merged.items;
  return merged;
}

const WORDS = ['title', 'description', 'examples', 'example', 'default', 'deprecated'];
const refuse = () => undefined;

const MERGERS: Readonly<Record<string, (a: unknown, b: unknown) => unknown>> = {
  type: narrowTypes,
  required: (a, b) => [...new Set([...(a as string[]), ...(b as string[])])],
  enum: (a, b) => nonEmpty((a as unknown[]).filter((one) => (b as unknown[]).includes(one))),
  properties: (a, b) => mergeMembers(a as SchemaMembers, b as SchemaMembers),
  items: mergeParts,
  additionalProperties: mergeParts,
};

function mergeMembers(a: SchemaMembers, b: SchemaMembers): SchemaMembers | undefined {
  const merged: Record<string, unknown> = { ...a, ...without(b, a) };
  for (const name of Object.keys(a)) {
    if (!(name in b)) continue;
    const one = mergeParts(a[name], b[name]);
    if (one === undefined) return undefined;
    merged[name] = one;
  }
  return merged;
}

/** Schemas may be `true`, which accepts everything. */
function mergeParts(a: unknown, b: unknown): unknown {
  if (a === true) return b;
  if (b === true) return a;
  return isSchemaObject(a) && isSchemaObject(b) ? mergeSchemas(a, b) : undefined;
}

function narrowTypes(a: unknown, b: unknown): unknown {
  const [first, second] = [[a].flat(), [b].flat()];
  const fits = (one: unknown, others: unknown[]) =>
    others.includes(one) || (one === 'integer' && others.includes('number'));
  const both = [...first.filter((one) => fits(one, second)), ...second.filter((one) => fits(one, first))];
  const types = [...new Set(both)];
  return types.length > 1 ? types : types[0];
}

function nonEmpty(list: unknown[]): unknown[] | undefined {
  return list.length > 0 ? list : undefined;
}

/** What is in one and not in the other. */
function without(schema: SchemaMembers, other: SchemaMembers): SchemaMembers {
  return Object.fromEntries(Object.entries(schema).filter(([key]) => !(key in other)));
}

/** Whether a value is a schema with keywords; others are `true` and `false`. */
export function isSchemaObject(value: unknown): value is SchemaMembers {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
