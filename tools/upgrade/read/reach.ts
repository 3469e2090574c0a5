import { appendPointer, referencePointer, valueAt } from '#json-pointer';

type Fields = Record<string, unknown>;

const ONE = [
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
];
const SEVERAL = ['allOf', 'anyOf', 'oneOf', 'prefixItems'];
const BY_NAME = ['properties', 'patternProperties', 'dependentSchemas'];
const SILENT = /^(?:x-.*|title|description|examples?|deprecated|externalDocs|\$comment)$/;

/** What each schema consists of and refers to, by root and pointer; nothing where no schema stands. */
const EDGES = new WeakMap<object, Map<string, readonly string[] | undefined>>();

/** Pointers of all schemas that a schema consists of, through every reference, itself first. */
export function reachableSchemas(root: object, schemaAt: string): ReadonlySet<string> {
  return reachableFrom(root, [schemaAt]);
}

/** As {@link reachableSchemas}, from several schemas. */
export function reachableFrom(root: object, schemasAt: Iterable<string>): ReadonlySet<string> {
  const found = new Set<string>();
  const open = [...schemasAt];
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
  for (const key of ONE) if (typeof fields[key] === 'object') edges.push(`${pointer}/${key}`);
  for (const key of SEVERAL)
    if (Array.isArray(fields[key])) edges.push(...fields[key].map((_, i) => `${pointer}/${key}/${i}`));
  for (const key of BY_NAME)
    if (typeof fields[key] === 'object')
      edges.push(...Object.keys(fields[key] as object).map((name) => appendPointer(`${pointer}/${key}`, name)));
  return edges;
}

/** Whether a pointer names one of these schemas, or a keyword of one. */
export function namesSchemaOf(places: ReadonlySet<string>, pointer: string): boolean {
  const tokens = pointer.split('/');
  return [0, 1, 2].some((less) => places.has(tokens.slice(0, tokens.length - less).join('/')));
}

/** What a schema demands by itself, as one text; the schemas below and what only explains are left out. */
export function demandsAt(root: object, pointer: string): string {
  const schema = valueAt(root, pointer);
  if (typeof schema !== 'object' || schema === null) return JSON.stringify(schema) ?? '';
  const own = Object.entries(schema)
    .filter(([key]) => !SILENT.test(key))
    .map(([key, value]) => {
      if (ONE.includes(key) && typeof value === 'object') return [key];
      if (SEVERAL.includes(key) && Array.isArray(value)) return [key, value.length];
      if (BY_NAME.includes(key) && typeof value === 'object') return [key, Object.keys(value as object).sort()];
      return [key, value];
    });
  return JSON.stringify(own.sort(([a], [b]) => (String(a) < String(b) ? -1 : 1)));
}
