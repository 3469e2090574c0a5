import type { ApiReply } from '#client';
import { isRefusedForContent } from '../refused-request.ts';
import { isTaken } from './taken-reply.ts';

type FollowUp = 'capture' | 'reversal';
type Send = (ids: 'both' | 'one') => Promise<ApiReply>;

/**
 * Requests that name an order by both of its ids. That a service takes them is not asked of it: where it refuses the first one, the same
 * with one id follows at once, and both are named no more where that one is taken.
 */
export class BothIds {
  readonly #taken = new Map<FollowUp, boolean>();

  /** Sends a request. @returns the answer to the last one */
  async send(operation: FollowUp, send: Send): Promise<ApiReply> {
    const known = this.#taken.get(operation);
    if (known !== undefined) return send(known ? 'both' : 'one');
    const first = await send('both');
    if (!isRefused(first)) {
      this.#taken.set(operation, true);
      return first;
    }
    const second = await send('one');
    if (!isRefused(second)) this.#taken.set(operation, false);
    return second;
  }
}

/** Whether a capture or reversal was refused for what it says, in either way that a refusal may be answered. */
function isRefused(reply: ApiReply): boolean {
  return reply.status === 200 ? !isTaken(reply) : isRefusedForContent(reply);
}
