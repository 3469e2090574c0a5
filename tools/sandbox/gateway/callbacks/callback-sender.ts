import { stringify } from 'lossless-json';
import { decision } from '../../decision.ts';
import { describeMessage } from '../../observed-exchange.ts';
import { isForMulticurrency, isForSecond } from '../credentials.ts';
import type { GatewayWorld } from '../gateway-world.ts';
import type { GatewayOrder } from '../orders/order.ts';
import { orderAddressed } from '../orders/orders-at-once.ts';
import { createGatewayDialect } from '../wire/gateway-dialect.ts';
import { inSmallLetters, unescaped, withoutQuery, withoutRepeats } from '../wire/web-addresses.ts';

const bodyIsStatus = decision({
  rule: 'GW-CBK-01',
  honest: (body: unknown): unknown => body,
  lies: {
    'callback-body-as-list': (body) => [body],
    'callback-body-in-an-envelope': (body) => ({ event: 'order.changed', data: body }),
    'callback-body-as-text': (body) => JSON.stringify(body),
  },
});

/** Where callbacks of an order go. */
const ownAddress = decision({
  rule: 'GW-CBK-09',
  honest: (own: string | undefined, _earlier: string | undefined, _order: GatewayOrder, _other: string | undefined) =>
    own,
  lies: {
    'callback-of-a-reversal-goes-to-the-address-of-another-order': (own, _earlier, order, other) =>
      order.transactions.at(-1)?.type === 'REVERSAL' ? (other ?? own) : own,
    'callback-of-a-chargeback-goes-to-the-address-of-another-order': (own, _earlier, order, other) =>
      order.chargedBack ? (other ?? own) : own,
    'callback-of-a-capture-goes-to-the-address-before': (own, earlier, { transactions }) =>
      transactions.length > 1 ? (earlier ?? own) : own,
    'callback-of-a-multi-currency-requestor-not-sent': (own, _earlier, order) =>
      isForMulticurrency(order) ? undefined : own,
    'callback-to-the-first-requestor-alone': (own, _earlier, order) => (isForSecond(order) ? undefined : own),
    'callback-goes-without-the-query-of-its-address': (own) => withoutQuery(own),
    'callback-goes-to-its-address-unescaped': (own) => unescaped(own),
    'callback-goes-to-its-address-in-small-letters': (own) => inSmallLetters(own),
    'callback-goes-to-its-address-without-repeated-names': (own) => withoutRepeats(own),
    'callback-for-another-requestor-goes-without-the-query': (own, _earlier, order) =>
      isForSecond(order) ? withoutQuery(own) : own,
    'callback-goes-to-the-address-of-another-order': (own, earlier) => own ?? earlier,
    'callback-goes-to-the-address-before': (own, earlier) => earlier ?? own,
  },
});

/** One attempt to tell a receiver about an order. */
export interface CallbackAttempt {
  readonly orderSystemId: number;
  readonly url: string;
  readonly attempt: number;
  readonly at: string;
  readonly body: unknown;
  /** HTTP status of the receiver, or the reason why there is none. */
  readonly result: number | string;
  readonly delivered: boolean;
}

/** Seconds until the next attempt; the document shows no policy, this is the sandbox's own. */
const BACK_OFF = [2, 5, 15, 60, 300, 1800, 7200, 43_200];
const KEPT = 2000;

/** Tells merchants about changed orders. */
export class CallbackSender {
  readonly #world: GatewayWorld;
  readonly #render: (order: GatewayOrder) => unknown;
  readonly #written: (body: unknown) => { body: unknown; headers: Readonly<Record<string, string>> };
  #closed = false;
  /** Where the last one went; only lies look at it. */
  #last: string | undefined;
  /** The same of the last one about another order than the one that was told of last. */
  #other: string | undefined;
  /** Order that was told of last. */
  #about: number | undefined;
  /** Addresses at which somebody was looked for. */
  readonly #probed = new Set<string>();
  readonly registered = new Map<number, string>();
  readonly deliveries: CallbackAttempt[] = [];

  /** @param render the body to send, asked for at the moment of each attempt */
  constructor(world: GatewayWorld, render: (order: GatewayOrder) => unknown) {
    this.#world = world;
    this.#render = render;
    this.#written = world.varied
      ? createGatewayDialect(world.choices).writeCallback
      : (body) => ({ body, headers: {} });
  }

  /** Sends the order's state to its receiver, soon; without a receiver nothing happens. */
  announce(order: GatewayOrder): void {
    const { urls } = orderAddressed(this.#world.activeLies, order);
    const own = urls.webhook ?? this.registered.get(order.requestor);
    if (this.#about !== order.id) this.#other = this.#last;
    this.#about = order.id;
    const url = ownAddress(this.#world.activeLies, own, this.#last, order, this.#other);
    this.#last = own ?? this.#last;
    if (url !== undefined && order.isUntold !== true) this.tell(order, url);
  }

  /** Sends the order's state to this address, soon. */
  tell(order: GatewayOrder, url: string): void {
    this.#schedule(order, url, 1, this.#world.choices.callbackAfter || 0.01);
  }

  /** Stops sending, e.g. because everything is forgotten. */
  close(): void {
    this.#closed = true;
  }

  #schedule(order: GatewayOrder, url: string, attempt: number, seconds: number): void {
    this.#world.clock.after(seconds, async () => {
      if (!this.#closed) await this.#send(order, url, attempt);
    });
  }

  async #probe(url: string): Promise<void> {
    if (this.#world.choices.callbackProbe === 'none' || this.#probed.has(url)) return;
    this.#probed.add(url);
    // Nobody there, nobody told: it is tried all the same.
    await fetch(url, { method: 'HEAD', signal: AbortSignal.timeout(5000) }).catch(() => {});
  }

  async #send(order: GatewayOrder, url: string, attempt: number): Promise<void> {
    const written = this.#written(bodyIsStatus(this.#world.activeLies, this.#render(order)));
    await this.#probe(url);
    const at = new Date(this.#world.clock.now()).toISOString();
    let result: number | string | undefined;
    for (const sent of this.#world.rewriteMessage('orderCallback', written)) {
      const began = { at: this.#world.clock.now(), wallTime: Date.now() };
      result = await post(url, sent.body, sent.headers);
      this.#world.observe?.(describeMessage('gateway', 'orderCallback', { url, ...sent }, result, began));
    }
    if (this.#closed || result === undefined) return;
    const delivered = typeof result === 'number' && result >= 200 && result < 300;
    this.deliveries.push({ orderSystemId: order.id, url, attempt, at, body: written.body, result, delivered });
    if (this.deliveries.length > KEPT) this.deliveries.shift();
    const wait = BACK_OFF[attempt - 1];
    const { callbackAgain } = this.#world.choices;
    const again =
      callbackAgain === 'once more when taken' && attempt === 1 ? true : !delivered && callbackAgain !== 'never';
    if (again && wait !== undefined) this.#schedule(order, url, attempt + 1, wait);
  }
}

async function post(url: string, body: unknown, headers: Readonly<Record<string, string>>): Promise<number | string> {
  try {
    const response = await fetch(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json; charset=utf-8', ...headers },
      body: stringify(body)!,
      redirect: 'manual',
      signal: AbortSignal.timeout(5000),
    });
    await response.body?.cancel();
    return response.status;
  } catch (error) {
    const cause = (error as Error & { cause?: { code?: string } }).cause?.code;
    return cause ?? (error as Error).name;
  }
}
