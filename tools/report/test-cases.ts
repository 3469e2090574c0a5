import { writeFailureSentence } from './finding-sentence.ts';
import type { CheckResult, RunResult } from './types.ts';

/** A check as formats that know tests only are given it. */
export interface TestCase extends CheckResult {
  /** What each of its failures comes to, in a sentence. */
  readonly sentences: readonly string[];
}

/**
 * What formats that know tests only are given: every check, and for each rule that was found broken in passing, without a
 * failing check of its own, a case of its own, so that they are as red as the run.
 */
export function listTestCases(run: RunResult): TestCase[] {
  const failing = new Set(run.checks.filter(({ verdict }) => verdict === 'fail').map(({ id }) => id));
  const passing = run.rules.filter(
    ({ verdict, checks }) => verdict === 'fail' && !checks.some((id) => failing.has(id)),
  );
  return [
    ...run.checks.map((check) => ({
      ...check,
      sentences: check.failures.map((failure) => writeFailureSentence(check, failure)),
    })),
    ...passing.map(
      ({ id, text, failures, exchanges }): TestCase => ({
        id,
        title: `${id}: ${text}`,
        file: 'every answer',
        line: 0,
        project: 'contract',
        rules: [id],
        outcome: 'fail',
        verdict: 'fail',
        failures: failures.map(({ checks: _, exchanges: [exchange], where: __, ...failure }) => ({
          ...failure,
          ...(exchange !== undefined && { exchange }),
        })),
        sentences: failures.map(({ sentence, message }) => sentence ?? message),
        startedAt: run.startedAt,
        duration: 0,
        exchanges,
      }),
    ),
  ];
}
