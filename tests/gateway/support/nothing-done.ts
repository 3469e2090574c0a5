import { type ApiReply, expect, type GatewayClient, type GatewayRequestOptions, twice } from '#harness';

/** How requests are changed so that they are refused. */
interface Refusal {
  readonly changes: GatewayRequestOptions;
  /** What the answer to each is held against. */
  readonly expectRefused: (reply: ApiReply, operation: string) => void;
}

/**
 * Sends payments that are refused, and finds no order of any of them.
 * @param requestor whom they are sent for
 * @param seen what has a request for an order of that requestor answered
 */
export async function expectNothingPaid(
  gateway: GatewayClient,
  { changes, expectRefused }: Refusal,
  requestor = gateway.requestor,
  seen: GatewayRequestOptions = {},
): Promise<void> {
  const right = { path: { requestorId: requestor.id }, token: requestor.token };
  const paid = new Map<string, string>();
  for (const operation of ['sale', 'auth', 'accountVerification'] as const) {
    const { body, merchantId } = gateway.preparePayment(operation, { requestor });
    await twice(async () => expectRefused(await gateway.send(operation, { ...right, body, ...changes }), operation));
    paid.set(operation, merchantId);
  }
  await gateway.sleepPollGap();
  for (const [operation, orderMerchantId] of paid) {
    const found = await gateway.send('status', { ...right, body: { orderMerchantId }, ...seen });
    expect(found.status === 200 ? (found.object.transactions ?? []) : [], operation).toEqual([]);
  }
}

/**
 * Sends payments, a capture and a reversal of the first requestor that are refused, and finds no order of the payments, and neither of the
 * others done to the authorization that they are about.
 */
export async function expectNothingDone(gateway: GatewayClient, refusal: Refusal): Promise<void> {
  const order = await gateway.arrangeApproved('auth', { amount: 1000 });
  for (const operation of ['capture', 'reversal'] as const) {
    const named = gateway.orderBody(order, operation);
    const body = operation === 'reversal' ? { ...named, reversalReason: 'Conformance check' } : named;
    await twice(async () =>
      refusal.expectRefused(await gateway.send(operation, { body, ...refusal.changes }), operation),
    );
  }
  await expectNothingPaid(gateway, refusal);
  const now = await gateway.pollWhilePending(order);
  for (const kind of ['capture', 'reversal'] as const)
    expect(gateway.sumTransactions(now, kind, order.currency).count, kind).toBe(0);
}

/** Sends a payment that lacks a part of its body, which is to be refused, and finds no order of it that is approved. */
export async function expectRefusedWithout(
  gateway: GatewayClient,
  part: 'order' | 'browser',
  operation: 'sale' | 'accountVerification',
): Promise<void> {
  const { merchantId } = gateway.paymentBody();
  await twice(async () => expect(await gateway.payWithout(part, operation, { merchantId })).toBeRefused());
  await gateway.sleepPollGap();
  const found = await gateway.send('status', { body: { orderMerchantId: merchantId } });
  expect(found.status === 200 ? found.object.orderState : undefined).not.toBe('APPROVED');
}
