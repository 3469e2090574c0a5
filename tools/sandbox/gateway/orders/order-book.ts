import { decision } from '../../decision.ts';
import { LATE } from '../../real-time.ts';
import type { GatewayWorld } from '../gateway-world.ts';
import { writeCorrelationId } from '../wire/identifiers.ts';
import { type GatewayOrder, namesCallback, type RememberedCard } from './order.ts';
import type { StatusDestination } from './status-promises.ts';

/** Whether the correlation id of an answer leads back to its order. */
const leadsBack = decision({
  rule: 'GW-STS-04',
  honest: (_answered: StatusDestination['in'], _isRefused: boolean, _order: GatewayOrder) => true,
  lies: {
    'correlation-id-of-a-void-unknown': (answered, _isRefused, { voided }) => answered !== 'reversal' || !voided,
    'correlation-id-of-a-refund-of-a-captured-authorization-unknown': (answered, _isRefused, { kind, voided }) =>
      answered !== 'reversal' || kind !== 'AUTH' || voided,
    'correlation-id-of-a-second-capture-unknown': (answered, _isRefused, { transactions }) =>
      answered !== 'capture' || transactions.filter(({ type }) => type === 'CAPTURE').length < 2,
    'correlation-id-of-an-order-that-names-a-callback-address-unknown': (_answered, _isRefused, order) =>
      !namesCallback(order),
    'correlation-id-of-a-3ds-method-unknown': (answered) => answered !== 'threeDSMethod',
    'correlation-id-of-a-cres-of-an-authorization-unknown': (answered, _isRefused, { kind }) =>
      answered !== 'threeDSCRes' || kind !== 'AUTH',
    'correlation-id-of-a-sale-that-waits-for-3-d-secure-unknown': (answered, _isRefused, { step }) =>
      answered !== 'sale' || step === undefined,
    'correlation-id-of-a-refused-capture-unknown': (answered, isRefused) => answered !== 'capture' || !isRefused,
    'correlation-id-of-a-refused-reversal-unknown': (answered, isRefused) => answered !== 'reversal' || !isRefused,
    'correlation-id-of-a-capture-unknown': (answered) => answered !== 'capture',
    'correlation-id-of-a-verification-unknown': (answered) => answered !== 'accountVerification',
    'correlation-id-of-a-reversal-unknown': (answered) => answered !== 'reversal',
    'correlation-id-of-a-form-for-a-sale-unknown': (answered) => answered !== 'saleForm',
    'correlation-id-of-a-form-for-an-authorization-unknown': (answered) => answered !== 'authForm',
    'correlation-id-of-a-cres-unknown': (answered) => answered !== 'threeDSCRes',
    'correlation-id-of-a-pares-unknown': (answered) => answered !== 'threeDSPaRes',
  },
});

/** Milliseconds of real time for which a correlation id leads back; honestly, it goes on doing so. */
const leadsBackFor = decision({
  rule: 'GW-STS-04',
  honest: (): number | undefined => undefined,
  lies: { 'correlation-ids-forgotten-after-seconds': () => LATE },
});

/** A registered card: works for the requestor that registered it. */
export interface RegisteredCard {
  readonly requestor: number;
  readonly card: RememberedCard;
  /** When it was registered; only lies look at it. */
  readonly at: number;
  /** The same in milliseconds of real time. */
  readonly atReally: number;
  /** Order that it comes from; only lies look at it. */
  readonly from: Pick<GatewayOrder, 'id' | 'kind' | 'form' | 'transactions'>;
  /** Whether it has paid already; only lies look at it. */
  isUsed?: true;
  /** Whether another's payment by it was refused; only lies look at it. */
  isRefused?: true;
}

/** Everything opened since the last reset, by each way of finding it. */
export class OrderBook {
  readonly #byId = new Map<number, GatewayOrder>();
  readonly #byMerchantId = new Map<string, GatewayOrder[]>();
  readonly #byCorrelation = new Map<string, GatewayOrder>();
  readonly #byToken = new Map<string, GatewayOrder>();
  readonly registered = new Map<string, RegisteredCard>();

  /** Remembers a new order. */
  add(order: GatewayOrder): void {
    this.#byId.set(order.id, order);
    const key = `${order.requestor} ${order.merchantOrderId}`;
    const same = this.#byMerchantId.get(key);
    if (same === undefined) this.#byMerchantId.set(key, [order]);
    else same.push(order);
  }

  /** Has an order be found by the caller's own id no more; only lies do. */
  rename(order: GatewayOrder): void {
    this.#byMerchantId.delete(`${order.requestor} ${order.merchantOrderId}`);
  }

  /** An order of a requestor by system id. */
  byId(id: number, requestor?: number): GatewayOrder | undefined {
    const order = this.#byId.get(id);
    return order !== undefined && (requestor === undefined || order.requestor === requestor) ? order : undefined;
  }

  /** The latest order of a requestor with the caller's own id, in a currency if given. */
  byMerchantId(id: string, requestor: number, currency?: string): GatewayOrder | undefined {
    return this.#byMerchantId.get(`${requestor} ${id}`)?.findLast((one) => !currency || one.currency === currency);
  }

  /** The order of a requestor that an answer with this correlation id spoke of. */
  byCorrelation(id: string, requestor: number): GatewayOrder | undefined {
    const order = this.#byCorrelation.get(id);
    return order?.requestor === requestor ? order : undefined;
  }

  /** The order whose page or 3-D Secure step this token opens. */
  byToken(token: string): GatewayOrder | undefined {
    return this.#byToken.get(token);
  }

  /** Whether more than a hundred orders came after one; only lies ask. */
  isLongAgo(order: Pick<GatewayOrder, 'id'>): boolean {
    const ids = [...this.#byId.keys()];
    return ids.length - ids.indexOf(order.id) > 100;
  }

  /** The orders of a requestor, oldest first. */
  of(requestor: number): GatewayOrder[] {
    return [...this.#byId.values()].filter((one) => one.requestor === requestor);
  }

  /** Every order, oldest first. */
  all(): Iterable<GatewayOrder> {
    return this.#byId.values();
  }

  /** A fresh correlation id that leads back to the order, for what is answered. */
  correlate(world: GatewayWorld, order: GatewayOrder, { in: answered, refused }: StatusDestination): string | number {
    const id = writeCorrelationId(world.choices, world.uuid());
    if (leadsBack(world.activeLies, answered, refused !== undefined, order)) this.#byCorrelation.set(String(id), order);
    const briefly = leadsBackFor(world.activeLies);
    if (briefly !== undefined) setTimeout(() => this.#byCorrelation.delete(String(id)), briefly).unref();
    return id;
  }

  /** A fresh token that leads to the order. */
  issueToken(world: GatewayWorld, order: GatewayOrder): string {
    const token = world.uuid();
    this.#byToken.set(token, order);
    return token;
  }
}
