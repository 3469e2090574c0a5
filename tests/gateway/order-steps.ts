import fc from 'fast-check';
import { type Gateway, replayed } from '#harness';
import { type Account, type Book, charged, chosen, identify, isSame, judge, look, said } from './order-model.ts';

export type Step = fc.AsyncCommand<Book, Gateway>;

/** Longer than an authorization lasts on any card, in seconds. */
const LAPSE = 60 * 24 * 60 * 60;

/** An approved payment, of an amount that no other order of the sequence has. */
class Pay implements Step {
  readonly by: 'sale' | 'auth';
  readonly odd: number;
  constructor(by: 'sale' | 'auth', odd: number) {
    this.by = by;
    this.odd = odd;
  }
  check = ({ accounts }: Readonly<Book>) => accounts.length < 3;
  async run(book: Book, gateway: Gateway): Promise<void> {
    const { accounts, callbackUrl } = book;
    const amount = 300 + 100 * accounts.length + this.odd;
    const order = await gateway.approved(this.by, { amount, ...(callbackUrl === undefined ? {} : { callbackUrl }) });
    const none = { count: 0, sum: 0 };
    const account = {
      by: this.by,
      order,
      captures: none,
      reversals: none,
      voided: false,
      old: false,
      state: undefined,
    };
    accounts.push(account);
    await look(book, account, gateway, true);
    const { sum } = account.captures;
    if (this.by === 'auth')
      judge(book, 'GW-ATH-02', sum === 0, 'an authorization that charges nothing', `${sum} charged`);
  }
  toString = () => `Pay(${this.by}, ${this.odd})`;
}

/** A capture of everything, named or not, of a part, or of one minor unit more. */
class Capture implements Step {
  readonly nth: number;
  readonly share: 'all' | 'whole' | 'part' | 'above';
  constructor(nth: number, share: Capture['share']) {
    this.nth = nth;
    this.share = share;
  }
  check = ({ accounts }: Readonly<Book>) => accounts.length > 0;
  async run(book: Book, gateway: Gateway): Promise<void> {
    const account = chosen(book, this.nth);
    const { by, order, captures, voided, old } = account;
    const asked = {
      all: order.amount,
      whole: order.amount,
      part: Math.ceil(order.amount * 0.4),
      above: order.amount + 1,
    };
    const amount = asked[this.share];
    await gateway.capture(order, this.share === 'all' ? undefined : amount);
    await look(book, account, gateway);
    const now = account.captures;
    const nothing = (rule: string, why: string) =>
      judge(book, rule, isSame(now, captures), `no further capture ${why}`, said(now, 'capture'));
    if (by === 'sale') return nothing('GW-CAP-05', 'of what a sale has charged');
    if (voided) return nothing('GW-REV-02', 'of a voided authorization');
    if (old && captures.count === 0) return nothing('GW-CAP-08', 'of a lapsed authorization');
    if (this.share === 'above') return nothing('GW-CAP-05', 'above the authorized amount');
    if (captures.count > 0)
      return judge(
        book,
        'GW-CAP-05',
        now.sum <= order.amount,
        `at most ${order.amount} captured`,
        said(now, 'capture'),
      );
    const rule = { all: 'GW-CAP-03', whole: 'GW-CAP-02', part: 'GW-CAP-04' }[this.share];
    const due = { count: 1, sum: amount };
    if (isSame(now, due)) return;
    const isOwn = this.share === 'whole' || (await succeeds(gateway, 'capture'));
    judge(book, isOwn ? rule : 'GW-CAP-02', false, said(due, 'capture'), said(now, 'capture'));
  }
  toString = () => `Capture(${this.nth}, ${this.share})`;
}

/** A reversal of everything, of a part or the rest of what was captured, or of one minor unit more. */
class Reverse implements Step {
  readonly nth: number;
  readonly share: 'all' | 'part' | 'rest' | 'above';
  constructor(nth: number, share: Reverse['share']) {
    this.nth = nth;
    this.share = share;
  }
  /** Left out is what the document says nothing of: an amount before a capture, all of what was captured in part. */
  check = (book: Readonly<Book>) => {
    if (book.accounts.length === 0) return false;
    const account = chosen(book, this.nth);
    const money = charged(account);
    if (money === 0) return this.share === 'all' && !account.voided && !account.old;
    if (this.share === 'all') return money === account.order.amount;
    return this.share === 'above' || money > account.reversals.sum + 1;
  };
  async run(book: Book, gateway: Gateway): Promise<void> {
    const account = chosen(book, this.nth);
    const { order, reversals, old } = account;
    const money = charged(account);
    const left = money - reversals.sum;
    const amount = { all: undefined, part: Math.ceil(left * 0.4), rest: left, above: left + 1 }[this.share];
    await gateway.reverse(order, amount);
    await look(book, account, gateway);
    const now = account.reversals;
    if (money === 0) {
      account.voided = now.count > 0;
      return judge(book, 'GW-REV-02', now.count === 1, 'one reversal of an authorization', said(now, 'reversal'));
    }
    judge(book, 'GW-REV-06', now.sum <= money, `at most ${money} minor units reversed`, said(now, 'reversal'));
    // How late money can be taken back is not shown, nor what everything is when a part is gone.
    if (this.share === 'above' || old || (amount === undefined && reversals.count > 0)) return;
    const due = { count: reversals.count + 1, sum: reversals.sum + (amount ?? money) };
    if (isSame(now, due)) return;
    const isOwn = reversals.count > 0 || (await succeeds(gateway, 'reversal'));
    const rule = amount === undefined ? 'GW-REV-04' : 'GW-REV-05';
    judge(book, isOwn ? rule : 'GW-REV-03', false, said(due, 'reversal'), said(now, 'reversal'));
  }
  toString = () => `Reverse(${this.nth}, ${this.share})`;
}

