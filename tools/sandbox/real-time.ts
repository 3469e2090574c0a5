/** Milliseconds of real time after which a lie about what follows late begins; less than the moment that checks let pass for it. */
export const LATE = 2_500;

/**
 * Whether something happened some seconds of real time ago, whichever time the sandbox's clock shows; only lies ask.
 * @param at when, by `performance.now()`
 */
export function isSecondsAgo(at: number): boolean {
  return performance.now() - at > LATE;
}
