import { type ApiReply, expect, type GatewayClient, type GatewayRequestOptions } from '#harness';

/** How requests are changed so that they are refused. */
interface Refusal {
  readonly changes: GatewayRequestOptions;
  /** What the answer to each is held against. */
  readonly expectRefused: (reply: ApiReply, operation: string) => void;
}

/**
 * Sends payments that are refused, and finds no order of any of them.
 * @param requestor whom they are sent for, and how its orders can be asked for
 */
export async function expectNothingPaid(
  gateway: GatewayClient,
  { changes, expectRefused }: Refusal,
  requestor = gateway.requestor,
  seen: GatewayRequestOptions = {},
): Promise<void> {
  const sent = { path: { requestorId: requestor.id }, token: requestor.token };
  const paid = new Map<string, string>();
  for (const operation of ['sale', 'auth', 'accountVerification'] as const) {
    const { body, merchantId } = gateway.preparePayment(operation, { requestor });
    expectRefused(await gateway.send(operation, { ...sent, body, ...changes }), operation);
    paid.set(operation, merchantId);
  }
  await gateway.sleepPollGap();
  for (const [operation, orderMerchantId] of paid) {
    const found = await gateway.send('status', { ...sent, body: { orderMerchantId }, ...seen });
    expect(found.status === 200 ? (found.object.transactions ?? []) : [], operation).toEqual([]);
  }
}

/** Sends a payment that lacks a part of its body, which is to be refused, and finds no order of it that is approved. */
export async function expectRefusedWithout(
  gateway: GatewayClient,
  part: 'order' | 'browser',
  operation: 'sale' | 'accountVerification',
): Promise<void> {
  const { merchantId } = gateway.paymentBody();
  expect(await gateway.payWithout(part, operation, { merchantId })).toBeRefused();
  await gateway.sleepPollGap();
  const found = await gateway.send('status', { body: { orderMerchantId: merchantId } });
  expect(found.status === 200 ? found.object.orderState : undefined).not.toBe('APPROVED');
}

/** Sends a capture and a reversal of an authorization that are refused, and finds neither of them carried out. */
export async function expectNothingMoved(gateway: GatewayClient, { changes, expectRefused }: Refusal): Promise<void> {
  const order = await gateway.arrangeApproved('auth', { amount: 1000 });
  for (const operation of ['capture', 'reversal'] as const) {
    const named = gateway.orderBody(order, operation);
    const body = operation === 'reversal' ? { ...named, reversalReason: 'Conformance check' } : named;
    expectRefused(await gateway.send(operation, { body, ...changes }), operation);
    await gateway.sleepPollGap();
    expect((await gateway.sumAfterPolling(order, operation)).count, operation).toBe(0);
  }
}

/** As {@link expectNothingPaid} and {@link expectNothingMoved} say, for the first requestor. */
export async function expectNothingDone(gateway: GatewayClient, refusal: Refusal): Promise<void> {
  await expectNothingPaid(gateway, refusal);
  await expectNothingMoved(gateway, refusal);
}
