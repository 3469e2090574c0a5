import { decision } from '../decision.ts';
import type { World } from '../world.ts';
import { endsToo, formOf, gapAfter } from './delivery.ts';
import { type Dialect, dialectOf } from './dialect.ts';
import { type Outcome, post } from './post.ts';
import { present, type Transaction } from './transaction.ts';
import type { User } from './user.ts';
import type { Webhooks } from './webhook.ts';
import type { Webhook } from './webhook-sheet.ts';

/** What a message is about. */
export type Family = 'account' | 'transaction' | 'virtual_iban';

/** A message and what became of it. */
export interface Delivery {
  readonly uuid: string;
  readonly family: Family;
  readonly event: string;
  readonly data: unknown;
  readonly raised: number;
  readonly attempts: { readonly at: string; readonly url: string; readonly outcome: Outcome }[];
  settled: boolean;
}

const accountEvents = decision({
  rule: 'V1-EVT-01',
  honest: () => true,
  lies: { 'account-events-not-delivered': () => false },
});
const creations = decision({
  rule: 'V1-EVT-02',
  honest: (_rails: string) => true,
  lies: {
    'created-transactions-not-announced': () => false,
    'created-swift-transfers-not-announced': (rails) => rails !== 'SWIFT',
  },
});
const completions = decision({
  rule: 'V1-EVT-03',
  honest: (_rails: string) => true,
  lies: { 'completed-transactions-not-announced': () => false },
});
const otherEnds = decision({
  rule: 'V1-EVT-04',
  honest: (_rails: string) => true,
  lies: { 'other-ends-than-completion-not-announced': () => false },
});
const virtualIbanEvents = decision({
  rule: 'V1-EVT-10',
  honest: () => true,
  lies: { 'virtual-iban-events-not-delivered': () => false },
});

