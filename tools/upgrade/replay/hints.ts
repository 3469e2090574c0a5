import { valueAt } from '#json-pointer';

type Fields = Record<string, unknown>;

/** Values at which two schemas may part: lengths, bounds and listed values of both. */
export interface SearchHints {
  readonly numbers: readonly number[];
  readonly texts: readonly string[];
  /** Names of members that only conditions speak of. */
  readonly names: readonly string[];
}

/** Gathers {@link SearchHints} from the parts of a schema. */
export function hintsOf(root: unknown, places: Iterable<string>): SearchHints {
  const numbers = new Set<number>();
  const texts = new Set<string>();
  const names = new Set<string>();
  for (const pointer of places) {
    const schema = valueAt(root, pointer) as Fields;
    for (const key of ['const', 'default', 'minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum', 'multipleOf'])
      keep(schema[key]);
    for (const key of ['minLength', 'maxLength', 'minItems', 'maxItems', 'minProperties', 'maxProperties'])
      keep(schema[key]);
    if (schema.format === 'int32') keep(2 ** 31);
    for (const key of ['dependentRequired', 'dependentSchemas'])
      for (const name of Object.keys((schema[key] as object | undefined) ?? {})) names.add(name);
    for (const key of ['enum', 'examples', 'x-open']) if (Array.isArray(schema[key])) schema[key].forEach(keep);
  }
  return { numbers: [...numbers], texts: [...texts], names: [...names] };
  function keep(value: unknown): void {
    if (typeof value === 'number') for (const near of [value - 1, value, value + 1]) numbers.add(near);
    else if (typeof value === 'string') texts.add(value);
  }
}
