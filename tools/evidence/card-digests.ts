import { createHash, getHashes } from 'node:crypto';
import { DigestTable } from './digest-table.ts';
import { findLetterRuns, HEX_LETTERS } from './letter-runs.ts';
import { plainViews, viewsOfWords } from './plain-view.ts';

// Builds of OpenSSL leave some out.
const ALGORITHMS = [
  'md5',
  'sha1',
  'sha224',
  'sha256',
  'sha384',
  'sha512',
  'sha3-256',
  'sha3-384',
  'sha3-512',
  'ripemd160',
].filter((name) => getHashes().includes(name));
/** Bodies and numbers whose digests are known at a time, and digests that others may add. */
const MOST = 16_384;
const MOST_FOREIGN = MOST * ALGORITHMS.length;

/** What is looked for in a text besides runs of letters; it takes linear time on any text. */
export const DIGEST_PATTERNS = {
  /** Pairs of hex from the first sign between two: pairs are everywhere, such signs are not. */
  apart:
    /[: -](?<=(?<![0-9A-Fa-f])[0-9A-Fa-f]{2}[: -])[0-9A-Fa-f]{2}(?:[: -][0-9A-Fa-f]{2}){10}(?:[: -][0-9A-Fa-f]{2})*/g,
} as const;

/** How many letters of a digest are hidden, in either encoding, and how many are none by chance in all that a run writes. */
const START = { hex: 12, base64: 8 } as const;
const PROOF = { hex: 18, base64: 12 } as const;

/**
 * Digests of card numbers, of bodies that hold one, and signatures over them. Whoever sees such a digest beside the masked number tries
 * the digits between and has it in a second; so they are removed wherever and however written they turn up, also shortened.
 */
export class CardDigests {
  readonly #known = new DigestTable();
  readonly #subjects = new Set<string>();
  #count = 0;
  readonly #listeners: ((digests: readonly Uint8Array[]) => void)[] = [];

  /** How many digests became known so far. */
  get count(): number {
    return this.#count;
  }

  /** Makes every usual digest of a card number or a body known. An empty body gives nothing back. */
  add(subject: string | Uint8Array): void {
    if (subject.length === 0) return;
    const key = createHash('sha256').update(subject).digest('base64');
    if (this.#subjects.has(key) || this.#subjects.size >= MOST) return;
    this.#subjects.add(key);
    this.#announce(ALGORITHMS.map((algorithm) => createHash(algorithm).update(subject).digest()));
  }

  /** Makes a signature known, as it was sent: base64, percent-encoded or not. */
  addSigned(signature: string): void {
    const plain = plainViews(signature).at(-1)!.text;
    if (/^[A-Za-z0-9+/_-]{16}[A-Za-z0-9+/_-]*=*$/.test(plain)) this.#announce([Buffer.from(plain, 'base64')]);
  }

  /** Makes digests known that another process found; nobody is told of them. */
  addForeign(digests: readonly Uint8Array[]): void {
    for (const digest of digests) if (this.#known.size < MOST_FOREIGN) this.#know(Buffer.from(digest));
  }

  /** Tells of the digests that become known from now on. */
  listen(listener: (digests: readonly Uint8Array[]) => void): void {
    this.#listeners.push(listener);
  }

  /** Whether a text shows a known digest, or so much of one that it cannot be chance. */
  shows(text: string): boolean {
    return this.#spans(text, PROOF).length > 0;
  }

  /** The text with `mask` in place of every known digest. */
  hide(text: string, mask: string): string {
    const spans = this.#spans(text, START);
    let out = '';
    let last = 0;
    for (const [from, to] of spans.sort(([a], [b]) => a - b)) {
      if (to <= last) continue;
      out += text.slice(last, Math.max(last, from)) + (from >= last ? mask : '');
      last = to;
    }
    return out + text.slice(last);
  }

  /** Where a text shows known digests, at least so many letters of each. */
  #spans(text: string, least: typeof START | typeof PROOF): [number, number][] {
    if (this.#known.size === 0 || text.length < START.base64) return [];
    const spans: [number, number][] = [];
    for (const view of viewsOfWords(text)) {
      const found: [number, number][] = [];
      for (const [from, to] of this.#known.find(view.text, 'base64url'))
        if (to - from >= least.base64) found.push([from, to + padding(view.text, to)]);
      for (const [at, end] of findLetterRuns(view.text, HEX_LETTERS, least.hex))
        for (const [from, to] of this.#known.find(view.text.slice(at, end), 'hex'))
          if (to - from >= least.hex) found.push([at + from, at + to]);
      for (const { 0: behind, index } of view.text.matchAll(DIGEST_PATTERNS.apart)) {
        const [at, end] = [index - 2, index + behind.length];
        const run = view.text.slice(at, end).replace(/[: -]/g, '');
        if (this.#known.find(run, 'hex').some(([a, b]) => b - a >= least.hex)) found.push([at, end]);
      }
      for (const [from, to] of found) spans.push([view.from(from), view.to(to - 1)]);
    }
    return spans;
  }

  #announce(digests: readonly Buffer[]): void {
    for (const digest of digests) this.#know(digest);
    for (const listener of this.#listeners) listener(digests);
  }

  #know(digest: Buffer): void {
    this.#count += 1;
    this.#known.add(digest);
  }
}

/** How many of the signs that fill base64 up stand there. */
function padding(text: string, at: number): number {
  return /^={0,2}/.exec(text.slice(at, at + 2))![0].length;
}
