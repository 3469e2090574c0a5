import { findCards, maskCards, masked } from './card-number.ts';
import { forms } from './forms.ts';
import { bare, nature } from './names.ts';
import { type Decide, MASK, redactStructure } from './redact-structure.ts';
import type { Redacted } from './types.ts';
import { unescaped } from './unescape.ts';

export { MASK };

const BLANK = '(?: |\\+|%(?:25)*20)';
const LABEL = `(?:[A-Z0-9]+${BLANK})*PRIVATE${BLANK}KEY-----`;
const PEM = new RegExp(`-----BEGIN${BLANK}${LABEL}(?:[\\s\\S]*?-----END${BLANK}${LABEL}|[\\s\\S]*$)`, 'g');
const BEARER = /\b((?:Bearer|Basic)(?: |\+|%20)+)(?=[\w.~+/=-]*[\d.+/=~])[\w.~+/=-]{8,}/gi;
const JWT = /(?<![\w-])eyJ[\w-]{8,}\.[\w-]{4,}\.[\w-]*/g;
const KEPT = 256;

/** Redacts everything a run writes: by name, by value and by pattern. Construct one per run. */
export class Redactor {
  readonly #values = new Set<string>();
  readonly #tell = new Set<string>();
  readonly #names = new Set<string>();
  readonly #cards = new Set<string>();
  readonly #seen = new Set<string>();
  #pattern: RegExp | undefined;

  /**
   * Registers a secret; it is replaced wherever it appears, also escaped, percent-encoded, in hex and inside base64.
   * @param value at least 6 characters; shorter ones would hit ordinary text and are only redacted by name
   */
  add(value: string): void {
    if (value.length < 6) return;
    for (const form of forms(value)) this.#values.add(form);
    // What could be an ordinary word is replaced in values, but says nothing when it stands in a title.
    if (value.length >= 12 || /^(?=.*\d)(?=.*[a-z]).{8,}$/is.test(value))
      for (const form of forms(value)) this.#tell.add(form);
    this.#pattern = undefined;
  }

  /** Registers a card number, so that it is masked although scheme or check digit say it is none. */
  addCard(number: string): void {
    const digits = number.replace(/\D/g, '');
    if (digits.length >= 12) this.#cards.add(digits);
  }

  /** Registers a member or header name whose value is secret, e.g. the target's own name for the CRes value. */
  addKey(name: string): void {
    this.#names.add(bare(name));
  }

  /** Redacts free text: by value and pattern, and by name where it reads like JSON, a form, markup or `name: value`. */
  text(text: string): Redacted<string> {
    return this.body(text, true);
  }

  /** Redacts a header by its name and value. An OAuth header keeps all that cannot give a secret back. */
  header(name: string, value: string, holdsCard = false): Redacted<string> {
    if (value === '') return '' as Redacted<string>;
    if (/^(?:proxy)?authorization$/.test(bare(name))) return this.#authorization(value, holdsCard) as Redacted<string>;
    const member = this.#member(name, value, holdsCard);
    return (member ?? this.body(value, holdsCard)) as Redacted<string>;
  }

  /**
   * Redacts a body: by name in JSON, forms, multipart, HTML and XML, and any text by value and pattern.
   * @param holdsCard whether hashes over the body must go too, because the exchange carries a card number
   */
  body(text: string, holdsCard = false): Redacted<string> {
    const decide: Decide = {
      member: (name, value) => this.#member(name, value, holdsCard),
      text: (one) => this.#text(one),
    };
    return this.#text(redactStructure(text, decide)) as Redacted<string>;
  }

  /** Redacts an address: query members by name, the rest by value and pattern. */
  url(url: string): Redacted<string> {
    return this.body(url.replace(/\/\/[^/@\s]*@/, `//${MASK}@`));
  }

