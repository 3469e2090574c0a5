import { TextMemo } from './text-memo.ts';

/** How long a word may be that is remembered. */
const LONGEST_WORD = 96;

/** Words that turned out to hold no card number while the same numbers were known: the same names come up in every line. */
export class CleanWords {
  static readonly #all = new WeakMap<ReadonlySet<string>, { readonly known: number; readonly words: CleanWords }>();
  readonly #words = new TextMemo<true>();

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
    if (this.#words.get(word)) return true;
    if (hides()) return false;
    if (word.length <= LONGEST_WORD) this.#words.set(word, true);
    return true;
  }

  /** Another number is known: all are looked at again. */
  clear(): void {
    this.#words.clear();
  }
}
