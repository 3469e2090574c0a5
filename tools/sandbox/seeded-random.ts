/** A random source that a text starts: the same numbers in [0, 1) for the same text. */
export function seededRandom(text: string): () => number {
  let state = hash(text);
  return () => {
    // Mulberry32.
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** A list in a drawn order. */
export function shuffleList<One>(list: readonly One[], next: () => number): One[] {
  const drawn = [...list];
  for (let i = drawn.length - 1; i > 0; i -= 1) {
    const j = Math.floor(next() * (i + 1));
    [drawn[i], drawn[j]] = [drawn[j] as One, drawn[i] as One];
  }
  return drawn;
}

/** 32 bits of a text (FNV-1a). */
function hash(text: string): number {
  let bits = 0x811c9dc5;
  for (let i = 0; i < text.length; i += 1) bits = Math.imul(bits ^ text.charCodeAt(i), 0x01000193);
  return bits >>> 0;
}
