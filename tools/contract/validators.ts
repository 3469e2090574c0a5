import { createRequire } from 'node:module';
import type { Ajv2020, ErrorObject, ValidateFunction } from 'ajv/dist/2020.js';
import type { FailAtPointer } from './spec-file.ts';
import type { SpecSchemas } from './spec-schemas.ts';
import type { SpecSchema } from './types.ts';

const require = createRequire(import.meta.url);
type Compile = (pointer: string) => ValidateFunction;

/**
 * A validator for each schema of a spec, in ajv's strict mode. Generating code costs far more than running it, so each schema is
 * compiled when it is first used, for its verdict alone; what exactly is wrong is further compilations that sound answers never need.
 * @returns the validators by the pointer of their schema
 */
export function createValidators(schemas: SpecSchemas, fail: FailAtPointer): ReadonlyMap<string, SpecSchema> {
  const verdict = compiler(schemas, { allErrors: false, verbose: false, messages: false }, fail);
  const detail = compiler(schemas, { allErrors: true, verbose: true, messages: true }, fail);
  const first = compiler(schemas, { allErrors: false, verbose: true, messages: true }, fail);
  return new Map(
    [...schemas.copies.keys()].map((at) => {
      let validate: ValidateFunction | undefined;
      const accepts = (value: unknown) => {
        validate ??= verdict(at);
        return validate(value) as boolean;
      };
      const errorsFor = (value: unknown): readonly ErrorObject[] => {
        // All errors of a list take time with the square of its length, and nobody reads the hundredth thousand.
        const beginning = shortenLists(value);
        for (const [explain, part] of [[detail(at), beginning] as const, [first(at), value] as const])
          if (!explain(part)) return explain.errors ?? [];
        return [];
      };
      return [at, { at, accepts, errorsFor }];
    }),
  );
}

/** Parts of a value, members and entries at every depth, within which all errors are looked for. */
const MOST_PARTS = 20_000;

/** The value with its lists cut where all parts together are too many; a short one is given back as it is. */
function shortenLists(value: unknown): unknown {
  let parts = 0;
  const count = (one: unknown): void => {
    parts += 1;
    if (typeof one !== 'object' || one === null) return;
    for (const member of Object.values(one)) if (parts <= MOST_PARTS) count(member);
  };
  count(value);
  if (parts <= MOST_PARTS) return value;
  parts = 0;
  const shorten = (one: unknown): unknown => {
    parts += 1;
    if (typeof one !== 'object' || one === null) return one;
    if (!Array.isArray(one))
      return Object.fromEntries(Object.entries(one).map(([name, member]) => [name, shorten(member)]));
    const entries: unknown[] = [];
    for (const entry of one) {
      if (parts > MOST_PARTS) break;
      entries.push(shorten(entry));
    }
    return entries;
  };
  return shorten(value);
}

type Thoroughness = Readonly<Record<'allErrors' | 'verbose' | 'messages', boolean>>;

function compiler(schemas: SpecSchemas, how: Thoroughness, fail: FailAtPointer): Compile {
  const known = new Map<string, ValidateFunction>();
  let ajv: Ajv2020 | undefined;
  const compile: Compile = (pointer) => {
    const found = known.get(pointer);
    if (found) return found;
    ajv ??= prepare(schemas, how);
    const copy = schemas.copies.get(pointer);
    const ref = only(copy);
    try {
      const named =
        ref === undefined && pointer.startsWith('/components/schemas/') ? ajv.getSchema(`#${pointer}`) : undefined;
      const validate = ref === undefined ? (named ?? ajv.compile(copy as object)) : compile(ref.slice(1));
      known.set(pointer, validate as ValidateFunction);
      return validate as ValidateFunction;
    } catch (error) {
      return fail(pointer, 'the schema does not compile', undefined, (error as Error).message);
    }
  };
  return compile;
}

function prepare(schemas: SpecSchemas, how: Thoroughness): Ajv2020 {
  // Loaded with the first schema: most commands hold no answer against one.
  const { Ajv2020: Compiler } = require('ajv/dist/2020.js') as typeof import('ajv/dist/2020.js');
  const ajv = new Compiler({
    strict: true,
    strictRequired: false,
    allowUnionTypes: true,
    ...how,
    // Quick code takes longer to make: it pays for the verdict, which each answer asks for, and not for what few ask.
    code: { optimize: !how.verbose },
    inlineRefs: !how.verbose,
    // readSchemas has looked at every schema already; compiling the meta-schema takes as long as all of ours.
    validateSchema: false,
    meta: false,
    logger: false,
  });
  (require('ajv-formats') as typeof import('ajv-formats')).default(ajv);
  for (const [pointer, copy] of schemas.copies) {
    if (pointer.startsWith('/components/schemas/')) ajv.addSchema(copy as object, `#${pointer}`);
  }
  return ajv;
}

/** The reference of a schema that is nothing else. */
function only(copy: unknown): string | undefined {
  const keys = Object.keys(copy as object);
  return keys.length === 1 && keys[0] === '$ref' ? (copy as { $ref: string }).$ref : undefined;
}
