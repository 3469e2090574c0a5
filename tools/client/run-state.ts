import type { Target } from '#target';
import { CreatedObjects } from './created-objects.ts';
import { RateBudget } from './rate-budget.ts';
import { SpendCap } from './spend-cap.ts';
import { createTargetTime } from './target-time.ts';

/** What all checks of a run share about a target: how much may still be asked of it, spent at it, and what it is owed back. */
export interface RunState {
  readonly rateBudget: RateBudget;
  readonly spendCap: SpendCap;
  readonly createdObjects: CreatedObjects;
}

const alone = new WeakMap<Target, RunState>();

/**
 * The state of the run a target is part of.
 * @param folder where all workers of the run share it; absent: one for each resolved target in this process
 * @param sharers how many machines ask the target at the same time, each for its part of a run
 */
export function openRunState(target: Target, folder?: string, sharers = 1): RunState {
  if (folder === undefined) {
    const there = alone.get(target);
    if (there !== undefined) return there;
  }
  const { calls, total } = target.manners.money;
  const state = {
    // What is announced goes by an address, whichever service is asked there.
    rateBudget: new RateBudget(createTargetTime(target), folder, sharers),
    spendCap: new SpendCap({ calls: Math.floor(calls / sharers), total: total / sharers }, folder),
    createdObjects: new CreatedObjects(folder),
  };
  if (folder === undefined) alone.set(target, state);
  return state;
}
