import type { CommonFixtures } from './fixture-types.ts';

/** How many calls that cost money and time a check may send in between: a hundred and one where both are plenty, else a few. */
export function countAffordable({ clock, target }: Pick<CommonFixtures, 'clock' | 'target'>): number {
  if (!clock.steered) return 1;
  return target.manners.money.calls >= 1000 ? 101 : 11;
}
