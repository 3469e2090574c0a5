/** An id that nobody has: as large as a number of 32 bits can be. */
export const NOBODY = 2_147_483_647;

/** An id of nobody of which 32 bits hold no more than this one; undefined of an id that is no such number. */
export function beyond32Bits(id: unknown): unknown {
  if (!/^\d{1,10}$/.test(String(id)) || Number(id) >= 2 ** 32) return undefined;
  const beyond = Number(id) + 2 ** 32;
  return typeof id === 'number' ? beyond : String(beyond);
}

/** An id that is written as this one is, and that nobody has: {@link NOBODY}, or with another end. */
export function unknownAs(id: unknown): unknown {
  if (typeof id === 'number' || typeof id === 'bigint') return NOBODY;
  return /^\d+$/.test(String(id)) ? String(NOBODY) : String(id).replace(/.$/, (end) => (end === '0' ? '1' : '0'));
}

/** What no issuer says: base64, but the word 'none'. */
export const NO_ANSWER = 'bm9uZQ==';
