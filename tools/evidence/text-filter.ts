/** Characters that decide whether a text may begin at a place; no text that is looked for is shorter. */
export const FILTERED_START = 6;
const SHIFT = 3;
const SLOTS = 1 << (FILTERED_START * SHIFT);

/**
 * Says where in a text one of many others may begin, without asking for each: the characters before a place, each shifted out after
 * {@link FILTERED_START} more, number a slot. What it says may be wrong; what it passes over begins none.
 */
export class TextFilter {
  #slots: Uint8Array | undefined;

  /** @param text at least {@link FILTERED_START} characters */
  add(text: string): void {
    let slot = 0;
    for (let i = 0; i < FILTERED_START; i += 1) slot = ((slot << SHIFT) ^ text.charCodeAt(i)) & (SLOTS - 1);
    this.#slots ??= new Uint8Array(SLOTS);
    this.#slots[slot] = 1;
  }

  /** The first place from `from` on where one may begin; -1 where none does. */
  next(text: string, from: number): number {
    const slots = this.#slots;
    if (slots === undefined) return -1;
    let slot = 0;
    for (let i = from; i < text.length; i += 1) {
      slot = ((slot << SHIFT) ^ text.charCodeAt(i)) & (SLOTS - 1);
      if (slots[slot] === 1 && i - from >= FILTERED_START - 1) return i - FILTERED_START + 1;
    }
    return -1;
  }
}
