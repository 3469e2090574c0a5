/** Card numbers of every scheme and usual length, none of anybody: drawn, then given their check digit. */
export const SCHEME_CARDS: Readonly<Record<string, string>> = {
  Visa: '4929939187355598',
  'Visa of 13 digits': '4532015112830',
  'Visa of 19 digits': '4539577631904428164',
  Mastercard: '5383908528354962',
  'Mastercard of the 2 series': '2657190384625175',
  'American Express': '371935618402752',
  'Diners Club': '36204891570364',
  Discover: '6011298513471239',
  JCB: '3538176409253815',
  UnionPay: '6228971364052188',
  'UnionPay of 19 digits': '6243187096521438070',
  Maestro: '6759649826438453',
  'Maestro of 12 digits': '501837264917',
  'Maestro of 19 digits': '6392048753104629855',
  Mir: '2201387465901274',
};

/** The digits in groups, as a card of that length prints them. */
export function printedGroups(digits: string): string[] {
  if (digits.length === 15) return [digits.slice(0, 4), digits.slice(4, 10), digits.slice(10)];
  if (digits.length === 14) return [digits.slice(0, 4), digits.slice(4, 10), digits.slice(10)];
  return digits.match(/\d{1,4}/g)!;
}

/** A way to write a card number. */
export type Spelling = (digits: string) => string;

const named = <T>(entries: Readonly<Record<string, T>>, name: (key: string) => string, write: (value: T) => Spelling) =>
  Object.fromEntries(Object.entries(entries).map(([key, value]) => [name(key), write(value)]));
const each = (digits: string, write: (digit: number) => string, between = '') =>
  [...digits].map((digit) => write(Number(digit))).join(between);
const hex = (digits: string) => Buffer.from(digits).toString('hex');
const base64 = (text: string | Buffer) => Buffer.from(text as string).toString('base64');
const utf16 = (text: string) => Buffer.from(text, 'utf16le');
const code = (digit: number) => 48 + digit;

/** What may stand between the groups of a card number. */
const SEPARATORS: Readonly<Record<string, string>> = {
  blank: ' ',
  'two blanks': '  ',
  'three blanks': '   ',
  tab: '\t',
  'line end': '\n',
  'carriage return and line end': '\r\n',
  dash: '-',
  'spaced dash': ' - ',
  dot: '.',
  slash: '/',
  'two slashes': '//',
  underscore: '_',
  plus: '+',
  comma: ',',
  'comma and blank': ', ',
  semicolon: ';',
  'semicolon and blank': '; ',
  colon: ':',
  'colon and blank': ': ',
  bar: '|',
  'spaced bar': ' | ',
  star: '*',
  'spaced star': ' * ',
  tilde: '~',
  hash: '#',
  'equals sign': '=',
  'no-break space': '\u00a0',
  'thin space': '\u2009',
  'en space': '\u2002',
  'em space': '\u2003',
  'hair space': '\u200a',
  'figure space': '\u2007',
  'narrow no-break space': '\u202f',
  'ideographic space': '\u3000',
  'zero-width space': '\u200b',
  'zero-width non-joiner': '\u200c',
  'word joiner': '\u2060',
  'soft hyphen': '\u00ad',
  'non-breaking hyphen': '\u2011',
  'en dash': '\u2013',
  'em dash': '\u2014',
  'minus sign': '\u2212',
  'middle dot': '\u00b7',
  bullet: '\u2022',
  'line break tag': '<br>',
  'closed line break tag': '<br/>',
  'span tags': '</span><span>',
  'span tags with a class': '</span> <span class="d">',
  'table cells': '</td><td>',
  'word break tag': '<wbr>',
  comment: '<!-- -->',
  'nbsp entity': '&nbsp;',
  'thinsp entity': '&thinsp;',
  'ensp entity': '&ensp;',
  'emsp entity': '&emsp;',
  'shy entity': '&shy;',
  'ndash entity': '&ndash;',
  'middot entity': '&middot;',
  'zwnj entity': '&zwnj;',
  'decimal entity': '&#160;',
  'padded decimal entity': '&#00160;',
  'hex entity': '&#xA0;',
  'padded hex entity': '&#x000A0;',
  'thin space entity': '&#8201;',
  'percent-encoded blank': '%20',
  'percent-encoded dash': '%2D',
  'blank encoded twice': '%2520',
  'percent-encoded no-break space': '%C2%A0',
  'percent-encoded thin space': '%E2%80%89',
  'JSON escape of a no-break space': '\\u00a0',
  'JSON escape of a thin space': '\\u2009',
  'JSON escape of a tab': '\\t',
};

/** What may stand after every single digit. */
const AFTER_EACH: Readonly<Record<string, string>> = {
  blank: ' ',
  dash: '-',
  dot: '.',
  comma: ',',
  'comma and blank': ', ',
  bar: '|',
  colon: ':',
  star: '*',
  semicolon: ';',
  slash: '/',
  underscore: '_',
  'no-break space': '\u00a0',
  'thin space': '\u2009',
  'zero-width space': '\u200b',
  'nbsp entity': '&nbsp;',
  'empty tags': '<i></i>',
};

