/** Two values side by side, only where they differ. */
export interface ValueDifference {
  readonly expected: string;
  readonly actual: string;
}

/** Turns a value into the text that may stand in a report. */
type WriteText = (text: string) => string;

interface Place {
  /** Keys from the top down. */
  readonly way: readonly string[];
  readonly expected: unknown;
  readonly actual: unknown;
}

/** Places that are shown; more say no more. */
const SHOWN = 3;
/** Characters of one value. */
const LONGEST = 160;

/**
 * What differs between two values, member by member and not as a whole: a list of a hundred entries with one wrong is told by that one.
 * @param subset whether members that only the actual value has are no difference
 * @param write is given every text before it is cut: half a secret is no secret to look for any more
 */
export function describeValueDifference(
  expected: unknown,
  actual: unknown,
  { subset = false, write = (text) => text }: { subset?: boolean; write?: WriteText } = {},
): ValueDifference {
  const places = differences({ way: [], expected, actual }, subset);
  const shown = places.slice(0, SHOWN);
  const more = places.length > SHOWN ? `, and ${places.length - SHOWN} more` : '';
  const side = (which: 'expected' | 'actual') =>
    shown.map((one) => writePlace(one.way, one[which], write)).join(', ') + more;
  if (places.length === 0) return { expected: writeValue(expected, write), actual: writeValue(actual, write) };
  return { expected: side('expected'), actual: side('actual') };
}

/** A value in a few words: JSON, cut where it is long; what is not there is `nothing`. */
export function writeValue(value: unknown, write: WriteText = (text) => text): string {
  const text = write(plainText(value));
  return text.length > LONGEST ? `${text.slice(0, LONGEST)}…` : text;
}

function writePlace(way: readonly string[], value: unknown, write: WriteText): string {
  const key = way.at(-1);
  if (key === undefined) return writeValue(value, write);
  const above = way.slice(0, -1).map((one) => `/${one}`);
  // Written with its name, as in JSON: whoever takes secrets out knows some by their names alone.
  const text = write(
    /^\d+$/.test(key) ? `/${key}: ${plainText(value)}` : `${JSON.stringify(key)}: ${plainText(value)}`,
  );
  const cut = text.length > LONGEST ? `${text.slice(0, LONGEST)}…` : text;
  return above.length === 0 ? cut : `${above.join('')} ${cut}`;
}

function plainText(value: unknown): string {
  if (value === undefined) return 'nothing';
  if (isMatcher(value)) return `${value.toString()} ${plainText(value.sample)}`;
  if (value instanceof RegExp || typeof value === 'function' || typeof value === 'symbol') return String(value);
  if (typeof value === 'bigint') return `${value}`;
  if (value instanceof Error) return value.message;
  if (value instanceof Map || value instanceof Set) return plainText([...value]);
  try {
    return JSON.stringify(value) ?? String(value);
  } catch {
    // A value that holds itself cannot be written.
    return String(value);
  }
}

/** `expect.any(String)` and its like. */
function isMatcher(value: unknown): value is { asymmetricMatch(other: unknown): boolean; sample?: unknown } {
  return typeof (value as { asymmetricMatch?: unknown } | null | undefined)?.asymmetricMatch === 'function';
}

function differences({ way, expected, actual }: Place, subset: boolean): Place[] {
  if (isMatcher(expected)) return expected.asymmetricMatch(actual) ? [] : [{ way, expected, actual }];
  if (Object.is(expected, actual)) return [];
  if (Array.isArray(expected) && Array.isArray(actual)) {
    const longest = Math.max(expected.length, actual.length);
    return Array.from({ length: longest }, (_, i) => i).flatMap((i) =>
      differences({ way: [...way, String(i)], expected: expected[i], actual: actual[i] }, subset),
    );
  }
  if (!isRecord(expected) || !isRecord(actual)) return [{ way, expected, actual }];
  const keys = subset ? Object.keys(expected) : [...new Set([...Object.keys(expected), ...Object.keys(actual)])];
  return keys.flatMap((key) =>
    differences({ way: [...way, key], expected: expected[key], actual: actual[key] }, subset),
  );
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value) && !isMatcher(value);
}
