import type { Clock } from './clock.ts';
import type { GatewayChoices } from './gateway-choices.ts';
import type { Order } from './gateway-orders.ts';

/** What is sent: headers and body. */
interface Message {
  readonly headers: Readonly<Record<string, string>>;
  readonly body: unknown;
}

/** Tells callers about orders that changed. */
export class Callbacks {
  readonly #choices: GatewayChoices;
  readonly #clock: Clock;
  readonly #write: (order: Order) => Message;
  readonly #registered = new Map<number, string>();

  /** @param write what is sent about an order, asked for when it is sent */
  constructor(choices: GatewayChoices, clock: Clock, write: (order: Order) => Message) {
    this.#choices = choices;
    this.#clock = clock;
    this.#write = write;
  }

  /** The address for a requestor. */
  register(requestor: number, address: string): void {
    this.#registered.set(requestor, address);
  }

  /** Tells about an order, in a while. */
  tell(order: Order): void {
    const { delay, times } = this.#choices.journeys.callback;
    const address = order.urls.callbackUrl ?? this.#registered.get(order.requestor);
    if (address === undefined) return;
    for (let i = 0; i < times; i += 1) this.#clock.after(delay + i, () => this.#send(address, order));
  }

  async #send(address: string, order: Order): Promise<void> {
    const { headers, body } = this.#write(order);
    const text = JSON.stringify(body);
    const sent = { 'content-type': 'application/json', ...headers, ...this.#choices.journeys.callback.headers(text) };
    // Nobody there, nobody told: whether to try again is not said.
    await fetch(address, { method: 'POST', headers: sent, body: text, signal: AbortSignal.timeout(5000) }).catch(
      () => {},
    );
  }
}
