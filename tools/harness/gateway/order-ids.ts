import type { ApiReply } from '#client';
import { FINAL_STATES } from './placed-order.ts';

/**
 * Whether captures and reversals of a check name their order by both of its ids, as merchants do who send their own id with every request:
 * those of every other check, always of the same ones.
 * @param check its id, eight hex digits
 */
export function namesBothIds(check: string): boolean {
  return Math.floor(Number.parseInt(check, 16) / 4) % 2 === 1;
}

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

/** Whether a capture or reversal was refused, in either way that a refusal may be answered. */
function isRefused(reply: ApiReply): boolean {
  if (reply.status !== 200) return reply.status >= 400 && reply.status < 500;
  const state = String(reply.at('/orderState'));
  return state !== 'APPROVED' && FINAL_STATES.includes(state);
}
