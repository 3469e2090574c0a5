/** Whether an amount of minor units loses one where it comes through a binary fraction of hundreds and is cut. */
const losesUnit = (minor: number) => Math.floor((minor / 100) * 100) !== minor;

/** About a share of an amount of minor units, at least half of that; one that binary fractions miss where there is one. */
export function hardPart(whole: number, share: number): number {
  const most = Math.ceil(whole * share);
  for (let part = most; part > most / 2; part -= 1) if (losesUnit(part)) return part;
  return most;
}

/** The next power of ten above an amount of minor units: the smaller one where figures are compared as text, of most amounts. */
export const powerOfTenAbove = (amount: number): number => 10 ** String(amount).length;
