import { PromiseFinding } from '#client';

/** What was held against a promise since the check began: the rule that was named, or undefined where none was. */
let concluded = new Set<string | undefined>();

/** Forgets what earlier checks of this process concluded. @returns what is concluded from now on */
export function startConclusions(): ReadonlySet<string | undefined> {
  concluded = new Set();
  return concluded;
}

/** Notes that something was held against a promise, and which. */
export function noteConclusion(rule?: string): void {
  concluded.add(rule);
}

/**
 * Holds something against a promise.
 * @param rule which one, in a check that claims several
 * @param actual what came, in words; asked for only when it does not hold
 * @throws PromiseFinding when it does not hold
 */
export function assertPromise(
  holds: boolean,
  expected: string,
  actual: string | (() => string),
  rule?: string,
): asserts holds {
  noteConclusion(rule);
  if (!holds) throw new PromiseFinding(expected, typeof actual === 'string' ? actual : actual(), rule);
}
