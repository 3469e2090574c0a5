/** What an answer shows as left of the rate limit (document, Rate limiting), and whether its request was served. */
export interface RequestsLeft {
  /** NaN where it shows none. */
  readonly left: number;
  readonly isServed: boolean;
}

/** Windows of the limit that answers in a row may belong to. */
const MOST_WINDOWS = 2;

/**
 * Whether the number of requests left falls with each request that is served, and never rises at one that is refused. A window may end among
 * them, where time is moved while they are sent: it has begun anew where the next request that is served goes on from there, and not from
 * where the number stood before.
 */
export function isFalling(answers: readonly RequestsLeft[]): boolean {
  let last = Number.POSITIVE_INFINITY;
  let windows = 1;
  for (const [i, { left, isServed }] of answers.entries()) {
    const falls = isServed ? left < last : left <= last;
    if (!falls) {
      const next = answers.slice(i + 1).find((answer) => answer.isServed);
      const begins = left > last && next !== undefined && next.left < left && next.left > last;
      windows += 1;
      if (!begins || windows > MOST_WINDOWS) return false;
    }
    if (isServed || !falls) last = left;
  }
  return true;
}
