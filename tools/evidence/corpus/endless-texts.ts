/**
 * Pieces that a service may repeat for megabytes, each with what stands before the first: whatever looks for a run of them has
 * millions of places to go back to.
 */
export const ENDLESS_TEXTS: Readonly<Record<string, { readonly head?: string; readonly piece: string }>> = {
  letters: { piece: 'k' },
  'letters and digits of hex': { piece: 'a1' },
  'blanks before a token': { head: 'Bearer ', piece: ' ' },
  'signs of a token': { head: 'Bearer ', piece: '=' },
  'letters of a signed token': { head: 'eyJ', piece: '-' },
  'a text that does not end': { head: '"', piece: "'" },
  'an encoded pair that does not end': { head: 'name%3D', piece: '%41' },
};

/** An endless text of about so many characters. */
export function writeEndless(name: string, size: number): string {
  const { head = '', piece } = ENDLESS_TEXTS[name]!;
  return head + piece.repeat(Math.ceil(size / piece.length));
}
