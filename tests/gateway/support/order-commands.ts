import fc from 'fast-check';
import { type GatewayClient, identifiersOf, replayOptions } from '#harness';
import { describeSum, isSameSum } from './listed-sum.ts';
import {
  chooseOrder,
  judgeIdentity,
  judgeModelRule,
  noteReleased,
  type OrderModel,
  observeOrder,
  reversibleAmount,
  type TrackedOrder,
} from './order-model.ts';

export type OrderCommand = fc.AsyncCommand<OrderModel, GatewayClient>;

/** Days, more than an authorization lasts on any card. */
const LAPSE = 60;

/** An approved payment, of an amount that no other order of the sequence has. */
class Pay implements OrderCommand {
  readonly by: 'sale' | 'auth';
  readonly odd: number;
  constructor(by: 'sale' | 'auth', odd: number) {
    this.by = by;
    this.odd = odd;
  }
  check = ({ trackedOrders: accounts }: Readonly<OrderModel>) => accounts.length < 3;
  async run(book: OrderModel, gateway: GatewayClient): Promise<void> {
    const { trackedOrders: accounts, callbackUrl } = book;
    const amount = 300 + 100 * accounts.length + this.odd;
    const order = await gateway.arrangeApproved(this.by, {
      amount,
      ...(callbackUrl === undefined ? {} : { callbackUrl }),
    });
    const none = { count: 0, sum: 0 };
    const account = {
      by: this.by,
      order,
      captures: none,
      reversals: none,
      released: none,
      voided: false,
      old: false,
      state: undefined,
    };
    accounts.push(account);
    await observeOrder(book, account, gateway, 'payment');
  }
  toString = () => `Pay(${this.by}, ${this.odd})`;
}

/** A capture of everything, named or not, of a part, or of one minor unit more. */
class Capture implements OrderCommand {
  readonly nth: number;
  readonly share: 'all' | 'whole' | 'part' | 'above';
  constructor(nth: number, share: Capture['share']) {
    this.nth = nth;
    this.share = share;
  }
  check = ({ trackedOrders: accounts }: Readonly<OrderModel>) => accounts.length > 0;
  async run(book: OrderModel, gateway: GatewayClient): Promise<void> {
    const account = chooseOrder(book, this.nth);
    const { by, order, captures, voided, old } = account;
    const asked = {
      all: order.amount,
      whole: order.amount,
      part: Math.ceil(order.amount * 0.4),
      above: order.amount + 1,
    };
    const amount = asked[this.share];
    await gateway.capture(order, this.share === 'all' ? undefined : amount);
    await observeOrder(book, account, gateway, 'capture');
    const now = account.captures;
    const nothing = (rule: string, why: string) =>
      judgeModelRule(book, rule, isSameSum(now, captures), `no further capture ${why}`, describeSum(now, 'capture'));
    const isLeft = now.count >= captures.count && now.sum >= captures.sum;
    judgeModelRule(book, 'GW-STS-08', isLeft, `still ${describeSum(captures, 'capture')}`, describeSum(now, 'capture'));
    if (by === 'sale') return nothing('GW-CAP-05', 'of what a sale has charged');
    if (voided) return nothing('GW-REV-02', 'of a voided authorization');
    if (old) return nothing('GW-CAP-08', 'of a lapsed authorization');
    if (this.share === 'above' || captures.count > 0)
      return judgeModelRule(
        book,
        'GW-CAP-05',
        now.sum <= order.amount,
        `at most ${order.amount} captured`,
        describeSum(now, 'capture'),
      );
    const rule = { all: 'GW-CAP-03', whole: 'GW-CAP-02', part: 'GW-CAP-04' }[this.share];
    const due = { count: 1, sum: amount };
    const holds = isSameSum(now, due);
    const isOwn = holds || this.share === 'whole' || (await succeeds(gateway, 'capture'));
    judgeModelRule(book, isOwn ? rule : 'GW-CAP-02', holds, describeSum(due, 'capture'), describeSum(now, 'capture'));
  }
  toString = () => `Capture(${this.nth}, ${this.share})`;
}

/** A reversal of everything, of a part or the rest of what was captured, or of one minor unit more. */
class Reverse implements OrderCommand {
  readonly nth: number;
  readonly share: 'all' | 'part' | 'rest' | 'above';
  constructor(nth: number, share: Reverse['share']) {
    this.nth = nth;
    this.share = share;
  }
  /** Left out is what the document says nothing of: an amount before a capture, all of what was captured in part. */
  check = (book: Readonly<OrderModel>) => {
    if (book.trackedOrders.length === 0) return false;
    const account = chooseOrder(book, this.nth);
    const money = reversibleAmount(account);
    if (money === 0) return this.share === 'all' && !account.voided && !account.old;
    if (this.share === 'all') return money === account.order.amount;
    return this.share === 'above' || money > account.reversals.sum + 1;
  };
  async run(book: OrderModel, gateway: GatewayClient): Promise<void> {
    const account = chooseOrder(book, this.nth);
    const { order, reversals, old } = account;
    const money = reversibleAmount(account);
    const left = money - reversals.sum;
    const amount = { all: undefined, part: Math.ceil(left * 0.4), rest: left, above: left + 1 }[this.share];
    await gateway.reverse(order, amount);
    await observeOrder(book, account, gateway, 'reversal');
    const now = account.reversals;
    if (money === 0) {
      account.voided = now.count > 0;
      return judgeModelRule(
        book,
        'GW-REV-02',
        now.count === 1,
        'one reversal of an authorization',
        describeSum(now, 'reversal'),
      );
    }
    judgeModelRule(
      book,
      'GW-REV-06',
      now.sum <= money,
      `at most ${money} minor units reversed`,
      describeSum(now, 'reversal'),
    );
    // How late money can be taken back is not shown, nor what everything is when a part is gone.
    if (this.share === 'above' || old || (amount === undefined && reversals.count > 0)) return;
    const due = { count: reversals.count + 1, sum: reversals.sum + (amount ?? money) };
    const holds = isSameSum(now, due);
    const isOwn = holds || reversals.count > 0 || (await succeeds(gateway, 'reversal'));
    const rule = amount === undefined ? 'GW-REV-04' : 'GW-REV-05';
    judgeModelRule(book, isOwn ? rule : 'GW-REV-03', holds, describeSum(due, 'reversal'), describeSum(now, 'reversal'));
  }
  toString = () => `Reverse(${this.nth}, ${this.share})`;
}

