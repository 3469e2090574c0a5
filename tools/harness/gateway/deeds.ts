import type { NamedTransactionKind } from '#target';
import { writeMoney } from '../check-story.ts';
import type { PaymentOperation, PlacedOrder } from './placed-order.ts';

const PAYMENTS: Readonly<Record<PaymentOperation, string>> = {
  sale: 'a sale',
  auth: 'an authorization',
  accountVerification: 'an account verification',
  saleForm: 'the start of a sale form',
  authForm: 'the start of an authorization form',
};

/** What a transaction of each kind does to money, as a participle. */
export const DONE_TO_MONEY: Readonly<Record<NamedTransactionKind, string>> = {
  authorization: 'authorized',
  capture: 'captured',
  sale: 'charged',
  reversal: 'reversed',
  verification: 'verified',
  transfer: 'transferred',
  chargeback: 'charged back',
};

/** A payment as a deed: `a sale of 12.34 EUR`; of a verification, which moves no money, no amount. */
export function describePayment(operation: PaymentOperation, order: Pick<PlacedOrder, 'amount' | 'currency'>): string {
  const of = operation === 'accountVerification' ? '' : ` of ${writeMoney(order.amount, order.currency)}`;
  return `${PAYMENTS[operation]}${of}`;
}

/** How much of an order something was asked for: `of 6.17 EUR`, `without an amount`. */
export function describePart(amount: number | undefined, currency: string): string {
  return amount === undefined ? 'without an amount' : `of ${writeMoney(amount, currency)}`;
}
