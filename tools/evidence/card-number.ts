import { unescaped } from './unescape.ts';

/** A card number found in a text: where it stands, and its digits. */
export interface FoundCard {
  readonly start: number;
  readonly end: number;
  readonly digits: string;
}

const NONE: ReadonlySet<string> = new Set();
// Line ends separate columns and list items, never the digits of one number.
const BLANK = '\\t\\v\\f \\u00a0\\u00ad\\u1680\\u180e\\u2000-\\u200d\\u2028\\u2029\\u202f\\u205f\\u2060\\u3000\\ufeff';
const DASH = '\\-\\u2010-\\u2015\\u2212\\ufe63\\uff0d';
const BETWEEN = `[${BLANK}${DASH}+._/\\u00b7]`;
const GAP = new RegExp(`^${BETWEEN}{1,3}$`);
// What does not begin a group of digits need not be tried: the group would have done.
const RUN = new RegExp(`(?<!\\d)\\d(?:${BETWEEN}{0,3}\\d){11,}`, 'g');
// Three groups of three bytes, each a digit, a blank, a dash or a dot, as base64 writes them.
const PACKED = /(?:[MNOIL][CDSTijyz][AEIMQUYcgkosw048][gtuw-z0-5]){3,}/g;

/**
 * Finds card numbers: scheme prefix, length and Luhn, whatever separates or encodes the digits (blanks, dashes, dots, percent, JSON and
 * HTML escapes, digits of other scripts), and base64 that holds one.
 * @param known digits that are card numbers although they may not look like any
 */
export function findCards(text: string, known: ReadonlySet<string> = NONE): FoundCard[] {
  const plain = unescaped(text);
  const found = inPlain(plain.text, known).map(({ start, end, digits }) => ({
    start: plain.at(start),
    end: plain.at(end),
    digits,
  }));
  return [...found, ...inBase64(text, known)].sort((a, b) => a.start - b.start);
}

/** The text with first six and last four of every card number; base64 that holds one goes altogether. */
export function maskCards(text: string, mask: string, known: ReadonlySet<string> = NONE): string {
  const found = findCards(text, known);
  if (found.length === 0) return text;
  let out = '';
  let from = 0;
  for (const { start, end, digits } of found) {
    if (start < from) continue;
    out += text.slice(from, start) + (digits === '' ? mask : masked(digits));
    from = end;
  }
  return out + text.slice(from);
}

/** First six and last four digits. */
export function masked(digits: string): string {
  return `${digits.slice(0, 6)}******${digits.slice(-4)}`;
}

function inPlain(text: string, known: ReadonlySet<string>): FoundCard[] {
  const found: FoundCard[] = [];
  for (const match of text.matchAll(RUN)) {
    const groups = [...match[0].matchAll(/\d+/g)].map((one) => ({
      start: match.index + one.index,
      end: match.index + one.index + one[0].length,
      digits: one[0],
    }));
    for (let i = 0; i < groups.length; i += 1) {
      const last = widest(text, groups, i, known);
      if (last === undefined) continue;
      const window = groups.slice(i, last + 1);
      found.push({ start: window[0]!.start, end: window.at(-1)!.end, digits: join(window) });
      i = last;
    }
  }
  return found;
}

interface Group {
  readonly start: number;
  readonly end: number;
  readonly digits: string;
}

const join = (groups: readonly Group[]) => groups.map(({ digits }) => digits).join('');

/** The last group of the longest card number that begins with group `first`. */
function widest(text: string, groups: readonly Group[], first: number, known: ReadonlySet<string>): number | undefined {
  let length = 0;
  let last = first - 1;
  while (last + 1 < groups.length && length + groups[last + 1]!.digits.length <= 19) {
    last += 1;
    length += groups[last]!.digits.length;
  }
  for (; last >= first && length >= 12; length -= groups[last]!.digits.length, last -= 1) {
    const window = groups.slice(first, last + 1);
    const digits = join(window);
    if (!known.has(digits) && !isCard(digits)) continue;
    const gaps = window.slice(1).map(({ start }, k) => text.slice(window[k]!.end, start));
    const lengths = window.map((one) => one.digits.length);
    if (spelling(lengths, gaps, digits) && !isPartOfMore(text, window[0]!.start, window.at(-1)!.end)) return last;
  }
  return undefined;
}

/** Whether digits so grouped may be one number: not grouped, grouped as cards print it, or every digit by itself. */
function spelling(lengths: readonly number[], gaps: readonly string[], digits: string): boolean {
  if (lengths.length === 1) return true;
  if (!gaps.every((gap) => GAP.test(gap))) return false;
  const shape = lengths.join('-');
  if (/^4(?:-4){2,3}(?:-[1-4])?$|^4-6-[45]$/.test(shape)) return true;
  // Anything else only between blanks and dashes of one kind, and never short groups: those are lists of small numbers.
  const oneKind = new Set(gaps.map((gap) => gap[0])).size === 1;
  if (!oneKind || /[./_]/.test(gaps[0]!)) return false;
  if (lengths.every((length) => length === 1)) return /^[3-6]/.test(digits) && lengths.length >= 13;
  return lengths.slice(0, -1).every((length) => length >= 4);
}

