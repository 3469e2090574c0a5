import { type ApiReply, type GatewayClient, hasTransactions, type TransactionSum } from '#harness';

/** What an answer lists of one kind of transactions, in minor units: none where it lists none at all, as one about no order does. */
export function sumListed(gateway: GatewayClient, shown: ApiReply, kind: 'sale' | 'capture' | 'reversal'): number {
  return hasTransactions(shown) ? gateway.sumTransactions(shown, kind).sum : 0;
}

export const isSameSum = (one: TransactionSum, other: TransactionSum): boolean =>
  one.count === other.count && one.sum === other.sum;

/** What is listed now beyond what was listed before. */
export const difference = (now: TransactionSum, before: TransactionSum): TransactionSum => ({
  count: now.count - before.count,
  sum: now.sum - before.sum,
});

/** A sum in words. */
export const describeSum = ({ count, sum }: TransactionSum, what: string): string =>
  `${count} ${what}${count === 1 ? '' : 's'} of ${sum} minor units`;
