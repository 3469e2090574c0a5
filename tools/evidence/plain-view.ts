import { repeatAtomically } from './repeat-atomically.ts';
import { TextMemo } from './text-memo.ts';

/** A text made plain, each character of which knows which characters of the text before it stands for. */
export interface PlainView {
  readonly text: string;
  /** Where character `index` begins in the text it was made from. */
  readonly from: (index: number) => number;
  /** Where character `index` ends there. */
  readonly to: (index: number) => number;
}

const DEEPEST = 4;

const OCTET = '%[0-9A-Fa-f]{2}';
const QUOTED_DIGIT = '=3[0-9]';
const ESCAPE =
  `${OCTET}${repeatAtomically(OCTET, 1)}|(?:${QUOTED_DIGIT}){6}${repeatAtomically(QUOTED_DIGIT, 2)}|` +
  '(?<!\\\\)\\\\+(?:u\\{[0-9A-Fa-f]{1,6}\\}|u[0-9A-Fa-f]{4}|x[0-9A-Fa-f]{2}|0[67][0-7]|[nrtbf"/])|&#\\d{1,12};?|&#[xX][0-9A-Fa-f]{1,10};?|&[A-Za-z]{2,8};';

/** What is looked for in a text; each of them takes linear time on any text. */
export const VIEW_PATTERNS = {
  escape: new RegExp(`${ESCAPE}|[\u00b2\u00b3\u00b9]`, 'g'),
  /** With digits of other scripts as well, which takes three times as long. */
  foreignEscape: new RegExp(
    `${ESCAPE}|(?![0-9])\\p{Nd}|[\u00b2\u00b3\u00b9\u2070\u2074-\u2079\u2080-\u2089\u2460-\u2468\u24ea]`,
    'gu',
  ),
  foreign: /[\u0660-\uffff]/,
  escaped: /[%\\&=\u00b2-\uffff]/,
  /** Whatever may make another view but quotation marks that JSON escapes. */
  beyondQuotes: /%[0-9A-Fa-f]{2}|(?:=3[0-9]){6}|\\[^"\\]|&(?:#|[A-Za-z]{2,8};)|<[!/A-Za-z]|[\u00b2-\uffff]/,
  tag: /<(?:!--(?:[^<>-]|-(?!->)){0,200}-->|\/?[A-Za-z][^<>]{0,200}>)/g,
} as const;

const NAMED: Readonly<Record<string, string>> = {
  amp: '&',
  lt: '<',
  gt: '>',
  quot: '"',
  apos: "'",
  nbsp: '\u00a0',
  ensp: '\u2002',
  emsp: '\u2003',
  thinsp: '\u2009',
  hairsp: '\u200a',
  numsp: '\u2007',
  puncsp: '\u2008',
  zwj: '\u200d',
  zwnj: '\u200c',
  shy: '\u00ad',
  ndash: '\u2013',
  mdash: '\u2014',
  minus: '\u2212',
  hyphen: '\u2010',
  dash: '\u2010',
  middot: '\u00b7',
  bull: '\u2022',
  period: '.',
  comma: ',',
  colon: ':',
  semi: ';',
  sol: '/',
  vert: '|',
  ast: '*',
  lowbar: '_',
  num: '#',
  plus: '+',
  Tab: '\t',
  NewLine: '\n',
};

/**
 * The text as it is, and again with percent, JSON, HTML and other escapes and digits of other scripts made plain, as often as there are
 * some; and at last without its tags, for what they only divide.
 */
export function plainViews(text: string): readonly PlainView[] {
  if (lastViews?.[0]?.text !== text) lastViews = unfold(text);
  return lastViews;
}

/**
 * As {@link plainViews}, for what has no quotation mark in it: where nothing but these is escaped, as in a body that is a member of a line, the
 * text shows all of it as it is.
 */
export function viewsOfWords(text: string): readonly PlainView[] {
  if (lastWords?.[0]?.text !== text)
    lastWords = VIEW_PATTERNS.beyondQuotes.test(text) ? plainViews(text) : [asItIs(text)];
  return lastWords;
}

/** Of the text that was asked for last: one text is looked at for several kinds of secret, one after the other. */
let lastViews: readonly PlainView[] | undefined;
let lastWords: readonly PlainView[] | undefined;

function unfold(text: string): PlainView[] {
  const views: PlainView[] = [asItIs(text)];
  for (let depth = 0; depth < DEEPEST; depth += 1) {
    const next = VIEW_PATTERNS.escaped.test(views.at(-1)!.text) ? unescapeOnce(views.at(-1)!) : undefined;
    if (next === undefined) break;
    views.push(next);
  }
  const last = views.at(-1)!;
  const untagged = last.text.includes('<') ? rewrite(last, VIEW_PATTERNS.tag, () => ['\u2063']) : undefined;
  return untagged === undefined ? views : [...views, untagged];
}

function asItIs(text: string): PlainView {
  return { text, from: (index) => index, to: (index) => index + 1 };
}

/** The text with all its escapes made plain. */
export function unescapeText(text: string): string {
  let out = text;
  for (const view of plainViews(text)) if (view.text.length > 0) out = view.text;
  return out;
}

function unescapeOnce(view: PlainView): PlainView | undefined {
  const isForeign = VIEW_PATTERNS.foreign.test(view.text);
  return rewrite(view, isForeign ? VIEW_PATTERNS.foreignEscape : VIEW_PATTERNS.escape, meaning);
}

type Meaning = (written: string) => readonly string[] | undefined;

/**
 * A view with every match written anew: with one character, or one for each of its parts of equal length. Where they come from is worked
 * out when somebody asks: nearly always nothing is found.
 */
function rewrite(view: PlainView, pattern: RegExp, means: Meaning): PlainView | undefined {
  let isSame = true;
  const text = view.text.replace(pattern, (written) => {
    const parts = means(written);
    if (parts === undefined) return written;
    isSame = false;
    return parts.length === 1 ? parts[0]! : parts.join('');
  });
  if (isSame) return undefined;
  let known: SourceSpans | undefined;
  const sources = () => {
    known ??= findSources(view.text, pattern, means);
    return known;
  };
  return {
    text,
    from: (index) => sources().locate(index, (from) => view.from(from)),
    to: (index) => sources().locate(index, (_from, end) => view.to(end - 1)),
  };
}

/** Where the parts of a text come from whose matches are written anew. */
function findSources(text: string, pattern: RegExp, means: Meaning): SourceSpans {
  const sources = new SourceSpans();
  let last = 0;
  for (const { 0: written, index } of text.matchAll(pattern)) {
    const parts = means(written);
    if (parts === undefined) continue;
    if (index > last) sources.add(last, undefined, index - last);
    const step = written.length / parts.length;
    for (let n = 0; n < parts.length; n += 1)
      if (parts[n] !== '')
        sources.add(index + Math.floor(n * step), index + Math.ceil((n + 1) * step), parts[n]!.length);
    last = index + written.length;
  }
  if (last < text.length) sources.add(last, undefined, text.length - last);
  return sources;
}

/** Where the parts of a new text come from: an entry a part, not a character. */
class SourceSpans {
  readonly #starts: number[] = [];
  readonly #froms: number[] = [];
  readonly #ends: (number | undefined)[] = [];
  #length = 0;

  /** @param end where the old text of the part ends; undefined for one that was kept, character by character */
  add(from: number, end: number | undefined, length: number): void {
    this.#starts.push(this.#length);
    this.#froms.push(from);
    this.#ends.push(end);
    this.#length += length;
  }

  /** Gives where the old text of character `index` begins and ends; 0 where there is no such character. */
  locate(index: number, give: (from: number, end: number) => number): number {
    if (index < 0 || index >= this.#length) return 0;
    let low = 0;
    let high = this.#starts.length - 1;
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if (this.#starts[middle]! <= index) low = middle;
      else high = middle - 1;
    }
    const end = this.#ends[low];
    if (end !== undefined) return give(this.#froms[low]!, end);
    const from = this.#froms[low]! + index - this.#starts[low]!;
    return give(from, from + 1);
  }
}

/** Escapes up to so many characters are remembered with what they stand for: the same few stand in every line. */
const LONGEST_KNOWN = 8;
const meanings = new TextMemo<readonly string[]>();

function meaning(written: string): readonly string[] | undefined {
  if (written.length > LONGEST_KNOWN) return readEscape(written);
  const known = meanings.get(written);
  if (known !== undefined) return known;
  const read = readEscape(written);
  if (read !== undefined) meanings.set(written, read);
  return read;
}

/** What an escape stands for; undefined for what only looks like one. */
function readEscape(written: string): readonly string[] | undefined {
  const [first] = written;
  if (first === '%') return ofBytes(written);
  if (first === '=') return [...written.matchAll(/=3(\d)/g)].map(([, digit]) => digit!);
  if (first === '&') {
    const name = written.replace(/[&;]/g, '');
    if (name[0] !== '#') return NAMED[name] === undefined ? undefined : [NAMED[name]];
    return [character(/^#x/i.test(name) ? Number.parseInt(name.slice(2), 16) : Number(name.slice(1)))];
  }
  if (first === '\\') {
    const [letter = '', ...rest] = written.replace(/^\\+/, '');
    if (letter === 'u' || letter === 'x') return [character(Number.parseInt(rest.join('').replace(/[{}]/g, ''), 16))];
    if (letter === '0') return [character(Number.parseInt(rest.join(''), 8))];
    return [({ n: '\n', r: '\r', t: '\t', b: ' ', f: ' ' } as Record<string, string>)[letter] ?? letter];
  }
  const digit = written.normalize('NFKC');
  return [/^\d$/.test(digit) ? digit : String(digitOf(written.codePointAt(0)!))];
}

/** Percent-encoded bytes as UTF-8; the bytes of one character count as one place each. */
function ofBytes(written: string): readonly string[] {
  const bytes = Buffer.from(written.replaceAll('%', ''), 'hex');
  const parts: string[] = [];
  for (let i = 0; i < bytes.length; ) {
    const lead = bytes[i]!;
    const size = lead < 0x80 ? 1 : lead >= 0xf0 ? 4 : lead >= 0xe0 ? 3 : lead >= 0xc0 ? 2 : 1;
    const char = bytes.toString(size === 1 && lead >= 0x80 ? 'latin1' : 'utf8', i, Math.min(bytes.length, i + size));
    parts.push(char, ...Array<string>(Math.min(size, bytes.length - i) - 1).fill(''));
    i += size;
  }
  return parts;
}

function character(point: number): string {
  return point <= 0x10ffff ? String.fromCodePoint(point) : '\ufffd';
}

/** Value of a digit of any script: each script has its ten in a row. */
function digitOf(point: number): number {
  let zero = point;
  while (point - zero < 9 && /\p{Nd}/u.test(String.fromCodePoint(zero - 1))) zero -= 1;
  return (point - zero) % 10;
}
