import { type ApiReply, performControl, type RecordingClient, type TargetTime, UnarrangedError } from '#client';
import { projectContract } from '#contract';
import type { Recorder } from '#evidence';
import { valueAt } from '#json-pointer';
import {
  cardPlaceholders,
  fillTemplate,
  mergeBodies,
  type NamedTransactionKind,
  type PlaceholderValues,
  type RequestTemplate,
  readStyledAmount,
  type Target,
  type TargetCardBehaviour,
  type TargetRequestor,
  writeStyledAmount,
} from '#target';
import { composeRequest, type RequestParts } from '../request-parts.ts';
import { SeededDraw } from '../seeded-draw.ts';

/** States after which an order does not change by itself (document, States and transitions). */
export const FINAL_STATES: readonly string[] = ['APPROVED', 'DECLINED', 'ERROR', 'FILTERED'];
/** States in which polling goes on. */
export const PENDING_STATES: readonly string[] = ['PROCESSING', 'UNKNOWN', 'CHAIN_STEP'];

/** Cards whose payments are not final at first. */
const PENDING_CARDS: readonly TargetCardBehaviour[] = ['pending', 'unknown', 'chain'];

/** An order as later requests name it. */
export interface PlacedOrder {
  readonly requestor: TargetRequestor;
  readonly merchantId: string;
  /** As the service wrote it, of any type. */
  readonly systemId: unknown;
  /** Of the first answer. */
  readonly correlationId: unknown;
  readonly currency: string;
  /** Minor units. */
  readonly amount: number;
  /** What it was paid with, where that was a test card. */
  readonly card?: TargetCardBehaviour | undefined;
}

/** What a payment is made with. */
export interface PaymentOptions {
  /** Minor units. */
  readonly amount?: number;
  readonly card?: TargetCardBehaviour;
  /** Pays with a registered card instead of card data. */
  readonly cardId?: string;
  readonly currency?: string;
  readonly requestor?: TargetRequestor;
  readonly callbackUrl?: string;
  readonly returnUrl?: string;
  readonly cancelUrl?: string;
  /** Where the ACS posts the CRes to, for a challenge that comes without a 3DS method. */
  readonly cresUrl?: string;
  readonly merchantId?: string;
}

/** How to send an operation that is not described by its business meaning. */
export interface GatewayRequestOptions extends RequestParts {
  readonly path?: Readonly<Record<string, string | number>>;
  /** Other base address than the target's. */
  readonly address?: string;
  /** What it pays, in minor units; counts against the target's cap. */
  readonly money?: number;
}

/** The gateway as a merchant uses it. Amounts in minor units; the target file says what that looks like on the wire. */
export class GatewayClient {
  readonly requestor: TargetRequestor;
  readonly #target: Target;
  readonly #client: RecordingClient;
  readonly #time: TargetTime;
  readonly #recorder: Recorder;
  readonly #draw: SeededDraw;
  /** Orders that something was done to since their state was noted, and what. */
  readonly #followed = new Map<string, string>();

  constructor(parts: { target: Target; client: RecordingClient; time: TargetTime; recorder: Recorder; seed: string }) {
    this.#target = parts.target;
    this.#client = parts.client;
    this.#time = parts.time;
    this.#recorder = parts.recorder;
    this.#draw = new SeededDraw(parts.seed);
    this.requestor = parts.target.gateway?.requestors.main ?? { id: 0, token: '', currency: 'EUR' };
  }

