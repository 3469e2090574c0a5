import { APIS } from '#apis';
import { type ApiReply, PromiseFinding } from '#client';

const WORDS = APIS.flatMap(({ replyWords }) => Object.entries(replyWords));

/** What a matcher says: whether it is met, and both sides in words, for the record and for whoever runs Playwright by hand. */
export function matcherResult(pass: boolean, expected: string, actual: string) {
  // Met and yet failed is an expectation that was said with `not`.
  const asked = pass ? `anything but ${expected}` : expected;
  return { pass, sides: { expected, actual }, message: () => `expected ${asked}; got ${actual}` };
}

/** What an answer is, in a few words and without its values. */
export function sketchReply(reply: ApiReply): string {
  const parts = [`status ${reply.status}`];
  try {
    const body = reply.object;
    for (const [member, words] of WORDS)
      if (body[member] !== undefined) parts.push(words.replace('*', () => String(body[member])));
  } catch (error) {
    if (!(error instanceof PromiseFinding)) throw error;
    parts.push('no JSON object');
  }
  return parts.join(', ');
}
