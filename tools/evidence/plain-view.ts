/** A text made plain, each character of which knows which characters of the text before it stands for. */
export interface PlainView {
  readonly text: string;
  /** Where character `index` begins in the text it was made from. */
  readonly from: (index: number) => number;
  /** Where character `index` ends there. */
  readonly to: (index: number) => number;
}

const DEEPEST = 4;

/** What is looked for in a text; each of them takes linear time on any text. */
export const VIEW_PATTERNS = {
  escape:
    /(?:%[0-9A-Fa-f]{2})+|(?:=3[0-9]){6,}|(?<!\\)\\+(?:u\{[0-9A-Fa-f]{1,6}\}|u[0-9A-Fa-f]{4}|x[0-9A-Fa-f]{2}|0[67][0-7]|[nrtbf"/])|&#\d{1,12};?|&#[xX][0-9A-Fa-f]{1,10};?|&[A-Za-z]{2,8};|(?![0-9])\p{Nd}|[\u00b2\u00b3\u00b9\u2070\u2074-\u2079\u2080-\u2089\u2460-\u2468\u24ea]/gu,
  escaped: /[%\\&=\u00b2-\uffff]/,
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
export function plainViews(text: string): PlainView[] {
  const views: PlainView[] = [{ text, from: (index) => index, to: (index) => index + 1 }];
  for (let depth = 0; depth < DEEPEST; depth += 1) {
    const next = VIEW_PATTERNS.escaped.test(views.at(-1)!.text) ? unescapeOnce(views.at(-1)!) : undefined;
    if (next === undefined) break;
    views.push(next);
  }
  const last = views.at(-1)!;
  const untagged = last.text.includes('<') ? rewrite(last, VIEW_PATTERNS.tag, () => ['\u2063']) : undefined;
  return untagged === undefined ? views : [...views, untagged];
}

/** The text with all its escapes made plain. */
export function unescapeText(text: string): string {
  let out = text;
  for (const view of plainViews(text)) if (view.text.length > 0) out = view.text;
  return out;
}

function unescapeOnce(view: PlainView): PlainView | undefined {
  return rewrite(view, VIEW_PATTERNS.escape, meaning);
}

/** A view with every match written anew: with one character, or one for each of its parts of equal length. */
function rewrite(
  view: PlainView,
  pattern: RegExp,
  means: (written: string) => readonly string[] | undefined,
): PlainView | undefined {
  const pieces: string[] = [];
  const from: number[] = [];
  const to: number[] = [];
  let changed = false;
  let last = 0;
  const keep = (until: number) => {
    pieces.push(view.text.slice(last, until));
    for (let i = last; i < until; i += 1) {
      from.push(view.from(i));
      to.push(view.to(i));
    }
    last = until;
  };
  for (const match of view.text.matchAll(pattern)) {
    const parts = means(match[0]);
    if (parts === undefined) continue;
    changed = true;
    keep(match.index);
    const step = match[0].length / parts.length;
    for (const [n, part] of parts.entries()) {
      if (part === '') continue;
      pieces.push(part);
      for (let i = 0; i < part.length; i += 1) {
        from.push(view.from(match.index + Math.floor(n * step)));
        to.push(view.to(match.index + Math.ceil((n + 1) * step) - 1));
      }
    }
    last = match.index + match[0].length;
  }
  if (!changed) return undefined;
  keep(view.text.length);
  return { text: pieces.join(''), from: (index) => from[index] ?? 0, to: (index) => to[index] ?? 0 };
}

/** What an escape stands for; undefined for what only looks like one. */
function meaning(written: string): readonly string[] | undefined {
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
