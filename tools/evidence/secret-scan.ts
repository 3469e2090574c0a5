import { CleanWords } from './clean-words.ts';
import { BASE64_LETTERS, DIGITS, findLetterRuns } from './letter-runs.ts';
import { repeatAtomically } from './repeat-atomically.ts';
import { FILTERED_START, TextFilter } from './text-filter.ts';

/**
 * What the gate looks for, written from ISO/IEC 7812 (major industry identifier, issuer identification number, account number, check
 * digit) and the ranges the schemes publish. It judges by nothing of the redactor's: what one overlooks the other may see.
 */

/** Issuer identification numbers: from, to, and how long the numbers below them are. */
const ISSUERS: readonly (readonly [number, number, readonly number[]])[] = [
  [220000, 220499, [16, 17, 18, 19]],
  [222100, 272099, [16]],
  [300000, 305999, [14, 16, 17, 18, 19]],
  [309500, 309599, [14, 16, 19]],
  [340000, 349999, [15]],
  [352800, 358999, [16, 17, 18, 19]],
  [360000, 369999, [14, 16, 19]],
  [370000, 379999, [15]],
  [380000, 399999, [14, 16, 19]],
  [400000, 499999, [13, 16, 19]],
  [500000, 509999, [12, 13, 14, 15, 16, 17, 18, 19]],
  [510000, 559999, [16]],
  [560000, 589999, [12, 13, 14, 15, 16, 17, 18, 19]],
  [600000, 609999, [16, 17, 18, 19]],
  [610000, 619999, [12, 13, 14, 15, 16, 17, 18, 19]],
  [620000, 629999, [16, 17, 18, 19]],
  [630000, 639999, [12, 13, 14, 15, 16, 17, 18, 19]],
  [640000, 659999, [16, 17, 18, 19]],
  [660000, 699999, [12, 13, 14, 15, 16, 17, 18, 19]],
  [810000, 829999, [16, 17, 18, 19]],
  [979200, 979289, [16]],
];

/** Where the scripts have their digits, ten in a row. */
const DIGIT_ZEROS = [
  0x660, 0x6f0, 0x7c0, 0x966, 0x9e6, 0xa66, 0xae6, 0xb66, 0xbe6, 0xc66, 0xce6, 0xd66, 0xe50, 0xed0, 0xf20, 0x1040,
  0x17e0, 0x1810, 0xff10,
];
/** Names of entities that only separate. */
const SEPARATING = /&(?:nbsp|ensp|emsp|thinsp|hairsp|numsp|puncsp|shy|zwn?j|[nm]dash|middot|minus|bull);/g;

/** Digits of the shortest number. */
const LEAST = 12;
/** How many letters in a row may hold a card number in base64 or hex. */
const LEAST_PACKED = 16;
const LEAST_HEX = 24;

const PAIR = '[ :,-]{1,2}(?:0x)?[2-7][0-9A-Fa-f]';
const CODE = '[,; ]{1,2}(?:4[4-9]|5[0-7]|32)(?!\\d)';

