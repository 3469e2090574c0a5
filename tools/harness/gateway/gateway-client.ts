import { setTimeout as wait } from 'node:timers/promises';
import { type ApiReply, performControl, requireSeen, type TargetTime, UnarrangedError, UnofferedError } from '#client';
import type { Recorder } from '#evidence';
import {
  mergeBodies,
  type NamedTransactionKind,
  type Target,
  type TargetCardBehaviour,
  type TargetGatewayWire,
  type TargetRequestor,
} from '#target';
import { noteDeed, noteMeasure } from '../check-story.ts';
import type { ClientParts } from '../client-parts.ts';
import { oncePerTarget } from '../once-per-target.ts';
import { pollTarget } from '../poll-target.ts';
import { isRefusedForContent } from '../refused-request.ts';
import { requireUnexpired } from './card-expiry.ts';
import { DONE_TO_MONEY, describePart, describePayment } from './deeds.ts';
import { GatewayTransport } from './gateway-transport.ts';
import { BothIds } from './order-ids.ts';
import { PaymentBodies, type PreparedPayment } from './payment-bodies.ts';
import {
  FINAL_STATES,
  type GatewayRequestOptions,
  type OrderIdentifier,
  type PaymentOperation,
  type PaymentOptions,
  PENDING_CARDS,
  PENDING_STATES,
  type PlacedOrder,
} from './placed-order.ts';
import {
  hasTransactions,
  type ListedTransaction,
  listTransactions,
  requireUnderstood,
  shownSum,
  sumTransactions,
  type TransactionSum,
} from './transaction-sums.ts';

/** Seconds of real time that the end of a payment is given beside a clock that is moved. */
const REAL_END = 15;
/** Seconds of a day. */
const DAY = 86_400;

const isPending = (reply: ApiReply): boolean => PENDING_STATES.includes(String(reply.at('/orderState')));

/** A payment that was approved, by target: once is enough. */
const approves = oncePerTarget<PlacedOrder>();

/** States of transactions at which they stayed as long as was polled, by target: each is waited for once. */
const lastingStates = new WeakMap<Target, Set<string>>();

/** The gateway as a merchant uses it. Amounts in minor units; the target file says what that looks like on the wire. */
export class GatewayClient {
  readonly requestor: TargetRequestor;
  readonly #target: Target;
  readonly #transport: GatewayTransport;
  readonly #bodies: PaymentBodies;
  readonly #time: TargetTime;
  readonly #recorder: Recorder;
  /** Orders that something was done to since their state was noted, and what. */
  readonly #followed = new Map<string, string>();
  /** Orders to which the last operation was answered to be under way. */
  readonly #underWay = new Set<string>();
  /** Orders whose last operation was answered with 200 and did not come to rest yet. */
  readonly #taken = new Set<string>();

  readonly #bothIds: BothIds | undefined;
  #asksByOwnId: boolean;

  /** @param parts.callbackUrl what payments name that say nothing else */
  constructor(parts: ClientParts & { callbackUrl?: string | undefined }) {
    this.#target = parts.target;
    this.#time = parts.time;
    this.#recorder = parts.recorder;
    this.#transport = new GatewayTransport(parts.target, parts.client);
    this.requestor = this.#transport.requestor;
    const { target, seed, callbackUrl } = parts;
    this.#bodies = new PaymentBodies({ target, requestor: this.requestor, seed, callbackUrl });
    this.#bothIds = parts.habits?.has('namesBothIds') ? new BothIds() : undefined;
    this.#asksByOwnId = parts.habits?.has('asksByOwnId') ?? false;
  }

