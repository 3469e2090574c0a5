import { type GatewayClient, type PaymentOptions, type PlacedOrder, test } from '#harness';

/** A sale for another requestor than the first, with the card that is approved; skips the check where the sale is not, as none of that one need be. */
export async function seeApprovedSale(
  gateway: GatewayClient,
  payment: PaymentOptions & Required<Pick<PaymentOptions, 'requestor'>>,
): Promise<PlacedOrder> {
  const { order, state } = await gateway.payAndFollow('sale', payment);
  test.skip(state !== 'APPROVED', 'another requestor has no payment approved');
  return order;
}
