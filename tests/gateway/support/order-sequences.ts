import type { TestInfo } from '@playwright/test';
import fc from 'fast-check';
import { assertProperty, type GatewayClient, PromiseFinding, UnarrangedError } from '#harness';
import { orderCommands } from './order-commands.ts';
import type { OrderModel } from './order-model.ts';

/**
 * Lets orders go through drawn sequences of operations and judges what some rules promise of them.
 * @throws Finding about one of the rules, with the shortest sequence that shows it
 */
export async function goThroughSequences(
  info: TestInfo,
  gateway: GatewayClient,
  book: Omit<OrderModel, 'trackedOrders'>,
  { runs, lapses = 0 }: { readonly runs: number; readonly lapses?: number },
): Promise<void> {
  // Each step may have to be waited for.
  info.setTimeout(600_000);
  if (lapses > 0) await gateway.learnLapse();
  const property = fc.asyncProperty(orderCommands(lapses), async ([first, steps]) => {
    const model: OrderModel = { ...book, trackedOrders: [] };
    book.beforeSequence?.();
    try {
      await first.run(model, gateway);
      await fc.asyncModelRun(() => ({ model, real: gateway }), steps);
    } catch (error) {
      // What cannot be read is judged by the checks of the rules about it.
      if (error instanceof PromiseFinding && error.rule === undefined) throw new UnarrangedError(error.message);
      throw error;
    }
  });
  await assertProperty(info, 'orders behave like their model', property, { runs });
}
