import { decision } from '../decision.ts';
import type { World } from '../world.ts';
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
  honest: () => true,
  lies: { 'created-transactions-not-announced': () => false },
});
const completions = decision({
  rule: 'V1-EVT-03',
  honest: () => true,
  lies: { 'completed-transactions-not-announced': () => false },
});
const otherEnds = decision({
  rule: 'V1-EVT-04',
  honest: () => true,
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

/** Back-off in seconds after the given number of attempts: doubles from one second to a day. */
function pause(attempts: number): number {
  return Math.min(2 ** (attempts - 1), 86_400);
}

/** Delivers events to the configured address until a 202 comes. */
export class Courier {
  readonly #world: World;
  readonly #webhooks: Webhooks;
  #deliveries: Delivery[] = [];
  /** Counts resets, so that an attempt under way during one has no consequences. */
  #era = 0;

  constructor(world: World, webhooks: Webhooks) {
    this.#world = world;
    this.#webhooks = webhooks;
  }

  /** Everything raised since the last reset, settled or not. */
  deliveries(): readonly Delivery[] {
    return this.#deliveries;
  }

  /** Raises the event of a transaction that was created or whose status changed. */
  announce(user: User, what: 'created' | 'changed', transaction: Transaction): void {
    const { faults } = this.#world;
    const told = what === 'created' ? creations : transaction.status === 'completed' ? completions : otherEnds;
    const event = what === 'created' ? 'transaction.created' : `transaction.${transaction.status}`;
    if (told(faults)) this.#raise(user, 'transaction', event, present(transaction));
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
    const { clock, faults } = this.#world;
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
    clock.after(0, () => this.#attempt(user, delivery));
  }

  async #attempt(user: User, delivery: Delivery): Promise<void> {
    const { clock } = this.#world;
    const era = this.#era;
    const history = this.#webhooks.history(user);
    if (history.length === 0) return;
    if (!sends(this.#world.faults, history)) {
      clock.after(pause(delivery.attempts.length + 1), () => this.#attempt(user, delivery));
      return;
    }
    const url = address(this.#world.faults, history);
    const secret = token(this.#world.faults, history, delivery.attempts.length + 1);
    const { uuid, event, raised, data } = delivery;
    const at = new Date(clock.now()).toISOString();
    const outcome = await post(url, secret, { uuid, event, created_at: raised, data });
    if (era !== this.#era) return;
    delivery.attempts.push({ at, url, outcome });
    const made = delivery.attempts.length;
    const { faults } = this.#world;
    delivery.settled = outcome === 202;
    if (delivery.settled ? settles(faults, made) : !persists(faults, outcome, made)) return;
    clock.after(pause(made), () => this.#attempt(user, delivery));
  }
}
