import { type ApiReply, requireSeen, UnseenError } from '#client';
import { valueAt } from '#json-pointer';
import { type NamedTransactionKind, readStyledAmount, type TargetGatewayWire } from '#target';

/** A transaction of an order as an answer lists it. */
export interface ListedTransaction {
  /** As the target file names it; `other` for one it does not name. */
  readonly kind: string;
  readonly type: string;
  /** Minor units, never below zero. */
  readonly amount: number | undefined;
  readonly state: unknown;
  readonly entry: unknown;
}

type Wire = Pick<TargetGatewayWire, 'types' | 'amountRead' | 'read'>;

/** Whether an answer lists transactions, as that about no order does not. */
export function hasTransactions({ status, object }: ApiReply): boolean {
  return status === 200 && Array.isArray(object.transactions) && object.transactions.length > 0;
}

/** The transactions of an order. */
export function listTransactions(reply: ApiReply, { types, amountRead: style, read }: Wire): ListedTransaction[] {
  return reply.list('/transactions').map((entry) => {
    const type = String(valueAt(entry, read.transaction.type));
    const kind = Object.entries(types).find(([, names]) => names.includes(type))?.[0] ?? 'other';
    const state = read.transaction.state === undefined ? undefined : valueAt(entry, read.transaction.state);
    const amount = readStyledAmount(valueAt(entry, read.transaction.amount), style);
    // Whether money that goes back is written below zero is not shown.
    return { kind, type, amount: amount === undefined ? undefined : Math.abs(amount), state, entry };
  });
}

/**
 * Makes sure that the transactions of an approved order are understood: neither the members of an entry nor the values in them are
 * documented, and an order seems to hold nothing where the target file has other ones.
 * @throws UnseenError where there are some, and of none both its kind and that it went through is
 */
export function requireUnderstood({ object }: ApiReply, listed: readonly ListedTransaction[], { read }: Wire): void {
  const isUnderstood = listed.some((one) => one.kind !== 'other' && isApproved(one, read));
  if (object.orderState !== 'APPROVED' || listed.length === 0 || isUnderstood) return;
  throw new UnseenError(
    'no transaction of an approved order was understood by gateway.wire.read.transaction and gateway.wire.types of the target file',
  );
}

function isApproved({ state }: ListedTransaction, { transaction }: Wire['read']): boolean {
  return state === undefined || transaction.approved.includes(String(state));
}

/** What the transactions of a kind come to that an answer lists as approved, or without a state. */
export interface TransactionSum {
  readonly count: number;
  /** Minor units. @throws UnseenError where one of them does not say how much it was: what an entry shows is left open */
  readonly sum: number;
}

/** Counts and sums up the transactions of a kind that an answer lists; {@link TransactionSum}. @throws as {@link requireUnderstood} */
export function sumTransactions(reply: ApiReply, kind: NamedTransactionKind, wire: Wire): TransactionSum {
  const listed = listTransactions(reply, wire);
  const found = listed.filter((one) => one.kind === kind && isApproved(one, wire.read));
  if (found.length === 0) requireUnderstood(reply, listed, wire);
  return {
    count: found.length,
    get sum() {
      return found.reduce((sum, { amount }) => sum + requireSeen(amount, `the amount of a transaction (${kind})`), 0);
    },
  };
}

/** What transactions come to; undefined where one of them does not say. */
export function shownSum(measured: TransactionSum): number | undefined {
  try {
    return measured.sum;
  } catch (error) {
    if (error instanceof UnseenError) return undefined;
    throw error;
  }
}
