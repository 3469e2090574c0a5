import { createHash } from 'node:crypto';
import { CardDigests } from './card-digests.ts';
import { findCards, KnownCards, MASKED_CARD, maskCards, maskedCardNumber } from './card-number.ts';
import { KnownValues } from './known-values.ts';
import { MASK } from './mask.ts';
import { natureOfName, normalizeName, splitPath } from './names.ts';
import { type PlainView, plainViews, viewsOfWords } from './plain-view.ts';
import { type RedactionRules, redactStructure } from './redact-structure.ts';
import { repeatAtomically } from './repeat-atomically.ts';
import { findSecrets } from './secret-scan.ts';
import { secretSpellings } from './secret-spellings.ts';
import { hideSpokenCodes } from './spoken-codes.ts';
import { TextFilter } from './text-filter.ts';
import { TextMemo } from './text-memo.ts';
import type { Redacted } from './types.ts';

const BLANK = '(?: |\\+|%(?:25)*20)';
const LABEL = `(?:[A-Z0-9]{1,16}${BLANK}){0,4}PRIVATE${BLANK}KEY-----`;

/** What is looked for in a text; each of them takes linear time on any text. */
export const SECRET_PATTERNS = {
  privateKey: new RegExp(`-----BEGIN${BLANK}${LABEL}(?:[\\s\\S]*?-----END${BLANK}${LABEL}|[\\s\\S]*$)`, 'g'),
  bearer: new RegExp(
    `\\b((?:Bearer|Basic)(?: |\\+|%20)${repeatAtomically(' |%20|\\++(?= |%20)', 2)}\\+*)(?=[\\w.~+/=-]*[\\d.+/=~])[\\w.~+/=-]{8}[\\w.~+/=-]*`,
    'gi',
  ),
  signedToken: /(?<![\w-])eyJ[\w-]{8}[\w-]*\.[\w-]{4}[\w-]*\.[\w-]*/g,
  parameter: /(?<!\w)(\w+)(\s*=\s*)("[^"]*"?|[^,\s]*)/g,
  cardName: /(?:^|["'&?;\s])(?:card-?_?(?:number|no|pan)|pan|cc-?_?number)["'\s]{0,8}[:=]/i,
} as const;

const REMEMBERED = 256;
const MOST_CARDS = 4096;
/** Characters from which on a text is worth remembering as clean. */
const LONG = 8192;
/** Characters up to which a text is remembered as one that stays as it is: names and values of headers are. */
const SHORT = 256;

/** What a request template puts into a member: a verification code, a card number, a stored card or token, or a text with several of them. */
export type SecretContent = 'code' | 'card' | 'reference' | 'text';

/** What of a target must not be seen. */
export interface TargetSecrets {
  /** Values, of any length. */
  readonly values: readonly string[];
  /** Card numbers. */
  readonly cards: readonly string[];
  /** Members of requests and answers that carry one, each as the path that leads to it. */
  readonly members: readonly { readonly path: readonly string[]; readonly holds: SecretContent }[];
}

/** Redacts everything a run writes: by name, by value and by pattern. Construct one per run. */
export class Redactor {
  readonly #values = new KnownValues();
  readonly #tell = new KnownValues();
  readonly #members = new Map<string, SecretContent>();
  readonly #cards = new KnownCards();
  readonly #digests = new CardDigests();
  readonly #seen = new Set<string>();
  /** How they begin, also those that are seen no more. */
  readonly #seenStarts = new TextFilter();
  /** Hashes of long texts in which nothing was found since a value or a number became known, and how many digests were known then. */
  readonly #clean = new TextMemo<number>();
  /**
   * Short texts that stayed as they are since a value, a member or a number became known, and how many digests were known then: in an
   * exchange without a card number, and in one with.
   */
  readonly #unchanged = [new TextMemo<number>(), new TextMemo<number>()] as const;
  /** Short texts without a card number: addresses are asked again and again. */
  readonly #cardless = new TextMemo<true>();

  /** Registers all that a target's file says must not be seen. */
  register({ values, cards, members }: TargetSecrets): void {
    for (const value of values) this.add(value);
    for (const card of cards) this.addCard(card);
    for (const { path, holds } of members) this.addMember(path, holds);
  }

  /**
   * Registers a secret; it is replaced wherever it appears, also escaped, percent-encoded, in hex and inside base64.
   * @param value at least 6 characters; shorter ones would hit ordinary text and are only redacted by name
   */
  add(value: string): void {
    if (value.length < 6) return;
    this.#forgetClean();
    for (const form of secretSpellings(value)) this.#values.add(form);
    // What could be an ordinary word is replaced in values, but says nothing when it stands in a title.
    if (value.length >= 12 || /^(?=.*\d)(?=.*[a-z]).{8,}$/is.test(value))
      for (const form of secretSpellings(value)) this.#tell.add(form);
  }

  /**
   * Registers a card number: it is found in any arrangement, although scheme or check digit may say it is none, and so is every usual
   * digest of it.
   */
  addCard(number: string): void {
    const digits = number.replace(/\D/g, '');
    if (digits.length < 12 || this.#cards.size >= MOST_CARDS || !this.#cards.add(digits)) return;
    this.#forgetClean();
    const groups = digits.replace(/(\d{4})(?=\d)/g, '$1 ');
    for (const written of [digits, `${digits}\n`, groups, groups.replaceAll(' ', '-')]) this.#digests.add(written);
  }

  /** Registers a member or header name whose value is secret, e.g. the target's own name for the CRes value. */
  addKey(name: string): void {
    this.#forgetClean();
    this.#members.set(normalizeName(name), 'text');
  }

  /**
   * Registers a member by the path that leads to it. A name that says nothing of cards is known together with the one above it when what
   * it holds cannot be told by its looks.
   */
  addMember(path: readonly string[], holds: SecretContent): void {
    const name = normalizeName(path.at(-1) ?? '');
    const above = normalizeName(path.at(-2) ?? '');
    const bySight = holds === 'code' || holds === 'card';
    this.#forgetClean();
    this.#members.set(bySight || above === '' || name.includes('card') ? name : `${above}/${name}`, holds);
  }

  /** Makes the card numbers of a request known, and every digest of the body that holds one. */
  learnRequest(text: string, bytes: Uint8Array, signatures: readonly string[]): void {
    for (const { digits } of findCards(text, this.#cards)) if (digits !== '') this.addCard(digits);
    this.#digests.add(bytes);
    for (const signature of signatures) this.#digests.addSigned(signature);
  }

  /** Gives each digest that must not be seen to somebody who looks after other processes of the run. */
  shareDigests(listener: (digests: readonly Uint8Array[]) => void): void {
    this.#digests.listen(listener);
  }

  /** Makes digests known that another process of the run must not show either. */
  learnDigests(digests: readonly Uint8Array[]): void {
    this.#digests.addForeign(digests);
  }

  /** Redacts free text: by value and pattern, and by name where it reads like JSON, a form, markup or `name: value`. */
  text(text: string): Redacted<string> {
    return this.body(text, true);
  }

  /** Redacts a header by its name and value. An OAuth header keeps all that cannot give a secret back. */
  header(name: string, value: string, holdsCard = false): Redacted<string> {
    if (value === '') return '' as Redacted<string>;
    if (/^(?:proxy)?authorization$/.test(normalizeName(name)))
      return this.#authorization(value, holdsCard) as Redacted<string>;
    const member = this.#member(name, value, undefined, holdsCard);
    return (member ?? this.body(value, holdsCard)) as Redacted<string>;
  }

  /**
   * Redacts a body: by name in JSON, forms, multipart, HTML and XML, and any text by value and pattern.
   * @param holdsCard whether hashes over the body must go too, because the exchange carries a card number
   */
  body(text: string, holdsCard = false): Redacted<string> {
    if (text.length > SHORT) return this.#redactBody(text, holdsCard);
    // Names of headers and most of their values come with every exchange.
    const unchanged = this.#unchanged[holdsCard ? 1 : 0];
    const digestsThen = unchanged.get(text);
    if (digestsThen === this.#digests.count) return text as Redacted<string>;
    const shown = (
      digestsThen === undefined ? this.#redactBody(text, holdsCard) : this.#digests.hide(text, MASK)
    ) as Redacted<string>;
    if (shown === text) unchanged.set(text, this.#digests.count);
    return shown;
  }

  #redactBody(text: string, holdsCard: boolean): Redacted<string> {
    const rules: RedactionRules = {
      member: (name, value, parent) => this.#member(name, value, parent, holdsCard),
      text: (one) => this.#text(one),
    };
    return this.#digests.hide(this.#text(redactStructure(text, rules)), MASK) as Redacted<string>;
  }

  /** Redacts an address: query members by name, the rest by value and pattern. */
  url(url: string): Redacted<string> {
    return this.body(url.replace(/^([a-z]+:\/\/)[^/@\s?#]*@/i, `$1${MASK}@`));
  }

  /** Whether a body holds a card number, so that a hash over it gives the number back. */
  holdsCard(text: string): boolean {
    if (text.length > SHORT) return this.#showsCard(text);
    if (this.#cardless.get(text)) return false;
    const shows = this.#showsCard(text);
    if (!shows) this.#cardless.set(text, true);
    return shows;
  }

  #showsCard(text: string): boolean {
    if (findCards(text, this.#cards).length > 0) return true;
    return plainViews(text).some((view) => SECRET_PATTERNS.cardName.test(view.text));
  }

  /** What must not appear in any artifact and does: kinds, never values. Card numbers are looked for by the gate's own detector. */
  leaks(text: string): string[] {
    // A page is drawn several times in a run, and most of it is as it was.
    const name = text.length < LONG ? undefined : createHash('sha256').update(text).digest('base64');
    const digestsThen = name === undefined ? undefined : this.#clean.get(name);
    if (digestsThen === this.#digests.count) return [];
    const isClean = digestsThen !== undefined;
    const found = [
      ...(!isClean && this.#tells(text) ? ['a registered secret'] : []),
      ...(this.#digests.shows(text) ? ['a digest of what holds a card number'] : []),
      ...(isClean ? [] : findSecrets(text, this.#cards.numbers)),
    ];
    if (name !== undefined && found.length === 0) this.#clean.set(name, this.#digests.count);
    return found;
  }

  #forgetClean(): void {
    this.#clean.clear();
    this.#cardless.clear();
    this.#forgetUnchanged();
  }

  #forgetUnchanged(): void {
    for (const texts of this.#unchanged) texts.clear();
  }

  #tells(text: string): boolean {
    if (this.#tell.size === 0) return false;
    return viewsFor(this.#tell, text).some((view) => this.#tell.isIn(view.text));
  }

  /**
   * The beginning of a text that is too long to be kept, without what the end may have cut in two: digits, a word that may be a token or
   * encoded, and the beginning of a registered secret.
   * @param size characters
   */
  window(text: string, size: number): string {
    if (text.length <= size) return text;
    let end = size;
    for (let round = 0; round < 3; round += 1) {
      for (let steps = 0; end > 0 && steps < 512 && !/[A-Za-z]/.test(text[end - 1]!); steps += 1) end -= 1;
      let word = end;
      while (word > 0 && end - word < 8192 && /[A-Za-z0-9+/_=%.-]/.test(text[word - 1]!)) word -= 1;
      if (end - word >= 12 || /\d/.test(text.slice(word, end))) end = word;
    }
    for (const value of this.#values)
      for (let length = Math.min(value.length - 1, end); length >= 4; length -= 1)
        if (text.startsWith(value.slice(0, length), end - length)) {
          end -= length;
          break;
        }
    return text.slice(0, end);
  }

  #member(name: string, value: string, parent: string | undefined, holdsCard: boolean): string | undefined {
    const registered = this.#registered(name, parent);
    if (registered === 'code' && /^\s*\d{3,4}\s*$/.test(value)) return MASK;
    if (registered === 'text' || registered === 'reference') {
      this.#remember(name, value);
      return MASK;
    }
    const kind = natureOfName(name) ?? (registered === 'card' && /\d{12}/.test(value) ? 'card' : undefined);
    if (kind === undefined || (kind === 'hash' && !holdsCard)) return undefined;
    if (kind === 'card') {
      if (value.length === 16 && MASKED_CARD.test(value)) return undefined;
      const digits = value.replace(/\D/g, '');
      return /^[\d\s.\-\u00a0]*$/.test(value) && digits.length >= 12 && digits.length <= 19
        ? maskedCardNumber(digits)
        : MASK;
    }
    if (kind === 'secret') this.#remember(name, value);
    return MASK;
  }

  #registered(name: string, parent: string | undefined): SecretContent | undefined {
    if (this.#members.size === 0 || name.length > 200) return undefined;
    const path = splitPath(name);
    const own = normalizeName(path.at(-1)!);
    const above = normalizeName(path.at(-2) ?? parent ?? '');
    return this.#members.get(`${above}/${own}`) ?? this.#members.get(own) ?? this.#members.get(normalizeName(name));
  }

  /** A secret that was seen under its name is known by its value from then on, wherever it turns up next. */
  #remember(name: string, value: string): void {
    if (value.length < 16 || value.length > 4096 || /\s/.test(value) || /^(?:content|attachment)$/i.test(name)) return;
    if (!this.#seen.delete(value)) this.#forgetUnchanged();
    // A copy: as a piece of a body it would hold on to all of it.
    this.#seen.add(JSON.parse(JSON.stringify(value)));
    this.#seenStarts.add(value);
    if (this.#seen.size > REMEMBERED) this.#seen.delete(this.#seen.values().next().value!);
  }

  #authorization(value: string, holdsCard: boolean): string {
    const [scheme, ...rest] = value.split(' ');
    if (scheme?.toLowerCase() !== 'oauth') {
      if (rest.join('').length >= 16) this.#remember('authorization', rest.join(' '));
      // Without a blank behind the scheme, what comes first may be the hash of a body.
      if (!/^[A-Za-z][A-Za-z0-9-]*$/.test(scheme ?? '')) return `${/^(?:OAuth|Bearer|Basic)?/i.exec(value)![0]}${MASK}`;
      return rest.length ? `${this.#text(scheme ?? '')} ${MASK}` : MASK;
    }
    const shown = value.replace(SECRET_PATTERNS.parameter, (all, key: string, equals: string, member: string) => {
      const plain = member.replace(/^"|"$/g, '');
      if (key === 'oauth_body_hash') return holdsCard && plain ? `${key}${equals}"${MASK}"` : all;
      return plain && natureOfName(key) !== undefined ? `${key}${equals}"${MASK}"` : all;
    });
    return this.#digests.hide(this.#text(shown), MASK);
  }

  #text(text: string): string {
    // Registered values have six characters, and a code beside its name has seven.
    if (text.length < 6) return text;
    let out = this.#byValue(text);
    if (this.#seenStarts.next(out, 0) >= 0)
      for (const value of this.#seen) if (out.includes(value)) out = out.replaceAll(value, MASK);
    if (out.includes('-----BEGIN')) out = out.replace(SECRET_PATTERNS.privateKey, MASK);
    out = out.replace(SECRET_PATTERNS.bearer, `$1${MASK}`).replace(SECRET_PATTERNS.signedToken, MASK);
    return hideSpokenCodes(maskCards(out, MASK, this.#cards));
  }

  #byValue(text: string): string {
    if (this.#values.size === 0) return text;
    let out = this.#values.hide(text, MASK);
    for (let depth = 1; ; depth += 1) {
      const view = viewsFor(this.#values, out)[depth];
      if (view === undefined) return out;
      let shown = '';
      let from = 0;
      for (const value of this.#values.find(view.text)) {
        shown += out.slice(from, Math.max(from, view.from(value.from))) + MASK;
        from = view.to(value.to - 1);
      }
      if (from > 0) out = shown + out.slice(from);
    }
  }
}

/** The views of a text in which values may show. */
function viewsFor(values: KnownValues, text: string): readonly PlainView[] {
  return values.areWords ? viewsOfWords(text) : plainViews(text);
}
