import { appendPointer, referencePointer, valueAt } from '#json-pointer';

type Fields = Record<string, unknown>;

/** Keywords of JSON Schema (2020-12) whose value is a schema, a list of schemas, or schemas by name. */
export const SUBSCHEMA_KEYWORDS: Readonly<Record<'one' | 'several' | 'byName', readonly string[]>> = {
  one: [
    'items',
    'contains',
    'additionalProperties',
    'unevaluatedProperties',
    'unevaluatedItems',
    'propertyNames',
    'not',
    'if',
    'then',
    'else',
  ],
  several: ['allOf', 'anyOf', 'oneOf', 'prefixItems'],
  byName: ['properties', 'patternProperties', 'dependentSchemas'],
};

/** What each schema consists of and refers to, by root and pointer; nothing where no schema stands. */
const EDGES = new WeakMap<object, Map<string, readonly string[] | undefined>>();

/**
 * Pointers of all schemas that one schema or several consist of, through every reference, themselves first. The root is taken for
 * unchanging.
 * @param schemasAt a pointer within the root, or several
 */
export function reachSchemas(root: object, schemasAt: string | Iterable<string>): ReadonlySet<string> {
  const found = new Set<string>();
  const open = typeof schemasAt === 'string' ? [schemasAt] : [...schemasAt];
  for (let pointer = open.pop(); pointer !== undefined; pointer = open.pop()) {
    if (found.has(pointer)) continue;
    const edges = edgesOf(root, pointer);
    if (edges === undefined) continue;
    found.add(pointer);
    for (const edge of edges) open.push(edge);
  }
  return found;
}

function edgesOf(root: object, pointer: string): readonly string[] | undefined {
  const known = EDGES.get(root) ?? new Map<string, readonly string[] | undefined>();
  EDGES.set(root, known);
  if (!known.has(pointer)) known.set(pointer, readEdges(valueAt(root, pointer), pointer));
  return known.get(pointer);
}

function readEdges(schema: unknown, pointer: string): string[] | undefined {
  if (typeof schema !== 'object' || schema === null) return undefined;
  const fields = schema as Fields;
  const edges: string[] = [];
  const referred = typeof fields.$ref === 'string' ? referencePointer(fields.$ref) : undefined;
  if (referred !== undefined) edges.push(referred);
  for (const key of SUBSCHEMA_KEYWORDS.one) if (typeof fields[key] === 'object') edges.push(`${pointer}/${key}`);
  for (const key of SUBSCHEMA_KEYWORDS.several)
    if (Array.isArray(fields[key])) edges.push(...fields[key].map((_, i) => `${pointer}/${key}/${i}`));
  for (const key of SUBSCHEMA_KEYWORDS.byName)
    if (typeof fields[key] === 'object')
      edges.push(...Object.keys(fields[key] as object).map((name) => appendPointer(`${pointer}/${key}`, name)));
  return edges;
}
