import { FILTERED_START, TextFilter } from './text-filter.ts';

/** Values that are looked for in every text: looking takes no longer with more of them. */
export class KnownValues implements Iterable<string> {
  readonly #values = new Set<string>();
  /** By how they begin, the longest first. */
  readonly #byStart = new Map<string, string[]>();
  readonly #filter = new TextFilter();
  #areWords = true;

  get size(): number {
    return this.#values.size;
  }

  /** Whether none of them has a quotation mark in it. */
  get areWords(): boolean {
    return this.#areWords;
  }

  [Symbol.iterator](): Iterator<string> {
    return this.#values.values();
  }

  /** @param value at least six characters */
  add(value: string): void {
    if (this.#values.has(value)) return;
    this.#values.add(value);
    this.#areWords &&= !value.includes('"');
    const start = value.slice(0, FILTERED_START);
    const others = this.#byStart.get(start) ?? [];
    this.#byStart.set(
      start,
      [...others, value].sort((a, b) => b.length - a.length),
    );
    this.#filter.add(value);
  }

  /** Where values stand in a text, from left to right, at each place the longest, none within another. */
  *find(text: string): Generator<{ readonly from: number; readonly to: number }> {
    for (let from = this.#filter.next(text, 0); from >= 0; ) {
      const value = this.#byStart
        .get(text.slice(from, from + FILTERED_START))
        ?.find((one) => text.startsWith(one, from));
      const to = from + (value?.length ?? 0);
      if (value !== undefined) yield { from, to };
      from = this.#filter.next(text, value === undefined ? from + 1 : to);
    }
  }

  /** Whether one of them stands in a text. */
  isIn(text: string): boolean {
    return !this.find(text).next().done;
  }

  /** The text with `mask` in place of each. */
  hide(text: string, mask: string): string {
    let out = '';
    let last = 0;
    for (const { from, to } of this.find(text)) {
      out += text.slice(last, from) + mask;
      last = to;
    }
    return last === 0 ? text : out + text.slice(last);
  }
}
