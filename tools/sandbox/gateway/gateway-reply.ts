/** Operation ids of the contract, and the two families whose paths the document leaves open. */
export const GATEWAY_OPERATIONS = [
  'sale',
  'saleForm',
  'auth',
  'authForm',
  'capture',
  'reversal',
  'accountVerification',
  'status',
  'transfer',
  'threeDSMethod',
  'threeDSCRes',
  'threeDSPaRes',
  'balanceByMerchant',
  'balanceByMerchantAll',
  'balanceByManager',
  'getCardInfo',
  'getCardHistory',
  'getExchangeRate',
  'registerCards',
  'transactionReport',
] as const;

/** One of {@link GATEWAY_OPERATIONS}. */
export type GatewayOperationId = (typeof GATEWAY_OPERATIONS)[number];

/** The two hosts that the gateway answers under. */
export type GatewayHost = 'main' | 'elsewhere';

/** What goes back on the wire. */
export interface GatewayReply {
  readonly status: number;
  readonly body: unknown;
  /** Content-Type; default JSON. */
  readonly type?: string;
  /** Milliseconds of real time that it waits before it goes out; default none. */
  readonly after?: number;
  /** Other headers. */
  readonly headers?: Readonly<Record<string, string>>;
}
