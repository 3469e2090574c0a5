import type { DifferenceCause } from './difference-causes.ts';
import { percentEncode } from './percent-encode.ts';
import type { ParameterPair, SigningSteps } from './types.ts';

/** Encoded pairs of a parameter string. */
export type EncodedPairs = readonly ParameterPair[];

/** A known mistake: done to our side, or undone on theirs, it makes both sides equal if it is what happened. */
export interface SigningMistake {
  readonly cause: DifferenceCause;
  readonly ours?: (pairs: EncodedPairs, steps: SigningSteps) => EncodedPairs;
  readonly theirs?: (pairs: EncodedPairs) => EncodedPairs;
}

/** A mistake in how characters are written; it can sit in a parameter and in the base string as a whole. */
export interface EncodingMistake {
  readonly cause: DifferenceCause;
  readonly ours?: (text: string) => string;
  readonly theirs: (text: string) => string;
  /** It only comes about in parameters of the query. */
  readonly queryOnly?: true;
}

/** Ways of writing characters that differ from RFC 5849 section 3.6; the narrow ones before those that contain them. */
export const ENCODING_MISTAKES: readonly EncodingMistake[] = [
  { cause: 'star-not-encoded', theirs: (text) => text.replaceAll('*', '%2A') },
  { cause: 'marks-not-encoded', theirs: (text) => text.replace(/[!'()]/g, percentEncode) },
  { cause: 'escape-in-small-letters', theirs: inCapitals },
  { cause: 'unreserved-encoded', theirs: (text) => text.replace(/%[2-7][0-9A-Fa-f]/g, bareIfUnreserved) },
  { cause: 'space-as-plus', theirs: (text) => text.replaceAll('+', '%20'), queryOnly: true },
  { cause: 'plus-taken-literally', ours: plusToSpace, theirs: plusToSpace, queryOnly: true },
  { cause: 'double-encoding', ours: encodedOnce, theirs: encodedOnce },
  { cause: 'not-utf8', theirs: fromLatin1 },
  { cause: 'not-encoded', theirs: encodedAnew },
];

const STRUCTURAL: readonly SigningMistake[] = [
  { cause: 'query-not-folded-in', ours: (pairs, { query }) => less(pairs, query.map(encode)) },
  { cause: 'signature-included', theirs: (pairs) => pairs.filter(([name]) => name !== 'oauth_signature') },
  { cause: 'realm-included', theirs: (pairs) => pairs.filter(([name]) => name !== 'realm') },
  ...[distinct, firstOfName, lastOfName, leadingEmptyDropped].map(
    (reduce): SigningMistake => ({
      cause: 'duplicates-collapsed',
      ours: (pairs, { query }) => [...less(pairs, query.map(encode)), ...reduce(query).map(encode)],
    }),
  ),
];

/** All mistakes that a parameter string can show, those of structure before those of spelling. */
export const SIGNING_MISTAKES: readonly SigningMistake[] = [
  ...STRUCTURAL,
  ...ENCODING_MISTAKES.map(({ cause, ours, theirs, queryOnly }): SigningMistake => {
    const each = (mend: (text: string) => string) => (pairs: EncodedPairs) =>
      pairs.map(
        ([name, value]): ParameterPair =>
          queryOnly && name.startsWith('oauth_') ? [name, value] : [mend(name), mend(value)],
      );
    return ours ? { cause, ours: each(ours), theirs: each(theirs) } : { cause, theirs: each(theirs) };
  }),
];

function encode([name, value]: ParameterPair): ParameterPair {
  return [percentEncode(name), percentEncode(value)];
}

function less(pairs: EncodedPairs, gone: EncodedPairs): ParameterPair[] {
  const left = gone.map(([name, value]) => `${name}=${value}`);
  return pairs.filter(([name, value]) => {
    const at = left.indexOf(`${name}=${value}`);
    if (at >= 0) left.splice(at, 1);
    return at < 0;
  });
}

function distinct(pairs: EncodedPairs): ParameterPair[] {
  return pairs.filter(([name, value], at) => pairs.findIndex(([n, v]) => n === name && v === value) === at);
}

function firstOfName(pairs: EncodedPairs): ParameterPair[] {
  return pairs.filter(([name], at) => pairs.findIndex(([other]) => other === name) === at);
}

function lastOfName(pairs: EncodedPairs): ParameterPair[] {
  return pairs.filter(([name], at) => pairs.findLastIndex(([other]) => other === name) === at);
}

/** What remains when an empty value counts as absent as soon as another of the name follows. */
function leadingEmptyDropped(pairs: EncodedPairs): ParameterPair[] {
  return pairs.filter(([name, value], at) => {
    const before = pairs.slice(0, at).some(([other, kept]) => other === name && kept !== '');
    const after = pairs.slice(at + 1).some(([other]) => other === name);
    return value !== '' || before || !after;
  });
}

function inCapitals(text: string): string {
  return text.replace(/%[0-9A-Fa-f]{2}/g, (triplet) => triplet.toUpperCase());
}

function bareIfUnreserved(triplet: string): string {
  const character = String.fromCharCode(Number.parseInt(triplet.slice(1), 16));
  return /[A-Za-z0-9._~-]/.test(character) ? character : triplet;
}

function plusToSpace(text: string): string {
  return text.replaceAll('%2B', '%20').replaceAll('%252B', '%20');
}

/** However often a text was encoded: what it is when encoded once. */
function encodedOnce(text: string): string {
  const less = text.replace(/%25([0-9A-Fa-f]{2})/g, (_, digits: string) =>
    bareIfUnreserved(`%${digits.toUpperCase()}`),
  );
  return less === text ? text : encodedOnce(less);
}

function fromLatin1(text: string): string {
  return text.replace(/(?:%[0-9A-Fa-f]{2})+/g, (run) =>
    percentEncode(Buffer.from(run.replaceAll('%', ''), 'hex').toString('latin1')),
  );
}

function encodedAnew(text: string): string {
  try {
    return percentEncode(decodeURIComponent(text));
  } catch {
    return text;
  }
}
