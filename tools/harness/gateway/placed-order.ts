import type { TargetCardBehaviour, TargetRequestor } from '#target';
import type { RequestParts } from '../request-parts.ts';

/** States after which an order does not change by itself (document, States and transitions). */
export const FINAL_STATES: readonly string[] = ['APPROVED', 'DECLINED', 'ERROR', 'FILTERED'];
/** States in which polling goes on. */
export const PENDING_STATES: readonly string[] = ['PROCESSING', 'UNKNOWN', 'CHAIN_STEP'];

/** Cards whose payments are not final at first. */
export const PENDING_CARDS: readonly TargetCardBehaviour[] = ['pending', 'unknown', 'chain'];

/** Operations that make an order. */
export type PaymentOperation = 'sale' | 'auth' | 'accountVerification' | 'saleForm' | 'authForm';

/** What a status request names an order by (document, StatusRequest). */
export type OrderIdentifier = 'orderSystemId' | 'orderMerchantId' | 'byCorrelationId';

/** An order as later requests name it. */
export interface PlacedOrder {
  readonly requestor: TargetRequestor;
  readonly merchantId: string;
  /** As the service wrote it, of any type. */
  readonly systemId: unknown;
  /** Of the first answer. */
  readonly correlationId: unknown;
  readonly currency: string;
  /** Minor units. */
  readonly amount: number;
  /** What it was paid with, where that was a test card. */
  readonly card?: TargetCardBehaviour | undefined;
}

/** What a payment is made with. */
export interface PaymentOptions {
  /** Minor units. */
  readonly amount?: number;
  readonly card?: TargetCardBehaviour;
  /** Pays with a registered card instead of card data. */
  readonly cardId?: string;
  readonly currency?: string;
  readonly requestor?: TargetRequestor;
  readonly callbackUrl?: string;
  readonly returnUrl?: string;
  readonly cancelUrl?: string;
  /** Where the ACS posts the CRes to, for a challenge that comes without a 3DS method. */
  readonly cresUrl?: string;
  readonly merchantId?: string;
}

/** How to send an operation that is not described by its business meaning. */
export interface GatewayRequestOptions extends RequestParts {
  readonly path?: Readonly<Record<string, string | number>>;
  /** Other base address than the target's. */
  readonly address?: string;
  /** What it pays, in minor units; counts against the target's cap. */
  readonly money?: number;
}

/** What an order can be asked for by, its system id first: by its correlation id where an answer showed one. */
export function identifiersOf({ correlationId }: PlacedOrder): readonly OrderIdentifier[] {
  const own: readonly OrderIdentifier[] = ['orderSystemId', 'orderMerchantId'];
  return correlationId == null ? own : [...own, 'byCorrelationId'];
}
