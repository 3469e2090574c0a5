/** Whether an amount of minor units loses one where it comes through a binary fraction of hundreds and is cut. */
const losesUnit = (minor: number) => Math.floor((minor / 100) * 100) !== minor;

/** About a share of an amount of minor units, at least half of that; one that binary fractions miss where there is one. */
export function hardPart(whole: number, share: number): number {
  const most = Math.ceil(whole * share);
  for (let part = most; part > most / 2; part -= 1) if (losesUnit(part)) return part;
  return most;
}

/**
 * Amounts to ask for in vain where no more than an amount of minor units is left: one more, again as it may be let through when it comes
 * again, and the next power of ten, mostly the smaller one where figures are compared as text. None of those of thousands: what is asked
 * for counts as money that is moved.
 */
export const amountsAbove = (left: number): number[] => [
  ...[left + 1, left + 1],
  ...(left < 10_000 ? [10 ** String(left).length] : []),
];
