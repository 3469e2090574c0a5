import type { ApiReply } from '#client';
import { matcherResult, sketchReply } from '../matcher-result.ts';

/** What `expect` can say about the v1 service's answers. */
export const V1_MATCHERS = {
  /** An error: HTTP status, its copy in the body, and the documented message (v1, Errors). */
  toBeFault(reply: ApiReply, status: number, message?: string) {
    const wanted = `status ${status}${message === undefined ? '' : `, message ${message}`}`;
    if (reply.status !== status) return matcherResult(false, wanted, sketchReply(reply));
    return matcherResult(message === undefined || reply.object.message === message, wanted, sketchReply(reply));
  },
};