/** The zero of scripts that have digits of their own. */
const ZEROS: Readonly<Record<string, number>> = {
  'Arabic-Indic': 0x660,
  Persian: 0x6f0,
  Devanagari: 0x966,
  Bengali: 0x9e6,
  Tamil: 0xbe6,
  Thai: 0xe50,
  Tibetan: 0xf20,
  Myanmar: 0x1040,
  Khmer: 0x17e0,
  fullwidth: 0xff10,
  'mathematical bold': 0x1d7ce,
  'mathematical monospace': 0x1d7f6,
};

const ENCODED: Readonly<Record<string, Spelling>> = {
  hex: (digits) => hex(digits),
  'upper-case hex of grouped digits': (digits) => hex(printedGroups(digits).join('-')).toUpperCase(),
  'hex with blanks': (digits) => hex(digits).match(/../g)!.join(' '),
  'hex with colons': (digits) => hex(digits).match(/../g)!.join(':'),
  'hex with 0x before each': (digits) => each(digits, (digit) => `0x${code(digit).toString(16)}`, ' '),
  'hex with 0x and commas': (digits) => each(digits, (digit) => `0x${code(digit).toString(16)}`, ', '),
  'hex of base64': (digits) => hex(base64(digits)),
  'hex of UTF-16': (digits) => utf16(digits).toString('hex'),
  'C escapes': (digits) => each(digits, (digit) => `\\x${code(digit).toString(16)}`),
  'octal escapes': (digits) => each(digits, (digit) => `\\${code(digit).toString(8).padStart(3, '0')}`),
  'JSON escapes': (digits) => each(digits, (digit) => `\\u003${digit}`),
  'JSON escapes of escapes': (digits) => each(digits, (digit) => `\\\\u003${digit}`),
  'code point escapes': (digits) => each(digits, (digit) => `\\u{${code(digit).toString(16)}}`),
  'quoted-printable': (digits) => each(digits, (digit) => `=3${digit}`),
  'percent-encoded': (digits) => each(digits, (digit) => `%3${digit}`),
  'percent-encoded twice': (digits) => each(digits, (digit) => `%253${digit}`),
  'percent-encoded three times': (digits) => each(digits, (digit) => `%25253${digit}`),
  'every second digit percent-encoded': (digits) => [...digits].map((one, i) => (i % 2 ? `%3${one}` : one)).join(''),
  'decimal entities': (digits) => each(digits, (digit) => `&#${code(digit)};`),
  'padded decimal entities': (digits) => each(digits, (digit) => `&#000${code(digit)};`),
  'decimal entities without semicolon': (digits) => each(digits, (digit) => `&#${code(digit)}`),
  'hex entities': (digits) => each(digits, (digit) => `&#x${code(digit).toString(16)};`),
  'padded hex entities': (digits) => each(digits, (digit) => `&#x0000${code(digit).toString(16)};`),
  'entities of entities': (digits) => each(digits, (digit) => `&amp;#${code(digit)};`),
  'character codes': (digits) => each(digits, (digit) => String(code(digit)), ','),
  'character codes with blanks': (digits) => each(digits, (digit) => String(code(digit)), ' '),
  base64: (digits) => base64(digits),
  'base64 without padding': (digits) => base64(digits).replace(/=+$/, ''),
  'base64 after one byte': (digits) => base64(`:${digits}`),
  'base64 after two bytes': (digits) => base64(`n:${digits}`),
  'base64 of grouped digits': (digits) => base64(printedGroups(digits).join(' ')),
  'base64 of JSON': (digits) => base64(JSON.stringify({ a: 1, number: digits })),
  'base64url of JSON': (digits) => Buffer.from(JSON.stringify({ a: 'ÿþ~', number: digits })).toString('base64url'),
  'base64 of a list': (digits) => base64(JSON.stringify(printedGroups(digits))),
  'base64 twice': (digits) => base64(base64(digits)),
  'base64 three times': (digits) => base64(base64(base64(digits))),
  'base64 of UTF-16': (digits) => base64(utf16(digits)),
  'base64 of big-endian UTF-16': (digits) => base64(Buffer.from(utf16(digits)).swap16()),
  'base64 of hex': (digits) => base64(hex(digits)),
  'base64 of percent-encoding': (digits) => base64(each(digits, (digit) => `%3${digit}`)),
  'base64 of fullwidth digits': (digits) => base64(each(digits, (digit) => String.fromCodePoint(0xff10 + digit))),
  'percent-encoded base64': (digits) => encodeURIComponent(base64(`${digits}>?`)),
  'base64 in short lines': (digits) =>
    base64(`the number is ${digits}`)
      .match(/.{1,16}/g)!
      .join('\r\n'),
};

