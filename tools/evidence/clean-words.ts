/** How many words are remembered, and how long they may be. */
const MOST_WORDS = 4096;
const LONGEST_WORD = 96;

/** Words that turned out to hold no card number while the same numbers were known: the same names come up in every line. */
export class CleanWords {
  static readonly #all = new WeakMap<ReadonlySet<string>, CleanWords>();
  readonly #words = new Set<string>();
  readonly #known: number;

  private constructor(known: number) {
    this.#known = known;
  }

  /** The words of a set of numbers as it is now; once it has grown, all are looked at again. */
  static of(numbers: ReadonlySet<string>): CleanWords {
    const words = CleanWords.#all.get(numbers);
    if (words !== undefined && words.#known === numbers.size) return words;
    const others = new CleanWords(numbers.size);
    CleanWords.#all.set(numbers, others);
    return others;
  }

  has(word: string): boolean {
    return this.#words.has(word);
  }

  add(word: string): void {
    if (word.length > LONGEST_WORD) return;
    if (this.#words.size >= MOST_WORDS) this.#words.clear();
    // A copy: as a piece of a text it would hold on to all of it.
    this.#words.add(Buffer.from(word, 'latin1').toString('latin1'));
  }
}
