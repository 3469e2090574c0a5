import { setTimeout as wait } from 'node:timers/promises';
import { ApiReply, acquireLock, PromiseFinding, performControl, type TargetTime } from '#client';
import { namesCallbackUrl, namesPlaceholder, type Target } from '#target';
import { assertPromise } from '../conclusions.ts';
import type { MessageReceiver, ReceivedDelivery } from '../message-receiver.ts';
import { pollTarget } from '../poll-target.ts';
import type { GatewayClient } from './gateway-client.ts';
import { FINAL_STATES, PENDING_STATES, type PlacedOrder } from './placed-order.ts';

/** What an answer or a callback says of an order, to be compared. */
export interface OrderSnapshot {
  readonly state: string;
  /** Kind, amount in minor units and state of each, in no particular order; undefined when none are shown. */
  readonly transactions: readonly string[] | undefined;
}

interface Parts {
  readonly target: Target;
  readonly time: TargetTime;
  readonly gateway: GatewayClient;
  readonly receiver: MessageReceiver;
  readonly path: string;
}

/** Where the gateway's callbacks arrive. */
export class CallbackInbox {
  /** For `callbackUrl` of a payment. */
  readonly url: string;
  readonly #parts: Parts;
  /** Whether requests name the address, so that all that comes there is ours. */
  readonly #named: boolean;
  readonly #locks: (() => void)[] = [];

  private constructor(parts: Parts, named: boolean) {
    this.#parts = parts;
    this.#named = named;
    this.url = parts.receiver.address + parts.path;
  }

