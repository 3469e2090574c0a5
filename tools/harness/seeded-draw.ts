import { createHash } from 'node:crypto';
import { inLetters } from '#evidence';

/** Draws ids that are the same for the same seed: for one check, in the order it asks. */
export class SeededDraw {
  readonly #seed: string;
  #count = 0;

  constructor(seed: string) {
    this.#seed = seed;
  }

  /** Lowercase hex, fresh each time. */
  freshHex(length: number): string {
    this.#count += 1;
    return createHash('sha256')
      .update(`${this.#seed} ${this.#count} ${process.env.ASSAY_RUN ?? ''}`)
      .digest('hex')
      .slice(0, length);
  }

  /** Lowercase letters, fresh each time: what a name should be made of ({@link inLetters}). */
  freshWord(length: number): string {
    return inLetters(this.freshHex(length));
  }

  /** A uuid (version 4 in form). */
  freshUuid(): string {
    return this.freshHex(32).replace(/^(.{8})(.{4}).(.{3}).(.{3})(.{12}).*$/, '$1-$2-4$3-8$4-$5');
  }
}
