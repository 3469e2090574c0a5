/** How many texts are remembered by default: nearly all that a run meets come with every exchange. */
const MOST = 4096;

/** What was worked out of short texts, so that it need not be worked out again; when there are too many of them, all are forgotten. */
export class TextMemo<Value> {
  readonly #values = new Map<string, Value>();

  /** What is remembered of a text; undefined when nothing. */
  get(text: string): Value | undefined {
    return this.#values.get(text);
  }

  set(text: string, value: Value): void {
    if (this.#values.size >= MOST) this.#values.clear();
    // A copy: as a piece of another text it would hold on to all of it.
    const copy = Buffer.from(text).toString();
    // Half a character cannot be copied so.
    if (copy === text) this.#values.set(copy, value);
  }

  clear(): void {
    this.#values.clear();
  }
}
