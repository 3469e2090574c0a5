/** Where the members and elements of one object or list begin, by name or index. */
type Entries = ReadonlyMap<string, { readonly at: number; readonly value: number }>;

/**
 * Finds where things stand in a JSON text that is known to be right. What lies on the way is read once, what lies beside it is passed
 * over, so that a text of many megabytes needs no tree beside its value.
 */
export class JsonOffsets {
  readonly #text: string;
  readonly #entries = new Map<number, Entries>();

  /** @param text that JSON.parse takes */
  constructor(text: string) {
    this.#text = text;
  }

  /** Offset of the name or element at a pointer's tokens, or of the nearest one above that is there. */
  offsetOf(tokens: readonly string[]): number {
    let value = this.#blank(0);
    let offset = 0;
    for (const token of tokens) {
      const entry = this.#entriesAt(value).get(token);
      if (entry === undefined) break;
      offset = entry.at;
      value = entry.value;
    }
    return offset;
  }

  #entriesAt(start: number): Entries {
    const known = this.#entries.get(start);
    if (known) return known;
    const found = new Map<string, { at: number; value: number }>();
    const isObject = this.#text[start] === '{';
    if (isObject || this.#text[start] === '[') {
      let index = 0;
      for (let i = this.#blank(start + 1); !'}]'.includes(this.#text[i]!); index += 1) {
        const at = i;
        let name = String(index);
        if (isObject) {
          const end = this.#string(i);
          name = JSON.parse(this.#text.slice(i, end)) as string;
          // Past the colon.
          i = this.#blank(this.#blank(end) + 1);
        }
        found.set(name, { at, value: i });
        i = this.#blank(this.#pass(i));
        if (this.#text[i] === ',') i = this.#blank(i + 1);
      }
    }
    this.#entries.set(start, found);
    return found;
  }

  /** Offset behind a value. */
  #pass(start: number): number {
    let depth = 0;
    for (let i = start; i < this.#text.length; i += 1) {
      const code = this.#text.charCodeAt(i);
      if (code === QUOTE) {
        i = this.#string(i) - 1;
        if (depth === 0) return i + 1;
      } else if (code === 0x7b || code === 0x5b) depth += 1;
      else if (code === 0x7d || code === 0x5d) {
        // Of a number or word, what closes the object or list around it.
        if (depth === 0) return i;
        depth -= 1;
        if (depth === 0) return i + 1;
      } else if (code === 0x2c && depth === 0) return i;
    }
    return this.#text.length;
  }

  /** Offset behind a string that begins here. */
  #string(start: number): number {
    for (let end = this.#text.indexOf('"', start + 1); end >= 0; end = this.#text.indexOf('"', end + 1)) {
      let slashes = 0;
      while (this.#text[end - 1 - slashes] === '\\') slashes += 1;
      if (slashes % 2 === 0) return end + 1;
    }
    return this.#text.length;
  }

  /** Offset of the next character that is no white space. */
  #blank(from: number): number {
    let i = from;
    while (i < this.#text.length && ' \t\r\n\ufeff'.includes(this.#text[i]!)) i += 1;
    return i;
  }
}

const QUOTE = 0x22;