  get #wire(): TargetGatewayWire {
    return this.#target.gateway!.wire;
  }

  /** Sends one documented operation; {@link GatewayTransport.send}. */
  send(operation: string, options?: GatewayRequestOptions): Promise<ApiReply> {
    return this.#transport.send(operation, options);
  }

  /** Address of a path template; {@link GatewayTransport.urlOf}. */
  urlOf(...path: Parameters<GatewayTransport['urlOf']>): string {
    return this.#transport.urlOf(...path);
  }

  /** Sends any request; {@link GatewayTransport.sendRaw}. */
  sendRaw(...request: Parameters<GatewayTransport['sendRaw']>): Promise<ApiReply> {
    return this.#transport.sendRaw(...request);
  }

  /** Body of a payment; {@link PaymentBodies.paymentBody}. */
  paymentBody(payment?: PaymentOptions, form?: boolean): PreparedPayment {
    return this.#bodies.paymentBody(payment, form);
  }

  /** A payment with what the target file adds; {@link PaymentBodies.preparePayment}. */
  preparePayment(operation: PaymentOperation, payment?: PaymentOptions): PreparedPayment {
    return this.#bodies.preparePayment(operation, payment);
  }

  /** Body that names an order; {@link PaymentBodies.orderBody}. */
  orderBody(...naming: Parameters<PaymentBodies['orderBody']>): Record<string, unknown> {
    return this.#bodies.orderBody(...naming);
  }

  /** Member with an amount; {@link PaymentBodies.amountMember}. */
  amountMember(...member: Parameters<PaymentBodies['amountMember']>): Record<string, unknown> {
    return this.#bodies.amountMember(...member);
  }

  /** Has payments name no address for callbacks from here on, unless told to. */
  nameNoCallbackUrl(): void {
    this.#bodies.callbackUrl = undefined;
  }

  /** Asks for a test card that is still valid on the target's clock. @throws Unoffered for one that has expired by then */
  async requireUnexpired(behaviour: TargetCardBehaviour = 'approved'): Promise<void> {
    const card = this.#target.gateway!.cards[behaviour];
    if (card !== undefined) await requireUnexpired(card, this.#target, this.#time);
  }

  /** Sends a payment that lacks a part of its body. The answer is not judged. */
  payWithout(
    part: 'order' | 'browser' | 'customer',
    operation: PaymentOperation,
    payment?: PaymentOptions,
  ): Promise<ApiReply> {
    const { body, requestor } = this.preparePayment(operation, payment);
    const { [part]: _, ...rest } = body;
    return this.send(operation, { path: { requestorId: requestor.id }, token: requestor.token, body: rest });
  }

  /**
   * Sends a payment and names the order it made. The answer is not judged: it may be a refusal or not final.
   * @throws Unoffered for a test card that has expired on the target's clock
   */
  async pay(
    operation: PaymentOperation,
    payment: PaymentOptions = {},
  ): Promise<{ reply: ApiReply; order: PlacedOrder }> {
    if (payment.cardId === undefined) await this.requireUnexpired(payment.card);
    const { body: sent, ...order } = this.preparePayment(operation, payment);
    noteDeed(describePayment(operation, order));
    const reply = await this.send(operation, {
      path: { requestorId: order.requestor.id },
      token: order.requestor.token,
      body: sent,
      money: order.amount,
    });
    const readable = reply.status === 200;
    const systemId = readable ? reply.at(this.#wire.read.orderSystemId) : undefined;
    const correlationId = readable ? reply.at(this.#wire.read.correlationId) : undefined;
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

  /**
   * Asks for a target at which payments are approved: where none ever is, one that is not approved says nothing.
   * @throws Unarranged where the plainest one is not
   */
  async requireApprovals(): Promise<void> {
    await approves(this.#target, () => this.arrangeApproved('sale'));
  }

  /**
   * Pays in a way that need not be taken, with the approved card unless told otherwise, and follows the order to a final state.
   * @returns that state, as {@link GatewayClient.pollUntilFinal} says it; `refused` where there is no order to follow
   */
  async payAndFollow(
    operation: 'sale' | 'auth' | 'accountVerification',
    payment: PaymentOptions,
  ): Promise<{ order: PlacedOrder; state: string }> {
    const { reply, order } = await this.pay(operation, { card: 'approved', ...payment });
    return { order, state: reply.status === 200 ? await this.pollUntilFinal(order, reply) : 'refused' };
  }

  /** Arranges a capture that went through. @throws Unarranged when the target does otherwise */
  async arrangeCapture(order: PlacedOrder, amount = order.amount): Promise<void> {
    await this.capture(order, amount);
    const captured = await this.sumAfterPolling(order, 'capture');
    const sum = captured.count === 0 ? 0 : shownSum(captured);
    if (sum !== undefined && sum !== amount)
      throw new UnarrangedError(`a capture of ${amount} minor units captured ${sum}`);
  }

  /**
   * Arranges another capture of an order that was captured in part.
   * @returns the status answer that shows both
   * @throws Unoffered where an authorization can be captured once only
   */
  async arrangeSecondCapture(order: PlacedOrder, amount: number): Promise<ApiReply> {
    await this.capture(order, amount);
    const status = await this.pollWhilePending(order);
    if (this.sumTransactions(status, 'capture', order.currency).count < 2)
      throw new UnofferedError('capability', 'an authorization cannot be captured twice here');
    return status;
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
    const readable = (reply: ApiReply) => {
      if (reply.status !== 200) throw new UnarrangedError(`${what} was answered ${reply.status}`);
      return reply;
    };
    return this.poll(
      readable(first),
      async () => readable(await this.#statusAnyhow(order)),
      (reply) => shows(reply) || FINAL_STATES.includes(String(reply.object.orderState)),
    );
  }

  /**
   * Follows an order to a final state.
   * @param by identifier to ask by; absent: whichever leads to it
   * @returns the final state, or the last one seen when the limit of polls is reached
   */
  async pollUntilFinal(order: PlacedOrder, first?: ApiReply, by?: OrderIdentifier): Promise<string> {
    const read = async () => {
      const reply = await (by === undefined ? this.#statusAnyhow(order) : this.status(order, by));
      if (reply.status !== 200) throw new UnarrangedError(`status was answered ${reply.status}`);
      return String(reply.at('/orderState'));
    };
    const state = first?.status === 200 ? String(first.at('/orderState')) : 'PROCESSING';
    if (PENDING_STATES.includes(state)) await this.#finishPending(order);
    const isFinal = (one: string) => FINAL_STATES.includes(one);
    const last = await this.poll(state, read, isFinal);
    if (isFinal(last) || this.#target.kind === 'embedded' || this.#time.lever('records') !== 'moves') return last;
    // What somebody else's service asks an issuer may keep to real time, whatever clock of its records is moved.
    const { pollGap } = this.#target.manners;
    const manners = { pollGap, pollLimit: Math.ceil(REAL_END / pollGap) };
    const time = {
      sleep: (seconds: number) => wait(seconds * 1000),
      lever: () => 'stands' as const,
      noteLever: () => {},
    };
    return pollTarget(last, read, isFinal, { manners, time });
  }

  /** Lets the outcome of the last operation on an order arrive: polls until the state is final. @returns the last status answer */
  async pollWhilePending(order: PlacedOrder): Promise<ApiReply> {
    const read = () => this.#statusAnyhow(order);
    let first = await read();
    // What is under way may not show at once that it is; beside a clock that is moved next to no time passes.
    const gaps = this.#underWay.delete(order.merchantId) ? (this.#time.steered ? 3 : 1) : 0;
    for (let gap = 0; gap < gaps && !isPending(first); gap += 1) {
      await this.sleepPollGap();
      first = await read();
    }
    const isTaken = this.#taken.delete(order.merchantId);
    const isOver = (reply: ApiReply) => !isPending(reply) && (!isTaken || this.#listOpenStates(reply).length === 0);
    const last = await this.poll(first, read, isOver);
    if (isTaken && !isPending(last)) this.#noteLastingStates(last);
    return last;
  }

  /** A state of a transaction that lasts as long as is polled stands for an end, and is waited for no more. */
  #noteLastingStates(last: ApiReply): void {
    const known = lastingStates.get(this.#target) ?? [];
    lastingStates.set(this.#target, new Set([...known, ...this.#listOpenStates(last)]));
  }

  /**
   * States of listed transactions that may be none at which they end: the state of an order may stay what it was while a capture or a
   * reversal is under way, which its entry then shows by a word of its own.
   */
  #listOpenStates(reply: ApiReply): string[] {
    if (!hasTransactions(reply)) return [];
    const known = [
      ...FINAL_STATES,
      ...this.#wire.read.transaction.approved,
      ...(lastingStates.get(this.#target) ?? []),
    ];
    return this.entries(reply)
      .filter(({ state }) => state !== undefined)
      .map(({ state }) => String(state))
      .filter((state) => !known.includes(state));
  }

  /** Waits as long as between two polls. */
  sleepPollGap(): Promise<void> {
    return this.#time.sleep(this.#target.manners.pollGap);
  }

  /** Has orders be asked for by their system id from here on, where nothing else is said: for checks of what each identifier leads to. */
  askBySystemId(): void {
    this.#asksByOwnId = false;
  }

  /**
   * Reads an order; unless told which identifier to use by its system id, or by the caller's own where that is how the check asks. Whether
   * it is found by that one is for another check.
   */
  async status(order: PlacedOrder, by?: OrderIdentifier, extra?: Readonly<Record<string, unknown>>): Promise<ApiReply> {
    if (by !== undefined || !this.#asksByOwnId || !this.#bodies.hasTwoIds(order))
      return this.#statusBy(by ?? 'orderSystemId', order, extra);
    const own = await this.#statusBy('orderMerchantId', order, extra);
    if (!isRefusedForContent(own)) return own;
    const found = await this.#statusBy('orderSystemId', order, extra);
    if (found.status === 200) this.askBySystemId();
    return found;
  }

  /** Reads an order by its system id, and by the caller's own where that leads to it: what is shown once is promised of both. */
  async statusesByBothIds(order: PlacedOrder): Promise<readonly ApiReply[]> {
    const shown = await this.status(order, 'orderSystemId');
    if (!this.#bodies.hasTwoIds(order)) return [shown];
    const own = await this.status(order, 'orderMerchantId');
    return own.status === 200 ? [shown, own] : [shown];
  }

  async #statusBy(
    by: OrderIdentifier,
    order: PlacedOrder,
    extra: Readonly<Record<string, unknown>> = {},
  ): Promise<ApiReply> {
    const id = {
      orderSystemId: order.systemId,
      orderMerchantId: order.merchantId,
      byCorrelationId: order.correlationId,
    }[by];
    // A request that names no order says nothing about one.
    if (by === 'byCorrelationId') requireSeen(id, 'the correlation id of the answer');
    const reply = await this.send('status', {
      path: { requestorId: order.requestor.id },
      token: order.requestor.token,
      body: {
        [by]: id,
        ...(order.requestor.id === this.#target.gateway!.requestors.multicurrency?.id
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

  /**
   * Reads an order that is only followed: where status refuses its system id or its currency, which checks of their own are about, without the
   * currency or by the caller's id. @returns the first answer when all are refused
   */
  async #statusAnyhow(order: PlacedOrder): Promise<ApiReply> {
    const first = await this.status(order);
    if (first.status === 200) return first;
    const isMulti = order.requestor.id === this.#target.gateway!.requestors.multicurrency?.id;
    for (const [by, extra] of [
      ...(isMulti ? [['orderSystemId', { orderCurrencyCode: undefined }] as const] : []),
      ['orderMerchantId', {}] as const,
    ]) {
      const reply = await this.status(order, by, extra);
      if (reply.status === 200) return reply;
    }
    return first;
  }

  /** Captures an order; amount in minor units, omitted for all of it. */
  async capture(order: PlacedOrder, amount?: number, extra: Readonly<Record<string, unknown>> = {}): Promise<ApiReply> {
    const body = { ...this.#bodies.amountMember('captureAmount', amount), ...extra };
    noteDeed(`a capture ${describePart(amount, order.currency)}`);
    return this.#follow('capture', order, body, amount ?? order.amount);
  }

  /** Reverses an order; amount in minor units, omitted for all of it. */
  async reverse(order: PlacedOrder, amount?: number, reason = 'Conformance check'): Promise<ApiReply> {
    noteDeed(`a reversal ${describePart(amount, order.currency)}`);
    return this.#follow('reversal', order, {
      reversalReason: reason,
      ...this.#bodies.amountMember('reversalAmount', amount),
    });
  }

  /** The transactions of an order, whatever the target file tells of them; {@link listTransactions}. */
  entries(reply: ApiReply): ListedTransaction[] {
    return listTransactions(reply, this.#wire);
  }

  /** The transactions of an order. @throws UnseenError as {@link requireUnderstood} does */
  transactions(reply: ApiReply): ListedTransaction[] {
    const listed = this.entries(reply);
    requireUnderstood(reply, listed, this.#wire);
    return listed;
  }

  /** Count and sum of an order's transactions of a kind; {@link sumTransactions}. */
  sumTransactions(reply: ApiReply, kind: NamedTransactionKind, currency = this.requestor.currency): TransactionSum {
    const measured = sumTransactions(reply, kind, this.#wire);
    const { count } = measured;
    const sum = shownSum(measured);
    if (sum !== undefined) noteMeasure({ count, sum, became: DONE_TO_MONEY[kind], currency });
    return measured;
  }

  /** What {@link GatewayClient.sumTransactions} says of an order when it has come to rest. */
  async sumAfterPolling(order: PlacedOrder, kind: NamedTransactionKind): Promise<TransactionSum> {
    return this.sumTransactions(await this.pollWhilePending(order), kind, order.currency);
  }

  /** Waits on the target's clock. */
  sleep(seconds: number): Promise<void> {
    return this.#time.sleep(seconds);
  }

  /**
   * Learns whether advancing the clock moves what an authorization goes by: one that has lapsed shows it, one that has not may be the
   * clock's doing or the service's. Takes days itself, so it comes before the order that is to grow old.
   * @throws Unoffered where nothing shows it
   */
  async learnLapse(): Promise<void> {
    if (this.#time.lever('records') !== 'unknown') return;
    const orders = [await this.arrangeApproved('auth'), await this.arrangeApproved('auth')];
    await this.#time.sleep(60 * DAY);
    for (const [i, order] of orders.entries()) {
      // One way of naming the amount may be taken by mistake: then the other shows it.
      await this.capture(order, i === 0 ? undefined : order.amount);
      if ((await this.sumAfterPolling(order, 'capture')).count > 0) continue;
      this.#time.noteLever('records', 'moves');
      return;
    }
    throw new UnofferedError(
      'capability',
      'nothing shows that control.advance moves the dates of orders; moves: [records] there would say so',
    );
  }

  /** Lets days pass that decide whether an authorization still holds, after {@link GatewayClient.learnLapse}. */
  async passDays(days: number): Promise<void> {
    if (this.#time.lever('records') === 'unknown')
      throw new UnarrangedError('what the clock moves is learned before an order is to grow old');
    noteDeed(`${days} days`);
    await this.#time.sleep(days * DAY);
  }

  /**
   * Arranges a payment that was approved days ago.
   * @throws Unarranged when the target does otherwise; Unoffered as {@link GatewayClient.learnLapse} says
   */
  async arrangeAged(operation: 'sale' | 'auth', days: number, payment: PaymentOptions = {}): Promise<PlacedOrder> {
    await this.learnLapse();
    const order = await this.arrangeApproved(operation, payment);
    await this.passDays(days);
    return order;
  }

  /** Performs a control action of the target file on an order. */
  async triggerControl(
    action: 'later' | 'finish' | 'chargeback',
    order: PlacedOrder,
    values: Readonly<Record<string, string>> = {},
  ): Promise<void> {
    await performControl(this.#target, action, {
      orderSystemId: order.systemId as string,
      requestorId: order.requestor.id,
      ...values,
    });
  }

  /** Reads the published interface description. @throws Unarranged when there is none where the target file says, or none that can be read */
  async readDescription(): Promise<{ readonly info?: { readonly version?: unknown } }> {
    const reply = await this.sendRaw('GET', this.#target.gateway!.description!, { token: null });
    const { text } = reply.requireStatus(200);
    try {
      // JSON is YAML.
      const { parse } = await import('yaml');
      const read = parse(text) as {
        readonly openapi?: unknown;
        readonly swagger?: unknown;
        readonly info?: object;
      } | null;
      if ((read?.openapi ?? read?.swagger) !== undefined) return read!;
    } catch {
      // Said below.
    }
    throw new UnarrangedError('what gateway.description leads to is no OpenAPI description');
  }

  /**
   * Sends a request that is to fail inside the gateway. Where it does not, the failure may wait for one of that requestor: then it is used up.
   * @throws Unoffered where the target file does not say how
   */
  async sendFailing(send: () => Promise<ApiReply>, requestor: TargetRequestor = this.requestor): Promise<ApiReply> {
    await performControl(this.#target, 'gatewayFault', { requestorId: requestor.id });
    const reply = await send();
    if (reply.status !== 500)
      await this.send('status', {
        path: { requestorId: requestor.id },
        token: requestor.token,
        body: { orderMerchantId: this.paymentBody().merchantId },
      });
    return reply;
  }

  /** Reads again and again, as {@link pollTarget} does, as this target wants it. */
  poll<Reading>(
    first: Reading,
    read: () => Promise<Reading>,
    isEnough: (reading: Reading) => boolean,
  ): Promise<Reading> {
    return pollTarget(first, read, isEnough, { manners: this.#target.manners, time: this.#time });
  }

  async #follow(
    operation: 'capture' | 'reversal',
    order: PlacedOrder,
    body: Record<string, unknown>,
    money = 0,
  ): Promise<ApiReply> {
    const send = (ids: object) =>
      this.send(operation, {
        path: { requestorId: order.requestor.id },
        token: order.requestor.token,
        body: mergeBodies(this.orderBody(order, operation), { ...ids, ...body }),
        money,
      });
    const own = { orderMerchantId: order.merchantId };
    const reply =
      this.#bothIds !== undefined && !('orderMerchantId' in body) && this.#bodies.hasTwoIds(order)
        ? await this.#bothIds.send(operation, (ids) => send(ids === 'both' ? own : {}))
        : await send({});
    this.#followed.set(order.merchantId, operation);
    if (reply.status === 200) this.#taken.add(order.merchantId);
    if (reply.status === 200 && isPending(reply)) this.#underWay.add(order.merchantId);
    else this.#underWay.delete(order.merchantId);
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
}
