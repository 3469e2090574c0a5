import fc from 'fast-check';
import { placeLaw, readCheckAnnotations, lawTest as test, tryProperty } from '#harness';
import { workThroughCase } from './work-through.ts';

/** How often each law is tried; `ASSAY_RUNS` says otherwise. */
export const LAW_RUNS = Number(process.env.ASSAY_RUNS ?? 200);

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
  runs = LAW_RUNS,
): void {
  test(title, placeLaw(), async ({}, info) => {
    test.setTimeout(30_000 + LAW_RUNS * 60);
    const law = fc.property(...(drawn as unknown as [fc.Arbitrary<unknown>]), holds as (value: unknown) => boolean);
    const {
      seed,
      path,
      case: shrunk,
      broke,
    } = await tryProperty(info, title, law, {
      runs,
      explain: workThroughCase,
    });
    if (broke === undefined) return;
    const { cause } = broke;
    const why = cause instanceof Error ? cause.message : 'it answers false';
    const again = `ASSAY_SEED=${seed} ASSAY_PATH=${path} npx playwright test ${readCheckAnnotations(info).file} --project=checks -g ${quoteTitle(title)}`;
    throw new Error(`${title}: not for ${shrunk}\n${why}\nSee it again with ${again}`, { cause });
  });
}

/** A title as one word of a shell that finds this test and no other whose title only holds it. */
function quoteTitle(title: string): string {
  const pattern = title.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
  return `'${`${pattern}$`.replaceAll("'", `'\\''`)}'`;
}
