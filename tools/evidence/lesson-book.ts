import type { HoleObservation } from '#contract';
import type { LearnedLine } from './types.ts';

/** What one worker may learn about one hole. */
const MOST_LESSONS = 1000;
/** How much of what was observed is remembered as it came, and how long it may be for that. */
const REMEMBERED = 4096;
const LONGEST = 1000;

/** What a run learned so far about the holes of the documents: each thing is written once, and not too many about one hole. */
export class LessonBook {
  static readonly #books = new WeakMap<object, LessonBook>();
  readonly #heard = new Set<string>();
  readonly #written = new Set<string>();
  readonly #counts = new Map<string, number>();

  /** The book of a journal, or of whatever else lessons are written to. */
  static of(journal: object): LessonBook {
    const book = LessonBook.#books.get(journal) ?? new LessonBook();
    LessonBook.#books.set(journal, book);
    return book;
  }

  /** Whether an observation may be worth a line: not one that came before word for word, nor one too many of its hole. */
  isNews({ hole, where, what }: HoleObservation): boolean {
    if ((this.#counts.get(hole) ?? 0) > MOST_LESSONS) return false;
    const key = `${hole} ${where} ${what}`;
    if (this.#heard.has(key)) return false;
    if (key.length <= LONGEST && this.#heard.size < REMEMBERED) this.#heard.add(key);
    return true;
  }

  /** The line to write, redacted before: itself, a last one that says there was more, or none. */
  admit(line: LearnedLine): LearnedLine | undefined {
    const key = `${line.hole} ${line.where} ${line.what}`;
    const learned = this.#counts.get(line.hole) ?? 0;
    if (this.#written.has(key) || learned > MOST_LESSONS) return undefined;
    this.#written.add(key);
    this.#counts.set(line.hole, learned + 1);
    return learned < MOST_LESSONS
      ? line
      : { ...line, where: 'and', what: `more than ${MOST_LESSONS} things in this run` };
  }
}
