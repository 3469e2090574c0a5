import { isSecondsAgo } from '../../real-time.ts';
import type { IssuerBehaviour } from '../payments/sandbox-cards.ts';

/** Every state an order can be in. */
export const ORDER_STATES = [
  'APPROVED',
  'DECLINED',
  'ERROR',
  'FILTERED',
  'PROCESSING',
  'UNKNOWN',
  'CHAIN_STEP',
] as const;

/** One of {@link ORDER_STATES}. */
export type OrderState = (typeof ORDER_STATES)[number];

/** What an order was opened for. */
export type OrderKind = 'SALE' | 'AUTH' | 'ACCOUNT_VERIFICATION' | 'TRANSFER';

/** Whether a state is one from which no processing leads on. */
export function isFinalState(state: OrderState): boolean {
  return state === 'APPROVED' || state === 'DECLINED' || state === 'ERROR' || state === 'FILTERED';
}

/** Whether nothing is due from the customer, and the end is not there yet. */
export function isPending({ state, step }: Pick<GatewayOrder, 'state' | 'step'>): boolean {
  return !isFinalState(state) && step === undefined;
}

/** One movement of an order; amounts in minor units. */
export interface OrderTransaction {
  readonly type: OrderKind | 'CAPTURE' | 'REVERSAL' | 'RELEASE' | 'CHARGEBACK';
  status: OrderState;
  readonly amount: number;
  readonly created: number;
  /** Chosen by the service: VOID before money was captured, REFUND after. */
  readonly reversalType?: 'VOID' | 'REFUND';
  readonly reason?: string;
  /** Does not count yet; honestly, each does at once. */
  isLate?: boolean;
}

/** A card as an order remembers it: never the number, never the code. */
export interface RememberedCard {
  readonly first: string;
  readonly last: string;
  readonly holder: string | undefined;
  readonly month: number;
  readonly year: number;
  readonly scheme: string;
  readonly issuer: string | undefined;
  /** Hexadecimal; without the sandbox's own credentials it does not give the number back. */
  readonly fingerprint: string;
  readonly behaviour: IssuerBehaviour;
  /** Whether the order was paid by its card id; only lies look at it. */
  readonly isRegistered?: true;
}

/** Addresses that came with the order. */
export interface OrderAddresses {
  readonly result: string | undefined;
  readonly cancel: string | undefined;
  readonly webhook: string | undefined;
  /** Wants to know once there is an address to send the customer to. */
  readonly redirectWebhook: string | undefined;
  cres: string | undefined;
}

/** The 3-D Secure step an order waits in. */
export interface AuthenticationStep {
  readonly name: 'THREEDS_METHOD' | 'CREQ' | 'PAREQ';
  /** Addresses this step at the simulated ACS; also the transaction id that the caller sees. */
  readonly token: string;
  /** CReq or PaReq. */
  readonly message: string;
  /** The only CRes or PaRes values that will be accepted, by the outcome they stand for. */
  readonly answers: { readonly authenticated: string; readonly refused: string };
}

/** An order with everything that happened to it. */
export interface GatewayOrder {
  readonly id: number;
  readonly merchantOrderId: string;
  readonly description: string | undefined;
  readonly requestor: number;
  readonly merchant: string;
  readonly kind: OrderKind;
  readonly amount: number;
  readonly currency: string;
  /** Scheme and authority under which the order was opened; its pages live there. */
  readonly origin: string;
  readonly urls: OrderAddresses;
  /** Whether the request wants an address for the customer rather than a page. */
  readonly wantsRedirect: boolean;
  readonly transactions: OrderTransaction[];
  state: OrderState;
  /** The state that the first answer about it showed. */
  first: OrderState;
  /** How often its status was read; only lies look at it. */
  polls: number;
  /** Identifiers by which status was asked while one transaction was listed; only lies look at them. */
  askedEarly?: Set<string>;
  changedAt: number;
  /** The same in real time; only lies look at it. */
  changedReally?: number;
  card: RememberedCard | undefined;
  step: AuthenticationStep | undefined;
  redirect: string | undefined;
  html: string | undefined;
  /** Token of its hosted form while it waits to be filled in. */
  form: string | undefined;
  /** Number typed on the hosted form, kept for the lies that give it away. */
  typed: string | undefined;
  /** When the authorization lapses, in ms of the sandbox's clock. */
  heldUntil: number | undefined;
  /** Brings it to its end, while that waits to be told. */
  end: (() => void) | undefined;
  voided: boolean;
  /** Whether a capture of it was refused; only lies look at it. */
  isCaptureRefused?: true;
  /** The same of a reversal. */
  isReversalRefused?: true;
  /** Whether nobody is told of it; honestly, of each order somebody is. */
  isUntold?: true;
  /** Another that was opened at the same moment; only lies note it. */
  besides?: GatewayOrder;
  /** How often it changed by no request; only lies look at it. */
  changes?: number;
  chargedBack: boolean;
  error: { readonly code: number; readonly message: string } | undefined;
}

/** Whether the payment said where callbacks about its order go; only lies ask. */
export function namesCallback({ urls }: GatewayOrder): boolean {
  return urls.webhook !== undefined;
}

/** Whether an order came to its state some seconds of real time ago; only lies ask. */
export function isSecondsOld({ changedReally = Infinity }: GatewayOrder): boolean {
  return isSecondsAgo(changedReally);
}

/** Sum of the transactions of one type that were carried out or still may be; honestly, of all times. */
export function sumTransactions(order: GatewayOrder, type: OrderTransaction['type'], since = 0): number {
  let sum = 0;
  for (const one of order.transactions.filter(({ created }) => created >= since))
    if (one.type === type && one.isLate !== true && (one.status === 'APPROVED' || !isFinalState(one.status)))
      sum += one.amount;
  return sum;
}

/**
 * Has a transaction count only for a while, under a lie.
 * @param after milliseconds of real time until it counts, `lasting` those until it counts no more; 0 for no such limit
 */
export function limitCounting(
  transaction: OrderTransaction,
  { after, lasting }: { readonly after: number; readonly lasting: number },
): void {
  const turn = (isLate: boolean, milliseconds: number) => {
    setTimeout(() => {
      transaction.isLate = isLate;
    }, milliseconds).unref();
  };
  if (after > 0) {
    transaction.isLate = true;
    turn(false, after);
  }
  if (lasting > 0) turn(true, lasting);
}

/** What was captured: a sale as a whole once it is approved, an authorization by its captures. */
export function capturedAmount(order: GatewayOrder): number {
  if (order.kind !== 'SALE') return sumTransactions(order, 'CAPTURE');
  return order.transactions.some(({ type, status }) => type === 'SALE' && status === 'APPROVED') ? order.amount : 0;
}
