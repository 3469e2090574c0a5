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
  const values = new Map<string, string>();
  for (const [name, value] of headers) if (!values.has(name.toLowerCase())) values.set(name.toLowerCase(), value);
  const count = (name: string): number | undefined => {
    const text = values.get(name)?.trim() ?? '';
    return /^\d+$/.test(text) ? Number(text) : undefined;
  };
  return { limit: count('x-ratelimit-limit'), left: count('x-ratelimit-remaining') };
}
