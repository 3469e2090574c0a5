import type { OpenAPIV3_1 } from 'openapi-types';
import { compareContents, compareWords } from './contents.ts';
import type { SchemaPart } from './flatten.ts';
import { noteDeprecated, noteRemoval } from './schema-texts.ts';
import { type ComparisonScope, compareAt, noteDifference, tellDifference } from './scope.ts';
import { shapeOf } from './shape.ts';
import { entriesAt, listOf, type SpecSource, stableText } from './source.ts';

interface Parameter {
  readonly fields: OpenAPIV3_1.ParameterObject & Record<string, unknown>;
  readonly pointer: string;
  /** Names of parameters in a path do not travel: their position does. */
  readonly key: string;
  readonly subject: string;
}

/** Where an operation stands: its path item, itself, and its path. */
export interface OperationSeat {
  readonly item: string;
  readonly operation: string;
  readonly path: string;
}

/** Compares the parameters of an operation, those of its path among them. */
export function compareParameters(scope: ComparisonScope, seats: readonly [OperationSeat, OperationSeat]): void {
  const [a, b] = [read(scope.old, seats[0]), read(scope.new, seats[1])];
  for (const [key, one] of [...a]) {
    const other =
      b.get(key) ??
      [...b.values()].find(
        ({ key: to, fields }) =>
          !a.has(to) && fields.name === one.fields.name && fields.in !== 'path' && one.fields.in !== 'path',
      );
    const named = { subject: one.subject, place: key };
    if (!other) {
      tellDifference(
        scope,
        'asked',
        'parameter-removed',
        named,
        'There is no {} any more.',
        [one.fields.required === true, undefined],
        [one.pointer, undefined],
      );
      continue;
    }
    if (other.key !== key)
      tellDifference(
        scope,
        'asked',
        'parameter-moved',
        named,
        `{} is a ${other.subject} now.`,
        [key, other.key],
        [one.pointer, other.pointer],
      );
    b.delete(other.key);
    compareParameter(scope, one, other);
  }
  for (const [key, other] of b) {
    const required = other.fields.required === true;
    const text = `There is a ${required ? 'required' : 'optional'} {}.`;
    tellDifference(
      scope,
      'asked',
      required ? 'required-parameter-added' : 'optional-parameter-added',
      { subject: other.subject, place: key },
      text,
      [undefined, required],
      [undefined, other.pointer],
    );
  }
}

function compareParameter(scope: ComparisonScope, a: Parameter, b: Parameter): void {
  const named = { subject: a.subject, place: a.key };
  const at = [a.pointer, b.pointer] as const;
  const [was, is] = [a.fields.required === true, b.fields.required === true];
  if (is && !was) tellDifference(scope, 'asked', 'parameter-became-required', named, '{} is required.', [was, is], at);
  if (was && !is)
    tellDifference(scope, 'asked', 'parameter-became-optional', named, '{} may be left out.', [was, is], at);
  // Of one value alone, how elements are strung together says nothing.
  const hasElements = !isScalar(scope.old, schemaOf(scope.old, a)) && !isScalar(scope.new, schemaOf(scope.new, b));
  const styles = [styleOf(scope.old, a, hasElements), styleOf(scope.new, b, hasElements)] as const;
  if (styles[0] !== styles[1] && a.fields.in === b.fields.in)
    tellDifference(
      scope,
      'asked',
      'parameter-style-changed',
      named,
      `{} was written as ${styles[0]} and is as ${styles[1]}.`,
      styles,
      at,
    );
  compareElement(scope, 'asked', at, named);
}

