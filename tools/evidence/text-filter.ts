/** Characters that decide whether a text may begin at a place; no text that is looked for is shorter. */
export const FILTERED_START = 6;
const SHIFT = 3;
/** How many such beginnings are told apart. */
export const BEGINNINGS = 1 << (FILTERED_START * SHIFT);

/** The number of a beginning, once another letter is read: each is shifted out after {@link FILTERED_START} more. */
export const goOn = (beginning: number, letter: number) => ((beginning << SHIFT) ^ letter) & (BEGINNINGS - 1);

/** Says where in a text one of many others may begin, without asking for each. What it says may be wrong; what it passes over begins none. */
export class TextFilter {
  /** 1 for each beginning of one. */
  #begun: Uint8Array | undefined;

  /** @param text at least {@link FILTERED_START} characters */
  add(text: string): void {
    let beginning = 0;
    for (let i = 0; i < FILTERED_START; i += 1) beginning = goOn(beginning, text.charCodeAt(i));
    this.#begun ??= new Uint8Array(BEGINNINGS);
    this.#begun[beginning] = 1;
  }

  /** The first place from `from` on where one may begin; -1 where none does. */
  next(text: string, from: number): number {
    const begun = this.#begun;
    if (begun === undefined) return -1;
    let beginning = 0;
    for (let i = from; i < text.length; i += 1) {
      beginning = goOn(beginning, text.charCodeAt(i));
      if (begun[beginning] === 1 && i - from >= FILTERED_START - 1) return i - FILTERED_START + 1;
    }
    return -1;
  }
}
