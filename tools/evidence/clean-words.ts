/** How many words are remembered, and how long they may be. */
const MOST_WORDS = 4096;
const LONGEST_WORD = 96;

/** Words that turned out to hold no card number while the same numbers were known: the same names come up in every line. */
export class CleanWords {
  static readonly #all = new WeakMap<ReadonlySet<string>, { readonly known: number; readonly words: CleanWords }>();
  readonly #words = new Set<string>();

  /** The words of a set of numbers as it is now; once it has grown, all are looked at again. */
  static of(numbers: ReadonlySet<string>): CleanWords {
    const before = CleanWords.#all.get(numbers);
    if (before?.known === numbers.size) return before.words;
    const words = new CleanWords();
    CleanWords.#all.set(numbers, { known: numbers.size, words });
    return words;
  }

  /** Whether a word was clean before, or turns out to be. @param hides whether it holds a number */
  isClean(word: string, hides: () => boolean): boolean {
    if (this.#words.has(word)) return true;
    if (hides()) return false;
    if (word.length > LONGEST_WORD) return true;
    if (this.#words.size >= MOST_WORDS) this.#words.clear();
    // A copy: as a piece of a text it would hold on to all of it.
    this.#words.add(Buffer.from(word, 'latin1').toString('latin1'));
    return true;
  }

  /** Another number is known: all are looked at again. */
  clear(): void {
    this.#words.clear();
  }
}
