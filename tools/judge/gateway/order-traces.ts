import { findMembers, isGiven, membersOf, type ReadExchange, type ReadTraffic } from '../read-traffic.ts';

/** States that an order does not leave by itself. */
export const FINAL_ORDER_STATES: readonly string[] = ['APPROVED', 'DECLINED', 'ERROR', 'FILTERED'];
/** States in which an order was not paid. */
export const FAILED_ORDER_STATES: readonly string[] = ['DECLINED', 'ERROR', 'FILTERED'];

/** Of a transfer nothing but its signing is shown: it is followed by nobody. */
const PAYING = ['sale', 'auth', 'saleForm', 'authForm', 'accountVerification'];
const HANDING_ON = ['threeDSMethod', 'threeDSCRes', 'threeDSPaRes'];

/** Something that happened to an order, in view of its client. */
export interface OrderEvent {
  readonly kind: 'paid' | 'captured' | 'reversed' | 'asked' | 'handed on' | 'called back' | 'returned';
  readonly one: ReadExchange;
  readonly operation?: string;
  /** The state that the client was told, when it was told one. */
  readonly state?: string;
  /** Whether a receiver took the callback. */
  readonly isTaken?: boolean;
}

/** What a client did and learned about one order. */
export interface OrderTrace {
  readonly events: readonly OrderEvent[];
}

class Trace implements OrderTrace {
  readonly returnAddresses = new Set<string>();
  readonly events: OrderEvent[] = [];
}

const traces = new WeakMap<ReadTraffic, readonly OrderTrace[]>();

/** Every order of some traffic, by the ids that requests and answers name. An exchange that names none belongs to none. */
export function traceOrders(traffic: ReadTraffic): readonly OrderTrace[] {
  const known = traces.get(traffic);
  if (known !== undefined) return known;
  const found = new TraceBook();
  for (const one of traffic.all) found.add(one);
  traces.set(traffic, found.orders);
  return found.orders;
}

/** The last state that a client was told of an order before some exchange; by default of all. */
export function lastState({ events }: OrderTrace, before = Number.POSITIVE_INFINITY): string | undefined {
  return learned(events, before).at(-1)?.state;
}

/** Events by which a client was told a state. */
export function learned(events: readonly OrderEvent[], before = Number.POSITIVE_INFINITY): readonly OrderEvent[] {
  return events.filter(
    ({ one, state, kind, isTaken }) => one.index < before && state !== undefined && (kind !== 'called back' || isTaken),
  );
}

class TraceBook {
  readonly orders: Trace[] = [];
  readonly #byMerchantId = new Map<string, Trace>();
  readonly #bySystemId = new Map<string, Trace>();
  readonly #correlations = new Map<string, Trace>();
  /** Addresses that a customer of one order was sent to. */
  readonly #addresses = new Map<string, Trace>();

  add(one: ReadExchange): void {
    const { direction } = one.exchange;
    if (direction === 'browser') this.#addPage(one);
    else if (direction === 'in') this.#addCallback(one);
    else this.#addRequest(one);
  }

  #addRequest(one: ReadExchange): void {
    const operation = one.known?.isMethodRight ? one.known.operation : undefined;
    const kind = operation?.api === 'gateway' ? kindOf(operation.id) : undefined;
    if (kind === undefined) return;
    const asked = membersOf(one.body);
    const answered = membersOf(one.answer);
    const merchantIds = textsOf([asked['orderMerchantId'], membersOf(asked['order'])['orderMerchantId']]);
    const systemIds = textsOf([asked['orderSystemId'], ...findMembers(answered, 'orderSystemId')]);
    const order = this.#find(merchantIds, systemIds, textsOf([asked['byCorrelationId']]), kind === 'paid');
    if (order === undefined) return;
    for (const id of merchantIds) if (!this.#byMerchantId.has(id)) this.#byMerchantId.set(id, order);
    for (const id of systemIds) if (!this.#bySystemId.has(id)) this.#bySystemId.set(id, order);
    for (const id of textsOf(findMembers(answered, 'correlationId'))) this.#correlations.set(id, order);
    for (const address of returnAddresses(asked)) order.returnAddresses.add(address);
    const { outputRedirectToUrl, orderState } = answered;
    if (typeof outputRedirectToUrl === 'string') this.#addresses.set(outputRedirectToUrl, order);
    for (const address of formActions(answered['outputHtml'])) this.#addresses.set(address, order);
    const isAnswered = one.exchange.response?.status === 200 && typeof orderState === 'string';
    order.events.push({ kind, one, operation: operation!.id, ...(isAnswered ? { state: orderState } : {}) });
  }

  #addCallback(one: ReadExchange): void {
    const body = membersOf(one.body);
    if (one.exchange.api !== 'gateway' || typeof body['orderState'] !== 'string') return;
    const order = this.#find(textsOf([body['orderMerchantId']]), textsOf([body['orderSystemId']]), [], false);
    const status = one.exchange.response?.status;
    order?.events.push({
      kind: 'called back',
      one,
      state: body['orderState'],
      isTaken: status !== undefined && status < 400,
    });
  }

  #addPage(one: ReadExchange): void {
    const { url } = one.exchange.request;
    const back = this.orders.filter(({ returnAddresses }) => [...returnAddresses].some((to) => leadsTo(url, to)));
    const order = this.#addresses.get(url) ?? (back.length === 1 ? back[0] : undefined);
    if (order === undefined) return;
    const location = one.answerHeaders.get('location');
    const to = location !== undefined && URL.canParse(location, url) ? new URL(location, url).href : undefined;
    if (back.includes(order) || (to !== undefined && [...order.returnAddresses].some((one) => leadsTo(to, one))))
      order.events.push({ kind: 'returned', one });
    else if (to !== undefined) this.#addresses.set(to, order);
  }

  #find(
    merchantIds: readonly string[],
    systemIds: readonly string[],
    correlationIds: readonly string[],
    isNew: boolean,
  ): Trace | undefined {
    const known =
      merchantIds.map((id) => this.#byMerchantId.get(id)).find((order) => order !== undefined) ??
      systemIds.map((id) => this.#bySystemId.get(id)).find((order) => order !== undefined) ??
      correlationIds.map((id) => this.#correlations.get(id)).find((order) => order !== undefined);
    if (known !== undefined || !isNew) return known;
    const order = new Trace();
    this.orders.push(order);
    return order;
  }
}

function kindOf(operation: string): OrderEvent['kind'] | undefined {
  if (PAYING.includes(operation)) return 'paid';
  if (HANDING_ON.includes(operation)) return 'handed on';
  return ({ capture: 'captured', reversal: 'reversed', status: 'asked' } as const)[operation];
}

function textsOf(values: readonly unknown[]): string[] {
  return values.filter(isGiven).map(String);
}

/** Where a customer comes back to: the members of urls are not shown, and two of them are known to be no pages. */
function returnAddresses(body: object): string[] {
  return Object.entries(membersOf((body as { urls?: unknown }).urls)).flatMap(([name, value]) =>
    typeof value === 'string' && !/webhook|callback|cres/i.test(name) ? [value] : [],
  );
}

function formActions(html: unknown): string[] {
  if (typeof html !== 'string') return [];
  return [...html.matchAll(/\baction="(https?:[^"]+)"/g)].map(([, address]) => address!.replaceAll('&amp;', '&'));
}

/** Whether an address is another one, whatever was added to its query. */
function leadsTo(address: string, to: string): boolean {
  return address === to || address.startsWith(`${to}${to.includes('?') ? '&' : '?'}`);
}
