import { randomBytes } from 'node:crypto';
import type { AlternateClock } from '../clock.ts';
import type { AlternateDefects } from '../defects.ts';
import type { AlternateTransactionKind, GatewayAlternateChoices } from './choices.ts';

/** A transaction of an order. */
export interface AlternateTransaction {
  readonly kind: AlternateTransactionKind;
  readonly amount: number;
  state: 'approved' | 'refused' | 'pending';
  /** Of a reversal: whether it takes money back. */
  readonly refund: boolean;
  /** Of a reversal. */
  readonly reason: string | undefined;
  readonly at: number;
}

/** What a payment comes with. */
export interface AlternatePaymentTerms {
  readonly merchantId: string;
  readonly requestor: number;
  readonly amount: number;
  readonly currency: string;
  readonly credit: boolean;
  /** Addresses of the caller, by the names of their placeholders. */
  readonly urls: Readonly<Record<string, string | undefined>>;
}

/** A step of 3-D Secure that an order waits for. */
export interface AlternateThreeDSStep {
  readonly name: 'THREEDS_METHOD' | 'CREQ' | 'PAREQ';
  readonly id: string;
}

export type AlternateOrderType = 'sale' | 'authorization' | 'verification' | 'transfer';

/** An order. Amounts in minor units. */
export interface AlternateOrder extends AlternatePaymentTerms {
  readonly orderType: AlternateOrderType;
  readonly systemId: unknown;
  readonly at: number;
  readonly entries: AlternateTransaction[];
  credit: boolean;
  state: string;
  voided: boolean;
  /** What the card does. */
  behaviour: string;
  step: AlternateThreeDSStep | undefined;
  /** Where the ACS posts a CRes to. */
  cresUrl: string | undefined;
  /** Name of its payment form, as long as that is open. */
  form: string | undefined;
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

const sum = (entries: readonly AlternateTransaction[], ...kinds: AlternateTransactionKind[]) =>
  entries
    .filter(({ kind, state }) => kinds.includes(kind) && state !== 'refused')
    .reduce((total, { amount }) => total + amount, 0);

/** Whether an order was approved and nothing is under way. */
const usable = ({ entries }: AlternateOrder) =>
  entries[0]?.state === 'approved' && entries.every(({ state }) => state !== 'pending');

/** The orders of a gateway and the money they move. */
export class AlternateOrders {
  readonly #choices: GatewayAlternateChoices;
  readonly #clock: AlternateClock;
  readonly #defects: AlternateDefects;
  readonly #kept: AlternateOrder[] = [];
  /** Approved sales and captures less refunds, in minor units. */
  turnover = 0;
  /** Told whenever something about an order changed. */
  onChange: (order: AlternateOrder) => void = () => {};

  constructor(choices: GatewayAlternateChoices, clock: AlternateClock, defects: AlternateDefects) {
    this.#choices = choices;
    this.#clock = clock;
    this.#defects = defects;
  }

  find(fits: (order: AlternateOrder) => boolean): AlternateOrder | undefined {
    return this.#kept.find(fits);
  }

  /** All of them, oldest first. */
  get all(): readonly AlternateOrder[] {
    return this.#kept;
  }

