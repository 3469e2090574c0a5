import { setTimeout as wait } from 'node:timers/promises';
import type { Target } from '#target';
import type { ForeignRequest } from './foreign-request.ts';
import { FOREIGN_REQUESTS } from './services.ts';

/** Others' use of a target, under way until it is stopped. */
export interface OtherTraffic {
  /** Requests that were answered. */
  readonly answered: number;
  stop(): Promise<void>;
}

/**
 * Uses a target as colleagues would beside a run: the same requestor, the same account, one request after the other.
 * @param pause milliseconds before the next request
 */
export function startOtherTraffic(target: Target, pause: () => number): OtherTraffic {
  const requests = FOREIGN_REQUESTS.flatMap((list) => list(target));
  const stopped = new AbortController();
  let answered = 0;
  const send = async ({ url, token, body }: ForeignRequest) => {
    const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
    try {
      const response = await fetch(url, {
        method: 'POST',
        headers,
        body: JSON.stringify(body),
        signal: stopped.signal,
      });
      await response.arrayBuffer();
      if (response.ok) answered += 1;
    } catch {
      // What becomes of one of theirs is no affair of the run beside it.
    }
  };
  const run = async () => {
    for (let next = 0; !stopped.signal.aborted; next += 1) {
      await wait(pause(), undefined, { signal: stopped.signal });
      await send(requests[next % requests.length]!);
    }
  };
  const running = run().catch((error: unknown) => {
    if (!stopped.signal.aborted) throw error;
  });
  return {
    get answered() {
      return answered;
    },
    async stop() {
      stopped.abort();
      await running;
    },
  };
}
