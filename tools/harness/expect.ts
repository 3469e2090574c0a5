import { expect as base } from '@playwright/test';
import { type ApiReply, PromiseFinding } from '#client';
import { watchMatchers } from './matcher-failure.ts';

const FAILED: readonly string[] = ['DECLINED', 'ERROR', 'FILTERED'];

/** What a matcher says: whether it is met, and both sides in words, for the record and for whoever runs Playwright by hand. */
function matcherResult(pass: boolean, expected: string, actual: string) {
  // Met and yet failed is an expectation that was said with `not`.
  const asked = pass ? `anything but ${expected}` : expected;
  return { pass, sides: { expected, actual }, message: () => `expected ${asked}; got ${actual}` };
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
  } catch (error) {
    if (!(error instanceof PromiseFinding)) throw error;
    parts.push('no JSON object');
  }
  return parts.join(', ');
}

const extended = base.extend({
  /** The HTTP status. */
  toAnswer(reply: ApiReply, status: number) {
    return matcherResult(reply.status === status, `status ${status}`, sketch(reply));
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
    if (reply.status !== status) return matcherResult(false, wanted, sketch(reply));
    const { errorCode, errorMessage } = reply.object;
    const right =
      (code === undefined || Number(errorCode) === code) && (text === undefined || String(errorMessage).includes(text));
    return matcherResult(right, wanted, sketch(reply));
  },
  /** A refusal whose form the document leaves open: an HTTP 400, or a 200 with DECLINED, ERROR or FILTERED. */
  toBeRefused(reply: ApiReply) {
    const state = reply.status === 200 ? String(reply.object.orderState) : '';
    return matcherResult(
      reply.status === 400 || FAILED.includes(state),
      'a refusal: status 400, or 200 with DECLINED, ERROR or FILTERED',
      sketch(reply),
    );
  },
  /** A refusal of who asks, where the document leaves the code open: status 400 or 401. */
  toBeKeptOut(reply: ApiReply) {
    return matcherResult([400, 401].includes(reply.status), 'a refusal: status 400 or 401', sketch(reply));
  },
  /** A v1 error: HTTP status, its copy in the body, and the documented message (v1, Errors). */
  toBeFault(reply: ApiReply, status: number, message?: string) {
    const wanted = `status ${status}${message === undefined ? '' : `, message ${message}`}`;
    if (reply.status !== status) return matcherResult(false, wanted, sketch(reply));
    return matcherResult(message === undefined || reply.object.message === message, wanted, sketch(reply));
  },
  /** A refusal by any documented 4xx (v1, where the document leaves the status open). */
  toBeTurnedDown(reply: ApiReply) {
    return matcherResult(reply.status >= 400 && reply.status < 500, 'a refusal: status 4xx', sketch(reply));
  },
  /** A body labelled application/json; parameters, case and spacing are free. */
  toBeJson(reply: ApiReply) {
    const said = reply.headers.get('content-type') ?? 'no content type';
    return matcherResult(/^\s*application\/json\s*(;|$)/i.test(said), 'content type application/json', said);
  },
});

/**
 * Playwright's expect with the matchers of this project. A matcher says what is documented and no more; what it was asked is kept
 * beside the error it throws, so that a report need not read the error's text.
 */
export const expect: typeof extended = new Proxy(extended, {
  apply(target, _self, [actual, about]: [unknown, (string | { message?: string })?]) {
    const message = typeof about === 'string' ? about : about?.message;
    return watchMatchers(target(actual, about), { actual, about: message });
  },
});
