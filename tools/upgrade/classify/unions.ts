import { pointerTokens, referencePointer } from '#json-pointer';
import { canonicalText } from './canonical.ts';
import { setApart } from './conditions.ts';
import type { SchemaPart, SchemaUnion } from './flatten.ts';
import type { SchemaPair } from './schema-pair.ts';
import { type SchemaShape, shapeOf } from './shape.ts';
import { isFields, type SpecSource, stableText } from './source.ts';

/** Alternatives; `told` where a plain schema and alternatives were matched, so that there is no more to compare. */
export function compareUnions(pair: SchemaPair): 'told' | undefined {
  const { old, new: now, tell } = pair;
  const [a, b] = setApart(
    old.unions,
    now.unions,
    (one) => sign(old, one),
    (one) => sign(now, one),
  );
  compareDiscriminators(pair);
  for (const one of old.unions) {
    const twin = now.unions.find((other) => sign(now, other) === sign(old, one));
    if (twin) walkEqual(pair, one.members, twin.members);
  }
  if (a.length === 0 && b.length === 0) return undefined;
  const plain = (shape: SchemaShape): SchemaPart[] => (shape.never || shape.at === '' ? [] : [{ pointer: shape.at }]);
  if (a.length === 1 && b.length === 1) {
    const [one, other] = [a[0]!, b[0]!];
    if (one.kind !== other.kind)
      tell(
        'union-kind-changed',
        `The alternatives of {} were ${one.kind} and are ${other.kind}.`,
        [one.kind, other.kind],
        [one.pointer, other.pointer],
      );
    match(pair, one.members, other.members, [one.pointer, other.pointer]);
  } else if (a.length === 0 && b.length === 1 && now.bare && !old.bare) {
    match(pair, plain(old), b[0]!.members, [undefined, b[0]!.pointer]);
    return 'told';
  } else if (a.length === 1 && b.length === 0 && old.bare && !now.bare) {
    match(pair, a[0]!.members, plain(now), [a[0]!.pointer, undefined]);
    return 'told';
  } else {
    for (const one of a)
      tell(
        'union-removed',
        'Alternatives of {} are no longer demanded.',
        [sign(old, one), undefined],
        [one.pointer, undefined],
      );
    for (const one of b)
      tell(
        'union-added',
        'One of several alternatives must fit {}.',
        [undefined, sign(now, one)],
        [undefined, one.pointer],
      );
  }
  return undefined;
}

const sign = ({ source }: SchemaShape, { kind, members }: SchemaUnion) =>
  stableText([kind, members.map((part) => canonicalText(source, [part])).sort()]);

/** What looks alike may still differ far below, where names stand for components. */
function walkEqual(
  { old, new: now, go }: SchemaPair,
  before: readonly SchemaPart[],
  after: readonly SchemaPart[],
): void {
  for (const one of before) {
    const twin = after.find((other) => canonicalText(now.source, [other]) === canonicalText(old.source, [one]));
    if (twin) go('', [one], [twin]);
  }
}

type Ends = readonly [string | undefined, string | undefined];

function match(pair: SchemaPair, before: readonly SchemaPart[], after: readonly SchemaPart[], at: Ends): void {
  const { old, new: now, tell, go } = pair;
  walkEqual(pair, before, after);
  let [a, b] = setApart(
    before,
    after,
    (part) => canonicalText(old.source, [part]),
    (part) => canonicalText(now.source, [part]),
  );
  const pairUp = (name: (source: SpecSource, part: SchemaPart) => string | undefined) => {
    for (const one of [...a]) {
      const label = name(old.source, one);
      if (label === undefined) continue;
      const twins = b.filter((other) => name(now.source, other) === label);
      if (twins.length !== 1 || a.filter((other) => name(old.source, other) === label).length !== 1) continue;
      a = a.filter((other) => other !== one);
      b = b.filter((other) => other !== twins[0]);
      go('', [one], [twins[0]!]);
    }
  };
  for (const name of [byReference, byConstant, byTitle]) pairUp(name);
  pairUp(byFields);
  if (a.length > 0 && b.length > 0) {
    pairUp(byTypes);
  }
  if (a.length > 0 && b.length > 0) {
    const values = [names(old.source, a), names(now.source, b)] as const;
    tell('union-changed', `The alternatives of {} are others: ${values[0]} went, ${values[1]} came.`, values, at);
    return;
  }
  for (const one of b)
    tell(
      'union-member-added',
      `{} has one more alternative: ${label(now.source, one)}.`,
      [undefined, canonicalText(now.source, [one])],
      [at[0], one.pointer],
    );
  for (const one of a)
    tell(
      'union-member-removed',
      `{} has one alternative less: ${label(old.source, one)}.`,
      [canonicalText(old.source, [one]), undefined],
      [one.pointer, at[1]],
    );
}