  /** Whether a body holds a card number, so that a hash over it gives the number back. */
  holdsCard(text: string): boolean {
    return (
      findCards(text, this.#cards).length > 0 ||
      /["'&?;\s](?:card-?_?(?:number|no|pan)|pan|cc-?_?number)["'\s]*[:=]/i.test(unescaped(` ${text}`).text)
    );
  }

  /** What must not appear in any artifact and does: kinds, never values. */
  leaks(text: string): string[] {
    const plain = this.#tell.size > 0 && /%[0-9A-Fa-f]{2}|\\+[ux]|&#/.test(text) ? unescaped(text).text : text;
    const known = [...this.#tell].some((value) => text.includes(value) || (plain !== text && plain.includes(value)));
    return [...(known ? ['a registered secret'] : []), ...leaks(text, this.#cards)];
  }

  #member(name: string, value: string, holdsCard: boolean): string | undefined {
    const kind = this.#names.has(bare(name)) ? 'secret' : nature(name);
    if (kind === undefined || (kind === 'hash' && !holdsCard)) return undefined;
    if (kind === 'card') {
      const digits = value.replace(/\D/g, '');
      return /^[\d\s.\-\u00a0]*$/.test(value) && digits.length >= 12 && digits.length <= 19 ? masked(digits) : MASK;
    }
    if (kind === 'secret') this.#remember(name, value);
    return MASK;
  }

  /** A secret that was seen under its name is known by its value from then on, wherever it turns up next. */
  #remember(name: string, value: string): void {
    if (value.length < 16 || value.length > 4096 || /\s/.test(value) || /^(?:content|attachment)$/i.test(name)) return;
    this.#seen.delete(value);
    this.#seen.add(value);
    if (this.#seen.size > KEPT) this.#seen.delete(this.#seen.values().next().value!);
  }

  #authorization(value: string, holdsCard: boolean): string {
    const [scheme, ...rest] = value.split(' ');
    if (scheme?.toLowerCase() !== 'oauth') {
      if (rest.join('').length >= 16) this.#remember('authorization', rest.join(' '));
      return rest.length ? `${this.#text(scheme ?? '')} ${MASK}` : MASK;
    }
    return this.#text(
      value.replace(/(\w+)(\s*=\s*)("[^"]*"?|[^,\s]*)/g, (all, key: string, equals: string, member: string) => {
        const plain = member.replace(/^"|"$/g, '');
        if (key === 'oauth_body_hash') return holdsCard && plain ? `${key}${equals}"${MASK}"` : all;
        return plain && nature(key) !== undefined ? `${key}${equals}"${MASK}"` : all;
      }),
    );
  }

  #text(text: string): string {
    let out = this.#byValue(text);
    for (const value of this.#seen) if (out.includes(value)) out = out.replaceAll(value, MASK);
    if (out.includes('-----BEGIN')) out = out.replace(PEM, MASK);
    return maskCards(out.replace(BEARER, `$1${MASK}`).replace(JWT, MASK), MASK, this.#cards);
  }

  #byValue(text: string): string {
    if (this.#values.size === 0) return text;
    this.#pattern ??= new RegExp(
      [...this.#values]
        .sort((a, b) => b.length - a.length)
        .map((value) => value.replace(/[.*+?^${}()|[\]\\/]/g, '\\$&'))
        .join('|'),
      'g',
    );
    const direct = text.replace(this.#pattern, MASK);
    if (!/%[0-9A-Fa-f]{2}|\\+[ux]|&#/.test(direct)) return direct;
    const plain = unescaped(direct);
    let out = '';
    let from = 0;
    for (const match of plain.text.matchAll(this.#pattern)) {
      const start = plain.at(match.index);
      out += direct.slice(from, start) + MASK;
      from = plain.at(match.index + match[0].length);
    }
    return out + direct.slice(from);
  }
}

/** Kinds of secret that a text holds by their looks alone: card numbers, private keys, bearer tokens. */
export function leaks(text: string, cards: ReadonlySet<string> = new Set()): string[] {
  return [
    ...(findCards(text, cards).length > 0 ? ['a card number'] : []),
    ...(text.includes('PRIVATE') && new RegExp(PEM).test(text) ? ['a private key'] : []),
    ...(new RegExp(BEARER).test(text) ? ['a bearer token'] : []),
    ...(text.includes('eyJ') && new RegExp(JWT).test(text) ? ['a signed token'] : []),
  ];
}
