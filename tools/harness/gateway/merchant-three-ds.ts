import { type ApiReply, UnarrangedError, UnofferedError } from '#client';
import type { Recorder } from '#evidence';
import {
  fillTemplate,
  mergeBodies,
  namesPlaceholder,
  placeValue,
  type Target,
  type TargetCardBehaviour,
} from '#target';
import type { MerchantPage, MessageReceiver } from '../message-receiver.ts';
import type { GatewayClient } from './gateway-client.ts';
import { FINAL_STATES, type PaymentOptions, type PlacedOrder } from './placed-order.ts';

/** A step of 3-D Secure that the document names. */
export type ThreeDSStepName = 'THREEDS_METHOD' | 'CREQ' | 'PAREQ';

/** threeDSAuth as it came. */
export type ReceivedThreeDSAuth = Readonly<Record<string, unknown>>;

/** What became of an order: the step that is due, if any, and the state. */
export interface ThreeDSProgress {
  readonly reply: ApiReply;
  readonly state: string;
  readonly auth: ReceivedThreeDSAuth | undefined;
}

/** An order that waits for a step of 3-D Secure, with the merchant's pages that its customer can come back to. */
export interface WaitingOrder {
  readonly order: PlacedOrder;
  readonly auth: ReceivedThreeDSAuth;
  readonly reply: ApiReply;
  /** Where the CRes is to be posted. */
  readonly cres: MerchantPage;
  /** Where the PaRes is to be posted, and where a customer returns to. */
  readonly back: MerchantPage;
  /** Whether nobody told the issuer where the CRes is to be posted. */
  readonly isUnaddressed: boolean;
}

/** Steps in which the issuer asks a customer: the card whose payment comes to one, and the operation that takes what the issuer says of it. */
export const ISSUER_STEPS = [
  { step: 'CREQ', card: 'card.challenge', forward: 'threeDSCRes' },
  { step: 'PAREQ', card: 'card.pareq', forward: 'threeDSPaRes' },
] as const;

const CARDS = { THREEDS_METHOD: 'method', CREQ: 'challenge', PAREQ: 'pareq' } as const satisfies Record<
  ThreeDSStepName,
  TargetCardBehaviour
>;
const ANSWERS = { threeDSCRes: 'cres', threeDSPaRes: 'pares' } as const;

/** The caller's side of 3-D Secure. */
export class MerchantThreeDS {
  readonly #gateway: GatewayClient;
  readonly #receiver: MessageReceiver;
  readonly #recorder: Recorder;
  readonly #here: NonNullable<Target['gateway']>;
  #count = 0;

  constructor(parts: { gateway: GatewayClient; receiver: MessageReceiver; recorder: Recorder; target: Target }) {
    this.#gateway = parts.gateway;
    this.#receiver = parts.receiver;
    this.#recorder = parts.recorder;
    this.#here = parts.target.gateway!;
  }

