import type { Target } from '#target';
import { Budget } from './budget.ts';
import { Ledger } from './ledger.ts';
import { Purse } from './purse.ts';
import type { Time } from './time.ts';

/** What all checks of a run share about a target: how much may still be asked of it, spent at it, and what it is owed back. */
export interface RunState {
  readonly budget: Budget;
  readonly purse: Purse;
  readonly ledger: Ledger;
}

const alone = new WeakMap<Target, RunState>();

/**
 * The state of the run a target is part of.
 * @param folder where all workers of the run share it; absent: one for each resolved target in this process
 */
export function runState(target: Target, time: Time, folder?: string): RunState {
  if (folder === undefined) {
    const there = alone.get(target);
    if (there !== undefined) return there;
  }
  const made = {
    budget: new Budget(time, folder),
    purse: new Purse(target.manners.money, folder),
    ledger: new Ledger(folder),
  };
  if (folder === undefined) alone.set(target, made);
  return made;
}
