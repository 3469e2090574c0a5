import type { GatewayClient, PlacedOrder, Target } from '#harness';

/** Has an order change without a request about it: by a chargeback where one can be brought about. */
export async function changeLater(order: PlacedOrder, gateway: GatewayClient, { control }: Target): Promise<void> {
  if (control.chargeback !== undefined) await gateway.triggerControl('chargeback', order);
  else await gateway.triggerControl('later', order, { state: 'DECLINED' });
}
