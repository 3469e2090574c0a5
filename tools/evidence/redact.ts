import type { Redacted } from './types.ts';

/** What stands where a secret stood. */
export const MASK = '[redacted]';

const KEYS = new Set([
  'authorization',
  'proxyauthorization',
  'cookie',
  'setcookie',
  'token',
  'accesstoken',
  'apitoken',
  'bearer',
  'password',
  'secret',
  'cvv',
  'cvv2',
  'cvc',
  'cvc2',
  'cid',
  'csc',
  'securitycode',
  'verificationcode',
  'cardcode',
  'pin',
  'oauthsignature',
  'cres',
  'pares',
  'cresvalue',
  'paresvalue',
  'content',
  'attachment',
  'privatekey',
  'consumersecret',
  'passphrase',
]);
const PAN_KEYS = new Set(['cardnumber', 'pan', 'cardpan', 'primaryaccountnumber', 'accountnumber', 'ccnumber']);
const HASHES = new Set(['oauthbodyhash', 'paramstring', 'signaturebasestring']);

const plain = (key: string) => key.toLowerCase().replace(/[^a-z0-9]/g, '');

/** Redacts everything a run writes: by key, by value and by pattern. Construct one per run. */
export class Redactor {
  readonly #values = new Set<string>();
  readonly #keys = new Set(KEYS);
  #pattern: RegExp | undefined;

  /**
   * Registers a secret; it is replaced wherever it appears, also in base64, base64url and percent-encoded form.
   * @param value at least 6 characters; shorter ones would hit ordinary text and are only redacted by key
   */
  add(value: string): void {
    if (value.length < 6) return;
    const bytes = Buffer.from(value, 'utf8');
    for (const form of [
      value,
      bytes.toString('base64').replace(/=+$/, ''),
      bytes.toString('base64url'),
      encodeURIComponent(value),
      JSON.stringify(value).slice(1, -1),
    ]) {
      this.#values.add(form);
    }
    this.#pattern = undefined;
  }

  /** Registers a member or header name whose value is secret, e.g. the target's own name for the CRes value. */
  addKey(name: string): void {
    this.#keys.add(plain(name));
  }

