import { type ApiReply, requireTargetLine, UnarrangedError } from '#client';
import type { Recorder } from '#evidence';
import { fillTemplate, type Target } from '#target';
import type { CheckHabit } from '../check-habits.ts';
import type { GatewayClient } from './gateway-client.ts';
import type { PlacedOrder } from './placed-order.ts';

/** Registers cards for later payments, the way the target file says. */
export class CardRegistrations {
  readonly #gateway: GatewayClient;
  readonly #recorder: Recorder;
  readonly #here: NonNullable<Target['gateway']>;

  readonly #paysBy: 'sale' | 'auth';

  constructor(gateway: GatewayClient, recorder: Recorder, target: Target, habits: ReadonlySet<CheckHabit>) {
    this.#gateway = gateway;
    this.#recorder = recorder;
    this.#paysBy = habits.has('registersAuthorizations') ? 'auth' : 'sale';
    this.#here = target.gateway!;
  }

  /** Path, with `{requestorId}` left in it, and body of a registration. */
  prepare(order: PlacedOrder): { template: string; body?: unknown } {
    const { path, body } = requireTargetLine(this.#here.wire.recurring, 'gateway.wire.recurring');
    const values = {
      orderSystemId: order.systemId as string,
      orderMerchantId: order.merchantId,
      requestorId: order.requestor.id,
      currency: order.currency,
    };
    const template = String(fillTemplate(path, { ...values, requestorId: '{requestorId}' }));
    return body === undefined ? { template } : { template, body: fillTemplate(body, values) };
  }

  /** Registers the card of an order. The answer is not judged. */
  async registerCard(order: PlacedOrder): Promise<ApiReply> {
    const { template, ...sent } = this.prepare(order);
    const { id, token } = order.requestor;
    const url = this.#gateway.urlOf(template, { path: { requestorId: id } });
    const { method } = this.#here.wire.recurring!;
    const reply = await this.#gateway.sendRaw(method, url, { token, ...sent }, 'registerCards');
    const cardId = reply.status === 200 ? this.readCardId(reply) : undefined;
    if (cardId !== undefined) this.#recorder.effect({ what: 'card', id: String(cardId), restored: false });
    return reply;
  }

  /** The cardId in the answer to a registration; undefined when there is none. */
  readCardId(reply: ApiReply): string | undefined {
    const value = reply.at(this.#here.wire.read.cardId);
    return value === undefined || value === null || value === '' ? undefined : (value as string);
  }

  /** Arranges a registered card. @throws Unarranged when the target does otherwise */
  async arrangeRegistration(): Promise<string> {
    const reply = await this.registerCard(await this.#gateway.arrangeApproved(this.#paysBy));
    const cardId = reply.status === 200 ? this.readCardId(reply) : undefined;
    if (cardId === undefined)
      throw new UnarrangedError(`the registration of a card was answered ${reply.status}, without id`);
    return cardId;
  }
}
