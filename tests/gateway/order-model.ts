import { FINAL, Finding, type Gateway, type Order, type Reply, Unarranged } from '#harness';

/** Transactions of one kind that went through: how many, and their sum in minor units. */
interface Sum {
  readonly count: number;
  readonly sum: number;
}

/** An order and what was last seen of it. */
export interface Account {
  readonly by: 'sale' | 'auth';
  readonly order: Order;
  captures: Sum;
  reversals: Sum;
  voided: boolean;
  /** More time has passed than any authorization lasts. */
  old: boolean;
  /** Final state since the last operation; undefined when it is not known. */
  state: string | undefined;
}

/** The orders of one sequence, and what is asked of them. */
export interface Book {
  readonly accounts: Account[];
  /** Rules that are judged; what concerns another is taken as it comes. */
  readonly rules: readonly string[];
  readonly callbackUrl?: string;
  /** Told of every operation that was carried out, with the status after it. */
  readonly carriedOut?: (account: Account, status: Reply) => Promise<void>;
}

/** Judges one thing that the document promises. @throws Finding about the rule when it does not hold */
export function judge({ rules }: Book, rule: string, holds: boolean, expected: string, actual: string): void {
  if (!holds && rules.includes(rule)) throw new Finding(expected, actual, rule);
}

/** The account that a step means, by a number that may be too large. */
export const chosen = ({ accounts }: Readonly<Book>, nth: number): Account => accounts[nth % accounts.length]!;

/** What can be reversed of an order, in minor units: a sale has captured its amount. */
export const charged = ({ by, order, captures }: Account): number => (by === 'sale' ? order.amount : captures.sum);

export const isSame = (one: Sum, other: Sum): boolean => one.count === other.count && one.sum === other.sum;

/** Sums in words. */
export const said = ({ count, sum }: Sum, what: string): string =>
  `${count} ${what}${count === 1 ? '' : 's'} of ${sum} minor units`;

/** Waits until an order is at rest and notes what status says of it then. @throws Finding when status speaks of another order */
export async function look(book: Book, account: Account, gateway: Gateway, isNew = false): Promise<void> {
  const status = await gateway.rest(account.order);
  if (!lists(status)) {
    const rule = lists(await gateway.status(account.order, 'orderMerchantId')) ? 'GW-STS-02' : 'GW-STS-08';
    judge(book, rule, false, 'the transactions of an approved order', `none, with status ${status.status}`);
    throw new Unarranged('status lists no transactions');
  }
  identify(book, account, gateway, status, 'GW-STS-02');
  const { captures, reversals } = account;
  account.captures = gateway.tally(status, 'capture');
  account.reversals = gateway.tally(status, 'reversal');
  const state = String(status.object.orderState);
  account.state = FINAL.includes(state) ? state : undefined;
  if (isNew || !isSame(captures, account.captures) || !isSame(reversals, account.reversals))
    await book.carriedOut?.(account, status);
}

/** Whether an answer lists transactions. */
const lists = ({ status, object }: Reply): boolean =>
  status === 200 && Array.isArray(object.transactions) && object.transactions.length > 0;

/** An order is another one when it shows the amount of that one, and its own nowhere. */
export function identify(book: Book, { order }: Account, gateway: Gateway, status: Reply, rule: string): void {
  const amounts = gateway.transactions(status).map(({ amount }) => amount);
  const others = book.accounts.map((one) => one.order.amount).filter((amount) => amount !== order.amount);
  judge(
    book,
    rule,
    amounts.includes(order.amount) || !others.some((amount) => amounts.includes(amount)),
    `the order of ${order.amount} minor units`,
    `transactions of ${amounts.join(', ')}`,
  );
}
