import { type Reply, said, Unarranged } from '#client';
import type { Recorder } from '#evidence';
import { fill, type Target } from '#target';
import type { Gateway, Order } from './gateway.ts';

/** Registers cards for later payments, the way the target file says. */
export class Recurring {
  readonly #gateway: Gateway;
  readonly #recorder: Recorder;
  readonly #here: NonNullable<Target['gateway']>;

  constructor(gateway: Gateway, recorder: Recorder, target: Target) {
    this.#gateway = gateway;
    this.#recorder = recorder;
    this.#here = target.gateway!;
  }

  /** Registers the card of an order. The answer is not judged. */
  async register(order: Order): Promise<Reply> {
    const { method, path, body } = said(this.#here.wire.recurring, 'gateway.wire.recurring');
    const { id, token } = order.requestor;
    const values = {
      orderSystemId: order.systemId as string,
      orderMerchantId: order.merchantId,
      requestorId: id,
      currency: order.currency,
    };
    const url = `${this.#here.address}${String(fill(path, values))}`;
    const sent = body === undefined ? {} : { body: fill(body, values) };
    const reply = await this.#gateway.raw(method, url, { token, ...sent }, 'registerCards');
    const cardId = reply.status === 200 ? this.cardId(reply) : undefined;
    if (cardId !== undefined) this.#recorder.effect({ what: 'card', id: String(cardId), restored: false });
    return reply;
  }

  /** The cardId in the answer to a registration; undefined when there is none. */
  cardId(reply: Reply): string | undefined {
    const value = reply.at(this.#here.wire.read.cardId);
    return value === undefined || value === null || value === '' ? undefined : (value as string);
  }

  /** Arranges a registered card. @throws Unarranged when the target does otherwise */
  async registered(): Promise<string> {
    const reply = await this.register(await this.#gateway.approved('sale'));
    const cardId = reply.status === 200 ? this.cardId(reply) : undefined;
    if (cardId === undefined)
      throw new Unarranged(`the registration of a card was answered ${reply.status}, without id`);
    return cardId;
  }
}
