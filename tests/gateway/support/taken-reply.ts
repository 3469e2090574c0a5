import type { ApiReply } from '#harness';

/** Whether a request was answered as one that is carried out, now or later. */
export function isTaken(reply: ApiReply): boolean {
  return reply.status === 200 && !['DECLINED', 'ERROR', 'FILTERED'].includes(String(reply.object.orderState));
}