  /** The gateway part of the target. */
  get #here(): NonNullable<Target['gateway']> {
    return this.#target.gateway!;
  }

  /** Sends one documented operation. Bearer token and path default to the main requestor, the merchant login or the client id. */
  async send(operation: string, options: GatewayRequestOptions = {}): Promise<ApiReply> {
    const known = projectContract().operations.get(operation);
    if (known === undefined) throw new Error(`no operation is called ${operation}`);
    return this.sendRaw(
      known.method,
      this.urlOf(known.path, options),
      { token: known.security.length === 0 ? null : this.#tokenFor(known.path), ...options },
      operation,
    );
  }

  /** Address of a path template. Its parameters default to the main requestor, the merchant login or the client id. */
  urlOf(template: string, options: Pick<GatewayRequestOptions, 'path' | 'address'> = {}): string {
    const { merchant, client, address } = this.#here;
    const path: Record<string, string | number | undefined> = {
      requestorId: this.requestor.id,
      username: merchant?.login,
      clientId: client?.id,
      ...options.path,
    };
    const filled = template.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(String(path[name])));
    return `${options.address ?? address}${filled}`;
  }

  /** Sends any request to the gateway's host; without an operation it is recorded but not held against the contract. */
  async sendRaw(
    method: string,
    url: string,
    options: Omit<GatewayRequestOptions, 'path' | 'address'> = {},
    operation?: string,
  ): Promise<ApiReply> {
    const { money } = options;
    return this.#client.send({
      api: 'gateway',
      ...(operation === undefined ? {} : { operation }),
      method,
      url,
      ...composeRequest({ token: this.requestor.token, ...options }),
      ...(money === undefined ? {} : { money }),
    });
  }

  /** Body of a payment (sale, auth, account verification), as documented outside and as the target file says inside; without card data for a form. */
  paymentBody(
    payment: PaymentOptions = {},
    form = false,
  ): {
    body: Record<string, unknown>;
    merchantId: string;
    amount: number;
    currency: string;
    requestor: TargetRequestor;
  } {
    const requestor = payment.requestor ?? this.requestor;
    const { currency = requestor.currency, merchantId = `assay-${this.#draw.freshHex(16)}` } = payment;
    const amount = this.#here.cards[payment.card ?? 'approved']?.amount ?? payment.amount ?? 1000;
    const { wire } = this.#here;
    const values = this.#values({ ...payment, amount, currency, merchantId, requestor });
    const means =
      payment.cardId === undefined
        ? { paymentMethod: 'CARD', ...this.#fill(wire.card, values) }
        : { paymentMethod: 'CARD_ID', ...this.#fill(wire.registered, values) };
    const common = Object.fromEntries(
      Object.entries({
        orderMerchantId: merchantId,
        order: fillTemplate(wire.order, values),
        customer: fillTemplate(wire.customer, values),
        browser: fillTemplate(wire.browser, values),
        urls: fillTemplate(wire.urls, values),
      }).filter(([, value]) => value !== undefined && value !== null),
    );
    return { body: mergeBodies(common, form ? {} : means), merchantId, amount, currency, requestor };
  }

  /** A payment as {@link GatewayClient.paymentBody} has it, with what the target file adds for the operation. */
  preparePayment(
    operation: 'sale' | 'auth' | 'accountVerification' | 'saleForm' | 'authForm',
    payment: PaymentOptions = {},
  ) {
    const made = this.paymentBody(payment, operation.endsWith('Form'));
    const extra = this.#fill(this.#here.wire.extra?.[operation] ?? {}, this.#values({ ...payment, ...made }));
    return { ...made, body: mergeBodies(made.body, extra) };
  }

  /** Sends a payment and names the order it made. The answer is not judged: it may be a refusal or not final. */
  async pay(
    operation: 'sale' | 'auth' | 'accountVerification' | 'saleForm' | 'authForm',
    payment: PaymentOptions = {},
  ): Promise<{ reply: ApiReply; order: PlacedOrder }> {
    const { body: sent, ...order } = this.preparePayment(operation, payment);
    const reply = await this.send(operation, {
      path: { requestorId: order.requestor.id },
      token: order.requestor.token,
      body: sent,
      money: order.amount,
    });
    const readable = reply.status === 200;
    const systemId = readable ? reply.at(this.#here.wire.read.orderSystemId) : undefined;
    const correlationId = readable ? reply.at(this.#here.wire.read.correlationId) : undefined;
    if (readable) this.#note(order.merchantId, reply, operation);
    if (systemId !== undefined) this.#recorder.effect({ what: 'order', id: String(systemId), restored: false });
    return { reply, order: { ...order, systemId, correlationId, card: payment.card } };
  }

  /** Arranges an order that is finally APPROVED. @throws Unarranged when the target does otherwise */
  async arrangeApproved(
    operation: 'sale' | 'auth' | 'accountVerification',
    payment: PaymentOptions = {},
  ): Promise<PlacedOrder> {
    const { reply, order } = await this.pay(operation, { card: 'approved', ...payment });
    if (reply.status !== 200)
      throw new UnarrangedError(`${operation} with an approved card was answered ${reply.status}`);
    const state = await this.pollUntilFinal(order, reply);
    if (state !== 'APPROVED') throw new UnarrangedError(`${operation} with an approved card ended in ${state}`);
    return order;
  }

  /** Arranges a capture that went through. @throws Unarranged when the target does otherwise */
  async arrangeCapture(order: PlacedOrder, amount = order.amount): Promise<void> {
    await this.capture(order, amount);
    const { sum } = await this.sumAfterPolling(order, 'capture');
    if (sum !== amount) throw new UnarrangedError(`a capture of ${amount} minor units captured ${sum}`);
  }

  /**
   * Starts a payment that needs 3-D Secure and waits until an answer says so.
   * @returns the first answer that carries threeDSAuth
   * @throws Unarranged when none does before the order is final or the limit of polls is reached
   */
  async arrangeThreeDS(
    operation: 'sale' | 'auth' | 'accountVerification',
    card: TargetCardBehaviour,
  ): Promise<ApiReply> {
    const { reply: first, order } = await this.pay(operation, { card });
    const what = `${operation} with card ${card}`;
    const shows = ({ object }: ApiReply) => (object.threeDSAuth ?? undefined) !== undefined;
    const reply = await this.pollUntil(order, first, what, shows);
    if (shows(reply)) return reply;
    throw new UnarrangedError(`${what} was ${String(reply.object.orderState)} without 3-D Secure`);
  }

  /**
   * Polls until an answer about an order shows something.
   * @param what is being waited for, in words
   * @returns the answer that shows it, that is final, or that is the last one within the limit of polls
   * @throws Unarranged when an answer is not a 200
   */
  async pollUntil(
    order: PlacedOrder,
    first: ApiReply,
    what: string,
    shows: (reply: ApiReply) => boolean,
  ): Promise<ApiReply> {
    let reply = first;
    for (let polls = 0; ; polls += 1) {
      if (reply.status !== 200) throw new UnarrangedError(`${what} was answered ${reply.status}`);
      const isOver = FINAL_STATES.includes(String(reply.object.orderState)) || polls >= this.#target.manners.pollLimit;
      if (shows(reply) || isOver) return reply;
      await this.sleepPollGap();
      reply = await this.#statusAnyhow(order);
    }
  }

  /** Waits as long as between two polls. */
  sleepPollGap(): Promise<void> {
    return this.#time.sleep(this.#target.manners.pollGap);
  }

  /** Reads an order; by all that is known of it unless told which identifier to use. */
  async status(
    order: PlacedOrder,
    by: 'orderSystemId' | 'orderMerchantId' | 'byCorrelationId' = 'orderSystemId',
    extra: Readonly<Record<string, unknown>> = {},
  ): Promise<ApiReply> {
    const id = {
      orderSystemId: order.systemId,
      orderMerchantId: order.merchantId,
      byCorrelationId: order.correlationId,
    }[by];
    const reply = await this.send('status', {
      path: { requestorId: order.requestor.id },
      token: order.requestor.token,
      body: {
        [by]: id,
        ...(order.requestor.id === this.#here.requestors.multicurrency?.id
          ? { orderCurrencyCode: order.currency }
          : {}),
        ...extra,
      },
    });
    if (reply.status === 200) this.#note(order.merchantId, reply, 'status');
    return reply;
  }

  /** Brings a payment with a pending card to its end, where the target file says that only a control request does. */
  async #finishPending(order: PlacedOrder): Promise<void> {
    const isPending = order.card !== undefined && PENDING_CARDS.includes(order.card);
    if (isPending && this.#target.control.finish !== undefined) await this.triggerControl('finish', order);
  }

  /** Reads an order that is only followed: where status refuses the currency, which a check of its own is about, without it. */
  async #statusAnyhow(order: PlacedOrder): Promise<ApiReply> {
    const reply = await this.status(order);
    const isRefused = reply.status === 400 && order.requestor.id === this.#here.requestors.multicurrency?.id;
    return isRefused ? this.status(order, 'orderSystemId', { orderCurrencyCode: undefined }) : reply;
  }

  /**
   * Follows an order to a final state, polling as far apart as the target file says (document: a few seconds).
   * @returns the final state, or the last one seen when the limit of polls is reached
   */
  async pollUntilFinal(order: PlacedOrder, first?: ApiReply): Promise<string> {
    let state = first?.status === 200 ? String(first.at('/orderState')) : 'PROCESSING';
    const { pollGap, pollLimit } = this.#target.manners;
    if (PENDING_STATES.includes(state)) await this.#finishPending(order);
    for (let polls = 0; !FINAL_STATES.includes(state) && polls < pollLimit; polls += 1) {
      await this.#time.sleep(pollGap);
      const reply = await this.#statusAnyhow(order);
      if (reply.status !== 200) throw new UnarrangedError(`status was answered ${reply.status}`);
      state = String(reply.at('/orderState'));
    }
    return state;
  }

  /** Lets the outcome of the last operation on an order arrive: polls until the state is final. @returns the last status answer */
  async pollWhilePending(order: PlacedOrder): Promise<ApiReply> {
    const { pollGap, pollLimit } = this.#target.manners;
    let reply = await this.#statusAnyhow(order);
    for (let polls = 0; PENDING_STATES.includes(String(reply.at('/orderState'))) && polls < pollLimit; polls += 1) {
      await this.#time.sleep(pollGap);
      reply = await this.#statusAnyhow(order);
    }
    return reply;
  }

  /** Captures an order; amount in minor units, omitted for all of it. */
  async capture(order: PlacedOrder, amount?: number, extra: Readonly<Record<string, unknown>> = {}): Promise<ApiReply> {
    const body = { ...this.#amount('captureAmount', amount), ...extra };
    return this.#follow('capture', order, body, amount ?? order.amount);
  }

  /** Reverses an order; amount in minor units, omitted for all of it. */
  async reverse(order: PlacedOrder, amount?: number, reason = 'Conformance check'): Promise<ApiReply> {
    return this.#follow('reversal', order, {
      reversalReason: reason,
      ...this.#amount('reversalAmount', amount),
    });
  }

  /** The transactions of an order by kind (as the target file names them), with amounts in minor units. */
  transactions(
    reply: ApiReply,
  ): { kind: string; type: string; amount: number | undefined; state: unknown; entry: unknown }[] {
    const { types, amountRead: style, read } = this.#here.wire;
    return reply.list('/transactions').map((entry) => {
      const type = String(valueAt(entry, read.transaction.type));
      const kind = Object.entries(types).find(([, names]) => names.map(String).includes(type))?.[0] ?? 'other';
      const state = read.transaction.state === undefined ? undefined : valueAt(entry, read.transaction.state);
      const amount = readStyledAmount(valueAt(entry, read.transaction.amount), style);
      // Whether money that goes back is written below zero is not shown.
      return { kind, type, amount: amount === undefined ? undefined : Math.abs(amount), state, entry };
    });
  }

  /** How many transactions of a kind an answer lists as approved (or without a state), and their sum in minor units. */
  sumTransactions(reply: ApiReply, kind: NamedTransactionKind): { count: number; sum: number } {
    const { approved } = this.#here.wire.read.transaction;
    const found = this.transactions(reply).filter(
      (one) => one.kind === kind && (one.state === undefined || approved.map(String).includes(String(one.state))),
    );
    return { count: found.length, sum: found.reduce((sum, { amount }) => sum + (amount ?? 0), 0) };
  }

  /** What {@link GatewayClient.sumTransactions} says of an order when it has come to rest. */
  async sumAfterPolling(order: PlacedOrder, kind: NamedTransactionKind): Promise<{ count: number; sum: number }> {
    return this.sumTransactions(await this.pollWhilePending(order), kind);
  }

  /** Waits on the target's clock. */
  sleep(seconds: number): Promise<void> {
    return this.#time.sleep(seconds);
  }

  /** Performs a control action of the target file on an order. */
  async triggerControl(
    action: 'later' | 'finish' | 'chargeback',
    order: PlacedOrder,
    values: Readonly<Record<string, string>> = {},
  ): Promise<void> {
    await performControl(this.#target, action, {
      orderSystemId: String(order.systemId),
      requestorId: order.requestor.id,
      ...values,
    });
  }

  /** A member of a template filled with these values; always an object. */
  #fill(template: RequestTemplate, values: PlaceholderValues): Record<string, unknown> {
    const filled = fillTemplate(template, values);
    return typeof filled === 'object' && filled !== null ? (filled as Record<string, unknown>) : {};
  }

  #values(
    payment: PaymentOptions & { amount: number; currency: string; merchantId: string; requestor: TargetRequestor },
  ): PlaceholderValues {
    const card = this.#here.cards[payment.card ?? 'approved'];
    return {
      amount: writeStyledAmount(payment.amount, this.#here.wire.amount),
      currency: payment.currency,
      orderMerchantId: payment.merchantId,
      amountMinor: payment.amount,
      amountDecimal: (payment.amount / 100).toFixed(2),
      requestorId: payment.requestor.id,
      ...cardPlaceholders(card),
      cardId: payment.cardId,
      callbackUrl: payment.callbackUrl,
      returnUrl: payment.returnUrl ?? 'https://merchant.example/return',
      cancelUrl: payment.cancelUrl ?? 'https://merchant.example/cancel',
      cresUrl: payment.cresUrl,
    };
  }

  #amount(name: string, amount: number | undefined): Record<string, unknown> {
    return amount === undefined ? {} : { [name]: writeStyledAmount(amount, this.#here.wire.amount) };
  }

  /** Body that names an order for a capture or reversal: by its system id unless told otherwise, and what the target file adds. */
  orderBody(
    order: PlacedOrder,
    operation: 'capture' | 'reversal',
    id: Readonly<Record<string, unknown>> = { orderSystemId: order.systemId },
  ): Record<string, unknown> {
    const extra = this.#fill(this.#here.wire.extra?.[operation] ?? {}, {
      currency: order.currency,
      orderMerchantId: order.merchantId,
      orderSystemId: order.systemId as string,
      requestorId: order.requestor.id,
    });
    return mergeBodies(extra, id);
  }

  async #follow(
    operation: 'capture' | 'reversal',
    order: PlacedOrder,
    body: Record<string, unknown>,
    money = 0,
  ): Promise<ApiReply> {
    const reply = await this.send(operation, {
      path: { requestorId: order.requestor.id },
      token: order.requestor.token,
      body: mergeBodies(this.orderBody(order, operation), body),
      money,
    });
    this.#followed.set(order.merchantId, operation);
    return reply;
  }

  /**
   * Notes the state that an order is in. The answer to a capture or a reversal may show how that went and not where the order
   * stands, so what comes of it is what status says next.
   */
  #note(order: string, reply: ApiReply, via: string): void {
    const state = reply.operation === undefined ? undefined : (reply.object.orderState as unknown);
    if (typeof state !== 'string') return;
    this.#recorder.state(order, state, this.#followed.get(order) ?? via);
    this.#followed.delete(order);
  }

  #tokenFor(path: string): string {
    if (/^\/(balance|report)\//.test(path))
      return (path.includes('by-manager') ? this.#here.manager : undefined)?.token ?? this.#here.merchant?.token ?? '';
    return path.includes('{clientId}') ? (this.#here.client?.token ?? this.requestor.token) : this.requestor.token;
  }
}
