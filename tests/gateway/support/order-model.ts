import {
  type ApiReply,
  assertPromise,
  FINAL_STATES,
  type GatewayClient,
  hasTransactions,
  type PlacedOrder,
  type TransactionSum,
  UnarrangedError,
} from '#harness';
import { difference, isSameSum } from './listed-sum.ts';

/** An order and what was last seen of it. */
export interface TrackedOrder {
  readonly by: 'sale' | 'auth';
  readonly order: PlacedOrder;
  captures: TransactionSum;
  /** What was taken back as it was asked for. */
  reversals: TransactionSum;
  /** What the service listed beside that: a block that it gave up may be listed as a reversal, too. */
  released: TransactionSum;
  voided: boolean;
  /** More time has passed than any authorization lasts. */
  old: boolean;
  /** Final state since the last operation; undefined when it is not known. */
  state: string | undefined;
}

/** The orders of one sequence, and what is asked of them. */
export interface OrderModel {
  readonly trackedOrders: TrackedOrder[];
  /** Rules that are judged; what concerns another is taken as it comes. */
  readonly rules: readonly string[];
  readonly callbackUrl?: string;
  /** Told of every sequence, before it begins. */
  readonly beforeSequence?: () => void;
  /** Told of every operation that was carried out, with the status after it. */
  readonly afterOperation?: (account: TrackedOrder, status: ApiReply) => Promise<void>;
}

/** Judges one thing that the document promises. @throws Finding about the rule when it does not hold */
export function judgeModelRule(
  { rules }: OrderModel,
  rule: string,
  holds: boolean,
  expected: string,
  actual: string,
): void {
  if (rules.includes(rule)) assertPromise(holds, expected, actual, rule);
}

/** The account that a step means, by a number that may be too large. */
export const chooseOrder = ({ trackedOrders: accounts }: Readonly<OrderModel>, nth: number): TrackedOrder =>
  accounts[nth % accounts.length]!;

/** What can be reversed of an order, in minor units: a sale has captured its amount. */
export const reversibleAmount = ({ by, order, captures }: TrackedOrder): number =>
  by === 'sale' ? order.amount : captures.sum;

/**
 * Waits until an order is at rest and notes what status says of it then.
 * @param after what was done to the order
 * @throws Finding when status speaks of another order
 */
export async function observeOrder(
  book: OrderModel,
  account: TrackedOrder,
  gateway: GatewayClient,
  after: 'payment' | 'capture' | 'reversal',
): Promise<void> {
  const status = await gateway.pollWhilePending(account.order);
  if (!hasTransactions(status)) {
    const rule = hasTransactions(await gateway.status(account.order, 'orderMerchantId')) ? 'GW-STS-02' : 'GW-STS-08';
    judgeModelRule(book, rule, false, 'the transactions of an approved order', `none, with status ${status.status}`);
    throw new UnarrangedError('status lists no transactions');
  }
  judgeModelRule(book, 'GW-STS-08', true, 'the transactions of an approved order', 'these');
  judgeIdentity(book, account, gateway, status, 'GW-STS-02');
  const { captures, reversals } = account;
  account.captures = gateway.sumTransactions(status, 'capture');
  if (after === 'capture') noteReleased(account, gateway, status);
  account.reversals = difference(gateway.sumTransactions(status, 'reversal'), account.released);
  const state = String(status.object.orderState);
  account.state = FINAL_STATES.includes(state) ? state : undefined;
  if (after === 'payment' || !isSameSum(captures, account.captures) || !isSameSum(reversals, account.reversals))
    await book.afterOperation?.(account, status);
}

/** Takes every reversal that an answer lists for the service's own, but those that were asked for. */
export function noteReleased(account: TrackedOrder, gateway: GatewayClient, status: ApiReply): void {
  if (hasTransactions(status))
    account.released = difference(gateway.sumTransactions(status, 'reversal'), account.reversals);
}

/** An order is another one when it shows the amount of that one, and its own nowhere. */
export function judgeIdentity(
  book: OrderModel,
  { order }: TrackedOrder,
  gateway: GatewayClient,
  status: ApiReply,
  rule: string,
): void {
  const amounts = gateway.transactions(status).map(({ amount }) => amount);
  const others = book.trackedOrders.map((one) => one.order.amount).filter((amount) => amount !== order.amount);
  judgeModelRule(
    book,
    rule,
    amounts.includes(order.amount) || !others.some((amount) => amounts.includes(amount)),
    `the order of ${order.amount} minor units`,
    `transactions of ${amounts.join(', ')}`,
  );
}
