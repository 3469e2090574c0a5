import type { TestInfo } from '@playwright/test';
import fc from 'fast-check';
import { Finding, type Gateway, hold, Unarranged } from '#harness';
import type { Book } from './order-model.ts';
import { orderSteps } from './order-steps.ts';

/**
 * Lets orders go through drawn sequences of operations and judges what some rules promise of them.
 * @throws Finding about one of the rules, with the shortest sequence that shows it
 */
export async function goThroughSequences(
  info: TestInfo,
  gateway: Gateway,
  book: Omit<Book, 'accounts'>,
  { runs, lapses = 0 }: { readonly runs: number; readonly lapses?: number },
): Promise<void> {
  // Each step may have to be waited for.
  info.setTimeout(600_000);
  const property = fc.asyncProperty(orderSteps(lapses), async ([first, steps]) => {
    const model: Book = { ...book, accounts: [] };
    try {
      await first.run(model, gateway);
      await fc.asyncModelRun(() => ({ model, real: gateway }), steps);
    } catch (error) {
      // What cannot be read is judged by the checks of the rules about it.
      if (error instanceof Finding && error.rule === undefined) throw new Unarranged(error.message);
      throw error;
    }
  });
  await hold(info, 'orders behave like their model', property, { runs });
}
