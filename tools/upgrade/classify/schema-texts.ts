import type { SchemaPair } from './schema-pair.ts';

/** Formats that are part of another one. */
const WITHIN: readonly (readonly [string, string])[] = [
  ['int32', 'int64'],
  ['float', 'double'],
  ['email', 'idn-email'],
  ['hostname', 'idn-hostname'],
  ['uri', 'uri-reference'],
  ['uri', 'iri'],
  ['iri', 'iri-reference'],
  ['uri-reference', 'iri-reference'],
];

/** Pattern, format, the encoding of bytes in texts and whether elements differ. */
export function compareTexts(pair: SchemaPair): void {
  const { old, new: now, tell } = pair;
  const both = (keyword: string) => {
    const [a, b] = [old.plain.get(keyword), now.plain.get(keyword)];
    const values = [a?.value, b?.value] as const;
    return { a, b, values, at: [a?.at, b?.at] as const, same: values[0] === values[1] };
  };
  const pattern = both('pattern');
  if (!pattern.same) {
    const kind = !pattern.a ? 'pattern-added' : !pattern.b ? 'pattern-removed' : 'pattern-changed';
    tell(
      kind,
      `The pattern of {} was ${say(pattern.values[0])} and is ${say(pattern.values[1])}.`,
      pattern.values,
      pattern.at,
    );
  }
  const format = both('format');
  if (!format.same) {
    const [a, b] = format.values;
    const within = (one: unknown, other: unknown) => WITHIN.some(([less, more]) => less === one && more === other);
    const kind =
      !format.a || within(b, a) ? 'format-narrowed' : !format.b || within(a, b) ? 'format-widened' : 'format-changed';
    tell(kind, `The format of {} was ${say(a)} and is ${say(b)}.`, format.values, format.at);
  }
  for (const [keyword, kind] of [
    ['contentEncoding', 'content-encoding-changed'],
    ['contentMediaType', 'content-media-type-changed'],
  ] as const) {
    const { values, at, same } = both(keyword);
    if (!same) tell(kind, `The ${keyword} of {} was ${say(values[0])} and is ${say(values[1])}.`, values, at);
  }
  const unique = both('uniqueItems');
  if (unique.b && !unique.a) tell('unique-items-required', 'The elements of {} must differ.', unique.values, unique.at);
  if (unique.a && !unique.b) tell('unique-items-dropped', 'The elements of {} may repeat.', unique.values, unique.at);
  const fallback = both('default');
  const written = fallback.values.map((value) =>
    pair.asText && value !== undefined ? String(value) : JSON.stringify(value),
  );
  if (written[0] !== written[1])
    tell(
      'default-changed',
      `The default of {} was ${json(fallback.values[0])} and is ${json(fallback.values[1])}.`,
      fallback.values,
      fallback.at,
    );
}

/** What people read: words, deprecation and the day something goes. */
export function compareAnnotations({ old, new: now, note }: SchemaPair): void {
  const one = (key: string) => [old.plain.get(key), now.plain.get(key)] as const;
  const seen = (key: string) => one(key).map((held) => held?.value);
  const at = (key: string) => one(key).map((held) => held?.at) as [string | undefined, string | undefined];
  noteWords(note, one('description'));
  noteDeprecated(note, [seen('deprecated')[0] === true, seen('deprecated')[1] === true], at('deprecated'));
  const day = old.plain.has('x-sunset') || now.plain.has('x-sunset') ? 'x-sunset' : 'x-removed';
  noteRemoval(note, seen(day) as [unknown, unknown], at(day));
}

type Note = SchemaPair['note'];
type At = readonly [string | undefined, string | undefined];

function noteWords(
  note: Note,
  [a, b]: readonly [{ value: unknown; at: string } | undefined, { value: unknown; at: string } | undefined],
) {
  const words = (value: unknown) => (typeof value === 'string' ? value.replace(/\s+/g, ' ').trim() : value);
  if (a && b && words(a.value) !== words(b.value))
    note('description-changed', 'The description of {} is worded otherwise.', [a.value, b.value], [a.at, b.at]);
}

/** Deprecated, or no longer. */
export function noteDeprecated(note: Note, [was, is]: readonly [boolean, boolean], at: At): void {
  if (is && !was) note('element-deprecated', '{} is deprecated.', [was, is], at);
  if (was && !is) note('element-undeprecated', '{} is no longer deprecated.', [was, is], at);
}

/** The day from which something may be absent. */
export function noteRemoval(note: Note, [was, is]: readonly [unknown, unknown], at: At): void {
  const [a, b] = [was, is].map((value) => (value === undefined ? undefined : String(value)));
  if (a === b) return;
  if (b !== undefined && readDay(b) === undefined) {
    note('removal-date-unreadable', `{} goes on “${b}”, which is no day.`, [a, b], at);
    return;
  }
  if (a === undefined) note('removal-date-set', `{} goes on ${b}.`, [a, b], at);
  else if (b === undefined) note('removal-date-dropped', `{} was to go on ${a}; no day is named any more.`, [a, b], at);
  else {
    const up = b < (readDay(a) ?? b);
    note(
      up ? 'removal-date-moved-up' : 'removal-date-moved-back',
      `{} was to go on ${a} and goes on ${b}.`,
      [a, b],
      at,
    );
  }
}

/** A day, or a moment, of ISO 8601: its day. */
export function readDay(text: string): string | undefined {
  const day = /^(\d{4}-\d\d-\d\d)(?:T[\d:.]+(?:Z|[+-]\d\d:?\d\d)?)?$/.exec(text.trim())?.[1];
  const date = new Date(day ?? '');
  return Number.isNaN(date.getTime()) || !date.toISOString().startsWith(day!) ? undefined : day;
}

const say = (value: unknown) => (value === undefined ? 'not set' : String(value));
const json = (value: unknown) => (value === undefined ? 'not set' : JSON.stringify(value));
