import type { AlternateClock } from '../clock.ts';
import type { GatewayAlternateChoices } from './choices.ts';
import type { AlternateOrder } from './orders.ts';

/** What is sent: headers and body. */
interface Message {
  readonly headers: Readonly<Record<string, string>>;
  readonly body: unknown;
}

/** Tells callers about orders that changed. */
export class AlternateCallbackSender {
  readonly #choices: GatewayAlternateChoices;
  readonly #clock: AlternateClock;
  readonly #write: (order: AlternateOrder) => Message;
  readonly #registered = new Map<number, string>();

  /** @param write what is sent about an order, asked for when it is sent */
  constructor(choices: GatewayAlternateChoices, clock: AlternateClock, write: (order: AlternateOrder) => Message) {
    this.#choices = choices;
    this.#clock = clock;
    this.#write = write;
  }

  /** The address for a requestor. */
  register(requestor: number, address: string): void {
    this.#registered.set(requestor, address);
  }

  /** Tells about an order, in a while. */
  scheduleDelivery(order: AlternateOrder): void {
    const { delay, times } = this.#choices.journeys.callback;
    const address = order.urls.callbackUrl ?? this.#registered.get(order.requestor);
    if (address === undefined) return;
    for (let i = 0; i < times; i += 1) this.#clock.after(delay + i, () => this.#send(address, order));
  }

  async #send(address: string, order: AlternateOrder): Promise<void> {
    const { headers, body } = this.#write(order);
    const text = JSON.stringify(body);
    const sent = { 'content-type': 'application/json', ...headers, ...this.#choices.journeys.callback.headers(text) };
    // Nobody there, nobody told: whether to try again is not said.
    await fetch(address, { method: 'POST', headers: sent, body: text, signal: AbortSignal.timeout(5000) }).catch(
      () => {},
    );
  }
}
