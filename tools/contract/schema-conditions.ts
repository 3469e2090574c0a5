import { isDeepStrictEqual } from 'node:util';
import { isSchemaObject, mergeSchemas, type SchemaMembers } from './merge-schemas.ts';

/** `if`, `then` and `else` of a schema. */
export interface SchemaCondition {
  readonly when: SchemaMembers;
  readonly met?: SchemaMembers | undefined;
  readonly unmet?: SchemaMembers | undefined;
}

/** Whether a schema asks for members and says nothing of others. */
export function isDemand(schema: unknown): boolean {
  return (
    isSchemaObject(schema) &&
    Array.isArray(schema.required) &&
    Object.keys(schema).every((key) => ['type', 'required', 'properties'].includes(key))
  );
}

/** One of these at least must fit, as a condition: where the first does not, the others are asked. */
export function oneAtLeast([first, ...others]: readonly SchemaMembers[]): SchemaCondition {
  const met = others.length > 1 ? writeCondition(oneAtLeast(others)) : others[0];
  return { when: { not: first }, met };
}

/** The keywords of a condition. */
export function writeCondition({ when, met, unmet }: SchemaCondition): SchemaMembers {
  const keywords = [
    ['if', when],
    ['then', met],
    ['else', unmet],
  ] as const;
  return Object.fromEntries(keywords.filter(([, schema]) => schema !== undefined));
}

/** Conditions of which one at most applies, as the keywords of one; undefined where several may. */
export function chainConditions(conditions: readonly SchemaCondition[]): SchemaMembers | undefined {
  const different: SchemaCondition[] = [];
  for (const one of conditions) {
    const same = different.findIndex((other) => isDeepStrictEqual(other.when, one.when));
    const before = different[same];
    const met = before && mergeSchemas(before.met ?? {}, one.met ?? {});
    if (met === undefined || before?.unmet || one.unmet) different.push(one);
    else different[same] = { when: one.when, met };
  }
  if (different.length > 1) {
    const constants = different.map(({ when, unmet }) => (unmet ? undefined : constantOf(when)));
    if (constants.some((one) => one === undefined || one.name !== constants[0]?.name)) return undefined;
    if (new Set(constants.map((one) => one?.value)).size < constants.length) return undefined;
  }
  return different.reduceRight<SchemaMembers>(
    (others, { when, met, unmet }) =>
      writeCondition({ when, met, unmet: Object.keys(others).length > 0 ? others : unmet }),
    {},
  );
}

/** The one member that a condition asks about, and the value it asks for. */
function constantOf({ required, properties }: SchemaMembers): { name: string; value: unknown } | undefined {
  const [name, another] = Object.keys((properties ?? {}) as object);
  if (name === undefined || another !== undefined || !(required as string[] | undefined)?.includes(name))
    return undefined;
  const { const: value } = (properties as Record<string, SchemaMembers>)[name]!;
  return value === undefined ? undefined : { name, value };
}