  /** Listens: at an address of its own where requests name it, else at one registered for the requestor. */
  static async open(parts: Parts): Promise<CallbackInbox> {
    const { target, gateway, receiver } = parts;
    const callbacks = new CallbackInbox(parts, namesCallbackUrl(target.gateway));
    receiver.expectedEvent = 'orderCallback';
    // An address that a console holds has a path that we do not know.
    const ownPath = callbacks.#named || target.control.callback !== undefined;
    receiver.expectPath(ownPath ? parts.path : '/');
    receiver.answer = () => 200;
    receiver.answerBody = { type: 'application/json', body: '{}' };
    if (!callbacks.#named && target.control.callback !== undefined) await callbacks.#register(gateway.requestor.id);
    return callbacks;
  }

  /**
   * Sees to it that callbacks about the orders of another requestor come here as well.
   * @returns false where the address is held by a console, or registered without saying for whom
   */
  async listenFor(requestor: { readonly id: number }): Promise<boolean> {
    const { callback } = this.#parts.target.control;
    if (this.#named) return true;
    if (!namesPlaceholder(callback, 'requestorId')) return false;
    await this.#register(requestor.id);
    return true;
  }

  async #register(requestorId: number): Promise<void> {
    const { target } = this.#parts;
    this.#locks.push(await acquireLock(`${target.gateway?.address} callback of ${requestorId}`));
    await performControl(target, 'callback', { requestorId, callbackUrl: this.url });
  }

  /** Whether requests name the address. */
  get isNamed(): boolean {
    return this.#named;
  }

  /** Whether nobody but this check has callbacks sent to the address. */
  get isOwn(): boolean {
    return this.#named || this.#parts.target.control.callback !== undefined;
  }

  /** Lets others register an address. */
  close(): void {
    for (const free of this.#locks.splice(0)) free();
  }

  /** Lets go of what came so far, which a receiver keeps a bounded number of: for a check that is done with the orders before. */
  forget(): void {
    this.#parts.receiver.deliveries.length = 0;
  }

  /** Everything that came about an order; where requests name the address, all that came there, about whichever order that named it. */
  deliveriesAbout(order: PlacedOrder): readonly ReceivedDelivery[] {
    const { receiver, path } = this.#parts;
    if (this.#named) return receiver.deliveries.filter((one) => one.path.startsWith(path));
    return receiver.deliveries.filter((one) => this.isAbout(order, one));
  }

  /** Whether a callback is about an order: goes by the order's system id where it is to be found, for a short one turns up in other things, too; else by the text. */
  isAbout(order: PlacedOrder, delivery: Pick<ReceivedDelivery, 'headers' | 'text'>): boolean {
    if (delivery.text.includes(order.merchantId)) return true;
    const systemId = quietly(() => read(delivery).at(this.#parts.target.gateway!.wire.read.orderSystemId));
    if (systemId === undefined) return delivery.text.includes(String(order.systemId));
    return written(systemId) === written(order.systemId);
  }

  /** Whether a callback gives no other system id than that of its order, where it gives one as answers do. */
  isNamedAlike(order: PlacedOrder, callback: ApiReply): boolean {
    const systemId = quietly(() => callback.at(this.#parts.target.gateway!.wire.read.orderSystemId)) ?? undefined;
    return systemId === undefined || order.systemId === undefined || written(systemId) === written(order.systemId);
  }

  /**
   * Waits for a callback about an order.
   * @param fits which one; those that came before are looked at, too
   * @returns undefined when it stays out
   */
  async waitFor(order: PlacedOrder, fits: (callback: ApiReply) => boolean = () => true): Promise<ApiReply | undefined> {
    const { time, target } = this.#parts;
    // Where we steer the time, it does not pass while we look: what is due comes with one of the next looks.
    const most = time.lever('deliveries') === 'stands' ? 5 : 2;
    const find = () =>
      this.deliveriesAbout(order)
        .map(read)
        .find((one) => quietly(() => fits(one)));
    const look = async () => {
      let found = find();
      for (let looks = 0; found === undefined && looks < most; looks += 1) {
        await wait(10);
        found = find();
      }
      return found;
    };
    // Our own sandbox says that its clock was moved when all that was due has come.
    const lookAgain = target.kind === 'embedded' ? async () => find() : look;
    return pollTarget(await look(), lookAgain, (found) => found !== undefined, {
      manners: target.manners,
      time,
      clock: 'deliveries',
    });
  }

  /** @returns the callback @throws Finding when it stays out */
  async waitOrFail(
    order: PlacedOrder,
    what: string,
    fits?: (callback: ApiReply) => boolean,
    rule?: string,
  ): Promise<ApiReply> {
    const found = await this.waitFor(order, fits);
    const { length } = this.deliveriesAbout(order);
    const { ignored, incomplete } = this.#parts.receiver;
    const besides = [
      ...(ignored > 0 ? [`${ignored} requests elsewhere were ignored`] : []),
      ...(incomplete > 0 ? [`${incomplete} were incomplete or too long`] : []),
    ];
    const actual = [length === 0 ? 'none' : `${length} other${length === 1 ? '' : 's'}`, ...besides].join('; ');
    assertPromise(found !== undefined, `a callback ${what}`, actual, rule);
    return found;
  }

  /**
   * The end that callbacks tell of while status, asked after they came, says again and again that the order has none yet.
   * @param fits which callbacks; one of an earlier change may be late
   * @returns undefined when there is no such callback
   */
  async endToldEarly(order: PlacedOrder, fits: (callback: ApiReply) => boolean): Promise<string | undefined> {
    const { gateway, time } = this.#parts;
    await wait(50);
    const told = this.deliveriesAbout(order)
      .map(read)
      .filter((one) => quietly(() => fits(one)));
    const end = told
      .map((one) => quietly(() => this.snapshot(one).state))
      .find((one) => FINAL_STATES.includes(one ?? ''));
    for (let looks = 0; end !== undefined && looks < 3; looks += 1) {
      // Where we steer the time, none has to pass; elsewhere what status reads may lag behind.
      await (time.steered ? wait(50) : gateway.sleepPollGap());
      if (!PENDING_STATES.includes(this.snapshot(await gateway.status(order)).state)) return undefined;
    }
    return end;
  }

  /** What an answer or a callback says of its order. */
  snapshot(reply: ApiReply): OrderSnapshot {
    const isListed = (reply.object.transactions ?? undefined) !== undefined;
    const listed = isListed ? this.#parts.gateway.entries(reply) : undefined;
    return {
      state: String(reply.object.orderState),
      transactions: listed?.map(({ type, amount, state }) => `${type} ${amount} ${String(state)}`).sort(),
    };
  }

  /** How many transactions of a kind a callback lists. */
  countListed(reply: ApiReply, kind: string): number {
    return this.#parts.gateway.transactions(reply).filter((one) => one.kind === kind).length;
  }
}

/** A callback, read like an answer. */
function read({ headers, text }: Pick<ReceivedDelivery, 'headers' | 'text'>): ApiReply {
  return new ApiReply({ exchange: '', operation: undefined, status: 200, headers, body: Buffer.from(text) });
}

/** An id as text: it may be a number in one place and a string in another. */
function written(id: unknown): string {
  return typeof id === 'object' ? JSON.stringify(id) : String(id);
}

/** What comes of reading a callback that may be anything; undefined when it cannot be read so. */
function quietly<Found>(look: () => Found): Found | undefined {
  try {
    return look();
  } catch (error) {
    if (error instanceof PromiseFinding) return undefined;
    throw error;
  }
}