const ARRANGED: Readonly<Record<string, Spelling>> = {
  'as it is': (digits) => digits,
  'pairs with blanks': (digits) => digits.match(/..?/g)!.join(' '),
  'pairs with dashes': (digits) => digits.match(/..?/g)!.join('-'),
  'halves with a blank': (digits) => `${digits.slice(0, 8)} ${digits.slice(8)}`,
  'first six apart': (digits) => `${digits.slice(0, 6)}-${digits.slice(6)}`,
  'last four apart': (digits) => `${digits.slice(0, -4)} ${digits.slice(-4)}`,
  'list of groups': (digits) => JSON.stringify(printedGroups(digits)),
  'indented list of groups': (digits) => JSON.stringify(printedGroups(digits), undefined, 2),
  'list of digits': (digits) => JSON.stringify([...digits].map(Number)),
  'list of digits as texts': (digits) => JSON.stringify([...digits]),
  reversed: (digits) => [...digits].reverse().join(''),
  'reversed, in groups': (digits) => printedGroups([...digits].reverse().join('')).join(' '),
  'track 1': (digits) => `%B${digits}^DOE/JANE^29121010000000000?`,
  'track 1, encoded': (digits) => encodeURIComponent(`%B${digits}^DOE/JANE^29121010000000000?`),
  'track 2': (digits) => `;${digits}=29121010000000000?`,
  'track 2, encoded': (digits) => encodeURIComponent(`;${digits}=29121010000000000?`),
  'track 2 of a chip': (digits) => `${digits}D29121010000000000F`,
  'after a word': (digits) => `card${digits}`,
  'before a word': (digits) => `${digits}visa`,
  'between letters': (digits) => `A${digits}B`,
  'between underscores': (digits) => `_${digits}_`,
  'after a hash sign': (digits) => `#${digits}`,
  'after a plus': (digits) => `+${digits}`,
  'after a minus': (digits) => `-${digits}`,
  'after an equals sign': (digits) => `n=${digits}`,
  'after a percent sign': (digits) => `%${digits}`,
  'after a number and a dot': (digits) => `12.${digits}`,
  'after a digit': (digits) => `9${digits}`,
  'before a digit': (digits) => `${digits}7`,
  'with decimals': (digits) => `${digits}.00`,
  'with expiry and bars': (digits) => `${digits}|12|2029`,
  'with expiry and slashes': (digits) => `${digits}/12/29`,
  'in a telephone link': (digits) => `tel:${digits}`,
  'in brackets': (digits) => `[${digits}]`,
};

/** Ways to write a card number: its groups apart, its digits apart, other digits, encodings, and other arrangements. */
export const CARD_SPELLINGS: Readonly<Record<string, Spelling>> = {
  ...ARRANGED,
  ...named(
    SEPARATORS,
    (key) => `groups with ${key}`,
    (between) => (digits) => printedGroups(digits).join(between),
  ),
  ...named(
    AFTER_EACH,
    (key) => `digits with ${key}`,
    (between) => (digits) => [...digits].join(between),
  ),
  ...named(
    ZEROS,
    (key) => `${key} digits`,
    (zero) => (digits) => each(digits, (digit) => String.fromCodePoint(zero + digit)),
  ),
  'superscript digits': (digits) => each(digits, (digit) => '⁰¹²³⁴⁵⁶⁷⁸⁹'[digit]!),
  'Bengali digits, JSON escapes': (digits) =>
    each(digits, (digit) => `\\u${(0x9e6 + digit).toString(16).padStart(4, '0')}`),
  'Thai digits, percent-encoded': (digits) =>
    each(digits, (digit) => encodeURIComponent(String.fromCharCode(0xe50 + digit))),
  ...ENCODED,
};

/**
 * Another card number that shows the same where a card number may be shown: scheme, length, first six, last four and check digit agree,
 * the digits between differ. What is written of one must be what is written of the other.
 */
export function twinOf(digits: string): string {
  const hidden = [...digits.slice(6, -4)].map(Number);
  // Every hidden digit moves by three; the last two by what makes the check digit right.
  for (let last = 11; last < 100; last += 1) {
    const steps = hidden.map((_, i) =>
      i < hidden.length - 2 ? 3 : i === hidden.length - 2 ? Math.floor(last / 10) : last % 10,
    );
    const twin = digits.slice(0, 6) + hidden.map((digit, i) => (digit + steps[i]!) % 10).join('') + digits.slice(-4);
    if (last % 10 !== 0 && checkSum(twin) === 0) return twin;
  }
  throw new Error(`no other number looks like one of ${digits.length} digits`);
}

function checkSum(digits: string): number {
  return (
    [...digits].reverse().reduce((sum, digit, i) => {
      const value = Number(digit) * (1 + (i % 2));
      return sum + Math.floor(value / 10) + (value % 10);
    }, 0) % 10
  );
}
