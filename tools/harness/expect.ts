import { expect as base } from '@playwright/test';
import type { ApiReply } from '#client';
import { watchMatchers } from './matcher-failure.ts';
import { matcherResult, sketchReply } from './matcher-result.ts';
import { SERVICE_MATCHERS } from './services.ts';

const extended = base.extend({
  ...SERVICE_MATCHERS,
  /** The HTTP status. */
  toAnswer(reply: ApiReply, status: number) {
    return matcherResult(reply.status === status, `status ${status}`, sketchReply(reply));
  },
  /** A refusal of who asks, where the document leaves the code open: status 400 or 401. */
  toBeKeptOut(reply: ApiReply) {
    return matcherResult([400, 401].includes(reply.status), 'a refusal: status 400 or 401', sketchReply(reply));
  },
  /** A refusal by any documented 4xx (v1, where the document leaves the status open). */
  toBeTurnedDown(reply: ApiReply) {
    return matcherResult(reply.status >= 400 && reply.status < 500, 'a refusal: status 4xx', sketchReply(reply));
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
