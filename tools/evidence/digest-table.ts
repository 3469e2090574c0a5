import { BEGINNINGS, FILTERED_START, goOn } from './text-filter.ts';

/** Characters that tell a digest from the others, in either encoding: its first six bytes. */
const START = { hex: 12, base64url: 8 } as const;
const START_BYTES = 6;
/** Bytes before each digest that say how long it is. */
const HEAD = 2;
const LONGEST = 0xffff;

type Encoding = keyof typeof START;

/** What each letter of an encoding stands for, in either case of hex and either alphabet of base64; -1 for any other. */
const VALUES: Readonly<Record<Encoding, Int8Array>> = {
  hex: valuesOf('0123456789abcdef', '0123456789ABCDEF'),
  base64url: valuesOf(
    'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_',
    'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/',
  ),
};

function valuesOf(...alphabets: readonly string[]): Int8Array {
  const values = new Int8Array(1 << 16).fill(-1);
  for (const letters of alphabets)
    for (let value = 0; value < letters.length; value += 1) values[letters.charCodeAt(value)] = value;
  return values;
}

/**
 * Digests that are known by how they begin, one behind the other in a few bytes each: a run knows tens of thousands of them, and as texts
 * in two encodings each would take six times as much.
 */
export class DigestTable {
  /** Of each digest its length, then its bytes. */
  #bytes = new Uint8Array(1 << 12);
  #used = 0;
  /** Where a digest lies, plus one; its place follows from how it begins, and from what lay there before. */
  #slots = new Uint32Array(1 << 9);
  #size = 0;
  /** 1 for each beginning of a known digest; made with the first of them. */
  #begun: Readonly<Record<Encoding, Uint8Array>> | undefined;

  get size(): number {
    return this.#size;
  }

  /** @param digest at least six bytes; of shorter ones nothing can be told */
  add(digest: Buffer): void {
    if (digest.length < START_BYTES) return;
    if (2 * this.#size >= this.#slots.length) this.#widen();
    const slot = this.#slotOf(digest.readUIntBE(0, 3), digest.readUIntBE(3, 3));
    if (this.#slots[slot] === 0) this.#size += 1;
    else if (this.#at(this.#slots[slot]! - 1).equals(digest)) return;
    this.#slots[slot] = this.#append(digest.subarray(0, LONGEST)) + 1;
    this.#begun ??= { hex: new Uint8Array(BEGINNINGS), base64url: new Uint8Array(BEGINNINGS) };
    for (const encoding of ['hex', 'base64url'] as const) {
      let beginning = 0;
      for (const letter of digest.toString(encoding).slice(0, FILTERED_START))
        beginning = goOn(beginning, VALUES[encoding][letter.charCodeAt(0)]!);
      this.#begun[encoding][beginning] = 1;
    }
  }

  /** Where known digests begin in a text, and how far each goes on. */
  find(text: string, encoding: Encoding): [number, number][] {
    const found: [number, number][] = [];
    if (this.#begun === undefined) return found;
    const [values, begun] = [VALUES[encoding], this.#begun[encoding]];
    let [letters, beginning] = [0, 0];
    for (let i = 0; i < text.length; i += 1) {
      const value = values[text.charCodeAt(i)]!;
      if (value < 0) {
        letters = 0;
        continue;
      }
      letters += 1;
      beginning = goOn(beginning, value);
      if (letters < FILTERED_START || begun[beginning] === 0) continue;
      const at = i + 1 - FILTERED_START;
      const digest = this.#digestAt(text, at, encoding)?.toString(encoding);
      if (digest === undefined) continue;
      let end = at + START[encoding];
      while (end - at < digest.length && values[text.charCodeAt(end)] === values[digest.charCodeAt(end - at)]) end += 1;
      found.push([at, end]);
      i = end - 1;
      letters = 0;
    }
    return found;
  }

  /** The digest that begins at a place of a text. */
  #digestAt(text: string, at: number, encoding: Encoding): Buffer | undefined {
    const half = START[encoding] / 2;
    const first = read(text, at, half, encoding);
    const second = first < 0 ? -1 : read(text, at + half, half, encoding);
    const place = second < 0 ? 0 : this.#slots[this.#slotOf(first, second)]!;
    return place === 0 ? undefined : this.#at(place - 1);
  }

  /** The slot of the digest that begins with these, three bytes each, or that it would have. */
  #slotOf(first: number, second: number): number {
    const mask = this.#slots.length - 1;
    for (let slot = (first ^ second) & mask; ; slot = (slot + 1) & mask) {
      const place = this.#slots[slot]!;
      if (place === 0) return slot;
      const from = place - 1 + HEAD;
      if (this.#three(from) === first && this.#three(from + 3) === second) return slot;
    }
  }

  #three(from: number): number {
    return (this.#bytes[from]! << 16) | (this.#bytes[from + 1]! << 8) | this.#bytes[from + 2]!;
  }

  #at(place: number): Buffer {
    const length = (this.#bytes[place]! << 8) | this.#bytes[place + 1]!;
    return Buffer.from(this.#bytes.buffer, place + HEAD, length);
  }

  #append(digest: Uint8Array): number {
    const place = this.#used;
    this.#used += HEAD + digest.length;
    if (this.#used > this.#bytes.length) {
      const longer = new Uint8Array(Math.max(2 * this.#bytes.length, this.#used));
      longer.set(this.#bytes);
      this.#bytes = longer;
    }
    this.#bytes[place] = digest.length >> 8;
    this.#bytes[place + 1] = digest.length & 0xff;
    this.#bytes.set(digest, place + HEAD);
    return place;
  }

  #widen(): void {
    const before = this.#slots;
    this.#slots = new Uint32Array(2 * before.length);
    for (const place of before) {
      if (place === 0) continue;
      const from = place - 1 + HEAD;
      this.#slots[this.#slotOf(this.#three(from), this.#three(from + 3))] = place;
    }
  }
}

/** What letters of an encoding stand for together; -1 where one of them is none. */
function read(text: string, at: number, count: number, encoding: Encoding): number {
  const bits = encoding === 'hex' ? 4 : 6;
  let all = 0;
  for (let i = at; i < at + count; i += 1) {
    const value = VALUES[encoding][text.charCodeAt(i)] ?? -1;
    if (value < 0) return -1;
    all = (all << bits) | value;
  }
  return all;
}