  /**
   * Arranges a payment that waits for a step; a 3DS method before it is reported as completed.
   * @throws Unarranged when the target's card does not lead there; Unoffered where that of a verification, or of another requestor, does not
   */
  async arrangeStep(
    step: ThreeDSStepName,
    { by = 'sale', ...payment }: PaymentOptions & { by?: 'sale' | 'auth' | 'accountVerification' } = {},
  ): Promise<WaitingOrder> {
    this.#count += 1;
    const name = `${this.#recorder.check}-${this.#count}`;
    const cres = this.#receiver.servePage(`/cres-${name}`);
    const back = this.#receiver.servePage(`/return-${name}`);
    const urls = { returnUrl: back.address, cancelUrl: back.address, cresUrl: cres.address };
    const { reply, order } = await this.#gateway.pay(by, { card: CARDS[step], ...urls, ...payment });
    let now = await this.waitForStep(order, reply);
    // A report on the 3DS method names the address; a payment does where the target file says how.
    let isUnaddressed = step === 'CREQ' && !namesPlaceholder(this.#here.wire, 'cresUrl');
    if (now.auth?.threeDSAuthStep === 'THREEDS_METHOD' && step !== 'THREEDS_METHOD') {
      const reported = await this.reportMethod({ order, reply: now.reply, cres }, 'Y');
      now = await this.waitForStep(order, reported, now.auth);
      isUnaddressed = false;
    }
    if (now.auth?.threeDSAuthStep !== step) {
      const instead = `${by} with card ${payment.card ?? CARDS[step]} led to ${String(now.auth?.threeDSAuthStep ?? now.state)}, not ${step}`;
      // The issuer may ask less of a verification than of a payment, of one requestor than of another, and after a method than was asked for.
      throw by === 'accountVerification' || payment.requestor !== undefined || payment.card !== undefined
        ? new UnofferedError('card', instead)
        : new UnarrangedError(instead);
    }
    return { order, auth: now.auth, reply: now.reply, cres, back, isUnaddressed };
  }

  /**
   * Arranges a payment that is approved after its customer passed a step.
   * @throws Unarranged when the target does otherwise
   */
  async arrangeAuthenticated(
    step: 'CREQ' | 'PAREQ',
    issuer: { obtainAnswer(waiting: WaitingOrder): Promise<string> },
    payment: Parameters<MerchantThreeDS['arrangeStep']>[1] = {},
  ): Promise<PlacedOrder> {
    const waiting = await this.arrangeStep(step, payment);
    const { forward } = ISSUER_STEPS.find((one) => one.step === step)!;
    const reply = await this.forwardAnswer(forward, waiting, await issuer.obtainAnswer(waiting));
    const state = await this.#gateway.pollUntilFinal(waiting.order, reply);
    if (state !== 'APPROVED') throw new UnarrangedError(`a payment whose customer passed a ${step} ended in ${state}`);
    return waiting.order;
  }

  /**
   * Arranges a payment that comes to its end without a challenge; a 3DS method that is asked for first is reported as completed.
   * @throws Unarranged when the target's card leads to another step
   */
  async arrangeFrictionless({
    by = 'sale',
    ...payment
  }: PaymentOptions & { readonly by?: 'sale' | 'auth' | 'accountVerification' } = {}): Promise<PlacedOrder> {
    const { order, now } = await this.#payUnseen(by, { card: 'frictionless', ...payment });
    if (now.auth !== undefined && !FINAL_STATES.includes(now.state))
      throw new UnarrangedError(`card frictionless led to ${String(now.auth.threeDSAuthStep)}`);
    return order;
  }

  /**
   * Arranges a payment for which a report on its 3DS method is all of 3-D Secure.
   * @returns the answer to the report
   * @throws Unoffered where each of the target's cards asks for more, or for less
   */
  async arrangeMethodAlone(
    by: 'sale' | 'auth',
    payment: PaymentOptions,
  ): Promise<{ reply: ApiReply; order: PlacedOrder }> {
    for (const card of ['frictionless', 'method'] as const) {
      if (this.#here.cards[card] === undefined) continue;
      const { order, report, now } = await this.#payUnseen(by, { card, ...payment });
      if (report !== undefined && FINAL_STATES.includes(now.state)) return { reply: report, order };
    }
    throw new UnofferedError('card', 'no card is done with 3-D Secure once its method is reported on');
  }

  /**
   * Pays without a customer to be seen; a 3DS method that is asked for is reported as completed.
   * @returns how the payment stands then, and the answer to the report if there was one
   */
  async #payUnseen(
    by: 'sale' | 'auth' | 'accountVerification',
    payment: PaymentOptions,
  ): Promise<{ order: PlacedOrder; now: ThreeDSProgress; report?: ApiReply }> {
    this.#count += 1;
    const cres = this.#receiver.servePage(`/cres-${this.#recorder.check}-${this.#count}`);
    const { reply, order } = await this.#gateway.pay(by, { cresUrl: cres.address, ...payment });
    const asked = await this.waitForStep(order, reply);
    if (asked.auth?.threeDSAuthStep !== 'THREEDS_METHOD') return { order, now: asked };
    const report = await this.reportMethod({ order, reply: asked.reply, cres }, 'Y');
    return { order, now: await this.waitForStep(order, report, asked.auth), report };
  }

  /**
   * Polls until a step is due, other than the one that is past, or the order is final.
   * @returns how it stands then, or when the limit of polls is reached
   * @throws Unarranged when an answer is not a 200
   */
  async waitForStep(order: PlacedOrder, first: ApiReply, past?: ReceivedThreeDSAuth): Promise<ThreeDSProgress> {
    const isDue = ({ auth }: ThreeDSProgress) => auth !== undefined && !isSameThreeDSAuth(auth, past);
    const shows = (reply: ApiReply) => isDue(readThreeDSProgress(reply));
    return readThreeDSProgress(await this.#gateway.pollUntil(order, first, 'a payment with 3-D Secure', shows));
  }

  /** Body of a report on how the 3DS method went. @param changes members to change; undefined leaves one out */
  methodReport(
    { order, reply, cres }: Pick<WaitingOrder, 'order' | 'reply' | 'cres'>,
    threeDSCompInd: string,
    changes: Readonly<Record<string, unknown>> = {},
  ): Record<string, unknown> {
    return {
      orderSystemId: order.systemId,
      browser: fillTemplate(this.#here.wire.browser, {}) ?? {},
      threeDSServerTransID: reply.at(this.#here.wire.read.threeDSServerTransID),
      cresUrl: cres.address,
      threeDSCompInd,
      ...changes,
    };
  }

  /** Reports how the 3DS method went; {@link MerchantThreeDS.methodReport}. */
  reportMethod(
    waiting: Pick<WaitingOrder, 'order' | 'reply' | 'cres'>,
    threeDSCompInd: 'Y' | 'N' | 'U',
    changes: Readonly<Record<string, unknown>> = {},
  ): Promise<ApiReply> {
    return this.#send('threeDSMethod', waiting.order, this.methodReport(waiting, threeDSCompInd, changes));
  }

  /**
   * Body that forwards what the issuer posted back.
   * @param value exactly as received; undefined leaves it out
   * @param changes members to change; undefined leaves one out
   */
  forwardedAnswer(
    operation: 'threeDSCRes' | 'threeDSPaRes',
    { order }: Pick<WaitingOrder, 'order'>,
    value: string | undefined,
    changes: Readonly<Record<string, unknown>> = {},
  ): Record<string, unknown> {
    const carried = value === undefined ? {} : placeValue(this.#here.wire.names[ANSWERS[operation]], value);
    return mergeBodies({ orderSystemId: order.systemId, ...changes }, carried);
  }

  /** Forwards what the issuer posted back; {@link MerchantThreeDS.forwardedAnswer}. */
  forwardAnswer(
    operation: 'threeDSCRes' | 'threeDSPaRes',
    waiting: Pick<WaitingOrder, 'order'>,
    value: string | undefined,
    changes: Readonly<Record<string, unknown>> = {},
  ): Promise<ApiReply> {
    return this.#send(operation, waiting.order, this.forwardedAnswer(operation, waiting, value, changes));
  }

  async #send(operation: string, order: PlacedOrder, body: Record<string, unknown>): Promise<ApiReply> {
    const { id, token } = order.requestor;
    const reply = await this.#gateway.send(operation, { path: { requestorId: id }, token, body });
    const state = reply.status === 200 ? readThreeDSProgress(reply).state : undefined;
    if (state !== undefined) this.#recorder.state(order.merchantId, state, operation);
    return reply;
  }
}

/** How an order stands by an answer. */
export function readThreeDSProgress(reply: ApiReply): ThreeDSProgress {
  const { orderState, threeDSAuth } = reply.object;
  const auth =
    typeof threeDSAuth === 'object' && threeDSAuth !== null ? (threeDSAuth as ReceivedThreeDSAuth) : undefined;
  return { reply, state: String(orderState), auth };
}

/** Whether two threeDSAuth ask for the same thing. */
export function isSameThreeDSAuth(
  one: ReceivedThreeDSAuth | undefined,
  other: ReceivedThreeDSAuth | undefined,
): boolean {
  if (one === undefined || other === undefined) return false;
  const names = ['threeDSAuthStep', 'threeDSMethodTransactionId', 'creq', 'paReq'];
  return names.every((name) => String(one[name]) === String(other[name]));
}