/** What a parameter and a header have in common: deprecation, words, schema or content. */
export function compareElement(
  scope: ComparisonScope,
  side: 'asked' | 'answered',
  at: readonly [string, string],
  named: { subject: string; place: string },
): void {
  const value = (key: string) => [scope.old.at(`${at[0]}/${key}`), scope.new.at(`${at[1]}/${key}`)] as const;
  const ends = (key: string) => [`${at[0]}/${key}`, `${at[1]}/${key}`] as const;
  const write = (
    id: string,
    text: string,
    values: readonly [unknown, unknown],
    spots: readonly [string | undefined, string | undefined],
  ) =>
    noteDifference(
      scope,
      id as Parameters<typeof noteDifference>[1],
      { ...named, place: `${named.place}#` },
      text,
      values,
      spots,
    );
  const old = value('deprecated');
  noteDeprecated(write, [old[0] === true, old[1] === true], ends('deprecated'));
  for (const key of ['x-removed', 'x-sunset']) noteRemoval(write, value(key), ends(key));
  compareWords(scope, at, { ...named, place: `${named.place}#` });
  const subject = (path: string) => (path === '' ? named.subject : `${named.subject} at ${path}`);
  const written = value('content');
  if (written[0] === undefined && written[1] === undefined)
    compareAt(scope, side, [`${at[0]}/schema`, `${at[1]}/schema`], subject, named.place, true);
  else if (written[0] !== undefined && written[1] !== undefined)
    compareContents(scope, side, at, named.subject, named.place);
}

/** How a value becomes text; what can make no difference is left out. */
function styleOf(source: SpecSource, { fields, pointer }: Parameter, hasElements: boolean): string {
  const [media] = entriesAt(source, `${pointer}/content`);
  if (media) return media[0];
  const style = fields.style ?? (fields.in === 'query' || fields.in === 'cookie' ? 'form' : 'simple');
  const explode = hasElements && (fields.explode ?? style === 'form');
  return [style, explode ? 'exploded' : '', fields.allowReserved ? 'reserved characters as they are' : '']
    .filter(Boolean)
    .join(', ');
}

function schemaOf(source: SpecSource, { pointer }: Parameter): SchemaPart[] {
  return source.at(`${pointer}/schema`) === undefined ? [] : [{ pointer: `${pointer}/schema` }];
}

/** Whether a value is never a list or an object. */
function isScalar(source: SpecSource, parts: readonly SchemaPart[], depth = 0): boolean {
  const { sorts, unions } = shapeOf(source, parts);
  if (sorts.types) return !sorts.types.has('array') && !sorts.types.has('object');
  return depth < 8 && unions.some(({ members }) => members.every((one) => isScalar(source, [one], depth + 1)));
}

const IGNORED = ['accept', 'content-type', 'authorization'];

function read(source: SpecSource, { item, operation, path }: OperationSeat): Map<string, Parameter> {
  const positions = [...path.matchAll(/\{([^}]*)\}/g)].map(([, name]) => name!);
  // A name that the path does not have stands for a place whose name no parameter has.
  const named = new Set(
    [item, operation].flatMap((owner) =>
      listOf(source.at(`${owner}/parameters`)).map((_, i) =>
        String(source.find(`${owner}/parameters/${i}`).fields.name),
      ),
    ),
  );
  const free = positions.flatMap((name, i) => (named.has(name) ? [] : [i]));
  const lost = new Map<string, number>();
  const placeIn = (names: readonly string[], name: string) => {
    if (names.includes(name)) return names.indexOf(name);
    if (!lost.has(name)) lost.set(name, free[lost.size] ?? -1 - lost.size);
    return lost.get(name);
  };
  const found = new Map<string, Parameter>();
  for (const owner of [item, operation])
    listOf(source.at(`${owner}/parameters`)).forEach((_, i) => {
      const { fields: raw, pointer } = source.find(`${owner}/parameters/${i}`);
      const fields = raw as Parameter['fields'];
      const name = String(fields.name);
      if (fields.in === 'header' && IGNORED.includes(name.toLowerCase())) return;
      const key =
        fields.in === 'path'
          ? `path ${placeIn(positions, name)}`
          : `${fields.in} ${fields.in === 'header' ? name.toLowerCase() : name}`;
      found.set(key, {
        fields,
        pointer,
        key,
        subject: fields.in === 'header' ? `header ${name}` : `${fields.in} parameter ${name}`,
      });
    });
  return found;
}

/** The names of headers as they are compared, and where each stands. */
export function headersOf(
  source: SpecSource,
  pointer: string,
): Map<string, { name: string; pointer: string; required: boolean; value: string }> {
  return new Map(
    entriesAt(source, `${pointer}/headers`)
      .filter(([name]) => name.toLowerCase() !== 'content-type')
      .map(([name, at]) => {
        const { fields, pointer: where } = source.find(at);
        return [
          name.toLowerCase(),
          { name, pointer: where, required: fields.required === true, value: stableText(fields.schema) },
        ];
      }),
  );
}
