import { findBeforehand } from '#client';
import type { Target } from '#target';

/**
 * Remembers what was found out at a target, for all checks there. Checks that ask at the same time wait for the same answer; a failure is
 * that of those who waited for it, and whoever asks next finds out anew, as after undefined, which is nothing that was found out.
 * @returns what is known of a target, else what is found out now
 */
export function oncePerTarget<Found>(): (target: Target, find: () => Promise<Found>) => Promise<Found> {
  const known = new WeakMap<Target, Promise<Found>>();
  return (target, find) => {
    const found = known.get(target) ?? findBeforehand(find);
    known.set(target, found);
    const forget = () => known.delete(target);
    found.then((one) => one === undefined && forget(), forget);
    return found;
  };
}