/** What is looked for in a text; each of them takes linear time on any text. */
export const SCAN_PATTERNS = {
  encoded: /%[0-9A-Fa-f]{2}|\\[ux0]|&(?:#|[a-z]{2,8};)|=3\d=3\d|<[/a-z!]|[\u00b2-\uffff]/i,
  lines: /[A-Za-z0-9+/_-]{16,76}(?:\s{1,2}[A-Za-z0-9+/_-]{16,76}){0,200}\s{1,2}[A-Za-z0-9+/_-]{2,76}/y,
  pairs: new RegExp(`(?<![0-9A-Fa-fx])(?:0x)?[34][0-9A-Fa-f](?:${PAIR}){11}${repeatAtomically(PAIR, 1)}`, 'g'),
  codes: new RegExp(`(?<!\\d)(?:4[89]|5[0-7])(?:${CODE}){11}${repeatAtomically(CODE, 1)}`, 'g'),
  /** What both of these go on with. */
  pairsApart: /[ :,;-](?:0x)?[0-9A-Fa-f]{2}(?:[ :,;-]{1,2}(?:0x)?[0-9A-Fa-f]{2}){10}/,
  oddBlank: /\s\s|[^\S ]/,
  beyondAscii: /[\u00b2-\uffff]/,
  foreignNumber: /[^\P{N}0-9]/gu,
  spoken:
    /(?<![A-Za-z0-9])(?:cvv2?|cvc2?|cvn2?|security code|verification code)["' ]{0,3}(?:[:=(]|is|was)["' ]{0,3}\d{3,4}(?![\d.-])/i,
  privateKey: /-----BEGIN(?: |\+|%20)(?:[A-Z0-9]{1,16}(?: |\+|%20)){0,4}PRIVATE(?: |\+|%20)KEY-----/,
  bearer: /\b(?:Bearer|Basic)(?: |\+|%20){1,3}(?=[\w.~+/=-]*[\d.+/=~])[\w.~+/=-]{8}/i,
  signedToken: /(?<![\w-])eyJ[\w-]{8}[\w-]*\.[\w-]{4}[\w-]*\.[\w-]/,
} as const;

const NO_NUMBERS: ReadonlySet<string> = new Set();

/**
 * Kinds of secret that a text holds: card numbers, verification codes beside their name, private keys, bearer and signed tokens.
 * @param numbers card numbers that are known; these are found in any arrangement
 */
export function findSecrets(text: string, numbers: ReadonlySet<string> = NO_NUMBERS): string[] {
  return [
    ...(showsNumber(text, numbers, 0) ? ['a card number'] : []),
    ...(SCAN_PATTERNS.spoken.test(text) ? ['a verification code'] : []),
    ...(text.includes('PRIVATE') && SCAN_PATTERNS.privateKey.test(text) ? ['a private key'] : []),
    ...(SCAN_PATTERNS.bearer.test(text) ? ['a bearer token'] : []),
    ...(text.includes('eyJ') && SCAN_PATTERNS.signedToken.test(text) ? ['a signed token'] : []),
  ];
}

function showsNumber(text: string, numbers: ReadonlySet<string>, depth: number): boolean {
  let layer = text;
  for (let round = 0; round < 5; round += 1) {
    if (inLayer(layer, numbers, depth)) return true;
    const next = SCAN_PATTERNS.encoded.test(layer) ? peel(layer) : layer;
    if (next === layer) return false;
    layer = next;
  }
  return false;
}

/** A text with one layer of escapes taken off: percent, backslash, entities, quoted-printable, foreign digits, and last the tags. */
function peel(text: string): string {
  let out = text;
  if (out.includes('%'))
    out = out.replace(/(?:%[0-9A-Fa-f]{2})+/g, (run) => Buffer.from(run.replaceAll('%', ''), 'hex').toString('utf8'));
  if (out.includes('=3')) out = out.replace(/(?:=3\d){2,}/g, (run) => run.replaceAll('=3', ''));
  if (out.includes('\\'))
    out = out
      .replace(/(?<!\\)\\{1,64}(?:u\{?0{0,4}3(\d)\}?|u003(\d)|x3(\d)|06(\d)|07([01]))/g, (_all, ...found) =>
        digitOf(found),
      )
      .replace(/(?<!\\)\\{1,64}u([0-9a-f]{4})/gi, (_all, code: string) =>
        String.fromCharCode(Number.parseInt(code, 16)),
      )
      .replace(/(?<!\\)\\{1,64}[nrtbf]/g, ' ');
  if (out.includes('&'))
    out = out
      .replace(/&amp;/g, '&')
      .replace(/&#(?:0{0,8}(4[89]|5[0-7])|[xX]0{0,8}3(\d));?/g, (_all, decimal?: string, hex?: string) =>
        decimal === undefined ? hex! : String(Number(decimal) - 48),
      )
      .replace(/&#[xX]?[0-9A-Fa-f]{1,8};?/g, ' ')
      .replace(SEPARATING, ' ');
  if (SCAN_PATTERNS.beyondAscii.test(out)) out = out.replace(SCAN_PATTERNS.foreignNumber, asciiDigit);
  return out === text ? text.replace(/<[^<>]{0,200}>/g, ' ') : out;
}

function digitOf(found: readonly unknown[]): string {
  const at = found.slice(0, 5).findIndex((one) => one !== undefined);
  return at === 4 ? String(8 + Number(found[4])) : String(found[at]);
}

function asciiDigit(char: string): string {
  const code = char.codePointAt(0)!;
  const zero = DIGIT_ZEROS.find((one) => code >= one && code < one + 10);
  if (zero !== undefined) return String(code - zero);
  const folded = char.normalize('NFKC');
  return /^\d$/.test(folded) ? folded : char;
}

/** Digits in a row, by where they stand: from and to. */
type Figure = readonly [at: number, end: number];

function inLayer(text: string, numbers: ReadonlySet<string>, depth: number): boolean {
  const figures = findLetterRuns(text, DIGITS, 1);
  let count = 0;
  for (const [at, end] of figures) count += end - at;
  if (count >= LEAST) {
    if (numbers.size > 0 && knownAmong(text, figures, numbers)) return true;
    if (figures.some((figure) => aloneIn(text, figure))) return true;
    if (groupedIn(text, figures)) return true;
  }
  return depth < 3 && packedIn(text, numbers, depth, count);
}

/** Known numbers, in their order and backwards, by how they begin. */
class KnownOrders {
  static readonly #all = new WeakMap<ReadonlySet<string>, KnownOrders>();
  readonly #byStart = new Map<string, string[]>();
  readonly #starts = new TextFilter();
  #count = 0;

  /** Those of a set as it is now: it may have grown. */
  static of(numbers: ReadonlySet<string>): KnownOrders {
    const orders = KnownOrders.#all.get(numbers) ?? new KnownOrders();
    KnownOrders.#all.set(numbers, orders);
    if (orders.#count === numbers.size) return orders;
    for (const number of [...numbers].slice(orders.#count))
      for (const order of [number, [...number].reverse().join('')]) orders.#add(order);
    orders.#count = numbers.size;
    return orders;
  }

  #add(order: string): void {
    const start = order.slice(0, FILTERED_START);
    const others = this.#byStart.get(start);
    if (others === undefined) this.#byStart.set(start, [order]);
    else others.push(order);
    this.#starts.add(order);
  }

  /** Where in a line of digits one stands, and which. */
  *find(line: string): Generator<readonly [at: number, order: string]> {
    for (let at = this.#starts.next(line, 0); at >= 0; at = this.#starts.next(line, at + 1))
      for (const order of this.#byStart.get(line.slice(at, at + FILTERED_START)) ?? [])
        if (line.startsWith(order, at)) yield [at, order];
  }
}

/** A known number, digits in their order or backwards, at most 24 characters between one and the next. */
function knownAmong(text: string, figures: readonly Figure[], numbers: ReadonlySet<string>): boolean {
  let line = '';
  for (const [at, end] of figures) line += text.slice(at, end);
  let place: readonly number[] | undefined;
  for (const [at, order] of KnownOrders.of(numbers).find(line)) {
    place ??= figures.flatMap(([at, end]) => Array.from({ length: end - at }, (_, i) => at + i));
    let gap = 0;
    for (let i = at + 1; i < at + order.length; i += 1) gap = Math.max(gap, place[i]! - place[i - 1]! - 1);
    // Few kinds of digits come about by chance wherever there are many small numbers.
    const isDense = new Set(order).size < 5;
    if (gap <= (isDense ? 1 : 24)) return true;
  }
  return false;
}

/** A number standing by itself, or with a word, a sign or one digit at either end. */
function aloneIn(text: string, [at, end]: Figure): boolean {
  if (end - at < 12 || end - at > 20) return false;
  const digits = text.slice(at, end);
  const isNumber =
    isAccount(digits) ||
    (digits.length > 12 && !isClock(digits) && (isAccount(digits.slice(1)) || isAccount(digits.slice(0, -1))));
  return isNumber && !isPiece(text, at, end);
}

/** How long the first two of several figures are when {@link groupedFrom} may take them for one number: it asks for no other shapes. */
const BEGINNINGS: ReadonlySet<number> = new Set(
  (
    [
      [1, 1],
      [1, 11],
      [2, 2],
      [4, 4],
      [4, 6],
      [6, 10],
      [8, 8],
      [11, 1],
      [11, 4],
      [11, 11],
      [12, 4],
    ] as const
  ).map(([first, second]) => 16 * first + second),
);

/** Four groups of four, as cards print them, or 4-6-5; or other equal groups, when they are all there is. */
function groupedIn(text: string, figures: readonly Figure[]): boolean {
  let hasOddBlanks: boolean | undefined;
  const size = (i: number) => figures[i]![1] - figures[i]![0];
  /** What stands between a figure and the next, where both may be parts of one number. */
  const gapAfter = (i: number): string | undefined => {
    const [one, next] = [figures[i], figures[i + 1]];
    if (one === undefined || next === undefined || next[0] - one[1] > 24 || size(i) > 12 || size(i + 1) > 12) return;
    const gap = text.slice(one[1], next[0]);
    hasOddBlanks ??= SCAN_PATTERNS.oddBlank.test(text);
    return hasOddBlanks && SCAN_PATTERNS.oddBlank.test(gap) ? gap.replace(/\s+/g, ' ') : gap;
  };
  for (let first = 0; first < figures.length - 1; first += 1) {
    if (!BEGINNINGS.has(16 * size(first) + size(first + 1))) continue;
    const gap = gapAfter(first);
    if (gap === undefined || gap.length > 12) continue;
    let last = first + 1;
    while (last - first < 24 && gapAfter(last) === gap) last += 1;
    let digits = 0;
    for (let i = first; i <= last; i += 1) digits += size(i);
    if (digits >= LEAST) {
      const isWhole = gapAfter(first - 1) !== gap && !/[\p{L}\p{N}]/u.test(gap);
      if (groupedFrom(text, figures.slice(first, last + 1), gap, isWhole)) return true;
    }
    if (last > first + 19) first = last - 19;
  }
  return false;
}

/** Whether the first of these figures are one number. @param isWhole whether what stands between them does not stand before them as well */
function groupedFrom(text: string, figures: readonly Figure[], gap: string, isWhole: boolean): boolean {
  const parts = figures.map(([at, end]) => text.slice(at, end));
  for (let n = Math.min(parts.length, 19); n >= 2; n -= 1) {
    const some = parts.slice(0, n);
    const shape = some.map(({ length }) => length).join('');
    const printed = /^444[1-4]?$|^4444[1-4]$|^46[45]$/.test(shape);
    const halves = n === 2 && /^[-+ \u00a0]$/.test(gap) && /^(?:88|610|124|114)$/.test(shape);
    const even = isWhole && n === parts.length && /^1{12,19}$|^2{6,9}1?$/.test(shape);
    if (!printed && !even && !halves) continue;
    if (isAccount(some.join('')) && !isPiece(text, figures[0]![0], figures[n - 1]![1])) return true;
  }
  return false;
}

/** Words that hold a number in base64 or hex, however often packed; hex also in pairs, and character codes. */
function packedIn(text: string, numbers: ReadonlySet<string>, depth: number, digits: number): boolean {
  const holds = (bytes: Buffer) => {
    if (!mayHold(bytes) || !isReadable(bytes)) return false;
    const plain = bytes.includes(0) ? bytes.filter((byte) => byte !== 0) : bytes;
    return showsNumber(plain.toString('utf8'), numbers, depth + 1);
  };
  const holdsShifted = (word: string) =>
    [0, 1, 2, 3].some((shift) => holds(Buffer.from(shift === 0 ? word : word.slice(shift), 'base64')));
  const clean = depth === 0 ? CleanWords.of(numbers) : undefined;
  let linesEnd = 0;
  for (const [at, end] of findLetterRuns(text, BASE64_LETTERS, LEAST_PACKED)) {
    if (at >= linesEnd && end - at <= 76 && /\s/.test(text.charAt(end))) {
      SCAN_PATTERNS.lines.lastIndex = at;
      const lines = SCAN_PATTERNS.lines.exec(text)?.[0];
      if (lines !== undefined) {
        linesEnd = at + lines.length;
        const whole = lines.replace(/\s/g, '');
        if (/[A-Z]/.test(whole) && /\d/.test(whole) && holdsShifted(whole)) return true;
      }
    }
    const word = text.slice(at, end);
    const isHex = word.length >= LEAST_HEX && /^[0-9A-Fa-f]*$/.test(word);
    // Digits packed in base64 always give capitals.
    const mayBeBase64 = /[A-Z]/.test(word);
    if (!isHex && !mayBeBase64) continue;
    const hides = () => (isHex && holds(Buffer.from(word, 'hex'))) || (mayBeBase64 && holdsShifted(word));
    if (clean ? !clean.isClean(word, hides) : hides()) return true;
  }
  if (digits < 12 || !SCAN_PATTERNS.pairsApart.test(text)) return false;
  for (const { 0: run } of text.matchAll(SCAN_PATTERNS.pairs))
    if (holds(Buffer.from(run.replace(/0x|[^0-9A-Fa-f]/g, ''), 'hex'))) return true;
  for (const { 0: run } of text.matchAll(SCAN_PATTERNS.codes))
    if (holds(Buffer.from(run.split(/\D+/).map(Number)))) return true;
  return false;
}

/** Of the bytes below 128, the letters of base64 and what an escaped one is written with. */
const PACKED = Uint8Array.from({ length: 128 }, (_, code) =>
  /[A-Za-z0-9+/_%\\&#;={}-]/.test(String.fromCharCode(code)) ? 1 : 0,
);

/**
 * Whether bytes may be a text that shows a number or holds one packed: what is written as a digit, escaped or of another script, has a
 * digit or the first byte of such a character in it; what is packed is a word, of which some letters may be escaped.
 */
function mayHold(bytes: Buffer): boolean {
  let digits = 0;
  let word = 0;
  for (const byte of bytes) {
    // UTF-16 and UTF-32 have zero bytes between.
    if (byte === 0) continue;
    if ((byte >= 48 && byte <= 57) || byte > 0xc1) digits += 1;
    word = byte > 127 || PACKED[byte] === 1 ? word + 1 : 0;
    if (digits >= LEAST || word >= LEAST_PACKED) return true;
  }
  return false;
}

/** What is packed text, is text throughout, its ends apart; anything else is a picture, a key or a hash. */
function isReadable(bytes: Buffer): boolean {
  let strange = 0;
  for (const byte of bytes) {
    if ((byte > 31 && byte < 127) || byte === 10 || byte === 13 || byte === 0) continue;
    // Foreign digits are written with three or four bytes, of which the first is one of these.
    if (byte >= 0x80 && byte < 0xf1) strange += 0.25;
    else strange += 1;
    if (strange > 3 + bytes.length / 4) return false;
  }
  return true;
}

/** Whether digits belong to something longer that is no card number: a hash, a token, a uuid, a bank account, a decimal fraction. */
function isPiece(text: string, at: number, end: number): boolean {
  let left = at;
  let right = end;
  while (left > 0 && at - left < 64 && /[0-9A-Za-z]/.test(text[left - 1]!)) left -= 1;
  while (right < text.length && right - end < 64 && /[0-9A-Za-z]/.test(text[right]!)) right += 1;
  const word = text.slice(left, right);
  if (word.length > end - at) {
    if (/^\d{12,19}D\d{7,30}F?$/i.test(word) && /^D/i.test(text.slice(end, end + 1))) return false;
    if (/^[0-9a-fA-F]{24,}$/.test(word)) return true;
    if (word.length >= 32 && /[a-z]/i.test(word)) return true;
  }
  // A fraction as programs print one has at most 17 significant digits.
  const fraction = /(?:^|[^\d.])(\d{1,3})\.$/.exec(text.slice(Math.max(0, at - 5), at))?.[1];
  if (fraction !== undefined && /^\d+$/.test(text.slice(at, end))) {
    const significant = (fraction + text.slice(at, end)).replace(/^0+/, '').length;
    if (fraction === '0' || significant <= 17) return true;
  }
  const near = text.slice(Math.max(0, at - 48), Math.min(text.length, end + 48));
  const from = Math.max(0, at - 48);
  for (const { 0: found, index } of near.matchAll(
    /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}|(?<![0-9A-Za-z])[A-Z]{2}\d\d(?: ?[0-9A-Z]{1,4}){3,8}|(?:[0-9a-f]{2}:){7,}[0-9a-f]{2}|(?:[0-9a-f]{1,4}::?){4,7}[0-9a-f]{1,4}/gi,
  ))
    if (from + index < end && from + index + found.length > at && found.length > end - at) return true;
  return false;
}

/** Unix time in milli-, micro- or nanoseconds. */
function isClock(digits: string): boolean {
  return /^1[4-9]|^20[0-3]/.test(digits) && [13, 16, 17, 19].includes(digits.length);
}

/** ISO/IEC 7812-1: an issuer that is known, a length that is in use there, and the check digit of annex B. */
function isAccount(digits: string): boolean {
  const issuer = Number(digits.slice(0, 6));
  const known = ISSUERS.some(([from, to, sizes]) => issuer >= from && issuer <= to && sizes.includes(digits.length));
  if (!known || new Set(digits).size < 2) return false;
  const doubled = [0, 2, 4, 6, 8, 1, 3, 5, 7, 9];
  let sum = 0;
  for (let i = 0; i < digits.length; i += 1)
    sum += (digits.length - i) % 2 === 0 ? doubled[Number(digits[i])]! : Number(digits[i]);
  return sum % 10 === 0;
}
