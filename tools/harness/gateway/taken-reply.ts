import type { ApiReply } from '#client';
import { FINAL_STATES } from './placed-order.ts';

/** Whether a request was answered as one that is carried out, now or later. */
export function isTaken(reply: ApiReply): boolean {
  const state = String(reply.at('/orderState'));
  return reply.status === 200 && (state === 'APPROVED' || !FINAL_STATES.includes(state));
}