  /** An order whose card is not known yet. */
  open(by: AlternateOrderType, terms: AlternatePaymentTerms): AlternateOrder {
    const order: AlternateOrder = {
      ...{ ...terms, orderType: by, at: this.#clock.now(), entries: [], state: 'PROCESSING', voided: false },
      ...{ behaviour: '', step: undefined, cresUrl: terms.urls.cresUrl, form: undefined },
      systemId: this.#choices.systemId(this.#kept.length + 1),
    };
    this.#kept.push(order);
    return order;
  }

  /** A payment by a card that behaves like this. */
  pay(by: AlternateOrderType, terms: AlternatePaymentTerms, behaviour: string): AlternateOrder {
    const order = this.open(by, terms);
    this.enterCard(order, behaviour);
    return order;
  }

  /** The card of an order becomes known. */
  enterCard(order: AlternateOrder, behaviour: string): void {
    order.behaviour = behaviour;
    const { methodFirst } = this.#choices.journeys;
    if (behaviour === 'method' || (behaviour === 'challenge' && methodFirst)) this.awaitStep(order, 'THREEDS_METHOD');
    else if (behaviour === 'challenge') this.awaitStep(order, 'CREQ');
    else if (behaviour === 'pareq') this.awaitStep(order, 'PAREQ');
    else this.#charge(order, WAYS[behaviour] ?? WAYS.approved!);
  }

  /** An order waits for a step of 3-D Secure; where the document does not ask for more, a slow service says so later. */
  awaitStep(order: AlternateOrder, name: AlternateThreeDSStep['name']): void {
    const ask = () => {
      order.step = { name, id: randomBytes(12).toString('hex') };
      this.onChange(order);
    };
    order.step = undefined;
    if (this.#choices.outcomeDelay > 3 && (order.orderType !== 'sale' || name === 'CREQ'))
      this.#clock.after(this.#choices.outcomeDelay, ask);
    else ask();
  }

  /** The cardholder was authenticated: now it is up to the issuer. */
  authenticated(order: AlternateOrder): void {
    order.step = undefined;
    this.#charge(order, WAYS.approved!);
  }

  /** An order ends without any money moved. */
  endOrder(order: AlternateOrder, state: string): void {
    order.step = undefined;
    order.form = undefined;
    order.state = state;
    this.onChange(order);
  }

  /** The issuer takes the money of an order back. */
  chargeBack(order: AlternateOrder): void {
    const amount = Math.abs(sum(order.entries, 'capture', 'sale') - sum(order.entries, 'reversal'));
    this.#entry(order, 'chargeback', amount).state = 'approved';
    this.onChange(order);
  }

  #charge(order: AlternateOrder, way: readonly string[]): void {
    const { orderType: by } = order;
    const costs = by === 'verification' && this.#defects.has('verification charges');
    const kinds: AlternateTransactionKind[] =
      by === 'sale' && this.#choices.splits ? ['authorization', 'capture'] : [by];
    const amount = by === 'verification' && !costs ? 0 : order.amount;
    const made = kinds.map((kind) => this.#entry(order, kind, amount));
    if (costs) this.turnover += 100;
    this.#walk(order, made, way);
  }

  /** Captures. @returns whether it may be */
  capture(order: AlternateOrder, asked: number | undefined): boolean {
    const { holds } = this.#choices;
    const days = (this.#clock.now() - order.at) / 86_400_000;
    const held = sum(order.entries, 'authorization');
    const taken = sum(order.entries, 'capture', 'sale');
    const amount = asked ?? held;
    const limit = held - taken + (this.#defects.has('captures one unit more') ? 1 : 0);
    const lapsed = days > (order.credit ? holds.credit : holds.debit);
    const may = usable(order) && !order.voided && !lapsed && amount > 0 && amount <= limit;
    // What has lapsed is declined, the document says; how else a capture is refused it does not.
    this.#follow(order, 'capture', amount, may, lapsed ? 'DECLINED' : this.#choices.refuses);
    return may || lapsed;
  }

  /** Voids or refunds. @returns whether it may be */
  reverse(order: AlternateOrder, asked: number | undefined, reason?: string): boolean {
    const taken = sum(order.entries, 'capture', 'sale');
    const held = sum(order.entries, 'authorization');
    const back = sum(order.entries, 'reversal');
    const most = taken > 0 ? taken - back : order.voided ? 0 : held;
    const amount = asked ?? most;
    const limit = this.#defects.has('refunds the same money twice') ? held + taken : most;
    const may = usable(order) && amount > 0 && amount <= limit;
    if (may && taken === 0) order.voided = true;
    this.#follow(order, 'reversal', amount, may, this.#choices.refuses, reason);
    return may;
  }

  #follow(
    order: AlternateOrder,
    kind: AlternateTransactionKind,
    amount: number,
    may: boolean,
    refuses: GatewayAlternateChoices['refuses'],
    reason?: string,
  ): void {
    const { keepsState, listsRefused } = this.#choices;
    const shows = !keepsState && refuses !== 400 && usable(order);
    if (may) this.#walk(order, [this.#entry(order, kind, amount, reason)], ['PROCESSING', 'APPROVED']);
    if (may) return;
    if (listsRefused) this.#entry(order, kind, amount, reason).state = 'refused';
    // The state is that of the last operation; what was refused leaves the order as usable as it was.
    if (shows) order.state = refuses;
    if (shows || listsRefused) this.onChange(order);
  }

  #entry(order: AlternateOrder, kind: AlternateTransactionKind, amount: number, reason?: string): AlternateTransaction {
    const refund = kind === 'reversal' && sum(order.entries, 'capture', 'sale') > 0;
    const entry: AlternateTransaction = { kind, amount, state: 'pending', refund, reason, at: this.#clock.now() };
    order.entries.push(entry);
    return entry;
  }

  #walk(order: AlternateOrder, entries: readonly AlternateTransaction[], way: readonly string[]): void {
    const { outcomeDelay: takes } = this.#choices;
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
      this.onChange(order);
    };
    const atOnce = takes === 0 && later.length === 1;
    if (atOnce) step(0);
    else this.#clock.after(takes || 2, () => step(0));
    if (!atOnce) this.onChange(order);
  }
}
