import type { Api } from '#apis';
import { lanesOf } from './check-locks.ts';
import type { CheckTurns } from './settings.ts';

/** A check as the runner has it: its locks can be changed until they are dealt with. */
export interface LockedCheck {
  _locks?: string[];
}

/**
 * Shares the checks of each service out among its lanes: each that takes one gets the lane that has least to do so far, so that none of
 * them is busy when the others have ended. Locks that a version of the runner keeps otherwise stay as they are.
 * @param checks in the order in which they begin
 * @param weigh the service that a check asks, and about how long it will take there
 */
export function shareLanes<Check extends LockedCheck>(
  checks: readonly Check[],
  weigh: (check: Check) => { readonly api: Api | undefined; readonly seconds: number },
  turns: CheckTurns,
): void {
  const loads = new Map<string, number>();
  const load = (lane: string) => loads.get(lane) ?? 0;
  for (const check of checks) {
    const { api, seconds } = weigh(check);
    if (api === undefined || !Array.isArray(check._locks)) continue;
    const lanes = lanesOf(api, turns);
    const taken = check._locks.filter((lock) => lanes.includes(lock));
    if (taken.length !== 1) continue;
    const lane = lanes.reduce((least, one) => (load(one) < load(least) ? one : least));
    check._locks = check._locks.map((lock) => (lock === taken[0] ? lane : lock));
    loads.set(lane, load(lane) + seconds);
  }
}
