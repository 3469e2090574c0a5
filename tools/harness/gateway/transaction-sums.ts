import type { ApiReply } from '#client';
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

/** How many transactions of a kind an answer lists as approved (or without a state), and their sum in minor units. */
export function sumTransactions(
  reply: ApiReply,
  kind: NamedTransactionKind,
  wire: Wire,
): { count: number; sum: number } {
  const { approved } = wire.read.transaction;
  const found = listTransactions(reply, wire).filter(
    (one) => one.kind === kind && (one.state === undefined || approved.includes(String(one.state))),
  );
  return { count: found.length, sum: found.reduce((sum, { amount }) => sum + (amount ?? 0), 0) };
}
