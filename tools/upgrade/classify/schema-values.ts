import type { DirectedKind } from '../kinds.ts';
import type { HeldValue, ValueBound } from './held.ts';
import type { SchemaPair } from './schema-pair.ts';
import { stableText } from './source.ts';

const say = (value: unknown) => (typeof value === 'string' ? value : (JSON.stringify(value) ?? 'nothing'));
const listed = (values: readonly unknown[]) => values.map(say).join(', ');

/** Types, closed and open lists of values, null; `told` where nothing else can be compared. */
export function compareSorts(pair: SchemaPair): 'told' | undefined {
  const { old, new: now, tell } = pair;
  const [a, b] = [old.sorts, now.sorts];
  const at = [a.typeAt ?? a.valuesAt, b.typeAt ?? b.valuesAt] as const;
  if (!(a.values && b.values)) {
    const more = lacking(b.types, a.types, pair.asText);
    const less = lacking(a.types, b.types, pair.asText);
    const [was, is] = [types(a.types), types(b.types)];
    const text = `The type of {} was ${was} and is ${is}.`;
    if (more && less) {
      tell('type-changed', text, [was, is], at);
      return 'told';
    }
    if (more) tell('type-widened', text, [was, is], at);
    if (less) tell('type-narrowed', text, [was, is], at);
  }
  const typed = [old, now].every(({ sorts, unions }) => sorts.types || sorts.values || unions.length > 0);
  const nullAt = [a.nullAt ?? a.typeAt ?? a.valuesAt, b.nullAt ?? b.typeAt ?? b.valuesAt] as const;
  if (typed && !a.nullable && b.nullable) tell('value-became-nullable', '{} may be null.', [false, true], nullAt);
  if (typed && a.nullable && !b.nullable)
    tell('value-became-not-nullable', '{} may no longer be null.', [true, false], nullAt);
  compareValues(pair);
  return undefined;
}

function compareValues({ old, new: now, tell, asText }: SchemaPair): void {
  const [a, b] = [old, now].map(({ sorts: { values } }) => (asText ? values?.map(say) : values));
  const at = [old.sorts.valuesAt ?? old.open?.at, now.sorts.valuesAt ?? now.open?.at] as const;
  const [open, opened] = [old.open?.value, now.open?.value];
  if (a && b) {
    const [gone, come] = [without(a, b), without(b, a)];
    if (come.length) tell('enum-value-added', `{} may also be ${listed(come)}.`, [[], come], at);
    if (gone.length) tell('enum-value-removed', `{} may no longer be ${listed(gone)}.`, [gone, []], at);
  } else if (a && opened) tell('enum-opened', `{} may be more than ${listed(a)}.`, [a, opened], at);
  else if (open && b) tell('enum-closed', `{} is limited to ${listed(b)}.`, [open, b], at);
  else if (a) tell('enum-removed', `{} was limited to ${listed(a)} and is not any more.`, [a, undefined], at);
  else if (b) tell('enum-added', `{} is limited to ${listed(b)}.`, [undefined, b], at);
  else if (open && opened) {
    const [gone, come] = [without(open, opened), without(opened, open)];
    if (come.length) tell('open-value-added', `The open list of {} also names ${listed(come)}.`, [[], come], at);
    if (gone.length) tell('open-value-removed', `The open list of {} no longer names ${listed(gone)}.`, [gone, []], at);
  } else if (opened) tell('open-list-added', `Values of {} are named: ${listed(opened)}.`, [undefined, opened], at);
  else if (open) tell('open-list-removed', `Values of {} are no longer named: ${listed(open)}.`, [open, undefined], at);
}

const BOUNDS: readonly (readonly [keyword: string, kind: string])[] = [
  ['minimum', 'minimum'],
  ['maximum', 'maximum'],
  ['minLength', 'min-length'],
  ['maxLength', 'max-length'],
  ['minItems', 'min-items'],
  ['maxItems', 'max-items'],
  ['minProperties', 'min-properties'],
  ['maxProperties', 'max-properties'],
  ['minContains', 'min-contains'],
  ['maxContains', 'max-contains'],
];

/** Bounds of numbers, lengths and counts, and the step between numbers. */
export function compareLimits(pair: SchemaPair): void {
  const { old, new: now, tell } = pair;
  for (const [keyword, kind] of BOUNDS) {
    const [a, b] = [old.limits.get(keyword), now.limits.get(keyword)];
    const tighter = compareBound(a, b, keyword.startsWith('max'));
    if (tighter === 0) continue;
    const text = `The ${keyword} of {} was ${bound(a)} and is ${bound(b)}.`;
    const name = `${kind}-${tighter > 0 ? 'tightened' : 'loosened'}` as DirectedKind;
    tell(name, text, [bound(a), bound(b)], [a?.at, b?.at]);
  }
  compareStep(pair);
}

/** Above 0 when the second is tighter. */
function compareBound(
  a: HeldValue<ValueBound> | undefined,
  b: HeldValue<ValueBound> | undefined,
  upper: boolean,
): number {
  if (!a || !b) return (b ? 1 : 0) - (a ? 1 : 0);
  const distance = (b.value.n - a.value.n) * (upper ? -1 : 1);
  return distance || Number(b.value.exclusive) - Number(a.value.exclusive);
}

const bound = (held: HeldValue<ValueBound> | undefined) =>
  held ? `${held.value.n}${held.value.exclusive ? ' (not itself)' : ''}` : 'not set';

function compareStep({ old, new: now, tell }: SchemaPair): void {
  const [a, b] = [old.plain.get('multipleOf'), now.plain.get('multipleOf')];
  if (a?.value === b?.value) return;
  const [was, is] = [Number(a?.value), Number(b?.value)];
  const text = `{} was a multiple of ${say(a?.value)} and is one of ${say(b?.value)}.`;
  const divides = (step: number, other: number) => Math.abs(other / step - Math.round(other / step)) < 1e-9;
  const kind = !a || divides(was, is) ? 'tightened' : !b || divides(is, was) ? 'loosened' : 'changed';
  tell(`multiple-of-${kind}`, text, [a?.value, b?.value], [a?.at, b?.at]);
}

/** Whether something of the second is not in the first; anything is in what is not limited. */
function lacking(
  of: ReadonlySet<string> | undefined,
  within: ReadonlySet<string> | undefined,
  asText: boolean,
): boolean {
  if (within === undefined) return false;
  if (of === undefined) return true;
  const isText = (type: string) => asText && within.has('string') && ['integer', 'number', 'boolean'].includes(type);
  return [...of].some((type) => !within.has(type) && !(type === 'integer' && within.has('number')) && !isText(type));
}

const types = (set: ReadonlySet<string> | undefined) => (set ? [...set].sort().join(' or ') || 'nothing' : 'anything');

function without(values: readonly unknown[], others: readonly unknown[]): unknown[] {
  const known = new Set(others.map(stableText));
  return values
    .filter((value) => !known.has(stableText(value)))
    .sort((a, b) => (stableText(a) < stableText(b) ? -1 : 1));
}
