import { Ajv2020, type ErrorObject } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { reachSchemas, type SpecFile } from '#contract';
import { pointerReference, valueAt } from '#json-pointer';

/** A constraint that a value does not keep. */
export interface SchemaFault {
  /** JSON Pointer into the value. */
  readonly path: string;
  /** Pointer, within the description, of the schema that holds the constraint. */
  readonly at: string;
  readonly keyword: string;
  /** Name of the member that is missing or too much. */
  readonly member?: string;
  readonly message: string;
}

/** Schemas that only pass on what their parts say. */
const CARRIERS = ['if', 'allOf', '$ref'];

/**
 * Measures values by the schemas of one description, whatever else stands in it: foreign keywords and formats are let through, since
 * the description may be anybody's.
 */
export class SchemaRuler {
  readonly #root: object;
  readonly #pointers = new Map<unknown, string>();
  readonly #placed = new Set<string>();
  #verdict: Ajv2020 | undefined;
  #detail: Ajv2020 | undefined;

  constructor(spec: Pick<SpecFile, 'root'>) {
    this.#root = modern(spec.root) as object;
  }

  /** Whether the value keeps the schema at a pointer. @throws Error when there is none or it cannot be compiled */
  keeps(schemaAt: string, value: unknown): boolean {
    this.#verdict ??= prepare(this.#root, false);
    return validator(this.#verdict, schemaAt)(value) as boolean;
  }

  /** Everything the value does not keep. @throws as {@link keeps} */
  faults(schemaAt: string, value: unknown): SchemaFault[] {
    const validate = this.#detailed(schemaAt);
    if (validate(value)) return [];
    return (validate.errors ?? []).filter(({ keyword }) => !CARRIERS.includes(keyword)).map((one) => this.#fault(one));
  }

  /** As {@link faults}, with the failures of conditions themselves. */
  allFaults(schemaAt: string, value: unknown): SchemaFault[] {
    const validate = this.#detailed(schemaAt);
    return validate(value) ? [] : (validate.errors ?? []).map((one) => this.#fault(one));
  }

  #detailed(schemaAt: string) {
    this.#detail ??= prepare(this.#root, true);
    this.#place(schemaAt);
    return validator(this.#detail, schemaAt);
  }

  /** Where the schemas stand that a schema consists of. */
  #place(schemaAt: string): void {
    if (this.#placed.has(schemaAt)) return;
    this.#placed.add(schemaAt);
    for (const pointer of reachSchemas(this.#root, schemaAt)) {
      const schema = valueAt(this.#root, pointer);
      if (!this.#pointers.has(schema)) this.#pointers.set(schema, pointer);
    }
  }

  #fault({ instancePath, parentSchema, keyword, params, message }: ErrorObject): SchemaFault {
    const { missingProperty, additionalProperty, allowedValues, allowedValue } = params as Record<string, unknown>;
    const member = missingProperty ?? additionalProperty;
    const allowed = allowedValues ?? (keyword === 'const' ? [allowedValue] : undefined);
    return {
      path: instancePath,
      at: this.#pointers.get(parentSchema) ?? '',
      keyword,
      ...(typeof member === 'string' ? { member } : {}),
      message: Array.isArray(allowed)
        ? `must be one of ${allowed.map((one) => JSON.stringify(one)).join(', ')}`
        : keyword === 'additionalProperties'
          ? `must not have a member ${String(member)}`
          : (message ?? keyword),
    };
  }
}

const RULERS = new WeakMap<object, SchemaRuler>();

/** The ruler of a description; there is one each. */
export function rulerOf(spec: Pick<SpecFile, 'root'>): SchemaRuler {
  const ruler = RULERS.get(spec.root) ?? new SchemaRuler(spec);
  RULERS.set(spec.root, ruler);
  return ruler;
}

function prepare(root: object, detailed: boolean): Ajv2020 {
  const ajv = new Ajv2020({
    strict: false,
    // Steps such as 0.01 have no exact binary form.
    multipleOfPrecision: 6,
    allErrors: detailed,
    verbose: detailed,
    validateSchema: false,
    meta: false,
    logger: false,
    code: { optimize: false },
  });
  addFormats.default(ajv);
  ajv.addSchema(root, 'spec');
  return ajv;
}

/** Keywords as OpenAPI 3.0 writes them, written as JSON Schema does; what needs no rewriting stays the same object. */
function modern(node: unknown): unknown {
  if (typeof node !== 'object' || node === null) return node;
  if (Array.isArray(node)) {
    const made = node.map(modern);
    return made.every((one, i) => one === node[i]) ? node : made;
  }
  let made = node as Record<string, unknown>;
  for (const [key, value] of Object.entries(node)) {
    const next = modern(value);
    if (next === value) continue;
    if (made === node) made = { ...node };
    made[key] = next;
  }
  for (const [exclusive, plain] of [
    ['exclusiveMinimum', 'minimum'],
    ['exclusiveMaximum', 'maximum'],
  ] as const) {
    if (typeof made[exclusive] !== 'boolean') continue;
    const { [exclusive]: isExclusive, [plain]: bound, ...others } = made;
    made = others;
    if (bound !== undefined) made[isExclusive && typeof bound === 'number' ? exclusive : plain] = bound;
  }
  if (typeof made.nullable !== 'boolean') return made;
  const { nullable, ...rest } = made;
  if (!nullable) return rest;
  const listed = 'enum' in rest || 'const' in rest || typeof rest.type !== 'string';
  return listed ? { anyOf: [rest, { type: 'null' }] } : { ...rest, type: [rest.type, 'null'] };
}

function validator(ajv: Ajv2020, schemaAt: string) {
  const reference = `spec${pointerReference(schemaAt)}`;
  const validate = ajv.getSchema(reference);
  if (validate === undefined) throw new Error(`there is no schema at ${schemaAt}`);
  return validate;
}
