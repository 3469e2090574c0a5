import type { Clock } from './clock.ts';
import type { GatewayChoices, Kind } from './gateway-choices.ts';

/** A transaction of an order. */
export interface Entry {
  readonly kind: Kind;
  readonly amount: number;
  state: 'approved' | 'refused' | 'pending';
  /** Of a reversal: whether it takes money back. */
  readonly refund: boolean;
}

/** An order. Amounts in minor units. */
export interface Order {
  readonly systemId: unknown;
  readonly merchantId: string;
  readonly requestor: number;
  readonly amount: number;
  readonly credit: boolean;
  readonly at: number;
  readonly entries: Entry[];
  state: string;
  voided: boolean;
}

/** What a payment is to come to: states on the way, then a final one. */
const WAYS: Readonly<Record<string, readonly string[]>> = {
  approved: ['PROCESSING', 'APPROVED'],
  declined: ['PROCESSING', 'DECLINED'],
  filtered: ['PROCESSING', 'FILTERED'],
  error: ['PROCESSING', 'ERROR'],
  pending: ['PROCESSING', 'PROCESSING', 'APPROVED'],
  unknown: ['UNKNOWN', 'UNKNOWN', 'APPROVED'],
  chain: ['CHAIN_STEP', 'PROCESSING', 'DECLINED'],
};

const sum = (entries: readonly Entry[], ...kinds: Kind[]) =>
  entries
    .filter(({ kind, state }) => kinds.includes(kind) && state !== 'refused')
    .reduce((total, { amount }) => total + amount, 0);

/** Whether an order was approved and nothing is under way. */
const usable = ({ entries }: Order) =>
  entries[0]?.state === 'approved' && entries.every(({ state }) => state !== 'pending');

/** The orders of a gateway and the money they move. */
export class Orders {
  readonly #choices: GatewayChoices;
  readonly #clock: Clock;
  readonly #defect: string | undefined;
  readonly #kept: Order[] = [];
  /** Approved sales and captures less refunds, in minor units. */
  turnover = 0;

  constructor(choices: GatewayChoices, clock: Clock, defect?: string) {
    this.#choices = choices;
    this.#clock = clock;
    this.#defect = defect;
  }

  find(fits: (order: Order) => boolean): Order | undefined {
    return this.#kept.find(fits);
  }

  pay(
    by: 'sale' | 'authorization' | 'verification',
    paid: Pick<Order, 'merchantId' | 'requestor' | 'amount' | 'credit'>,
    behaviour: string,
  ): Order {
    const { systemId, splits } = this.#choices;
    const order: Order = {
      ...{ ...paid, at: this.#clock.now(), entries: [], state: 'PROCESSING', voided: false },
      systemId: systemId(this.#kept.length + 1),
    };
    this.#kept.push(order);
    const kinds: Kind[] = by === 'sale' && splits ? ['authorization', 'capture'] : [by];
    const amount = by === 'verification' && this.#defect !== 'verification charges' ? 0 : paid.amount;
    const made = kinds.map((kind) => this.#entry(order, kind, amount));
    if (by === 'verification' && this.#defect === 'verification charges') this.turnover += 100;
    this.#walk(order, made, WAYS[behaviour] ?? WAYS.approved!);
    return order;
  }

  /** Captures. @returns whether it may be */
  capture(order: Order, asked: number | undefined): boolean {
    const { holds } = this.#choices;
    const days = (this.#clock.now() - order.at) / 86_400_000;
    const held = sum(order.entries, 'authorization');
    const taken = sum(order.entries, 'capture', 'sale');
    const amount = asked ?? held;
    const limit = held - taken + (this.#defect === 'captures one unit more' ? 1 : 0);
    const lapsed = days > (order.credit ? holds.credit : holds.debit);
    const may = usable(order) && !order.voided && !lapsed && amount > 0 && amount <= limit;
    // What has lapsed is declined, the document says; how else a capture is refused it does not.
    this.#follow(order, 'capture', amount, may, lapsed ? 'DECLINED' : this.#choices.refuses);
    return may || lapsed;
  }

  /** Voids or refunds. @returns whether it may be */
  reverse(order: Order, asked: number | undefined): boolean {
    const taken = sum(order.entries, 'capture', 'sale');
    const held = sum(order.entries, 'authorization');
    const back = sum(order.entries, 'reversal');
    const most = taken > 0 ? taken - back : order.voided ? 0 : held;
    const amount = asked ?? most;
    const limit = this.#defect === 'refunds the same money twice' ? held + taken : most;
    const may = usable(order) && amount > 0 && amount <= limit;
    if (may && taken === 0) order.voided = true;
    this.#follow(order, 'reversal', amount, may, this.#choices.refuses);
    return may;
  }

  #follow(order: Order, kind: Kind, amount: number, may: boolean, refuses: GatewayChoices['refuses']): void {
    const { keepsState, listsRefused } = this.#choices;
    const shows = !keepsState && refuses !== 400 && usable(order);
    if (may) this.#walk(order, [this.#entry(order, kind, amount)], ['PROCESSING', 'APPROVED']);
    else if (listsRefused) this.#entry(order, kind, amount).state = 'refused';
    // The state is that of the last operation; what was refused leaves the order as usable as it was.
    if (!may && shows) order.state = refuses;
  }

  #entry(order: Order, kind: Kind, amount: number): Entry {
    const refund = kind === 'reversal' && sum(order.entries, 'capture', 'sale') > 0;
    const entry: Entry = { kind, amount, state: 'pending', refund };
    order.entries.push(entry);
    return entry;
  }

  #walk(order: Order, entries: readonly Entry[], way: readonly string[]): void {
    const { takes } = this.#choices;
    const [, ...later] = way;
    order.state = way[0]!;
    const finish = () => {
      for (const entry of entries) {
        entry.state = order.state === 'APPROVED' ? 'approved' : 'refused';
        const moves = ['sale', 'capture'].includes(entry.kind) ? 1 : entry.refund ? -1 : 0;
        if (entry.state === 'approved') this.turnover += moves * entry.amount;
      }
    };
    const step = (i: number) => {
      order.state = later[i]!;
      if (i === later.length - 1) finish();
      else this.#clock.after(Math.max(takes, 2), () => step(i + 1));
    };
    if (takes > 0) this.#clock.after(takes, () => step(0));
    else if (later.length === 1) step(0);
    else this.#clock.after(2, () => step(0));
  }
}
