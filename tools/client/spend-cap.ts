import type { TargetManners } from '#target';
import { UnofferedError } from './failures.ts';
import { CLIENT_SERVICES } from './services.ts';
import { openSharedTally, type SharedTally } from './shared-tally.ts';

/** Operations that move money, and whether what they are sent for counts as paid. */
const MOVES: ReadonlyMap<string, boolean> = new Map(
  CLIENT_SERVICES.flatMap(({ moneyOperations }) => Object.entries(moneyOperations)),
);

/** Whether an operation counts against the cap of a run. */
export function movesMoney(operation: string | undefined): boolean {
  return operation !== undefined && MOVES.has(operation);
}

/** What a run has spent: calls that move money, and what was paid in major units. */
export interface Spending {
  readonly calls: number;
  readonly total: number;
}

const NAME = 'spend cap';
const NOTHING: Spending = { calls: 0, total: 0 };

/** What the run whose workers share a folder has spent so far. */
export function readSpending(folder: string): Promise<Spending> {
  return openSharedTally(folder, NAME, NOTHING).update((was) => ({ next: was, result: was }));
}

/** Counts what a run had spent before it was continued. */
export function presetSpending(folder: string, spending: Spending): Promise<void> {
  return openSharedTally(folder, NAME, NOTHING).update(() => ({ next: spending, result: undefined }));
}

/** Counts what a run spends, for all workers together, and stops it at the cap of the target file. */
export class SpendCap {
  readonly #cap: TargetManners['money'];
  readonly #spent: SharedTally<Spending>;

  constructor(cap: TargetManners['money'], folder?: string) {
    this.#cap = cap;
    this.#spent = openSharedTally(folder, NAME, NOTHING);
  }

  /**
   * Counts one call.
   * @param amount minor units
   * @returns what it counts, in major units
   * @throws Unoffered (cost) when it would pass the cap; then nothing is counted and nothing may be sent
   */
  async spend(operation: string, amount: number): Promise<number> {
    const paid = MOVES.get(operation) === true ? Math.max(0, amount) / 100 : 0;
    const over = await this.#spent.update<'calls' | 'total' | undefined>((was) => {
      const now = { calls: was.calls + 1, total: was.total + paid };
      const line = now.calls > this.#cap.calls ? 'calls' : now.total > this.#cap.total ? 'total' : undefined;
      return { next: line === undefined ? now : was, result: line };
    });
    if (over !== undefined)
      throw new UnofferedError(
        'cost',
        `the run has moved as much money as it may (${this.#cap[over]} ${over === 'calls' ? 'calls' : 'paid in all'}); a higher manners.money.${over} in the target file would enable it`,
      );
    return paid;
  }
}
