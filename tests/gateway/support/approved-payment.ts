import { type GatewayClient, type PaymentOptions, type PlacedOrder, test } from '#harness';

/** A payment for another requestor than the first, with the card that is approved; skips the check where it is not, as none of that one need be. */
export async function seeApproved(
  gateway: GatewayClient,
  by: 'sale' | 'auth',
  payment: PaymentOptions & Required<Pick<PaymentOptions, 'requestor'>>,
): Promise<PlacedOrder> {
  const { order, state } = await gateway.payAndFollow(by, payment);
  test.skip(state !== 'APPROVED', 'another requestor has no payment approved');
  return order;
}
