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

/** Pointers of all schemas that a schema consists of, through every reference, itself first. */
export function reachSchemas(root: unknown, schemaAt: string): ReadonlySet<string> {
  const found = new Set<string>();
  const open = [schemaAt];
  for (let pointer = open.pop(); pointer !== undefined; pointer = open.pop()) {
    const schema = valueAt(root, pointer);
    if (found.has(pointer) || typeof schema !== 'object' || schema === null) continue;
    found.add(pointer);
    const fields = schema as Fields;
    const referred = typeof fields.$ref === 'string' ? referencePointer(fields.$ref) : undefined;
    if (referred !== undefined) open.push(referred);
    for (const key of ONE) if (typeof fields[key] === 'object') open.push(`${pointer}/${key}`);
    for (const key of SEVERAL)
      if (Array.isArray(fields[key])) open.push(...fields[key].map((_, i) => `${pointer}/${key}/${i}`));
    for (const key of BY_NAME)
      if (typeof fields[key] === 'object')
        open.push(...Object.keys(fields[key] as object).map((name) => appendPointer(`${pointer}/${key}`, name)));
  }
  return found;
}
