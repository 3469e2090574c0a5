/** Rounds of a loop that the engine can take back. */
const ROUNDS = 1000;

/**
 * Source of a pattern for as many pieces as there are. The engine keeps a place to go back to for each round of a loop, and throws when
 * there are millions of them; here it forgets them a thousand at a time, for what a lookahead found is not looked for otherwise
 * (an atomic group, which ECMAScript has not). Only for pieces that begin and end in one way.
 * @param piece source of a pattern; one class of characters needs none of this, unless it has a least number (`[a-z]{9,}`, which is
 * `[a-z]{9}[a-z]*`)
 * @param group which group of the pattern this one is, counted from 1
 */
export function repeatAtomically(piece: string, group: number): string {
  return `(?:(?=((?:${piece}){1,${ROUNDS}}))\\${group})*`;
}
