import { type ApiReply, expect, type GatewayClient, isTaken, type PlacedOrder } from '#harness';

interface Means {
  readonly gateway: GatewayClient;
  readonly together: (calls: readonly (() => Promise<ApiReply>)[]) => Promise<ApiReply[]>;
}

/** Asks for another part of each of three orders at once, and finds of each order done what was asked of it. */
export async function expectEachDone(
  { gateway, together }: Means,
  by: 'sale' | 'auth',
  kind: 'capture' | 'reversal',
): Promise<void> {
  const orders: PlacedOrder[] = [];
  for (let i = 0; i < 3; i += 1) orders.push(await gateway.arrangeApproved(by, { amount: 1000 }));
  const operation = kind === 'capture' ? 'capture' : 'reverse';
  const replies = await together(orders.map((order, i) => () => gateway[operation](order, 300 + 100 * i)));
  for (const [i, order] of orders.entries()) {
    const done = await gateway.sumAfterPolling(order, kind);
    // Whether as many are taken at once is not said; what is done then is.
    if (isTaken(replies[i]!)) expect(done).toEqual({ count: 1, sum: 300 + 100 * i });
    else expect(done).toEqual({ count: 0, sum: 0 });
  }
}
