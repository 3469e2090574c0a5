import type { ApiReply } from '#client';
import { matcherResult, sketchReply } from '../matcher-result.ts';

const FAILED_STATES: readonly string[] = ['DECLINED', 'ERROR', 'FILTERED'];

/** What `expect` can say about the gateway's answers. */
export const GATEWAY_MATCHERS = {
  /** An error: HTTP status, numeric code and part of the message where they are documented (gateway, Errors). */
  toBeError(reply: ApiReply, status: number, code?: number, text?: string) {
    const wanted = [
      `status ${status}`,
      code === undefined ? [] : `errorCode ${code}`,
      text === undefined ? [] : `"${text}"`,
    ]
      .flat()
      .join(', ');
    if (reply.status !== status) return matcherResult(false, wanted, sketchReply(reply));
    const { errorCode, errorMessage } = reply.object;
    const right =
      (code === undefined || Number(errorCode) === code) && (text === undefined || String(errorMessage).includes(text));
    return matcherResult(right, wanted, sketchReply(reply));
  },
  /** A refusal whose form the document leaves open: an HTTP 400, or a 200 with DECLINED, ERROR or FILTERED. */
  toBeRefused(reply: ApiReply) {
    const state = reply.status === 200 ? String(reply.object.orderState) : '';
    return matcherResult(
      reply.status === 400 || FAILED_STATES.includes(state),
      'a refusal: status 400, or 200 with DECLINED, ERROR or FILTERED',
      sketchReply(reply),
    );
  },
};
