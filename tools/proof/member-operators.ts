import type { SchemaMember } from '#contract';
import { valueAt } from '#json-pointer';
import type { WireOperator } from '#sandbox';

/** One thing that a mutant does to a part of what is sent. */
export interface Alteration {
  readonly operator: WireOperator;
  /** What it does, in words. */
  readonly name: string;
  readonly value?: unknown;
}

type Fields = Readonly<Record<string, unknown>>;

const UNKNOWN_VALUE = 'NO_SUCH_VALUE';

/**
 * What can be done to a member, by what its schemas say of it. Left out is what comes to the same for everybody who judges by the
 * documents: a new name is a member dropped and an unknown one added, which may come; text cut short, made constant or in other
 * letters breaks a listed value or a format as any other wrong value does, and of free text it is another text, as another figure
 * makes it, too; a value whose type is not shown has no other type and no form.
 */
export function listAlterations(root: unknown, { path, at }: SchemaMember): Alteration[] {
  const schemas = at.map((place) => valueAt(root, place) as Fields);
  const types = new Set(schemas.flatMap(({ type }) => (type === undefined ? [] : [type].flat()) as string[]));
  const has = (...keys: readonly string[]) => keys.some((key) => schemas.some((schema) => schema[key] !== undefined));
  const isListed = has('enum', 'const');
  const isFormed = has('format', 'pattern');
  const isAnything = types.has('object') && types.has('string');
  const isText = types.has('string') || (types.size === 0 && (isFormed || isListed));
  const isNumber = types.has('number') || types.has('integer');
  const isList = types.has('array') && !isAnything;
  const isEntry = path.at(-1) === '*';
  return [
    ...when(!isEntry, { operator: 'drop', name: 'drop' }),
    { operator: 'value', name: 'null', value: null },
    ...when(!isAnything && types.size + schemas.length > 1, {
      operator: 'value',
      name: 'another type',
      value: types.has('object') || types.has('array') ? 'text' : { a: 1 },
    }),
    ...when(
      isListed,
      { operator: 'value', name: 'another value', value: UNKNOWN_VALUE },
      ...when(isText, { operator: 'change-case', name: 'another case' }),
    ),
    ...when(isFormed, { operator: 'value', name: 'another format', value: '~' }),
    ...when(isText && !isListed && !isFormed, { operator: 'empty', name: 'empty' }),
    ...when((isText || isNumber) && !isListed, { operator: 'shift', name: 'another figure' }),
    ...when((isText || isNumber || types.has('boolean')) && !isAnything && !has('const'), {
      operator: 'first',
      name: 'constant',
    }),
    ...when(types.has('boolean') && !isAnything && !isListed, { operator: 'flip', name: 'flip' }),
    ...when(
      isList,
      { operator: 'empty', name: 'empty' },
      { operator: 'first-only', name: 'first only' },
      { operator: 'reverse', name: 'reverse' },
      { operator: 'repeat-last', name: 'repeat last' },
    ),
  ];
}

function when(applies: boolean, ...some: readonly Alteration[]): readonly Alteration[] {
  return applies ? some : [];
}
