import fc from 'fast-check';
import { referencePointer, valueAt } from '#json-pointer';

import type { SearchHints } from './hints.ts';
import { joinKeyword, typeList } from './join.ts';

type Fields = Record<string, unknown>;
type Bodies = fc.Arbitrary<unknown>;

/** Deeper than this a schema that refers to itself is cut off. */
const DEEPEST = 7;
/** Longer texts than this are not made. */
const LONGEST = 5000;
/** Nor more members that nobody lists. */
const MOST_MEMBERS = 12;

/**
 * Bodies that a schema is likely to accept, its bounds tried most of all. What it makes is to be held against the schema itself: `not`,
 * conditions and members that speak of each other are not followed here.
 */
export function bodiesOf(root: unknown, schemaAt: string, hints: SearchHints): Bodies {
  return new Maker(root, hints).make(valueAt(root, schemaAt), 0);
}

class Maker {
  readonly #root: unknown;
  readonly #hints: SearchHints;

  constructor(root: unknown, hints: SearchHints) {
    this.#root = root;
    this.#hints = hints;
  }

  make(schema: unknown, depth: number): Bodies {
    if (schema === false) return fc.constant(null);
    if (typeof schema !== 'object' || schema === null) return anything();
    const merged = this.#merge([schema as Fields], 0);
    const { nullable, ...plain } = merged;
    if (nullable === true) return fc.oneof(this.make(plain, depth), fc.constant(null));
    const { anyOf: members, ...rest } = merged;
    if (Array.isArray(members) && depth < DEEPEST)
      // A quarter, so that unions do not use up how deep a body may be.
      return fc.oneof(...members.map((one) => this.make({ ...rest, allOf: [one] }, depth + 0.25)));
    const listed = listedIn(merged);
    if (listed !== undefined) return listed.length === 0 ? fc.constant(null) : fc.constantFrom(...listed);
    return fc.oneof(...typesOf(merged).map((type) => this.#typed(type, merged, depth)));
  }

  #typed(type: string, schema: Fields, depth: number): Bodies {
    if (type === 'null') return fc.constant(null);
    if (type === 'boolean') return fc.boolean();
    if (type === 'integer' || type === 'number') return this.#number(type, schema);
    if (type === 'string') return this.#text(schema);
    if (type === 'array') return this.#list(schema, depth);
    return this.#object(schema, depth);
  }

  #number(type: string, schema: Fields): Bodies {
    const above = bound(schema.exclusiveMinimum);
    const below = bound(schema.exclusiveMaximum);
    const least = above ?? bound(schema.minimum) ?? Number.NEGATIVE_INFINITY;
    const most = below ?? bound(schema.maximum) ?? Number.POSITIVE_INFINITY;
    const low = Math.max(least, -1e6);
    const high = Math.min(most, Math.max(low + 1e6, 1e6));
    const step = bound(schema.multipleOf) ?? 1;
    const first = Math.ceil(low / step) + (above !== undefined && isWhole(low / step) ? 1 : 0);
    const last = Math.floor(high / step) - (below !== undefined && isWhole(high / step) ? 1 : 0);
    const steps =
      first <= last ? [fc.integer({ min: first, max: last }).map((one) => Number((one * step).toPrecision(12)))] : [];
    const fits = this.#hints.numbers.filter(
      (one) => !(one < least) && !(one > most) && (type === 'number' || isWhole(one)),
    );
    const known = fits.length > 0 && step === 1 ? [fc.constantFrom(...fits)] : [];
    const double = { min: low, max: high, noNaN: true, noDefaultInfinity: true };
    const fine =
      type === 'number' && step === 1 && low < high
        ? [fc.double(double).map((one) => Math.min(high, Math.max(low, Number(one.toPrecision(9)))))]
        : [];
    const ways = [...steps, ...known, ...fine];
    return ways.length === 0 ? fc.constant(low) : small(...ways);
  }

  #text(schema: Fields): Bodies {
    const min = bound(schema.minLength) ?? 0;
    const max = bound(schema.maxLength) ?? Math.max(min + 30, 30);
    const format = FORMATS[String(schema.format)];
    if (format) return format();
    const { texts, numbers } = this.#hints;
    if (typeof schema.pattern === 'string') {
      try {
        const pattern = new RegExp(schema.pattern, 'u');
        const known = texts.filter((one) => pattern.test(one));
        const made = fc.stringMatching(pattern);
        return known.length > 0 ? fc.oneof(made, fc.constantFrom(...known)) : made;
      } catch {
        return texts.length > 0 ? fc.constantFrom(...texts) : fc.string();
      }
    }
    const fits = texts.filter((one) => one.length >= min && one.length <= max);
    const lengths = [...new Set([min, ...numbers, max])].filter(
      (one) => isWhole(one) && one >= min && one <= (bound(schema.maxLength) ?? LONGEST) && one < LONGEST,
    );
    // Letters are enough: what else a text may hold is for a pattern to say.
    return small(
      fc.constantFrom(...lengths.sort((a, b) => a - b)).map((length) => 'x'.repeat(length)),
      fc.string({ minLength: min, maxLength: Math.min(max, min + 30) }),
      ...(fits.length > 0 ? [fc.constantFrom(...fits)] : []),
    );
  }

  #list(schema: Fields, depth: number): Bodies {
    const first = Array.isArray(schema.prefixItems) ? schema.prefixItems.map((one) => this.make(one, depth + 1)) : [];
    const min = Math.max(0, (bound(schema.minItems) ?? 0) - first.length);
    const max = Math.max(min, Math.min(bound(schema.maxItems) ?? min + 3, depth >= DEEPEST ? min : min + 60));
    const item = depth >= DEEPEST && min === 0 ? fc.constant(null) : this.make(schema.items ?? true, depth + 1);
    const some = schema.contains === undefined ? item : fc.oneof(item, this.make(schema.contains, depth + 1));
    const size = { minLength: min, maxLength: schema.items === false ? 0 : max };
    const rest =
      schema.uniqueItems === true
        ? fc.uniqueArray(some, { ...size, comparator: (a, b) => JSON.stringify(a) === JSON.stringify(b) })
        : fc.array(some, { ...size, size: max > min + 10 ? 'medium' : 'small' });
    return fc.tuple(fc.tuple(...first), rest).map(([head, tail]) => [...head, ...tail]);
  }

  #object(schema: Fields, depth: number): Bodies {
    const named = (schema.properties ?? {}) as Fields;
    const required = (Array.isArray(schema.required) ? schema.required : []) as string[];
    const members: Record<string, Bodies> = {};
    for (const name of new Set([...Object.keys(named), ...required])) {
      if (named[name] === false || (depth >= DEEPEST && !required.includes(name))) continue;
      members[name] = this.make(named[name] ?? true, depth + 1);
    }
    const record = fc.record(members, {
      requiredKeys: required.filter((name) => name in members),
      noNullPrototype: true,
    });
    if (depth >= DEEPEST) return record;
    const { additionalProperties: extra, unevaluatedProperties: rest } = schema;
    const closed = extra === false || rest === false;
    const least = Math.max(0, (bound(schema.minProperties) ?? 0) - required.length);
    const most = Math.min(MOST_MEMBERS, Math.max(3, ...this.#hints.numbers.filter((one) => one <= MOST_MEMBERS)));
    const extras = ['extra', ...this.#hints.names, ...Array.from({ length: most }, (_, i) => `extra${i + 1}`)];
    const others = [
      ...(closed ? [] : [[fc.constantFrom(...extras), extra ?? true] as const]),
      ...Object.entries((schema.patternProperties ?? {}) as Fields).flatMap(([pattern, one]) => {
        const name = matching(pattern);
        return name === undefined ? [] : [[name, one] as const];
      }),
    ].map(([name, value]) =>
      fc.dictionary(name, this.make(value, depth + 1), { minKeys: Math.min(least, most), maxKeys: most, size: 'max' }),
    );
    if (others.length === 0) return record;
    const nothing = { weight: 4 * others.length, arbitrary: fc.constant({}) };
    const some = fc.oneof(...(least > 0 ? [] : [nothing]), ...others.map((arbitrary) => ({ weight: 1, arbitrary })));
    return fc.tuple(some, record).map(([more, own]) => ({ ...more, ...own }));
  }

  /** One schema that says what all of these say, with references and allOf taken in. */
  #merge(schemas: readonly unknown[], depth: number): Fields {
    const merged: Fields = {};
    for (const schema of schemas) {
      if (typeof schema !== 'object' || schema === null || depth > 2 * DEEPEST) continue;
      const { $ref, allOf, oneOf, if: condition, then, else: other, ...own } = schema as Fields;
      const referred = typeof $ref === 'string' ? referencePointer($ref) : undefined;
      const parts = [
        own,
        ...(Array.isArray(oneOf) ? [{ anyOf: oneOf }] : []),
        ...(condition === undefined ? [] : [{ anyOf: [{ allOf: [condition, then ?? true] }, other ?? true] }]),
        ...(referred === undefined ? [] : [this.#merge([valueAt(this.#root, referred)], depth + 1)]),
        ...(Array.isArray(allOf) ? allOf.map((one) => this.#merge([one], depth + 1)) : []),
      ];
      for (const part of parts) for (const [key, value] of Object.entries(part)) joinKeyword(merged, key, value);
    }
    return merged;
  }
}

function listedIn(schema: Fields): unknown[] | undefined {
  const types = schema.type === undefined ? undefined : typeList(schema.type);
  const fits = (value: unknown) =>
    types === undefined || types.includes(typeOf(value)) || (types.includes('number') && typeof value === 'number');
  if ('const' in schema) return [schema.const].filter(fits);
  return Array.isArray(schema.enum) ? schema.enum.filter(fits) : undefined;
}

function typesOf(schema: Fields): string[] {
  const named = schema.type === undefined ? [] : typeList(schema.type);
  if (named.length > 0) return named;
  if ('properties' in schema || 'required' in schema || 'minProperties' in schema) return ['object'];
  if ('items' in schema || 'contains' in schema || 'prefixItems' in schema) return ['array'];
  if ('pattern' in schema || 'minLength' in schema || 'maxLength' in schema || 'format' in schema) return ['string'];
  if (['minimum', 'maximum', 'exclusiveMinimum', 'multipleOf'].some((key) => key in schema)) return ['number'];
  return ['string', 'integer', 'boolean', 'null', 'object'];
}

const FORMATS: Readonly<Record<string, () => Bodies>> = {
  uuid: () => fc.uuid(),
  email: () => fc.emailAddress(),
  uri: () => fc.webUrl(),
  ipv4: () => fc.ipV4(),
  date: () => dates().map((one) => one.toISOString().slice(0, 10)),
  'date-time': () => dates().map((one) => one.toISOString()),
};

const dates = () => fc.date({ min: new Date('1990-01-01'), max: new Date('2039-12-31'), noInvalidDate: true });
function matching(pattern: string): fc.Arbitrary<string> | undefined {
  try {
    return fc.stringMatching(new RegExp(pattern, 'u'));
  } catch {
    return undefined;
  }
}

/** One of several ways, the first of which a failing case is shrunk to. */
const small = (...ways: Bodies[]): Bodies => fc.oneof({ withCrossShrink: true }, ...ways);
const anything = (): Bodies => fc.oneof(fc.string({ maxLength: 8 }), fc.integer(), fc.boolean(), fc.constant(null));
const bound = (value: unknown) => (typeof value === 'number' && Number.isFinite(value) ? value : undefined);
const isWhole = (value: number) => Number.isInteger(value);
const typeOf = (value: unknown) =>
  value === null ? 'null' : Array.isArray(value) ? 'array' : Number.isInteger(value) ? 'integer' : typeof value;
