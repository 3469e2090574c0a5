import { expect as base } from '@playwright/test';
import type { ApiReply } from '#client';

const FAILED: readonly string[] = ['DECLINED', 'ERROR', 'FILTERED'];

function verdict(pass: boolean, expected: string, actual: string) {
  return { pass, message: () => `expect(reply)\n\nExpected: ${expected}\nReceived: ${actual}` };
}

/** What an answer is, in a few words and without its values. */
function sketch(reply: ApiReply): string {
  const parts = [`status ${reply.status}`];
  try {
    const { errorCode, errorMessage, orderState, message } = reply.object;
    if (errorCode !== undefined) parts.push(`errorCode ${String(errorCode)}`);
    if (errorMessage !== undefined) parts.push(`"${String(errorMessage)}"`);
    if (orderState !== undefined) parts.push(`orderState ${String(orderState)}`);
    if (message !== undefined) parts.push(`message ${String(message)}`);
  } catch {
    parts.push('no JSON object');
  }
  return parts.join(', ');
}

/** Playwright's expect with the matchers of this project. A matcher says what is documented and no more. */
export const expect = base.extend({
  /** The HTTP status. */
  toAnswer(reply: ApiReply, status: number) {
    return verdict(reply.status === status, `status ${status}`, sketch(reply));
  },
  /** A gateway error: HTTP status, numeric code and part of the message where they are documented (gateway, Errors). */
  toBeError(reply: ApiReply, status: number, code?: number, text?: string) {
    const wanted = [
      `status ${status}`,
      code === undefined ? [] : `errorCode ${code}`,
      text === undefined ? [] : `"${text}"`,
    ]
      .flat()
      .join(', ');
    if (reply.status !== status) return verdict(false, wanted, sketch(reply));
    const { errorCode, errorMessage } = reply.object;
    const right =
      (code === undefined || Number(errorCode) === code) && (text === undefined || String(errorMessage).includes(text));
    return verdict(right, wanted, sketch(reply));
  },
  /** A refusal whose form the document leaves open: an HTTP 400, or a 200 with DECLINED, ERROR or FILTERED. */
  toBeRefused(reply: ApiReply) {
    const state = reply.status === 200 ? String(reply.object.orderState) : '';
    return verdict(
      reply.status === 400 || FAILED.includes(state),
      'a refusal: status 400, or 200 with DECLINED, ERROR or FILTERED',
      sketch(reply),
    );
  },
  /** A refusal of who asks, where the document leaves the code open: status 400 or 401. */
  toBeKeptOut(reply: ApiReply) {
    return verdict([400, 401].includes(reply.status), 'a refusal: status 400 or 401', sketch(reply));
  },
  /** A v1 error: HTTP status, its copy in the body, and the documented message (v1, Errors). */
  toBeFault(reply: ApiReply, status: number, message?: string) {
    const wanted = `status ${status}${message === undefined ? '' : `, message ${message}`}`;
    if (reply.status !== status) return verdict(false, wanted, sketch(reply));
    return verdict(message === undefined || reply.object.message === message, wanted, sketch(reply));
  },
  /** A refusal by any documented 4xx (v1, where the document leaves the status open). */
  toBeTurnedDown(reply: ApiReply) {
    return verdict(reply.status >= 400 && reply.status < 500, 'a refusal: status 4xx', sketch(reply));
  },
  /** A body labelled application/json; parameters, case and spacing are free. */
  toBeJson(reply: ApiReply) {
    const said = reply.headers.get('content-type') ?? 'no content type';
    return verdict(/^\s*application\/json\s*(;|$)/i.test(said), 'content type application/json', said);
  },
});
