import { Ajv2020, type ErrorObject, type ValidateFunction } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import type { FailAtPointer } from './spec-file.ts';
import type { SpecSchemas } from './spec-schemas.ts';
import type { SpecSchema } from './types.ts';

type Compile = (pointer: string) => ValidateFunction;

/**
 * A validator for each schema of a spec, in ajv's strict mode. Generating code costs far more than running it, so each schema is
 * compiled when it is first used, for its verdict alone; what exactly is wrong is a second compilation that sound answers never need.
 * @returns the validators by the pointer of their schema
 */
export function createValidators(schemas: SpecSchemas, fail: FailAtPointer): ReadonlyMap<string, SpecSchema> {
  const verdict = compiler(schemas, false, fail);
  const detail = compiler(schemas, true, fail);
  return new Map(
    [...schemas.copies.keys()].map((at) => [
      at,
      {
        at,
        accepts: (value: unknown) => verdict(at)(value) as boolean,
        errorsFor: (value: unknown): readonly ErrorObject[] => {
          const validate = detail(at);
          return validate(value) ? [] : (validate.errors ?? []);
        },
      },
    ]),
  );
}

function compiler(schemas: SpecSchemas, detailed: boolean, fail: FailAtPointer): Compile {
  const known = new Map<string, ValidateFunction>();
  let ajv: Ajv2020 | undefined;
  const compile: Compile = (pointer) => {
    const found = known.get(pointer);
    if (found) return found;
    ajv ??= prepare(schemas, detailed);
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

function prepare(schemas: SpecSchemas, detailed: boolean): Ajv2020 {
  const ajv = new Ajv2020({
    strict: true,
    strictRequired: false,
    allowUnionTypes: true,
    allErrors: detailed,
    verbose: detailed,
    messages: detailed,
    // Of use to a service that validates for days; here it costs more than it saves.
    code: { optimize: false },
    inlineRefs: false,
    // readSchemas has looked at every schema already; compiling the meta-schema takes as long as all of ours.
    validateSchema: false,
    meta: false,
    logger: false,
  });
  addFormats.default(ajv);
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
