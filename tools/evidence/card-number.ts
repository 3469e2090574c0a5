import { CleanWords } from './clean-words.ts';
import { BASE64_LETTERS, DIGITS, findLetterRuns, HEX_LETTERS } from './letter-runs.ts';
import { MASK } from './mask.ts';
import { type PlainView, plainViews } from './plain-view.ts';
import { repeatAtomically } from './repeat-atomically.ts';
import { TextFilter } from './text-filter.ts';

/** A card number found in a text: where it stands, and its digits; none when it stands inside something encoded. */
export interface FoundCard {
  readonly start: number;
  readonly end: number;
  readonly digits: string;
}

/** How many texts are recalled, and of how many characters. */
const RECALLED = 8;
const LEAST_RECALLED = 64;
const MOST_RECALLED = 1 << 17;

/** Card numbers known beforehand, each also under its digits reversed. */
export class KnownCards {
  /** Words of base64 in which nothing was found, and what was in the last texts, since the last number became known. */
  readonly cleanWords = new CleanWords();
  readonly #lastTexts = new Map<string, readonly FoundCard[]>();
  readonly #byDigits = new Map<string, string>();
  readonly #starts = new TextFilter();
  readonly #lengths = new Set<number>();
  readonly #numbers = new Set<string>();

  /** @returns whether the number was new */
  add(digits: string): boolean {
    if (this.#byDigits.has(digits)) return false;
    this.cleanWords.clear();
    this.#lastTexts.clear();
    for (const order of [digits, [...digits].reverse().join('')]) {
      this.#byDigits.set(order, digits);
      this.#starts.add(order);
    }
    this.#lengths.add(digits.length);
    this.#numbers.add(digits);
    return true;
  }

  /** The known number that digits are, read forwards or backwards. */
  find(digits: string): string | undefined {
    return this.#byDigits.get(digits);
  }

  /** From which place of a line of digits on a known number may begin; -1 when none does. */
  nextStart(line: string, from: number): number {
    return this.#starts.next(line, from);
  }

  get lengths(): ReadonlySet<number> {
    return this.#lengths;
  }

  get size(): number {
    return this.#byDigits.size;
  }

  /** What was found in a text that was asked for a moment ago, else what `find` finds: one text is looked through to judge it, and to mask it. */
  recall(text: string, find: () => readonly FoundCard[]): readonly FoundCard[] {
    if (text.length < LEAST_RECALLED || text.length > MOST_RECALLED) return find();
    const before = this.#lastTexts.get(text);
    if (before !== undefined) return before;
    const found = find();
    if (this.#lastTexts.size >= RECALLED) this.#lastTexts.clear();
    this.#lastTexts.set(text, found);
    return found;
  }

  /** The numbers themselves, for whoever looks for them in a way of his own. */
  get numbers(): ReadonlySet<string> {
    return this.#numbers;
  }
}

const NONE = new KnownCards();
const BLANK =
  '\\t\\v\\f \\u00a0\\u00ad\\u1680\\u180e\\u2000-\\u200d\\u2028\\u2029\\u202f\\u205f\\u2060\\u2063\\u3000\\ufeff';
const DASH = '\\-\\u2010-\\u2015\\u2212\\ufe63\\uff0d';
/** How far apart the digits of a known number may stand. */
const FARTHEST = 24;
const DEEPEST = 3;
/** Base64, and how it goes on behind an end of a line, or a blank in its place. */
const LETTER = '[A-Za-z0-9+/_-]';
const NEXT_LINE = `(?:\\r?\\n|(?<=${LETTER}{16}) )${LETTER}{2}${LETTER}*`;
/** Letters of its first line, at least. */
const LEAST_PACKED = 12;
const BYTE = '(?:0x)?[0-9A-Fa-f]{2}';
const NEXT_BYTE = `[ :,+-]{1,2}${BYTE}`;
/** Codes of digits, and of what stands between them. */
const CODE = '(?:4[4-9]|5[0-7]|32)';
const NEXT_CODE = `[ ,;+]{1,2}${CODE}(?!\\d)`;

/** What is looked for in a text; each of them takes linear time on any text. */
export const CARD_PATTERNS = {
  chip: /(?<![0-9A-Za-z])\d{12,19}[Dd]\d{7,30}[Ff]?(?![0-9A-Za-z])/g,
  stripe: /(?<!\d)\d{12,19}(?:\^[^^\r\n"<>]{0,30}\^[^\s"<>&]{0,80}|=\d{7,30}\??)/g,
  /** From where its first line begins. */
  base64: new RegExp(`${LETTER}{12}${LETTER}*${repeatAtomically(NEXT_LINE, 1)}={0,2}`, 'y'),
  apartHex: new RegExp(`(?<![0-9A-Fa-f])${BYTE}(?:${NEXT_BYTE}){11}${repeatAtomically(NEXT_BYTE, 1)}`, 'g'),
  codes: new RegExp(`(?<!\\d)${CODE}(?:${NEXT_CODE}){11}${repeatAtomically(NEXT_CODE, 1)}`, 'g'),
  /** What both of these go on with: most texts have no such thing. */
  bytesApart: /[ :,;+-](?:0x)?[0-9A-Fa-f]{2}(?:[ :,;+-]{1,2}(?:0x)?[0-9A-Fa-f]{2}){10}/,
  uuid: /(?<![0-9a-f])[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}(?![0-9a-f])/gi,
  ip: /(?<![0-9a-f:])(?:[0-9a-f]{1,4}:{1,2}){3,7}[0-9a-f]{1,4}(?![0-9a-f])/gi,
  iban: /(?<![0-9A-Za-z])[A-Z]{2}\d{2}(?:[ -]?[0-9A-Z]){11,30}/g,
} as const;

const NARROW = new RegExp(`^[${BLANK}${DASH}+._/\\u00b7]{1,3}$`);
// A plus is a blank in a form.
const BLANK_OR_DASH = new RegExp(`^[${BLANK}${DASH}+]+$`);
const WIDE = /^[^\p{L}\p{N}]{1,12}$/u;

/**
 * Finds card numbers: scheme prefix, length and Luhn, whatever separates, encodes or surrounds the digits; magnetic stripe data as a whole.
 * @param known numbers that are found in any arrangement, although they may not look like any
 */
export function findCards(text: string, known: KnownCards = NONE): readonly FoundCard[] {
  return known.recall(text, () => findAtDepth(text, known, 0));
}

function findAtDepth(text: string, known: KnownCards, depth: number): FoundCard[] {
  if (text.length < 12 || !mayHoldCard(text)) return [];
  const found: FoundCard[] = [];
  for (const view of plainViews(text)) {
    const here = [
      ...findDigits(view.text, known),
      ...findStripes(view.text, known),
      ...(depth < DEEPEST ? findEncoded(view.text, known, depth) : []),
    ];
    for (const { start, end, digits } of here) found.push({ start: view.from(start), end: endIn(view, end), digits });
  }
  return found.length < 2 ? found : withoutOverlaps(found);
}

const endIn = (view: PlainView, end: number) => view.to(end - 1);

/**
 * What begins first is kept, and of those the longest; what overlaps it makes it longer. Where readings differ nobody knows which is the
 * number, so nothing of it is shown.
 */
function withoutOverlaps(found: readonly FoundCard[]): FoundCard[] {
  const kept: FoundCard[] = [];
  for (const one of [...found].sort((a, b) => a.start - b.start || b.end - a.end)) {
    const last = kept.at(-1);
    if (last === undefined || one.start >= last.end) kept.push(one);
    else
      kept[kept.length - 1] = {
        start: last.start,
        end: Math.max(last.end, one.end),
        digits: one.digits === last.digits ? last.digits : '',
      };
  }
  return kept;
}

/** Whether there are twelve digits, however written, or a word long enough to hold them encoded. */
function mayHoldCard(text: string): boolean {
  let digits = 0;
  let word = 0;
  for (let i = 0; i < text.length; i += 1) {
    const code = text.charCodeAt(i);
    if (code > 0xb1) digits += 1;
    else if (code >= 48 && code <= 57) {
      digits += 1;
      word += 1;
    } else if ((code >= 65 && code <= 90) || (code >= 97 && code <= 122) || code === 43 || code === 47) word += 1;
    else if (code !== 95 && code !== 45 && code !== 10 && code !== 13) word = 0;
    if (digits >= 12 || word >= 16) return true;
  }
  return false;
}

/** First six and last four digits: how a card number is written wherever one is shown. */
export function maskedCardNumber(digits: string): string {
  return `${digits.slice(0, 6)}******${digits.slice(-4)}`;
}

/** A card number as {@link maskedCardNumber} writes it. */
export const MASKED_CARD = /\d{6}\*{6}\d{4}/;

/** Whether something was taken out of a text when it was recorded: a secret whole, a card number in part. */
export function isMaskedText(text: string): boolean {
  return text.includes(MASK) || MASKED_CARD.test(text);
}

/** The text with first six and last four of every card number; what holds one encoded goes altogether. */
export function maskCards(text: string, mask: string, known: KnownCards = NONE): string {
  const found = findCards(text, known);
  if (found.length === 0) return text;
  let out = '';
  let from = 0;
  for (const { start, end, digits } of found) {
    const masked = digits === '' ? mask : maskedCardNumber(digits);
    const list = /^\s*[[{]/.test(text) && /[[,]\s*$/.test(text.slice(Math.max(0, start - 9), start));
    out += text.slice(from, start) + (list && !text.slice(start, end).includes('"') ? `"${masked}"` : masked);
    from = end;
  }
  return out + text.slice(from);
}

interface Group {
  readonly start: number;
  readonly end: number;
  readonly digits: string;
}

function findDigits(text: string, cards: KnownCards): FoundCard[] {
  const groups = digitGroups(text);
  const known = cards.size === 0 ? [] : findKnown(text, groups, cards);
  const found = [...known];
  for (let i = 0; i < groups.length; i += 1) {
    const match = windowAt(text, groups, i) ?? gluedIn(text, groups[i]!);
    if (match === undefined) continue;
    // What a known number is in, is that number.
    if (!known.some(({ start, end }) => start < match.end && match.start < end)) found.push(match);
    while (groups[i + 1] !== undefined && groups[i + 1]!.end <= match.end) i += 1;
  }
  return found;
}

function digitGroups(text: string): Group[] {
  return findLetterRuns(text, DIGITS, 1).map(([start, end]) => ({ start, end, digits: text.slice(start, end) }));
}

/** Known numbers among the digits of a text, whatever stands between them. */
function findKnown(text: string, groups: readonly Group[], known: KnownCards): FoundCard[] {
  const all = groups.map(({ digits }) => digits).join('');
  const found: FoundCard[] = [];
  let at = known.nextStart(all, 0);
  if (at < 0) return found;
  const places: number[] = [];
  for (const { start, digits } of groups) for (let i = 0; i < digits.length; i += 1) places.push(start + i);
  for (; at >= 0; at = known.nextStart(all, at + 1)) {
    for (const length of known.lengths) {
      const digits = known.find(all.slice(at, at + length));
      if (digits === undefined || at + length > all.length) continue;
      const start = places[at]!;
      const end = places[at + length - 1]! + 1;
      let widest = 0;
      for (let i = at + 1; i < at + length; i += 1) widest = Math.max(widest, places[i]! - places[i - 1]! - 1);
      if (widest > FARTHEST) continue;
      // Digits of few kinds also come about where small numbers follow one another.
      const plain = widest === 0 || new Set(digits).size >= 5;
      if (!plain && !isArranged(text, groups, start, end, digits)) continue;
      found.push({ start, end, digits });
      at += length - 1;
      break;
    }
  }
  return found;
}

function isArranged(text: string, groups: readonly Group[], start: number, end: number, digits: string): boolean {
  const first = groups.findIndex((group) => group.end > start);
  const last = groups.findIndex((group) => group.end >= end);
  const window = groups.slice(first, last + 1);
  if (window[0]!.start !== start || window.at(-1)!.end !== end) return false;
  return isSpelling(text, groups, first, last, digits);
}

/** The longest card number that begins with group `first`. */
function windowAt(text: string, groups: readonly Group[], first: number): FoundCard | undefined {
  let count = 0;
  let last = first - 1;
  while (last + 1 < groups.length && count + groups[last + 1]!.digits.length <= 19) {
    if (last >= first && groups[last + 1]!.start - groups[last]!.end > 12) break;
    last += 1;
    count += groups[last]!.digits.length;
  }
  if (count < 12) return undefined;
  let digits = groups
    .slice(first, last + 1)
    .map((group) => group.digits)
    .join('');
  for (; last >= first && digits.length >= 12; last -= 1) {
    const card = isCardNumber(digits) ? digits : reversedCard(digits);
    const [start, end] = [groups[first]!.start, groups[last]!.end];
    if (card !== undefined && isSpelling(text, groups, first, last, card) && !isPartOfMore(text, start, end))
      return { start, end, digits: card };
    digits = digits.slice(0, digits.length - groups[last]!.digits.length);
  }
  return undefined;
}

/** A card number with one digit more before or after it; which of them is not known, so nothing of it is shown. */
function gluedIn(text: string, { start, end, digits }: Group): FoundCard | undefined {
  if (digits.length < 13 || digits.length > 20 || isTime(digits)) return undefined;
  const holds = isCardNumber(digits.slice(1)) || isCardNumber(digits.slice(0, -1));
  return holds && !isPartOfMore(text, start, end) ? { start, end, digits: '' } : undefined;
}

/** Unix time in milli-, micro- or nanoseconds, of the years 2014 to 2034. */
function isTime(digits: string): boolean {
  return [13, 16, 19].includes(digits.length) && /^1[4-9]|^20[0-3]/.test(digits);
}

/** The card number that digits are read backwards; short ones and times would too often be one by chance. */
function reversedCard(digits: string): string | undefined {
  const size = digits.length;
  if (size < 14 || !isOfScheme(size, (i) => valueAt(digits, size - 1 - i)) || isTime(digits)) return undefined;
  const reversed = [...digits].reverse().join('');
  return passesLuhn(reversed) ? reversed : undefined;
}

/**
 * Whether groups of digits may be one number: not grouped; grouped as cards print it; in equal groups; or in long ones with blanks or
 * dashes. The shorter the groups, the more it must be all there is, for small numbers follow one another in lists.
 */
function isSpelling(text: string, groups: readonly Group[], first: number, last: number, digits: string): boolean {
  if (first === last) return true;
  const window = groups.slice(first, last + 1);
  const gapBefore = (i: number) => text.slice(groups[i - 1]!.end, groups[i]!.start).replace(/\s+/g, ' ');
  const gaps = window.slice(1).map((_, i) => gapBefore(first + i + 1));
  const lengths = window.map((one) => one.digits.length);
  const shape = lengths.join('-');
  const printed = /^4(?:-4){2,3}(?:-[1-4])?$|^4-6-[45]$|^[1-4](?:-4){3,4}$|^[45]-6-4$/.test(shape);
  if (printed && gaps.every((gap) => NARROW.test(gap)) && !gaps.some((gap) => /[\r\n]/.test(gap))) return true;
  const [gap] = gaps as [string];
  if (!gaps.every((one) => one === gap) || !WIDE.test(gap)) return false;
  if (printed) return true;
  const whole =
    (first === 0 || gapBefore(first) !== gap || groups[first - 1]!.digits.length !== lengths[0]) &&
    (last === groups.length - 1 || gapBefore(last + 1) !== gap || groups[last + 1]!.digits.length !== lengths[0]);
  if (lengths.every((length) => length === 1)) return whole;
  if (/^2(?:-2)+(?:-1)?$/.test(shape)) return whole && (digits.length > 13 || BLANK_OR_DASH.test(gap));
  if (/^3(?:-3)+-4$|^1(?:-3){5}$|^3(?:-3){4}$/.test(shape))
    return whole && (lengths.length > 5 || digits[0] === '3' || shape.endsWith('4'));
  return BLANK_OR_DASH.test(gap) && lengths.slice(0, -1).every((length) => length >= 4);
}

/** Whether the digits are a piece of a uuid, an IPv6 address, a hash, a token, an IBAN or the decimals of a fraction. */
function isPartOfMore(text: string, start: number, end: number): boolean {
  const from = Math.max(0, start - 80);
  const before = text.slice(from, start);
  const after = text.slice(end, end + 80);
  const digits = text.slice(start, end);
  if (/^\d+$/.test(digits) && /(?:^|[^\d.])0\.$/.test(before)) return true;
  const left = /[0-9A-Za-z]*$/.exec(before)![0];
  const right = /^[0-9A-Za-z]*/.exec(after)![0];
  const glued = left + digits + right;
  if ((left + right).length > 0) {
    if (/^[0-9a-f]{24,}$/i.test(glued) && /[a-f]/i.test(glued)) return true;
    if (glued.length >= 40 && /[a-z]/.test(glued) && /[A-Z]/.test(glued)) return true;
  }
  const around = before + digits + after;
  const covers = (match: RegExpExecArray) =>
    from + match.index < end && from + match.index + match[0].length > start && match[0].length > end - start;
  if ([...around.matchAll(CARD_PATTERNS.uuid)].some(covers)) return true;
  if ([...around.matchAll(CARD_PATTERNS.ip)].some((match) => covers(match) && /[a-f]|::/i.test(match[0]))) return true;
  return [...around.matchAll(CARD_PATTERNS.iban)].filter(covers).some(([iban]) => isIban(iban));
}

/** Whether its check digits are right; words after a grouped one are left out one by one. */
function isIban(text: string): boolean {
  for (let words = text.split(/[ -]/); words.length > 0; words = words.slice(0, -1)) {
    const compact = words.join('');
    if (compact.length >= 15 && compact.length <= 34 && remainderBy97(compact) === 1) return true;
  }
  return false;
}

function remainderBy97(iban: string): number {
  let rest = 0;
  for (const char of iban.slice(4) + iban.slice(0, 4)) {
    const value = Number.parseInt(char, 36);
    rest = (rest * (value > 9 ? 100 : 10) + value) % 97;
  }
  return rest;
}

/** Magnetic stripe data, and what a chip says of it: goes as a whole, for more than the number is in it. */
function findStripes(text: string, known: KnownCards): FoundCard[] {
  const found: FoundCard[] = [];
  if (!/\^|=\d{7}|[Dd]\d{7}/.test(text)) return found;
  for (const pattern of [CARD_PATTERNS.stripe, CARD_PATTERNS.chip])
    for (const { 0: whole, index } of text.matchAll(pattern)) {
      const digits = /^\d+/.exec(whole)![0];
      if (isCardNumber(digits) || known.find(digits) !== undefined)
        found.push({ start: index, end: index + whole.length, digits });
    }
  return found;
}

/** Base64, hex and lists of character codes in which a card number stands. */
function findEncoded(text: string, known: KnownCards, depth: number): FoundCard[] {
  const found: FoundCard[] = [];
  const holds = (readings: Iterable<Buffer>) => {
    for (const bytes of readings) {
      const inner = textOf(bytes);
      if (inner !== undefined && findAtDepth(inner, known, depth + 1).length > 0) return true;
    }
    return false;
  };
  const look = (start: number, whole: string, isFound: boolean) => {
    if (isFound) found.push({ start, end: start + whole.length, digits: '' });
  };
  let behind = 0;
  for (const [start, end] of findLetterRuns(text, BASE64_LETTERS, LEAST_PACKED)) {
    // A line of what was looked at already.
    if (start < behind) continue;
    const whole = /[\r\n =]/.test(text.charAt(end)) ? allLines(text, start) : text.slice(start, end);
    behind = start + whole.length;
    // Digits packed so always give capitals.
    if (!/[A-Z]/.test(whole)) continue;
    const unpack = () => holds(offsets(whole.replace(/[\s=]/g, ''), 'base64', 4));
    // Deeper down a word is unpacked fewer times.
    look(start, whole, depth === 0 ? !known.cleanWords.isClean(whole, unpack) : unpack());
  }
  for (const [start, end] of findLetterRuns(text, HEX_LETTERS, 24)) {
    const whole = text.slice(start, end);
    look(start, whole, holds(offsets(whole, 'hex', 2)));
  }
  if (!CARD_PATTERNS.bytesApart.test(text)) return found;
  for (const { 0: whole, index } of text.matchAll(CARD_PATTERNS.apartHex))
    look(index, whole, holds([Buffer.from(whole.replace(/0x|[^0-9A-Fa-f]/g, ''), 'hex')]));
  for (const { 0: whole, index } of text.matchAll(CARD_PATTERNS.codes))
    look(index, whole, holds([Buffer.from(whole.split(/\D+/).map(Number))]));
  return found;
}

/** Base64 from where it begins to the end of its last line. */
function allLines(text: string, start: number): string {
  CARD_PATTERNS.base64.lastIndex = start;
  return CARD_PATTERNS.base64.exec(text)![0];
}

function* offsets(packed: string, encoding: 'base64' | 'hex', count: number): Generator<Buffer> {
  for (let offset = 0; offset < count; offset += 1) yield Buffer.from(packed.slice(offset), encoding);
}

/** Decoded bytes as text; undefined when nothing can be in them. UTF-16 and UTF-32 lose their zero bytes. */
function textOf(bytes: Buffer): string | undefined {
  const text = (bytes.includes(0) ? bytes.filter((byte) => byte !== 0) : bytes).toString('utf8');
  return /[\t\n\r -\u007e\u00a0-\ufffc]{12}/.test(text) ? text : undefined;
}

/** Whether prefix, length and check digit are those of a card scheme. */
export function isCardNumber(digits: string): boolean {
  return isOfScheme(digits.length, (i) => valueAt(digits, i)) && passesLuhn(digits);
}

function valueAt(digits: string, i: number): number {
  return digits.charCodeAt(i) - 48;
}

/**
 * Visa, Mastercard, Maestro, American Express, Diners, Discover, JCB, UnionPay, Mir.
 * @param n how many digits there are
 * @param digit the value of each, from 0
 */
function isOfScheme(n: number, digit: (i: number) => number): boolean {
  if (n < 12 || n > 19) return false;
  const two = digit(0) * 10 + digit(1);
  const four = two * 100 + digit(2) * 10 + digit(3);
  if (two >= 40 && two <= 49) return n === 13 || n === 16 || n === 19;
  if ((two >= 51 && two <= 55) || (four >= 2221 && four <= 2720)) return n === 16;
  if (four >= 2200 && four <= 2204) return n >= 16;
  if (two === 34 || two === 37) return n === 15;
  if (two === 36 || two === 38 || two === 39 || two === 30) return n === 14 || n >= 16;
  if (four >= 3528 && four <= 3589) return n >= 16;
  if (two === 60 || two === 62 || two === 64 || two === 65) return n >= 16;
  if (two === 81 || two === 82) return n >= 16;
  if (four === 9792) return n === 16;
  return (two === 50 || (two >= 56 && two <= 69)) && n >= 12;
}

function passesLuhn(digits: string): boolean {
  let isOneKind = true;
  let sum = 0;
  for (let i = 0; i < digits.length; i += 1) {
    const digit = valueAt(digits, digits.length - 1 - i);
    isOneKind &&= digit === valueAt(digits, 0);
    sum += i % 2 === 0 ? digit : digit > 4 ? digit * 2 - 9 : digit * 2;
  }
  return sum % 10 === 0 && !isOneKind;
}
