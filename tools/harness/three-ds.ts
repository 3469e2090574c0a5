import { type Reply, Unarranged } from '#client';
import type { Recorder } from '#evidence';
import { type Behaviour, fill, merge, place, type Target } from '#target';
import type { Gateway, Order, Payment } from './gateway.ts';
import type { Page, Receiver } from './receiver.ts';

/** A step of 3-D Secure that the document names. */
export type Step = 'THREEDS_METHOD' | 'CREQ' | 'PAREQ';

/** threeDSAuth as it came. */
export type Auth = Readonly<Record<string, unknown>>;

/** What became of an order: the step that is due, if any, and the state. */
export interface Standing {
  readonly reply: Reply;
  readonly state: string;
  readonly auth: Auth | undefined;
}

/** An order that waits for a step of 3-D Secure, with the merchant's pages that its customer can come back to. */
export interface Waiting {
  readonly order: Order;
  readonly auth: Auth;
  readonly reply: Reply;
  /** Where the CRes is to be posted. */
  readonly cres: Page & { readonly address: string };
  /** Where the PaRes is to be posted, and where a customer returns to. */
  readonly back: Page & { readonly address: string };
}

const CARDS = { THREEDS_METHOD: 'method', CREQ: 'challenge', PAREQ: 'pareq' } as const satisfies Record<
  Step,
  Behaviour
>;
const ANSWERS = { threeDSCRes: 'cres', threeDSPaRes: 'pares' } as const;

/** The caller's side of 3-D Secure. */
export class ThreeDS {
  readonly #gateway: Gateway;
  readonly #receiver: Receiver;
  readonly #recorder: Recorder;
  readonly #here: NonNullable<Target['gateway']>;
  #count = 0;

  constructor(parts: { gateway: Gateway; receiver: Receiver; recorder: Recorder; target: Target }) {
    this.#gateway = parts.gateway;
    this.#receiver = parts.receiver;
    this.#recorder = parts.recorder;
    this.#here = parts.target.gateway!;
  }

  /**
   * Arranges a payment that waits for a step; a 3DS method before it is reported as completed.
   * @throws Unarranged when the target's card does not lead there
   */
  async reach(
    step: Step,
    { by = 'sale', ...payment }: Payment & { by?: 'sale' | 'auth' | 'accountVerification' } = {},
  ): Promise<Waiting> {
    this.#count += 1;
    const name = `${this.#recorder.check}-${this.#count}`;
    const cres = this.#receiver.serve(`/cres-${name}`);
    const back = this.#receiver.serve(`/return-${name}`);
    const urls = { returnUrl: back.address, cancelUrl: back.address, cresUrl: cres.address };
    const { reply, order } = await this.#gateway.pay(by, { card: CARDS[step], ...urls, ...payment });
    let now = await this.next(order, reply);
    if (now.auth?.threeDSAuthStep === 'THREEDS_METHOD' && step !== 'THREEDS_METHOD') {
      const waiting = { order, auth: now.auth, reply: now.reply, cres, back };
      now = await this.next(order, await this.report(waiting, 'Y'), now.auth);
    }
    if (now.auth?.threeDSAuthStep !== step)
      throw new Unarranged(`card ${CARDS[step]} led to ${String(now.auth?.threeDSAuthStep ?? now.state)}, not ${step}`);
    return { order, auth: now.auth, reply: now.reply, cres, back };
  }

  /**
   * Polls until a step is due, other than the one that is past, or the order is final.
   * @returns how it stands then, or when the limit of polls is reached
   * @throws Unarranged when an answer is not a 200
   */
  async next(order: Order, first: Reply, past?: Auth): Promise<Standing> {
    const isDue = ({ auth }: Standing) => auth !== undefined && !isSame(auth, past);
    const shows = (reply: Reply) => isDue(standing(reply));
    return standing(await this.#gateway.until(order, first, 'a payment with 3-D Secure', shows));
  }

  /** Reports how the 3DS method went. @param changes members to change; undefined leaves one out */
  report(
    { order, auth, cres }: Pick<Waiting, 'order' | 'auth' | 'cres'>,
    threeDSCompInd: 'Y' | 'N' | 'U',
    changes: Readonly<Record<string, unknown>> = {},
  ): Promise<Reply> {
    return this.#send('threeDSMethod', order, {
      orderSystemId: order.systemId,
      browser: fill(this.#here.wire.browser, {}) ?? {},
      threeDSServerTransID: auth.threeDSMethodTransactionId,
      cresUrl: cres.address,
      threeDSCompInd,
      ...changes,
    });
  }

  /**
   * Forwards what the issuer posted back.
   * @param value exactly as received; undefined leaves it out
   * @param changes members to change; undefined leaves one out
   */
  forward(
    operation: 'threeDSCRes' | 'threeDSPaRes',
    { order }: Pick<Waiting, 'order'>,
    value: string | undefined,
    changes: Readonly<Record<string, unknown>> = {},
  ): Promise<Reply> {
    const carried = value === undefined ? {} : place(this.#here.wire.names[ANSWERS[operation]], value);
    return this.#send(operation, order, merge({ orderSystemId: order.systemId, ...changes }, carried));
  }

  async #send(operation: string, order: Order, body: Record<string, unknown>): Promise<Reply> {
    const { id, token } = order.requestor;
    const reply = await this.#gateway.send(operation, { path: { requestorId: id }, token, body });
    const state = reply.status === 200 ? standing(reply).state : undefined;
    if (state !== undefined) this.#recorder.state(order.merchantId, state, operation);
    return reply;
  }
}

/** How an order stands by an answer. */
export function standing(reply: Reply): Standing {
  const { orderState, threeDSAuth } = reply.object;
  const auth = typeof threeDSAuth === 'object' && threeDSAuth !== null ? (threeDSAuth as Auth) : undefined;
  return { reply, state: String(orderState), auth };
}

/** Whether two threeDSAuth ask for the same thing. */
export function isSame(one: Auth | undefined, other: Auth | undefined): boolean {
  if (one === undefined || other === undefined) return false;
  const names = ['threeDSAuthStep', 'threeDSMethodTransactionId', 'creq', 'paReq'];
  return names.every((name) => String(one[name]) === String(other[name]));
}
