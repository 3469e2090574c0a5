import { flattenSchemas, type SchemaLayer, type SchemaPart, type SchemaUnion } from './flatten.ts';
import type { HeldValue } from './held.ts';
import { type SpecSource, stableText } from './source.ts';

/** Which kinds of value fit. */
export interface ValueSorts {
  /** Without null; absent for any. */
  readonly types: ReadonlySet<string> | undefined;
  /** Whether the types are written, not concluded from values. */
  readonly declared: boolean;
  /** Closed list of values without null; absent for any. */
  readonly values: readonly unknown[] | undefined;
  readonly nullable: boolean;
  readonly typeAt?: string | undefined;
  /** The entry that says whether null fits. */
  readonly nullAt?: string | undefined;
  readonly valuesAt?: string | undefined;
}

const ALL = 6;

/** What one schema object says of types and values, in whichever spelling. */
export function readTypes({ fields, nullable, pointer }: SchemaLayer): ValueSorts {
  const { type, enum: list } = fields;
  const written = type === undefined ? undefined : new Set([type].flat().map(String));
  const values = 'const' in fields ? [fields.const] : Array.isArray(list) ? list : undefined;
  const nullTyped = nullable || written === undefined || written.has('null');
  written?.delete('null');
  if (written?.has('number')) written.delete('integer');
  const any = written === undefined || (written.size >= ALL - 1 && nullTyped);
  return {
    types: any ? undefined : written,
    declared: !any,
    values: values?.filter((value) => value !== null),
    nullable: nullTyped && (nullable || values === undefined || values.includes(null)),
    typeAt: any ? undefined : `${pointer}/type`,
    nullAt: fields.nullable === undefined ? undefined : `${pointer}/nullable`,
    valuesAt: values && `${pointer}/${'const' in fields ? 'const' : 'enum'}`,
  };
}

/** What several say together; alternatives only add whether null fits. */
export function sortsOf(
  all: readonly ValueSorts[],
  unions: readonly SchemaUnion[],
  takesNull: (part: SchemaPart) => boolean,
): ValueSorts {
  let types: ReadonlySet<string> | undefined;
  let values: readonly unknown[] | undefined;
  let nullable = true;
  let [typeAt, valuesAt, nullAt]: (string | undefined)[] = [];
  for (const one of all) {
    nullable &&= one.nullable;
    nullAt = one.nullAt ?? nullAt;
    if (one.types) [types, typeAt] = [types ? meet(types, one.types) : one.types, one.typeAt ?? typeAt];
    if (one.values) {
      const before = values;
      const found = one.values;
      values = before
        ? before.filter((value) => found.some((other) => stableText(other) === stableText(value)))
        : found;
      valuesAt = one.valuesAt ?? valuesAt;
    }
  }
  for (const union of unions) nullable &&= union.nullable || union.members.some(takesNull);
  const known = types;
  if (values && known) values = values.filter((value) => fits(value, known));
  if (values) values = [...new Map(values.map((value) => [stableText(value), value])).values()];
  return {
    types: types ?? (values && new Set(values.map(typeOf))),
    declared: types !== undefined,
    values,
    nullable,
    typeAt,
    valuesAt,
    nullAt,
  };
}

/** Alternatives that are only types or values are one list of types or values. */
export function foldAlternatives(source: SpecSource, unions: readonly SchemaUnion[]) {
  const sorts: ValueSorts[] = [];
  const left: SchemaUnion[] = [];
  let open: HeldValue<readonly unknown[]> | undefined;
  for (const union of unions) {
    const members = union.members.map((part) => pure(source, part));
    const known = members.filter((one) => one !== undefined);
    const types = new Set(known.filter(({ values }) => !values).flatMap((one) => [...(one.types ?? ['?'])]));
    const values = known.flatMap((one) => one.values ?? []);
    const within = values.every((value) => fits(value, types));
    const foldable = known.length === members.length && !types.has('?') && members.length > 1;
    if (!foldable || (types.size > 0 && values.length > 0 && (!within || union.kind === 'oneOf'))) left.push(union);
    else {
      const nullable = union.nullable || known.some((one) => one.nullable);
      const at = { typeAt: union.pointer, valuesAt: union.pointer };
      if (types.size === 0) sorts.push({ types: undefined, declared: false, values, nullable, ...at });
      else {
        if (types.has('number')) types.delete('integer');
        sorts.push({ types, declared: true, values: undefined, nullable, ...at });
        if (values.length > 0) open = { value: values, at: union.pointer };
      }
    }
  }
  return { sorts, unions: left, open };
}

const SORTS_ONLY = /^(type|enum|const|title|description|examples?|nullable|deprecated|x-.*)$/;

function pure(source: SpecSource, part: SchemaPart): ValueSorts | undefined {
  const { layers, unions, never } = flattenSchemas(source, [part]);
  const plain = layers.every(({ fields }) =>
    Object.keys(fields).every((key) => key === '$ref' || SORTS_ONLY.test(key)),
  );
  if (never || unions.length > 0 || !plain) return undefined;
  return sortsOf(layers.map(readTypes), [], () => false);
}

export function typeOf(value: unknown): string {
  if (Array.isArray(value)) return 'array';
  if (typeof value === 'number') return Number.isInteger(value) ? 'integer' : 'number';
  return typeof value;
}

function fits(value: unknown, types: ReadonlySet<string>): boolean {
  const type = typeOf(value);
  return types.has(type) || (type === 'integer' && types.has('number'));
}

function meet(a: ReadonlySet<string>, b: ReadonlySet<string>): ReadonlySet<string> {
  const has = (set: ReadonlySet<string>, type: string) => set.has(type) || (type === 'integer' && set.has('number'));
  return new Set([...a, ...b].filter((type) => has(a, type) && has(b, type)));
}
