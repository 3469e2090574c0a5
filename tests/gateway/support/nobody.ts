/** An id that nobody has: as large as a number of 32 bits can be. */
export const NOBODY = 2_147_483_647;

/** An id that is written as this one is, and that nobody has: {@link NOBODY}, or with another end. */
export function unknownAs(id: unknown): unknown {
  if (typeof id === 'number') return NOBODY;
  return /^\d+$/.test(String(id)) ? String(NOBODY) : String(id).replace(/.$/, (end) => (end === '0' ? '1' : '0'));
}
