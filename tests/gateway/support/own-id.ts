import type { PlacedOrder } from '#harness';

/** Has a request about an order name it by its system id alone, in checks too that name it by both. */
export const BY_SYSTEM_ID = { orderMerchantId: undefined } as const;

/** Has a request about an order name it by the caller's own id alone. */
export const byOwnId = ({ merchantId }: PlacedOrder) => ({ orderSystemId: undefined, orderMerchantId: merchantId });