function byReference(source: SpecSource, { pointer }: SchemaPart): string | undefined {
  const value = source.at(pointer);
  return isFields(value) && typeof value.$ref === 'string' ? value.$ref : undefined;
}

/** The field and value by which an alternative is known. */
function byConstant(source: SpecSource, part: SchemaPart): string | undefined {
  const known = [...shapeOf(source, [part]).properties].flatMap(([name, { value }]) => {
    const { values } = shapeOf(source, value).sorts;
    return values?.length === 1 ? [`${name} ${stableText(values[0])}`] : [];
  });
  return known.length > 0 ? known.sort().join(', ') : undefined;
}

function byTitle(source: SpecSource, { pointer }: SchemaPart): string | undefined {
  const { title } = source.find(pointer).fields;
  return typeof title === 'string' ? title : undefined;
}

function byFields(source: SpecSource, part: SchemaPart): string | undefined {
  const { properties } = shapeOf(source, [part]);
  return properties.size > 0 ? [...properties.keys()].sort().join(' ') : undefined;
}

function byTypes(source: SpecSource, part: SchemaPart): string | undefined {
  const { types } = shapeOf(source, [part]).sorts;
  return (
    types &&
    [...types]
      .map((type) => (type === 'integer' ? 'number' : type))
      .sort()
      .join(' ')
  );
}

function label(source: SpecSource, part: SchemaPart): string {
  const reference = pointerTokens(referencePointer(byReference(source, part) ?? '') ?? '').at(-1);
  const required = [...shapeOf(source, [part]).required.keys()];
  return (
    reference ??
    byTitle(source, part) ??
    byConstant(source, part) ??
    (required.length > 0 ? `with ${required.join(', ')}` : (byTypes(source, part) ?? 'anything'))
  );
}

const names = (source: SpecSource, parts: readonly SchemaPart[]) => parts.map((part) => label(source, part)).join(', ');

function compareDiscriminators({ old, new: now, tell }: SchemaPair): void {
  const [a, b] = [old.plain.get('discriminator'), now.plain.get('discriminator')];
  const [was, is] = [a, b].map(
    (held) => held?.value as { propertyName?: string; mapping?: Record<string, string> } | undefined,
  );
  const at = [a?.at, b?.at] as const;
  if (!was && !is) return;
  if (!was)
    tell(
      'discriminator-added',
      `Alternatives of {} are told apart by ${is?.propertyName}.`,
      [undefined, is?.propertyName],
      at,
    );
  else if (!is)
    tell(
      'discriminator-removed',
      `Alternatives of {} are no longer told apart by ${was.propertyName}.`,
      [was.propertyName, undefined],
      at,
    );
  else if (was.propertyName !== is.propertyName)
    tell(
      'discriminator-property-changed',
      `Alternatives of {} were told apart by ${was.propertyName} and are by ${is.propertyName}.`,
      [was.propertyName, is.propertyName],
      at,
    );
  else {
    const moved = Object.keys(was.mapping ?? {}).filter(
      (key) => is.mapping?.[key] !== undefined && is.mapping[key] !== was.mapping?.[key],
    );
    if (moved.length > 0)
      tell(
        'discriminator-mapping-changed',
        `For ${moved.join(', ')}, {} is another alternative.`,
        [was.mapping, is.mapping],
        at,
      );
  }
}
