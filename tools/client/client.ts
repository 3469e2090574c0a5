import { Agent, request as call } from 'undici';
import { type Api, judge, type Loaded, observe } from '#contract';
import type { Recorder } from '#evidence';
import type { Target } from '#target';
import { Budget } from './budget.ts';
import { NoAnswer } from './failure.ts';
import { Reply } from './reply.ts';
import type { Time } from './time.ts';

/** One request to send, headers exactly as they shall go over the wire. */
export interface Outgoing {
  readonly api: Api;
  /** Operation whose documented answers the response is held against; absent: it is only recorded. */
  readonly operation?: string;
  readonly method: string;
  readonly url: string;
  readonly headers: readonly (readonly [string, string])[];
  readonly body?: Uint8Array;
  /** Sent at once, whatever the rate budget says: for checks about the limit itself. */
  readonly unmetered?: boolean;
}

const MOST = 8 * 1024 * 1024;

/** Sends requests to the target's hosts and to no other, records both sides, and holds every answer against the contract. */
export class Client {
  readonly #contract: Loaded;
  readonly #target: Target;
  readonly #recorder: Recorder;
  readonly #agent: Agent;
  readonly #hosts: ReadonlySet<string>;
  readonly #budget: Budget;

  constructor(parts: { contract: Loaded; target: Target; recorder: Recorder; time: Time }) {
    this.#contract = parts.contract;
    this.#target = parts.target;
    this.#recorder = parts.recorder;
    const milliseconds = parts.target.manners.timeout * 1000;
    this.#agent = new Agent({
      headersTimeout: milliseconds,
      bodyTimeout: milliseconds,
      connect: { timeout: milliseconds },
      maxHeaderSize: 64 * 1024,
      pipelining: 1,
    });
    this.#hosts = new Set(hosts(parts.target));
    this.#budget = new Budget(parts.time);
  }

  /**
   * Sends one request. Redirects are not followed.
   * @throws NoAnswer when no complete answer comes in time or within 8 MiB; Error for a host the target does not name
   */
  async send(outgoing: Outgoing): Promise<Reply> {
    const { api, operation, method, url, headers, body, unmetered } = outgoing;
    if (!this.#hosts.has(new URL(url).host))
      throw new Error(`${new URL(url).host} is not a host of target ${this.#target.name}`);
    if (unmetered !== true) await this.#budget.take(api);
    const at = Date.now();
    const began = performance.now();
    const happened = { api, direction: 'out' as const, operation, at, request: { method, url, headers, body } };
    try {
      const response = await call(url, {
        method: method as 'GET',
        headers: headers.flat(),
        ...(body === undefined ? {} : { body: Buffer.from(body) }),
        dispatcher: this.#agent,
        signal: AbortSignal.timeout(this.#target.manners.timeout * 1000),
      });
      const chunks: Buffer[] = [];
      let size = 0;
      for await (const chunk of response.body as AsyncIterable<Buffer>) {
        size += chunk.byteLength;
        if (size > MOST) throw new Error(`the body exceeds ${MOST / 1024 / 1024} MiB`);
        chunks.push(chunk);
      }
      const bytes = Buffer.concat(chunks);
      const pairs = Object.entries(response.headers).map(
        ([name, value]) => [name, Array.isArray(value) ? value.join(', ') : String(value)] as const,
      );
      const received = { status: response.statusCode, headers: new Map(pairs), body: bytes.toString('utf8') };
      const known = operation === undefined ? undefined : this.#contract.operations.get(operation);
      this.#budget.learn(api, received.headers);
      const exchange = this.#recorder.exchange(
        {
          ...happened,
          duration: performance.now() - began,
          response: { status: received.status, headers: pairs, body: bytes },
          violations: known === undefined ? [] : judge(this.#contract, known, received),
        },
        known === undefined ? [] : observe(this.#contract, known.id, received),
      );
      return new Reply({ exchange, operation, status: received.status, headers: received.headers, body: bytes });
    } catch (error) {
      const failure = reason(error as Error);
      this.#recorder.exchange({ ...happened, duration: performance.now() - began, failure, violations: [] });
      throw new NoAnswer(`${method} ${new URL(url).origin}: ${failure}`);
    }
  }

  /** Closes its connections. */
  async close(): Promise<void> {
    await this.#agent.destroy();
  }
}

function hosts({ gateway, v1 }: Target): string[] {
  const addresses = [
    gateway?.address,
    ...Object.values(gateway?.requestors ?? {}).map(({ address }) => address),
    v1?.address,
  ];
  return addresses.filter((one) => one !== undefined).map((one) => new URL(one).host);
}

function reason(error: Error & { code?: string }): string {
  if (
    error.name === 'TimeoutError' ||
    error.code === 'UND_ERR_HEADERS_TIMEOUT' ||
    error.code === 'UND_ERR_BODY_TIMEOUT'
  )
    return 'no complete answer in time';
  return [error.code, error.message || (error.cause as Error | undefined)?.message].filter(Boolean).join(': ');
}
