import { appendPointer, referencePointer, valueAt } from '#json-pointer';
import { suggestWord } from '#trouble';
import type { FailAtPointer, SpecFile } from './spec-file.ts';

type Fields = Record<string, unknown>;

/** The schemas of one spec as a validator needs them: keywords only, each with the place it stands at. */
export interface SpecSchemas {
  /** Pointer of each schema that is not part of another one, to its copy without annotations and extensions. */
  readonly copies: ReadonlyMap<string, unknown>;
  /** Where the original of each copied (sub)schema stands; ajv names the schema that failed by the object it was given. */
  readonly places: ReadonlyMap<unknown, string>;
}

const NAMED = '/components/schemas';
const TYPES = ['string', 'number', 'integer', 'boolean', 'object', 'array', 'null'];
const FORMATS = ['date', 'date-time', 'uri', 'uuid', 'email', 'ipv4', 'int32', 'int64', 'float', 'double'];

const text = (value: unknown) => (typeof value === 'string' ? undefined : 'must be text');
const flag = (value: unknown) => (typeof value === 'boolean' ? undefined : 'must be true or false');
const number = (value: unknown) => (typeof value === 'number' ? undefined : 'must be a number');
const count = (value: unknown) =>
  Number.isInteger(value) && (value as number) >= 0 ? undefined : 'must be a whole number from 0 up';
const words = (value: unknown) =>
  Array.isArray(value) && value.every((one) => typeof one === 'string') && new Set(value).size === value.length
    ? undefined
    : 'must be a list of different texts';
const type = (value: unknown) => {
  const wrong = (Array.isArray(value) ? value : [value]).find((one) => !TYPES.includes(one as string));
  return wrong === undefined && !(Array.isArray(value) && value.length === 0)
    ? undefined
    : `${String(wrong)} is no type; ${suggestWord(String(wrong), TYPES) || `one of ${TYPES.join(', ')}`}`;
};
const expression = (value: unknown) => {
  try {
    new RegExp(value as string, 'u');
    return text(value);
  } catch (error) {
    return (error as Error).message;
  }
};

/** Keywords with a plain value, each with what is wrong with it or nothing. */
const PLAIN: Readonly<Record<string, (value: unknown) => string | undefined>> = {
  $ref: text,
  type,
  const: () => undefined,
  enum: (value) => (Array.isArray(value) && value.length > 0 ? undefined : 'must be a list that is not empty'),
  format: (value) => (FORMATS.includes(value as string) ? undefined : `must be one of ${FORMATS.join(', ')}`),
  pattern: expression,
  contentEncoding: text,
  contentMediaType: text,
  minimum: number,
  maximum: number,
  exclusiveMinimum: number,
  exclusiveMaximum: number,
  multipleOf: (value) => (typeof value === 'number' && value > 0 ? undefined : 'must be a number above 0'),
  minLength: count,
  maxLength: count,
  minItems: count,
  maxItems: count,
  minProperties: count,
  maxProperties: count,
  minContains: count,
  maxContains: count,
  uniqueItems: flag,
  required: words,
};
const ONE = ['items', 'contains', 'additionalProperties', 'propertyNames', 'not', 'if', 'then', 'else'];
const SEVERAL = ['allOf', 'anyOf', 'oneOf', 'prefixItems'];
const BY_NAME = ['properties', 'patternProperties', 'dependentSchemas'];
const ANNOTATIONS: Readonly<Record<string, (value: unknown) => string | undefined>> = {
  title: text,
  description: text,
  default: () => undefined,
  example: () => undefined,
  examples: (value) => (Array.isArray(value) ? undefined : 'must be a list'),
  deprecated: flag,
  readOnly: flag,
  writeOnly: flag,
};
const KNOWN = [...Object.keys(PLAIN), ...ONE, ...SEVERAL, ...BY_NAME, ...Object.keys(ANNOTATIONS)];

/**
 * Finds every schema of a spec and checks it, so that a broken one is noticed although validators are compiled on first use:
 * known keywords, each with a value of the right form, and references that lead somewhere.
 * @throws Trouble (usage) naming file and line
 */
export function readSchemas(spec: SpecFile, fail: FailAtPointer): SpecSchemas {
  const copies = new Map<string, unknown>();
  const places = new Map<unknown, string>();

  const copy = (schema: unknown, here: string): unknown => {
    if (typeof schema === 'boolean') return schema;
    const fields = mapping(schema) ?? fail(here, 'a schema must be a mapping, true or false');
    const made: Fields = {};
    for (const [key, value] of Object.entries(fields)) {
      if (key.startsWith('x-')) continue;
      const below = appendPointer(here, key);
      const plain = PLAIN[key] ?? ANNOTATIONS[key];
      if (plain) {
        const wrong = plain(value);
        if (wrong) fail(below, `${key} of a schema: ${wrong}`);
        if (key === '$ref') refer(value as string, here);
        if (PLAIN[key]) made[key] = value;
      } else if (ONE.includes(key)) {
        made[key] = copy(value, below);
      } else if (SEVERAL.includes(key)) {
        const list = Array.isArray(value) && value.length > 0 ? value : fail(below, `${key} must be a list of schemas`);
        made[key] = list.map((one, i) => copy(one, appendPointer(below, i)));
      } else if (BY_NAME.includes(key)) {
        const named = Object.entries(mapping(value) ?? fail(below, `${key} must be a mapping of schemas`));
        made[key] = Object.fromEntries(named.map(([name, one]) => [name, copy(one, appendPointer(below, name))]));
      } else {
        fail(below, `unknown keyword ${key} in a schema`, suggestWord(key, KNOWN));
      }
    }
    places.set(made, here);
    return made;
  };
  const leadsSomewhere = (ref: string) => {
    const pointer = referencePointer(ref);
    return pointer !== undefined && valueAt(spec.root, pointer) !== undefined;
  };
  const refer = (ref: string, here: string) => {
    if (!leadsSomewhere(ref)) {
      fail(here, `unresolved reference ${ref}`, undefined, 'nothing stands at that place of the file');
    }
    if (!/^#\/components\/schemas\/[^/]+$/.test(ref))
      fail(here, `a schema refers to named schemas only, not to ${ref}`);
  };
  const walk = (node: unknown, here: string) => {
    if (typeof node !== 'object' || node === null) return;
    for (const [key, value] of Object.entries(node)) {
      if (key.startsWith('x-') || key === 'example' || key === 'value') continue;
      const below = appendPointer(here, key);
      if (key === 'schema' || here === NAMED) copies.set(below, copy(value, below));
      else if (key === '$ref' && typeof value === 'string' && !leadsSomewhere(value))
        fail(here, `unresolved reference ${value}`, undefined, 'nothing stands at that place of the file');
      else walk(value, below);
    }
  };
  walk(spec.root, '');
  return { copies, places };
}

function mapping(value: unknown): Fields | undefined {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Fields) : undefined;
}
