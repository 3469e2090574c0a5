const LIMIT = 'x-ratelimit-limit';
const LEFT = 'x-ratelimit-remaining';

/** Seconds of a window of the rate limit, and of the pause after a 429 (v1, Limits). */
export const RATE_WINDOW = 60;

/** What an answer says of a rate limit, in calls; undefined where it says nothing, or no whole number. */
export interface RateHeaders {
  readonly limit: number | undefined;
  readonly left: number | undefined;
}

/**
 * Reads what an answer announces of its rate limit (v1, Limits).
 * @param headers names in any case with their values; of several of one name the first counts
 */
export function readRateHeaders(headers: Iterable<readonly [string, string]>): RateHeaders {
  let limit: string | undefined;
  let left: string | undefined;
  for (const [name, value] of headers) {
    if (name.length === LIMIT.length && name.toLowerCase() === LIMIT) limit ??= value;
    else if (name.length === LEFT.length && name.toLowerCase() === LEFT) left ??= value;
  }
  return { limit: countIn(limit), left: countIn(left) };
}

function countIn(text = ''): number | undefined {
  return /^\d+$/.test(text.trim()) ? Number(text) : undefined;
}