/** Whether the plainest case, the whole amount of a new order, goes through: if not, what failed is not about parts or omissions. */
async function succeeds(gateway: GatewayClient, operation: 'capture' | 'reversal'): Promise<boolean> {
  const order = await gateway.arrangeApproved(operation === 'capture' ? 'auth' : 'sale', { amount: 300 });
  if (operation === 'capture') await gateway.capture(order, order.amount);
  else await gateway.reverse(order, order.amount);
  return (await gateway.sumAfterPolling(order, operation)).sum === order.amount;
}

/** A look at an order by one of its identifiers while nothing is done to it. */
class Status implements OrderCommand {
  readonly nth: number;
  readonly by: 'orderSystemId' | 'orderMerchantId' | 'byCorrelationId';
  constructor(nth: number, by: Status['by']) {
    this.nth = nth;
    this.by = by;
  }
  check = ({ trackedOrders: accounts }: Readonly<OrderModel>) => accounts.length > 0;
  async run(book: OrderModel, gateway: GatewayClient): Promise<void> {
    const account: TrackedOrder = chooseOrder(book, this.nth);
    if (this.by === 'byCorrelationId' && !identifiersOf(account.order).includes(this.by)) return;
    const rule = { orderSystemId: 'GW-STS-02', orderMerchantId: 'GW-STS-03', byCorrelationId: 'GW-STS-04' }[this.by];
    const reply = await gateway.status(account.order, this.by);
    judgeModelRule(
      book,
      rule,
      reply.status === 200,
      `the order, asked for by ${this.by} alone`,
      `status ${reply.status}`,
    );
    if (reply.status !== 200) return;
    const state = String(reply.object.orderState);
    if (account.state === 'APPROVED') {
      const holds = state === 'APPROVED';
      // Another identifier tells whether the order has changed or was not found.
      const other = this.by === 'orderSystemId' ? 'orderMerchantId' : 'orderSystemId';
      const isThere = !holds && (await gateway.status(account.order, other)).object.orderState === 'APPROVED';
      judgeModelRule(book, isThere ? rule : 'GW-STA-04', holds, 'APPROVED while nothing is done to the order', state);
    }
    if (Array.isArray(reply.object.transactions)) judgeIdentity(book, account, gateway, reply, rule);
  }
  toString = () => `Status(${this.nth}, ${this.by})`;
}

/** Time goes by until no authorization can be captured any more; not too often, as cards expire. */
class Later implements OrderCommand {
  readonly time: { left: number };
  constructor(time: Later['time']) {
    this.time = time;
  }
  check = ({ trackedOrders: accounts }: Readonly<OrderModel>) => this.time.left > 0 && accounts.some(({ old }) => !old);
  async run({ trackedOrders: accounts }: OrderModel, gateway: GatewayClient): Promise<void> {
    this.time.left -= 1;
    await gateway.passDays(LAPSE);
    for (const account of accounts) {
      Object.assign(account, { old: true, state: undefined });
      noteReleased(account, gateway, await gateway.status(account.order));
    }
  }
  toString = () => 'Later()';
}

/**
 * Sequences of operations on orders, legal and illegal, that begin with a payment.
 * @param lapses how often time may pass in all, which the target's clock has to allow
 */
export function orderCommands(lapses: number): fc.Arbitrary<[OrderCommand, Iterable<OrderCommand>]> {
  const nth = fc.nat({ max: 2 });
  const pay = fc.tuple(fc.constantFrom('auth', 'sale', 'auth'), fc.nat({ max: 99 })).map((one) => new Pay(...one));
  const capture = fc.tuple(nth, fc.constantFrom('all', 'whole', 'part', 'above')).map((one) => new Capture(...one));
  const reverse = fc.tuple(nth, fc.constantFrom('all', 'part', 'rest', 'above')).map((one) => new Reverse(...one));
  const status = fc
    .tuple(nth, fc.constantFrom('orderSystemId', 'orderMerchantId', 'byCorrelationId'))
    .map((one) => new Status(...one));
  const later = fc.constant(new Later({ left: lapses }));
  const time = lapses > 0 ? [later, later] : [];
  const steps = fc.commands<OrderModel, GatewayClient, false>(
    [pay, capture, capture, reverse, reverse, reverse, status, status, ...time],
    {
      maxCommands: 14,
      size: 'medium',
      ...replayOptions(),
    },
  );
  return fc.tuple(pay, steps);
}
