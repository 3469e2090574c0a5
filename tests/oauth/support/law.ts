import fc from 'fast-check';
import { lawTest as test } from '#harness';

const { ASSAY_RUNS, ASSAY_SEED, ASSAY_PATH } = process.env;

/** How often each law is tried; `ASSAY_RUNS` says otherwise. */
export const LAW_RUNS = Number(ASSAY_RUNS ?? 200);

type Drawn<T extends fc.Arbitrary<unknown>[]> = { [K in keyof T]: T[K] extends fc.Arbitrary<infer V> ? V : never };

/**
 * Declares a law: a test that holds for every value drawn. The predicate fails by throwing, or by returning false.
 * `ASSAY_SEED`, `ASSAY_PATH` and `ASSAY_RUNS` steer it; a failure says with which of them it can be seen again.
 */
export function declareLaw<T extends fc.Arbitrary<unknown>[]>(
  title: string,
  drawn: [...T],
  // biome-ignore lint/suspicious/noConfusingVoidType: a predicate may assert instead of answer
  holds: (...values: Drawn<T>) => boolean | void,
  numRuns = LAW_RUNS,
): void {
  test(title, async ({}, info) => {
    test.setTimeout(30_000 + LAW_RUNS * 60);
    const result = fc.check(
      fc.property(...(drawn as unknown as [fc.Arbitrary<unknown>]), holds as (value: unknown) => boolean),
      {
        numRuns,
        ...(ASSAY_SEED !== undefined && { seed: Number(ASSAY_SEED) }),
        ...(ASSAY_PATH !== undefined && { path: ASSAY_PATH }),
      },
    );
    info.annotations.push({ type: 'seed', description: String(result.seed) });
    if (!result.failed) return;
    const again = `ASSAY_SEED=${result.seed} ASSAY_PATH=${result.counterexamplePath ?? ''} ASSAY_RUNS=${LAW_RUNS}`;
    throw new Error(
      `${fc.defaultReportMessage(result)}\nSee it again with ${again} npx playwright test --project=oauth -g "${title}"`,
      { cause: result.errorInstance },
    );
  });
}
