import { setTimeout as wait } from 'node:timers/promises';

/**
 * What something comes to, or undefined when the time ends first; what it fails with before that is thrown, later it fails for nobody.
 * @param milliseconds one at least
 */
export async function waitAtMost<Given>(
  milliseconds: number,
  given: Given | Promise<Given>,
): Promise<Given | undefined> {
  if (!(given instanceof Promise)) return given;
  const over = new AbortController();
  const end = wait(Math.max(1, milliseconds), undefined, { signal: over.signal }).catch(() => undefined);
  try {
    return await Promise.race([given, end]);
  } finally {
    over.abort();
    given.catch(() => {});
  }
}
