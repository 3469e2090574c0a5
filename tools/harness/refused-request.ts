import type { ApiReply } from '#client';

/** Statuses that say nothing of what was sent: of who asks, and of how often. */
const OF_THE_CALLER = [401, 403, 429];

/** Whether a request was refused for what it says. */
export function isRefusedForContent({ status }: ApiReply): boolean {
  return status >= 400 && status < 500 && !OF_THE_CALLER.includes(status);
}