  /** Redacts free text: registered values and card numbers. */
  text(text: string): Redacted<string> {
    return cards(this.#byValue(text)) as Redacted<string>;
  }

  /** Redacts a header by its name and value. An OAuth header keeps all that cannot give a secret back. */
  header(name: string, value: string, holdsCard = false): Redacted<string> {
    const key = plain(name);
    if (key === 'authorization') return this.#authorization(value, holdsCard) as Redacted<string>;
    return (this.#keys.has(key) ? MASK : this.text(value)) as Redacted<string>;
  }

  /**
   * Redacts a body: JSON and form bodies by key, and any text by value and pattern.
   * @param holdsCard whether hashes over the body must go too, because the exchange carries a card number
   */
  body(text: string, holdsCard = false): Redacted<string> {
    const value = parsed(text);
    if (value !== undefined && /\\u/.test(text)) {
      return this.#byValue(JSON.stringify(this.#walk(value, holdsCard))) as Redacted<string>;
    }
    const byKey = text
      .replace(
        /"((?:[^"\\]|\\.)*)"(\s*:\s*)("(?:[^"\\]|\\.)*"?|-?\d[\d.eE+-]*|true|false)/g,
        (all, key: string, colon: string, member: string) => {
          const replacement = this.#member(key, member.replace(/^"|"$/g, ''), holdsCard);
          return replacement === undefined ? all : `"${key}"${colon}"${replacement}"`;
        },
      )
      .replace(/(^|[&?])([\w.%-]+)=([^&\s"<]*)/g, (all, lead: string, key: string, member: string) => {
        const replacement = this.#member(key, decode(member), holdsCard);
        return replacement === undefined ? all : `${lead}${key}=${replacement}`;
      })
      .replace(/name="([^"]+)"([^>]*?)value="([^"]*)"/g, (all, key: string, between: string, member: string) => {
        const replacement = this.#member(key, member, holdsCard);
        return replacement === undefined ? all : `name="${key}"${between}value="${replacement}"`;
      });
    return this.text(byKey);
  }

  /** Redacts an address: query members by key, the rest by value and pattern. */
  url(url: string): Redacted<string> {
    return this.body(url.replace(/\/\/[^/@\s]*@/, `//${MASK}@`));
  }

  /** What must not appear in any artifact: the registered values, for the gate on final bytes. */
  leaks(text: string): string[] {
    const found = [...this.#values].filter((value) => text.includes(value)).map(() => 'a registered secret');
    if (cards(text) !== text) found.push('a card number');
    return found;
  }

  #member(key: string, value: string, holdsCard: boolean): string | undefined {
    const name = plain(key);
    if (this.#keys.has(name)) return MASK;
    if (PAN_KEYS.has(name)) return mask(value);
    if (holdsCard && HASHES.has(name)) return MASK;
    return undefined;
  }

  #walk(value: unknown, holdsCard: boolean): unknown {
    if (typeof value === 'string') return this.text(value);
    if (Array.isArray(value)) return value.map((one) => this.#walk(one, holdsCard));
    if (typeof value !== 'object' || value === null) return value;
    return Object.fromEntries(
      Object.entries(value).map(([key, one]) => {
        const scalar = typeof one !== 'object' || one === null;
        return [key, (scalar ? this.#member(key, String(one), holdsCard) : undefined) ?? this.#walk(one, holdsCard)];
      }),
    );
  }

  #authorization(value: string, holdsCard: boolean): string {
    const [scheme, ...rest] = value.split(' ');
    if (scheme?.toLowerCase() !== 'oauth')
      return rest.length ? `${this.text(scheme ?? '')} ${MASK}` : value === '' ? '' : MASK;
    return value.replace(/(oauth_\w+)(\s*=\s*)("[^"]*"|[^,\s]*)/g, (all, key: string, equals: string) =>
      key === 'oauth_signature' || key === 'oauth_consumer_key' || (key === 'oauth_body_hash' && holdsCard)
        ? `${key}${equals}"${MASK}"`
        : all,
    );
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
    return text.replace(this.#pattern, MASK);
  }
}

/** First six and last four of a card number; anything that is not one goes altogether. */
function mask(value: string): string {
  const digits = value.replace(/[\s-]/g, '');
  return /^\d{12,19}$/.test(digits) ? `${digits.slice(0, 6)}******${digits.slice(-4)}` : value === '' ? '' : MASK;
}

/** Card numbers in free text: scheme prefix, length and Luhn, with spaces, dashes or their encoded forms between the digits. */
function cards(text: string): string {
  return text.replace(/(?<![\d.])(?:\d(?:[ -]|%20|\+)?){12,18}\d(?![\d])/g, (run) => {
    const digits = run.replace(/%20|[^\d]/g, '');
    return scheme(digits) && luhn(digits) ? `${digits.slice(0, 6)}******${digits.slice(-4)}` : run;
  });
}

/** Whether prefix and length are those of a card scheme (Visa, Mastercard, Maestro, American Express, Diners, Discover, JCB, UnionPay, Mir). */
function scheme(digits: string): boolean {
  const n = digits.length;
  const two = Number(digits.slice(0, 2));
  const four = Number(digits.slice(0, 4));
  if (digits[0] === '4') return n === 13 || n === 16 || n === 19;
  if ((two >= 51 && two <= 55) || (four >= 2221 && four <= 2720) || (four >= 2200 && four <= 2204)) return n === 16;
  if (two === 34 || two === 37) return n === 15;
  if (two === 36 || two === 38 || two === 30) return n === 14;
  if (four >= 3528 && four <= 3589) return n === 16;
  if (two === 60 || two === 62 || two === 64 || two === 65) return n >= 16;
  return (two === 50 || (two >= 56 && two <= 69)) && n >= 12;
}

function luhn(digits: string): boolean {
  let sum = 0;
  for (let i = 0; i < digits.length; i += 1) {
    const digit = Number(digits[digits.length - 1 - i]);
    sum += i % 2 === 0 ? digit : digit > 4 ? digit * 2 - 9 : digit * 2;
  }
  return sum % 10 === 0;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '));
  } catch {
    return text;
  }
}
