import { appendPointer, pointerReference, pointerTokens, referencePointer, valueAt } from '#json-pointer';
import { isSchemaObject, type SchemaMembers } from './merge-schemas.ts';
import { mapMembers, publishSchema, schemaTypes, typeWithoutNull, withoutKeyword } from './published-schema.ts';

/** Under these stands a value, not a part of the description. */
const VALUES = ['example', 'examples', 'value', 'default', 'const', 'enum'];
/** Under these stand names, and a part under each. */
const NAMES = ['headers', 'variables', 'properties', 'patternProperties', 'dependentSchemas'];
/** Schemes of HTTP authentication that programs which read descriptions know. */
const KNOWN_SCHEMES = ['basic', 'bearer', 'digest'];

/**
 * A spec as its readers elsewhere want it: no register, each schema one object of keywords. What this project lays over a schema so that a
 * violation counts against the right rule is merged into it, and what depends on a value is a condition (`if`), which validators obey
 * and generators of code pass over. It accepts and refuses the bodies that the spec does.
 * @param spec root of a spec as parsed
 * @returns root of the description, nothing of it shared with the spec
 */
export function publishDescription(spec: object): Record<string, unknown> {
  const root = structuredClone(spec) as Record<string, unknown>;
  const published = walk(root, root) as Record<string, unknown>;
  moveNulls(published);
  nameBodies(published);
  dropUnused(published);
  return published;
}

function walk(root: object, node: unknown): unknown {
  return mapParts(node, (one, key) => {
    if (key === 'schema') return publishSchema(root, one);
    if (key === 'schemas') return mapMembers(one, (schema) => publishSchema(root, schema));
    if (key === 'securitySchemes') return mapMembers(one, (scheme) => publishScheme(walk(root, scheme)));
    return walk(root, one);
  });
}

/** Every part of a description changed, extensions left out. Names are no keywords, and values no parts. */
function mapParts(node: unknown, change: (one: unknown, key: string) => unknown): unknown {
  if (Array.isArray(node)) return node.map((one) => change(one, ''));
  if (!isSchemaObject(node)) return node;
  const parts = Object.entries(node).filter(([key]) => !key.startsWith('x-'));
  return Object.fromEntries(
    parts.map(([key, value]) => {
      if (VALUES.includes(key)) return [key, value];
      const named = NAMES.includes(key) && isSchemaObject(value);
      return [key, named ? mapMembers(value, (one) => change(one, '')) : change(value, key)];
    }),
  );
}

/** A scheme that few programs know is written as the header that it is. */
function publishScheme(scheme: unknown): unknown {
  if (!isSchemaObject(scheme) || scheme.type !== 'http' || KNOWN_SCHEMES.includes(String(scheme.scheme).toLowerCase()))
    return scheme;
  return { type: 'apiKey', in: 'header', name: 'Authorization', description: scheme.description };
}

/** A named schema that takes null besides gives null to the places that refer to it: null has no members, and no name in a program. */
function moveNulls(published: Record<string, unknown>): void {
  const { schemas = {} } = (published.components ?? {}) as { schemas?: Record<string, SchemaMembers> };
  const nullable = new Set<unknown>();
  for (const [name, schema] of Object.entries(schemas)) {
    if (!schemaTypes(schema).includes('null') || !schemaTypes(schema).includes('object')) continue;
    schemas[name] = { ...schema, type: typeWithoutNull(schema) };
    nullable.add(pointerReference(appendPointer('/components/schemas', name)));
  }
  const look = (node: unknown): unknown => {
    const parts = mapParts(node, look);
    if (!isSchemaObject(parts) || !nullable.has(parts.$ref)) return parts;
    return { ...withoutKeyword(parts, '$ref'), anyOf: [{ $ref: parts.$ref }, { type: 'null' }] };
  };
  Object.assign(published, look(published));
}

/** Bodies of answers that several operations share get a name, or generators would make one for each operation. */
function nameBodies(published: Record<string, unknown>): void {
  const components = (published.components ?? {}) as Record<string, Record<string, SchemaMembers>>;
  for (const [name, response] of Object.entries(components.responses ?? {}))
    for (const media of Object.values((response.content ?? {}) as Record<string, { schema?: SchemaMembers }>)) {
      if (media.schema?.type !== 'object') continue;
      const body = `${name}Body`;
      components.schemas = { ...components.schemas, [body]: media.schema };
      media.schema = { $ref: pointerReference(appendPointer('/components/schemas', body)) };
    }
}

/** Leaves out named parts that nothing refers to any more. */
function dropUnused(published: Record<string, unknown>): void {
  const components = (published.components ?? {}) as Record<string, Record<string, unknown>>;
  const used = new Set<string>();
  const look = (node: unknown): void => {
    if (Array.isArray(node)) node.forEach(look);
    if (!isSchemaObject(node)) return;
    const pointer = typeof node.$ref === 'string' ? referencePointer(node.$ref) : undefined;
    if (pointer !== undefined && !used.has(pointer)) {
      used.add(pointer);
      look(valueAt(published, pointer));
    }
    Object.values(node).forEach(look);
  };
  look(withoutKeyword(published, 'components'));
  const sections = new Set([...used].map((pointer) => pointerTokens(pointer)[1]!));
  for (const section of [...sections, 'schemas'])
    for (const name of Object.keys(components[section] ?? {}))
      if (!used.has(appendPointer(`/components/${section}`, name))) delete components[section]![name];
}
