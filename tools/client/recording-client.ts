import { setTimeout as wait } from 'node:timers/promises';
import type { Api, LoadedContract } from '#contract';
import type { Recorder } from '#evidence';
import type { Target } from '#target';
import { ApiReply } from './api-reply.ts';
import { CallGroup, isBeforehand } from './call-group.ts';
import { NoAnswerError, UnarrangedError } from './failures.ts';
import { openRunState, type RunState } from './run-state.ts';
import { CLIENT_SERVICES } from './services.ts';
import { movesMoney } from './spend-cap.ts';
import { Transport, type WireAnswer } from './transport.ts';
import { witness } from './witness.ts';

/** One request to send, headers exactly as they shall go over the wire. */
export interface OutgoingRequest {
  readonly api: Api;
  /** Operation whose documented answers the response is held against; absent: it is only recorded. */
  readonly operation?: string;
  readonly method: string;
  readonly url: string;
  readonly headers: readonly (readonly [string, string])[];
  readonly body?: Uint8Array;
  /** Sent at once, whatever the rate budget says: for checks about the limit itself. */
  readonly unmetered?: boolean;
  /** Sent from the second address of the target file: somebody else to a service that goes by addresses. */
  readonly isSecondCaller?: boolean;
  /** What it pays, in minor units; counts against the cap where the operation moves money. */
  readonly money?: number;
}

/** What a client stands on. */
export interface ClientParts {
  readonly contract: LoadedContract;
  readonly target: Target;
  readonly recorder: Recorder;
  /** Folder in which the workers of a run share budget, purse and ledger; absent: this one is alone. */
  readonly folder?: string | undefined;
  /** How many machines ask this target at the same time; default 1. */
  readonly sharers?: number | undefined;
  /** Told of an answer before it is read: operation and size, no value of it. */
  readonly onAnswer?: ((what: string) => void) | undefined;
}

/** Services whose document limits how often they may be asked. */
const LIMITED = new Set(CLIENT_SERVICES.filter(({ limitsRate }) => limitsRate).map(({ api }) => api));

/** Between two tries of a read whose connection failed, in milliseconds. */
const PAUSE = 500;
const TRIES = 2;

/** Sends requests to the target's hosts and to no other, records both sides, and holds every answer against the contract. */
export class RecordingClient {
  readonly #parts: ClientParts;
  readonly #transport: Transport;
  readonly #state: RunState;
  /** What is to leave at the same moment. */
  #group: CallGroup | undefined;

  constructor(parts: ClientParts) {
    const { target, folder, sharers } = parts;
    this.#parts = parts;
    this.#transport = new Transport(target);
    this.#state = openRunState(target, folder, sharers);
  }

  /**
   * Sends one request. Redirects are not followed. A GET or HEAD whose connection fails is sent once more; each try is recorded.
   * @throws NoAnswer when no complete answer comes in time and within bounds; Unoffered (cost) past the cap on money; Unarranged when
   *   somebody else used up the rate limit; Error for a host the target does not name
   */
  async send(outgoing: OutgoingRequest): Promise<ApiReply> {
    const { target } = this.#parts;
    const { operation, money = 0, method } = outgoing;
    const isPaid = operation !== undefined && movesMoney(operation);
    const paid = isPaid ? await this.#state.spendCap.spend(operation, money) : undefined;
    for (let tries = 1; ; tries += 1) {
      try {
        const reply = await this.#once(outgoing, paid);
        const limited = reply.status === 429 && LIMITED.has(outgoing.api) && outgoing.unmetered !== true;
        // The embedded sandbox has no other callers: there a 429 is the check's to judge.
        if (limited && target.kind !== 'embedded')
          throw new UnarrangedError(
            'the rate limit of the service was used up, by others than this run, or does not go by the clock that control.advance moves',
          );
        return reply;
      } catch (error) {
        const again =
          error instanceof NoAnswerError && error.connection && /^(GET|HEAD)$/.test(method) && tries < TRIES;
        if (!again) throw error;
        await wait(PAUSE);
      }
    }
  }

  /**
   * Has calls leave at the same moment: first the rate budget of the service's address is known to have room for all of them, which a
   * request by itself may have to tell.
   * @param calls each sends one request to this service
   * @throws what the first call that fails throws; Unarranged when the address announces too low a limit
   */
  async sendTogether<T>(api: Api, calls: readonly (() => Promise<T>)[]): Promise<T[]> {
    const address = this.#parts.target[api]!.address;
    const { probe } = CLIENT_SERVICES.find((service) => service.api === api)!;
    const { host } = new URL(address);
    const { rateBudget } = this.#state;
    let tickets = await rateBudget.awaitCalls(host, calls.length);
    while (tickets === undefined) {
      const headers = [['accept', 'application/json']] as const;
      await this.send({ api, method: probe.method, url: address + probe.path, headers });
      tickets = await rateBudget.awaitCalls(host, calls.length);
    }
    const group = new CallGroup(host, tickets);
    this.#group = group;
    const ended = await Promise.allSettled(calls.map((call) => call().finally(() => group.noteReady())));
    this.#group = undefined;
    for (const ticket of group.unused) await rateBudget.noteAnswer(host, ticket, undefined, false);
    return ended.map((one) => {
      if (one.status === 'rejected') throw one.reason;
      return one.value;
    });
  }

  /** Closes its connections. */
  async close(): Promise<void> {
    await this.#transport.close();
  }

  async #once(outgoing: OutgoingRequest, paid: number | undefined): Promise<ApiReply> {
    const { api, operation, method, url, headers, body, unmetered = false, isSecondCaller = false } = outgoing;
    const { contract, recorder, target } = this.#parts;
    const host = `${new URL(url).host}${isSecondCaller ? ', second caller' : ''}`;
    const { rateBudget } = this.#state;
    const group = this.#group?.host === host && !unmetered && !isBeforehand() ? this.#group : undefined;
    const ticket =
      (await group?.join()) ?? (await (unmetered ? rateBudget.takeCall(host) : rateBudget.awaitCall(host)));
    const at = Date.now();
    const began = performance.now();
    const happened = { api, direction: 'out' as const, operation, at, paid, request: { method, url, headers, body } };
    let answer: WireAnswer;
    const noted = { target, operation, sent: { method, url, headers, body } };
    const { createdObjects } = this.#state;
    for (const service of CLIENT_SERVICES) service.noteRequest?.(createdObjects, noted);
    try {
      answer = await this.#transport.send({ method, url, headers, body, isSecondCaller });
    } catch (error) {
      await rateBudget.noteAnswer(host, ticket, undefined, !unmetered);
      if (!(error instanceof NoAnswerError)) throw error;
      witness(recorder, contract, { ...happened, duration: performance.now() - began, failure: error.message });
      throw error;
    }
    const duration = performance.now() - began;
    this.#parts.onAnswer?.(`an answer of ${answer.body.byteLength} bytes to ${operation ?? method}`);
    await rateBudget.noteAnswer(host, ticket, answer, !unmetered);
    for (const service of CLIENT_SERVICES) service.noteAnswer?.(createdObjects, noted, answer);
    const response = { status: answer.status, headers: answer.pairs, body: answer.body };
    const exchange = witness(recorder, contract, { ...happened, duration, response });
    const { status, headers: lines, body: bytes } = answer;
    return new ApiReply({ exchange, operation, status, headers: lines, body: bytes, milliseconds: duration });
  }
}
