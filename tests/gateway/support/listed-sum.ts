import { type ApiReply, type GatewayClient, hasTransactions } from '#harness';

/** What an answer lists of one kind of transactions, in minor units: none where it lists none at all, as one about no order does. */
export function sumListed(gateway: GatewayClient, shown: ApiReply, kind: 'sale' | 'capture' | 'reversal'): number {
  return hasTransactions(shown) ? gateway.sumTransactions(shown, kind).sum : 0;
}
