import type { TestInfo } from '@playwright/test';

/** The method by which Playwright notes an error before it turns the error into text. */
type Noting = TestInfo & { _failWithError?: (error: unknown) => void };

/**
 * Keeps the errors of a test as the objects that were thrown: by its body, its fixtures and its soft expectations. Playwright's own
 * list holds their texts only, and what was expected and what came would have to be read out of prose.
 * @returns a list that grows as errors come
 * @throws Error when this Playwright notes errors in another way
 */
export function collectThrownErrors(info: TestInfo): readonly unknown[] {
  const noting = info as Noting;
  const note = noting._failWithError;
  if (note === undefined) throw new Error('this version of Playwright notes errors in a way that is not known here');
  const thrown: unknown[] = [];
  noting._failWithError = (error) => {
    thrown.push(error);
    note.call(info, error);
  };
  return thrown;
}
