import type { PlacedOrder } from '#harness';

/** Has a request about an order name it by the caller's own id alone. */
export const byOwnId = ({ merchantId }: PlacedOrder) => ({ orderSystemId: undefined, orderMerchantId: merchantId });
