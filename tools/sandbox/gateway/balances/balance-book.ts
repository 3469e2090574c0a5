import type { VirtualClock } from '../../virtual-clock.ts';

/** One balance of a merchant, in minor units. */
export interface MerchantBalance {
  readonly name: string;
  readonly merchant: string;
  readonly currency: string;
  real: number;
  shortTerm: number;
  rolling: number;
  processing: number;
  /** What of the processing amount is of transfers; only lies look at it. */
  sending: number;
  /** Real and processing amounts as they were at the start; only lies look at them. */
  opening?: { readonly real: number; readonly processing: number };
  readonly buffer: number;
  /** Whether the buffer hold is taken off what is live. */
  readonly deducts: boolean;
}

/** What an amount is set aside for. */
type Outgoing = 'refund' | 'transfer';

const DAY = 86_400;
/** How much of a payment is held back, and for how long. */
const SHORT_TERM = { share: 0.2, days: 3 };
const ROLLING = { share: 0.05, days: 180 };
/** Sales of others at most between two readings, which may lie days apart. */
const MOST_SALES = 100;

/** Balances of all merchants: moved by payments and by settlement on the clock, by nothing else. */
export class BalanceBook {
  readonly #clock: VirtualClock;
  readonly #deducts: boolean;
  readonly #all: MerchantBalance[] = [];
  /** Up to which time others have sold, by merchant and currency. */
  readonly #soldUntil = new Map<string, number>();

  /**
   * @param merchants logins, each of which gets balances in EUR and USD, no two figures alike
   * @param deducts whether buffer holds are taken off what is live
   */
  constructor(clock: VirtualClock, merchants: readonly string[], deducts = false) {
    this.#clock = clock;
    this.#deducts = deducts;
    for (const [index, merchant] of merchants.entries()) {
      const base = (index + 1) * 1_000_000;
      this.#all.push(
        {
          ...empty(merchant, 'EUR', deducts),
          real: base + 250_075,
          shortTerm: 31_050,
          rolling: 12_525,
          processing: 5_020,
          buffer: 4_010,
        },
        {
          ...empty(merchant, 'USD', deducts),
          real: base + 90_040,
          shortTerm: 7_015,
          rolling: 5_530,
          processing: 2_045,
          buffer: 1_020,
        },
      );
      for (const one of this.#all) one.opening ??= { real: one.real, processing: one.processing };
    }
  }

  /** Every balance of a merchant. */
  of(merchant: string): readonly MerchantBalance[] {
    return this.#all.filter((one) => one.merchant === merchant);
  }

  /** A balance of one of these merchants by its name; the first merchant's where several have one. */
  find(merchants: readonly string[], name: string): MerchantBalance | undefined {
    return this.#all.find((one) => merchants.includes(one.merchant) && one.name === name);
  }

  /** Books an incoming payment: part is held back for some days, part for half a year. */
  credit(merchant: string, currency: string, amount: number): void {
    const balance = this.#open(merchant, currency);
    balance.real += amount;
    this.#hold(balance, 'shortTerm', Math.floor(amount * SHORT_TERM.share), SHORT_TERM.days);
    this.#hold(balance, 'rolling', Math.floor(amount * ROLLING.share), ROLLING.days);
  }

  /** Lets others have sold on a balance since they were asked last, about once in so many seconds. */
  letOthersSell({ merchant, currency }: MerchantBalance, seconds: number): void {
    const turn = Math.floor(this.#clock.now() / 1000 / seconds);
    const passed = turn - (this.#soldUntil.get(`${merchant} ${currency}`) ?? turn);
    this.#soldUntil.set(`${merchant} ${currency}`, turn);
    if (passed > 0) this.credit(merchant, currency, 250 * Math.min(passed, MOST_SALES));
  }

  /** Takes money out at once. */
  debit(merchant: string, currency: string, amount: number): void {
    this.#open(merchant, currency).real -= amount;
  }

  /** Sets an outgoing amount aside until its operation is final. */
  reserve(merchant: string, currency: string, amount: number, of: Outgoing): void {
    const balance = this.#open(merchant, currency);
    balance.processing += amount;
    if (of === 'transfer') balance.sending += amount;
  }

  /** Ends a reservation; the money leaves when the operation was carried out. */
  release(merchant: string, currency: string, amount: number, of: Outgoing, carriedOut: boolean): void {
    const balance = this.#open(merchant, currency);
    balance.processing -= amount;
    if (of === 'transfer') balance.sending -= amount;
    if (carriedOut) balance.real -= amount;
  }

  #hold(balance: MerchantBalance, part: 'shortTerm' | 'rolling', amount: number, days: number): void {
    if (amount === 0) return;
    balance[part] += amount;
    this.#clock.after(days * DAY, () => {
      balance[part] -= amount;
    });
  }

  #open(merchant: string, currency: string): MerchantBalance {
    const found = this.#all.find((one) => one.merchant === merchant && one.currency === currency);
    if (found !== undefined) return found;
    const opened = empty(merchant, currency, this.#deducts);
    this.#all.push(opened);
    return opened;
  }
}

/** What is left of a balance after holds and processing amounts. */
export function computeLiveAmount(balance: MerchantBalance): number {
  return (
    balance.real - balance.shortTerm - balance.rolling - balance.processing - (balance.deducts ? balance.buffer : 0)
  );
}

function empty(merchant: string, currency: string, deducts: boolean): MerchantBalance {
  const name = currency === 'EUR' ? 'main' : currency.toLowerCase();
  return { name, merchant, currency, real: 0, shortTerm: 0, rolling: 0, processing: 0, sending: 0, buffer: 0, deducts };
}
