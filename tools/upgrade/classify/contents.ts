import { canonicalText } from './canonical.ts';
import { type BothEnds, type ComparisonScope, compareAt, noteDifference, tellDifference } from './scope.ts';
import { entriesAt, isFields, type SpecSource, stableText } from './source.ts';

/** Compares the media types of a body and the schemas under them. */
export function compareContents(
  scope: ComparisonScope,
  side: 'asked' | 'answered',
  at: BothEnds,
  subject = 'the body',
  place = 'body',
): void {
  const [a, b] = [medias(scope.old, at[0]), medias(scope.new, at[1])];
  const named = { subject, place };
  for (const media of new Set([...a.keys(), ...b.keys()])) {
    const [one, other] = [a.get(media), b.get(media)];
    const inside = { ...scope, media };
    if (one && other) compareMedia(inside, side, [one, other], named);
    else if (other)
      tellDifference(
        inside,
        side,
        'media-type-added',
        { ...named, subject: media },
        `${cap(subject)} may also be {}.`,
        [undefined, media],
        [undefined, other],
      );
    else
      tellDifference(
        inside,
        side,
        'media-type-removed',
        { ...named, subject: media },
        `${cap(subject)} may no longer be {}.`,
        [media, undefined],
        [one, undefined],
      );
  }
}

function compareMedia(
  scope: ComparisonScope,
  side: 'asked' | 'answered',
  at: readonly [string, string],
  named: { subject: string; place: string },
): void {
  const subject = (path: string) =>
    path === '' ? named.subject : named.place === 'body' ? path : `${named.subject} at ${path}`;
  compareAt(scope, side, [`${at[0]}/schema`, `${at[1]}/schema`], subject, named.place);
  const [was, is] = [scope.old.at(`${at[0]}/encoding`), scope.new.at(`${at[1]}/encoding`)];
  if (stableText(was ?? {}) !== stableText(is ?? {}))
    tellDifference(
      scope,
      side,
      'encoding-changed',
      { ...named, place: `${named.place}#encoding` },
      'Parts of {} are encoded otherwise.',
      [was, is],
      [`${at[0]}/encoding`, `${at[1]}/encoding`],
    );
}

/** Media types of a body, written alike whatever the case and spacing. */
function medias(source: SpecSource, pointer: string | undefined): Map<string, string> {
  if (pointer === undefined) return new Map();
  return new Map(
    entriesAt(source, `${pointer}/content`).map(([name, at]) => [name.toLowerCase().replace(/\s*;\s*/g, ';'), at]),
  );
}

/** Compares the body of a request. */
export function compareBody(scope: ComparisonScope, operations: readonly [string, string]): void {
  const [a, b] = [bodyOf(scope.old, operations[0]), bodyOf(scope.new, operations[1])];
  const named = { subject: 'the body', place: 'body' };
  const at = [a?.pointer, b?.pointer] as const;
  const shape = (source: SpecSource, pointer: string | undefined) =>
    [...medias(source, pointer)].map(([media, where]) => [
      media,
      source.at(`${where}/schema`) === undefined ? '' : canonicalText(source, [{ pointer: `${where}/schema` }]),
    ]);
  if (!a && !b) return;
  if (!a)
    tellDifference(
      scope,
      'asked',
      b?.required ? 'required-body-added' : 'optional-body-added',
      named,
      `There is a body, ${b?.required ? 'and it is required' : 'which may be left out'}.`,
      [undefined, shape(scope.new, at[1])],
      at,
    );
  else if (!b)
    tellDifference(
      scope,
      'asked',
      'body-removed',
      named,
      'There is no body any more.',
      [shape(scope.old, at[0]), undefined],
      at,
    );
  else {
    if (!a.required && b.required)
      tellDifference(scope, 'asked', 'body-became-required', named, '{} is required.', [false, true], at);
    if (a.required && !b.required)
      tellDifference(scope, 'asked', 'body-became-optional', named, '{} may be left out.', [true, false], at);
    compareWords(scope, at, { ...named, place: 'body#description' });
    compareContents(scope, 'asked', at);
  }
}

function bodyOf(source: SpecSource, operation: string) {
  if (!isFields(source.at(`${operation}/requestBody`))) return undefined;
  const { fields, pointer } = source.find(`${operation}/requestBody`);
  return { pointer, required: fields.required === true };
}

/** Notes that a description is worded otherwise. */
export function compareWords(scope: ComparisonScope, at: BothEnds, named: { subject: string; place: string }): void {
  const words = (source: SpecSource, pointer: string | undefined, key: string) => {
    const value = pointer === undefined ? undefined : source.at(`${pointer}/${key}`);
    return typeof value === 'string' ? value.replace(/\s+/g, ' ').trim() : undefined;
  };
  for (const key of ['summary', 'description']) {
    const [a, b] = [words(scope.old, at[0], key), words(scope.new, at[1], key)];
    if (a !== undefined && b !== undefined && a !== b)
      noteDifference(
        scope,
        'description-changed',
        named,
        `The ${key} of {} is worded otherwise.`,
        [a, b],
        [`${at[0]}/${key}`, `${at[1]}/${key}`],
      );
  }
}

const cap = (text: string) => text[0]!.toUpperCase() + text.slice(1);