/** Whether the digits are a piece of a uuid, a hash, a token, an IBAN or the decimals of a number. */
function isPartOfMore(text: string, start: number, end: number): boolean {
  const from = Math.max(0, start - 80);
  const before = text.slice(from, start);
  const after = text.slice(end, end + 80);
  const digits = text.slice(start, end);
  if (/^\d+$/.test(digits) && /(?:^|[^\d.])\d{1,3}\.$/.test(before)) return true;
  const left = /[0-9A-Za-z]*$/.exec(before)![0];
  const right = /^[0-9A-Za-z]*/.exec(after)![0];
  const glued = left + digits + right;
  if ((left + right).length > 0) {
    if (/^[0-9a-f]{24,}$/i.test(glued)) return true;
    if (glued.length >= 40 && /[a-z]/.test(glued) && /[A-Z]/.test(glued)) return true;
  }
  const around = before + digits + after;
  const covers = (match: RegExpExecArray) =>
    from + match.index < end && from + match.index + match[0].length > start && match[0].length > end - start;
  if ([...around.matchAll(UUID)].some(covers)) return true;
  return [...around.matchAll(IBAN)].filter(covers).some(([iban]) => isIban(iban));
}

const UUID = /(?<![0-9a-f])[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}(?![0-9a-f])/gi;
const IBAN = /(?<![0-9A-Za-z])[A-Z]{2}\d{2}(?:[ -]?[0-9A-Z]){11,30}/g;

/** Whether its check digits are right; words after a grouped one are left out one by one. */
function isIban(text: string): boolean {
  for (let words = text.split(/[ -]/); words.length > 0; words = words.slice(0, -1)) {
    const compact = words.join('');
    if (compact.length >= 15 && compact.length <= 34 && mod97(compact) === 1) return true;
  }
  return false;
}

function mod97(iban: string): number {
  let rest = 0;
  for (const char of iban.slice(4) + iban.slice(0, 4)) {
    const value = Number.parseInt(char, 36);
    rest = (rest * (value > 9 ? 100 : 10) + value) % 97;
  }
  return rest;
}

function inBase64(text: string, known: ReadonlySet<string>): FoundCard[] {
  const found: FoundCard[] = [];
  let last = 0;
  for (const match of text.matchAll(PACKED)) {
    if (match.index < last) continue;
    let start = match.index;
    while (start - 4 >= last && /^[0-9A-Za-z+/_-]{4}$/.test(text.slice(start - 4, start))) start -= 4;
    let end = match.index + match[0].length;
    while (end < text.length && /[0-9A-Za-z+/_-]/.test(text[end]!)) end += 1;
    const inner = Buffer.from(text.slice(start, end), 'base64').toString('latin1');
    if (inPlain(unescaped(inner).text, known).length > 0) {
      while (text[end] === '=') end += 1;
      found.push({ start, end, digits: '' });
    }
    last = end;
  }
  return found;
}

/** Whether prefix, length and check digit are those of a card scheme. */
export function isCard(digits: string): boolean {
  return scheme(digits) && luhn(digits);
}

/** Visa, Mastercard, Maestro, American Express, Diners, Discover, JCB, UnionPay, Mir. */
function scheme(digits: string): boolean {
  const n = digits.length;
  const two = Number(digits.slice(0, 2));
  const four = Number(digits.slice(0, 4));
  if (digits[0] === '4') return n === 13 || n === 16 || n === 19;
  if ((two >= 51 && two <= 55) || (four >= 2221 && four <= 2720) || (four >= 2200 && four <= 2204)) return n === 16;
  if (two === 34 || two === 37) return n === 15;
  if (two === 36 || two === 38 || two === 39 || two === 30) return n === 14 || n === 16;
  if (four >= 3528 && four <= 3589) return n === 16;
  if (two === 60 || two === 62 || two === 64 || two === 65) return n >= 16;
  return (two === 50 || (two >= 56 && two <= 69)) && n >= 12;
}

function luhn(digits: string): boolean {
  if (/^(\d)\1+$/.test(digits)) return false;
  let sum = 0;
  for (let i = 0; i < digits.length; i += 1) {
    const digit = Number(digits[digits.length - 1 - i]);
    sum += i % 2 === 0 ? digit : digit > 4 ? digit * 2 - 9 : digit * 2;
  }
  return sum % 10 === 0;
}