/** Whether the plainest case, the whole amount of a new order, goes through: if not, what failed is not about parts or omissions. */
async function succeeds(gateway: Gateway, operation: 'capture' | 'reversal'): Promise<boolean> {
  const order = await gateway.approved(operation === 'capture' ? 'auth' : 'sale', { amount: 300 });
  if (operation === 'capture') await gateway.capture(order, order.amount);
  else await gateway.reverse(order, order.amount);
  return (await gateway.moved(order, operation)).sum === order.amount;
}

/** A look at an order by one of its identifiers while nothing is done to it. */
class Status implements Step {
  readonly nth: number;
  readonly by: 'orderSystemId' | 'orderMerchantId' | 'byCorrelationId';
  constructor(nth: number, by: Status['by']) {
    this.nth = nth;
    this.by = by;
  }
  check = ({ accounts }: Readonly<Book>) => accounts.length > 0;
  async run(book: Book, gateway: Gateway): Promise<void> {
    const account: Account = chosen(book, this.nth);
    const rule = { orderSystemId: 'GW-STS-02', orderMerchantId: 'GW-STS-03', byCorrelationId: 'GW-STS-04' }[this.by];
    const reply = await gateway.status(account.order, this.by);
    judge(book, rule, reply.status === 200, `the order, asked for by ${this.by} alone`, `status ${reply.status}`);
    if (reply.status !== 200) return;
    const state = String(reply.object.orderState);
    if (account.state === 'APPROVED' && state !== 'APPROVED') {
      // Another identifier tells whether the order has changed or was not found.
      const other = this.by === 'orderSystemId' ? 'orderMerchantId' : 'orderSystemId';
      const isThere = (await gateway.status(account.order, other)).object.orderState === 'APPROVED';
      judge(book, isThere ? rule : 'GW-STA-04', false, 'APPROVED while nothing is done to the order', state);
    }
    if (Array.isArray(reply.object.transactions)) identify(book, account, gateway, reply, rule);
  }
  toString = () => `Status(${this.nth}, ${this.by})`;
}

/** Time goes by until no authorization can be captured any more; not too often, as cards expire. */
class Later implements Step {
  readonly time: { left: number };
  constructor(time: Later['time']) {
    this.time = time;
  }
  check = ({ accounts }: Readonly<Book>) => this.time.left > 0 && accounts.some(({ old }) => !old);
  async run({ accounts }: Book, gateway: Gateway): Promise<void> {
    this.time.left -= 1;
    await gateway.sleep(LAPSE);
    for (const account of accounts) Object.assign(account, { old: true, state: undefined });
  }
  toString = () => 'Later()';
}

/**
 * Sequences of operations on orders, legal and illegal, that begin with a payment.
 * @param lapses how often time may pass in all, which the target's clock has to allow
 */
export function orderSteps(lapses: number): fc.Arbitrary<[Step, Iterable<Step>]> {
  const nth = fc.nat({ max: 2 });
  const pay = fc.tuple(fc.constantFrom('auth', 'sale', 'auth'), fc.nat({ max: 99 })).map((one) => new Pay(...one));
  const capture = fc.tuple(nth, fc.constantFrom('all', 'whole', 'part', 'above')).map((one) => new Capture(...one));
  const reverse = fc.tuple(nth, fc.constantFrom('all', 'part', 'rest', 'above')).map((one) => new Reverse(...one));
  const status = fc
    .tuple(nth, fc.constantFrom('orderSystemId', 'orderMerchantId', 'byCorrelationId'))
    .map((one) => new Status(...one));
  const later = fc.constant(new Later({ left: lapses }));
  const time = lapses > 0 ? [later, later] : [];
  const steps = fc.commands<Book, Gateway, false>(
    [pay, capture, capture, reverse, reverse, reverse, status, status, ...time],
    {
      maxCommands: 14,
      size: 'medium',
      ...replayed(),
    },
  );
  return fc.tuple(pay, steps);
}
