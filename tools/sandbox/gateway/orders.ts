import type { World } from '../world.ts';
import { correlationAs } from './names.ts';
import type { Order, PaidWith } from './order.ts';

/** A registered card: works for the requestor that registered it. */
export interface RegisteredCard {
  readonly requestor: number;
  readonly card: PaidWith;
}

/** Everything opened since the last reset, by each way of finding it. */
export class Orders {
  readonly #byId = new Map<number, Order>();
  readonly #byMerchantId = new Map<string, Order[]>();
  readonly #byCorrelation = new Map<string, Order>();
  readonly #byToken = new Map<string, Order>();
  readonly registered = new Map<string, RegisteredCard>();

  /** Remembers a new order. */
  add(order: Order): void {
    this.#byId.set(order.id, order);
    const key = `${order.requestor} ${order.merchantOrderId}`;
    const same = this.#byMerchantId.get(key);
    if (same === undefined) this.#byMerchantId.set(key, [order]);
    else same.push(order);
  }

  /** An order of a requestor by system id. */
  byId(id: number, requestor?: number): Order | undefined {
    const order = this.#byId.get(id);
    return order !== undefined && (requestor === undefined || order.requestor === requestor) ? order : undefined;
  }

  /** The latest order of a requestor with the caller's own id, in a currency if given. */
  byMerchantId(id: string, requestor: number, currency?: string): Order | undefined {
    return this.#byMerchantId.get(`${requestor} ${id}`)?.findLast((one) => !currency || one.currency === currency);
  }

  /** The order of a requestor that an answer with this correlation id spoke of. */
  byCorrelation(id: string, requestor: number): Order | undefined {
    const order = this.#byCorrelation.get(id);
    return order?.requestor === requestor ? order : undefined;
  }

  /** The order whose page or 3-D Secure step this token opens. */
  byToken(token: string): Order | undefined {
    return this.#byToken.get(token);
  }

  /** Every order, oldest first. */
  all(): Iterable<Order> {
    return this.#byId.values();
  }

  /** A fresh correlation id that leads back to the order. */
  correlate(world: World, order: Order): string | number {
    const id = correlationAs(world.choices.gateway, world.uuid());
    this.#byCorrelation.set(String(id), order);
    return id;
  }

  /** A fresh token that leads to the order. */
  issueToken(world: World, order: Order): string {
    const token = world.uuid();
    this.#byToken.set(token, order);
    return token;
  }
}
