import { appendPointer, referencePointer, valueAt } from '#json-pointer';

/**
 * One step from a schema to one that it consists of. `same` speaks of the same value, `condition` too but binds only at times;
 * `member` speaks of a member by name, `others` of those without a schema of their own; `entry` of one by index, `entries` of the rest.
 */
export interface SchemaStep {
  readonly kind: 'same' | 'condition' | 'member' | 'others' | 'entry' | 'entries';
  /** JSON Pointer of the schema that it leads to. */
  readonly at: string;
  /** Name of the member, or index of the entry. */
  readonly name?: string | number;
}

/** A part of a body: where it is, and every schema that speaks of it. */
export interface SchemaMember {
  /** Tokens of its path, `*` for each entry of a list. */
  readonly path: readonly string[];
  /** Places of the schemas that speak of it, the first as it is written first. */
  readonly at: readonly string[];
  /** Places of all schemas passed on the way to it, its own among them. */
  readonly way: readonly string[];
}

type Fields = Readonly<Record<string, unknown>>;

/** Where schemas lead, by the description they stand in: every exchange follows the same few. */
const known = new WeakMap<object, Map<string, readonly SchemaStep[]>>();

/** The steps from a schema, in the order in which it lists them; none where there is no schema. */
export function schemaSteps(root: unknown, at: string): readonly SchemaStep[] {
  const steps = known.get(root as object) ?? new Map<string, readonly SchemaStep[]>();
  known.set(root as object, steps);
  const before = steps.get(at);
  if (before !== undefined) return before;
  const read = readSteps(valueAt(root, at), at);
  steps.set(at, read);
  return read;
}

function readSteps(schema: unknown, at: string): SchemaStep[] {
  if (!isSchema(schema)) return [];
  const referred = typeof schema.$ref === 'string' ? referencePointer(schema.$ref) : undefined;
  const several = (key: string, kind: SchemaStep['kind']): SchemaStep[] =>
    Array.isArray(schema[key]) ? schema[key].map((_, name) => ({ kind, at: `${at}/${key}/${name}`, name })) : [];
  const one = (key: string, kind: SchemaStep['kind']): SchemaStep[] =>
    isSchema(schema[key]) ? [{ kind, at: `${at}/${key}` }] : [];
  const properties = Object.entries((schema.properties as Fields | undefined) ?? {});
  const members = properties.filter(([, one]) => isSchema(one)).map(([name]) => name);
  return [
    ...(referred === undefined ? [] : [{ kind: 'same', at: referred } as const]),
    ...['allOf', 'anyOf', 'oneOf'].flatMap((key) => several(key, 'same')),
    ...['then', 'else'].flatMap((key) => one(key, 'same')),
    ...['not', 'if'].flatMap((key) => one(key, 'condition')),
    ...members.map((name) => ({ kind: 'member', at: appendPointer(`${at}/properties`, name), name }) as const),
    ...one('additionalProperties', 'others'),
    ...several('prefixItems', 'entry'),
    ...one('items', 'entries'),
  ];
}

/** The members that a schema names, through references, alternatives and lists; a schema inside itself is not entered again. */
export function schemaMembers(root: unknown, schemaAt: string): SchemaMember[] {
  const found = new Map<string, SchemaMember>();
  const visit = (at: string, path: readonly string[], above: readonly string[]): void => {
    if (above.includes(at) || !isSchema(valueAt(root, at))) return;
    const way = [...above, at];
    if (path.length > 0) {
      const key = path.join('\n');
      const one = found.get(key) ?? { path, at: [], way: [] };
      found.set(key, { path, at: [...one.at, at], way: [...new Set([...one.way, ...way])] });
    }
    for (const { kind, at: next, name } of schemaSteps(root, at)) {
      if (kind === 'same') visit(next, path, way);
      if (kind === 'member') visit(next, [...path, String(name)], way);
      if (kind === 'entries') visit(next, [...path, '*'], way);
    }
  };
  visit(schemaAt, [], []);
  return [...found.values()];
}

function isSchema(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