const address = decision({
  rule: 'V1-EVT-05',
  honest: (history: readonly Webhook[]) => history.at(-1)!.url,
  lies: {
    'events-keep-going-to-first-url': (history) => history[0]!.url,
    'events-go-to-root-of-url': (history) => history.at(-1)!.url.replace(/^(\w+:\/\/[^/?#]+).*$/, '$1/'),
  },
});

const sends = decision({
  rule: 'V1-EVT-06',
  honest: (history: readonly Webhook[]) => history.at(-1)!.isActive,
  lies: {
    'inactive-webhook-sends': () => true,
    'reactivated-webhook-stays-silent': (history) => history.every(({ isActive }) => isActive),
  },
});

const token = decision({
  rule: 'V1-EVT-07',
  honest: (history: readonly Webhook[], _attempt: number): string | undefined => history.at(-1)!.token,
  lies: {
    'events-without-token': () => undefined,
    'events-with-first-token': (history) => history[0]!.token,
    'events-with-token-cut-at-64': (history) => history.at(-1)!.token.slice(0, 64),
    'events-with-half-token': (history) => history.at(-1)!.token.slice(0, 8),
    'repeated-events-without-token': (history, attempt) => (attempt > 1 ? undefined : history.at(-1)!.token),
  },
});

/** Whether a failed attempt is followed by another. */
const persists = decision({
  rule: 'V1-EVT-08',
  honest: (_outcome: Outcome, _attempts: number) => true,
  lies: {
    'events-not-repeated': () => false,
    'events-repeated-once-only': (_outcome, attempts) => attempts < 2,
    'events-not-repeated-after-500': (outcome) => outcome !== 500,
    'events-not-repeated-without-answer': (outcome) => typeof outcome === 'number',
  },
});

/** Whether a 202 is the end of it. */
const settles = decision({
  rule: 'V1-EVT-09',
  honest: (_attempts: number) => true,
  lies: {
    'settled-events-repeated': (attempts) => attempts >= 3,
    'events-settled-late-repeated': (attempts) => attempts < 2 || attempts >= 5,
  },
});

/** Uuids that stand in the target file. */
export function fixedUuids({ credentials: { v1 } }: World): ReadonlySet<string> {
  return new Set([v1.account, v1.secondAccount, v1.customer]);
}

/** Delivers events to the configured address until a 202 comes. */
export class Courier {
  readonly #world: World;
  readonly #webhooks: Webhooks;
  readonly #dialect: Dialect | undefined;
  #deliveries: Delivery[] = [];
  /** Counts resets, so that an attempt under way during one has no consequences. */
  #era = 0;

  constructor(world: World, webhooks: Webhooks) {
    this.#world = world;
    this.#webhooks = webhooks;
    this.#dialect = world.varied ? dialectOf(world.choices.v1, fixedUuids(world)) : undefined;
  }

  /** Everything raised since the last reset, settled or not. */
  deliveries(): readonly Delivery[] {
    return this.#deliveries;
  }

  /** Raises the event of a transaction that was created or whose status changed. */
  announce(user: User, what: 'created' | 'changed', transaction: Transaction): void {
    const { faults, choices } = this.#world;
    const told = what === 'created' ? creations : transaction.status === 'completed' ? completions : otherEnds;
    const event = what === 'created' ? 'transaction.created' : `transaction.${transaction.status}`;
    if (told(faults, transaction.payment_type)) this.#raise(user, 'transaction', event, present(transaction));
    if (what === 'created' && choices.v1.moreMessages === 'of the account')
      this.#raise(user, 'account', 'account.booked', {
        account: transaction.account.uuid,
        because: { uuid: transaction.uuid },
      });
  }

  /** Raises an event of an account or of a virtual IBAN. */
  report(user: User, family: 'account' | 'virtual_iban', data: unknown): void {
    const told = family === 'account' ? accountEvents : virtualIbanEvents;
    if (told(this.#world.faults)) this.#raise(user, family, `${family}.status_changed`, data);
  }

  /** Forgets every message. */
  reset(): void {
    this.#era += 1;
    this.#deliveries = [];
  }

  #raise(user: User, family: Family, event: string, data: unknown): void {
    const { clock, faults, choices } = this.#world;
    const history = this.#webhooks.history(user);
    if (history.length === 0 || !sends(faults, history)) return;
    const delivery: Delivery = {
      uuid: this.#world.uuid(),
      family,
      event,
      data,
      raised: Math.floor(clock.now() / 1000),
      attempts: [],
      settled: false,
    };
    this.#deliveries.push(delivery);
    clock.after(choices.v1.deliveryAfter, () => this.#attempt(user, delivery));
  }

  async #attempt(user: User, delivery: Delivery): Promise<void> {
    const { clock, choices } = this.#world;
    const era = this.#era;
    const history = this.#webhooks.history(user);
    if (history.length === 0) return;
    if (!sends(this.#world.faults, history)) {
      clock.after(gapAfter(choices.v1, delivery.attempts.length + 1), () => this.#attempt(user, delivery));
      return;
    }
    const url = address(this.#world.faults, history);
    const attempt = delivery.attempts.length + 1;
    const secret = token(this.#world.faults, history, attempt);
    const { uuid, event, raised } = delivery;
    const data = this.#dialect === undefined ? delivery.data : this.#dialect.told(delivery.data);
    const { headers, body } = formOf(choices.v1, { uuid, event, raised, attempt, data, token: secret });
    const at = new Date(clock.now()).toISOString();
    const outcome = await post(url, headers, body);
    if (era !== this.#era) return;
    delivery.attempts.push({ at, url, outcome });
    const made = delivery.attempts.length;
    const { faults } = this.#world;
    delivery.settled = outcome === 202;
    if (delivery.settled ? settles(faults, made) : !persists(faults, outcome, made)) return;
    if (!delivery.settled && endsToo(choices.v1, outcome)) return;
    clock.after(gapAfter(choices.v1, made), () => this.#attempt(user, delivery));
  }
}
