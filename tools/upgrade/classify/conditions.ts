import { appendPointer } from '#json-pointer';

import { canonicalText } from './canonical.ts';
import type { SchemaPart } from './flatten.ts';
import type { SchemaPair } from './schema-pair.ts';
import { type SchemaCondition, type SchemaShape, shapeOf } from './shape.ts';
import { stableText } from './source.ts';

/** if/then/else and not. What is the same on both sides is set aside; one left on each side has changed. */
export function compareConditions(pair: SchemaPair): void {
  compareIfs(pair);
  compareNots(pair);
}

const whole = (shape: SchemaShape, { if: test, met, unmet }: SchemaCondition) =>
  stableText([test, met, unmet].map((part) => part && canonicalText(shape.source, [part])));

function compareIfs(pair: SchemaPair): void {
  const { old, new: now, tell } = pair;
  const [before, after] = setApart(
    old.conditions,
    now.conditions,
    (one) => whole(old, one),
    (one) => whole(now, one),
  );
  const test = (shape: SchemaShape, one: SchemaCondition) => canonicalText(shape.source, [one.if]);
  for (const one of [...before]) {
    const other = after.find((candidate) => test(now, candidate) === test(old, one));
    if (!other) continue;
    before.splice(before.indexOf(one), 1);
    after.splice(after.indexOf(other), 1);
    if (compareRequired(pair, one, other)) continue;
    tell(
      'condition-changed',
      `What {} must be ${when(old, one)} is different.`,
      [whole(old, one), whole(now, other)],
      [one.at, other.at],
    );
  }
  if (before.length === 1 && after.length === 1) {
    const [one, other] = [before.pop()!, after.pop()!];
    tell(
      'condition-changed',
      `A condition on {} ${when(old, one)} is another one.`,
      [whole(old, one), whole(now, other)],
      [one.at, other.at],
    );
  }
  for (const one of before)
    tell(
      'condition-removed',
      `{} need not fit a schema ${when(old, one)} any more.`,
      [whole(old, one), undefined],
      [one.at, undefined],
    );
  for (const one of after)
    tell(
      'condition-added',
      `{} must fit a schema ${when(now, one)}.`,
      [undefined, whole(now, one)],
      [undefined, one.at],
    );
}

/** Where only the list of required fields differs, says which fields. */
function compareRequired({ old, new: now, tell }: SchemaPair, one: SchemaCondition, other: SchemaCondition): boolean {
  const told: (() => void)[] = [];
  for (const branch of ['met', 'unmet'] as const) {
    const [a, b] = [one[branch], other[branch]];
    if (!a && !b) continue;
    if (!a || !b) return false;
    const [was, is] = [shapeOf(old.source, [a]), shapeOf(now.source, [b])];
    if (rendered(old, a) !== rendered(now, b)) return false;
    const where = branch === 'met' ? when(old, one) : `unless ${when(old, one).replace(/^when /, '')}`;
    const at = [a.pointer, b.pointer] as const;
    for (const name of is.required.keys())
      if (!was.required.has(name))
        told.push(() =>
          tell('property-became-required', `{} is required ${where}.`, [where, true], at, appendPointer('', name)),
        );
    for (const name of was.required.keys())
      if (!is.required.has(name))
        told.push(() =>
          tell(
            'property-became-optional',
            `{} is no longer required ${where}.`,
            [where, false],
            at,
            appendPointer('', name),
          ),
        );
  }
  for (const tellIt of told) tellIt();
  return told.length > 0;
}

function rendered({ source }: SchemaShape, part: SchemaPart): string {
  const { required: _, ...rest } = JSON.parse(canonicalText(source, [part])) as Record<string, unknown>;
  return stableText(rest);
}

/** The condition in words, where it is about the value of a field. */
function when(shape: SchemaShape, { if: test }: SchemaCondition): string {
  const parts = [...shapeOf(shape.source, [test]).properties].flatMap(([name, { value }]) => {
    const { values } = shapeOf(shape.source, value).sorts;
    return values
      ? [`${name} is ${values.map((one) => (typeof one === 'string' ? one : JSON.stringify(one))).join(' or ')}`]
      : [];
  });
  return parts.length > 0 ? `when ${parts.join(' and ')}` : 'under a condition';
}

function compareNots({ old, new: now, tell }: SchemaPair): void {
  const name = (shape: SchemaShape) => (part: SchemaPart) => canonicalText(shape.source, [part]);
  const [before, after] = setApart(old.nots, now.nots, name(old), name(now));
  if (before.length === 1 && after.length === 1) {
    const [a, b] = [before.pop()!, after.pop()!];
    tell('not-changed', 'What {} must not be is different.', [name(old)(a), name(now)(b)], [a.pointer, b.pointer]);
  }
  for (const one of before)
    tell(
      'not-removed',
      'Something that {} must not be is no longer excluded.',
      [name(old)(one), undefined],
      [one.pointer, undefined],
    );
  for (const one of after)
    tell('not-added', 'Something is excluded from {}.', [undefined, name(now)(one)], [undefined, one.pointer]);
}

/** What each list has that the other has not. */
export function setApart<T>(
  a: readonly T[],
  b: readonly T[],
  nameA: (one: T) => string,
  nameB: (one: T) => string,
): [T[], T[]] {
  const [left, right] = [[] as T[], [...b]];
  for (const one of a) {
    const i = right.findIndex((other) => nameB(other) === nameA(one));
    if (i < 0) left.push(one);
    else right.splice(i, 1);
  }
  return [left, right];
}
