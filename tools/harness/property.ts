import type { TestInfo } from '@playwright/test';
import fc from 'fast-check';
import { PromiseFinding, UnarrangedError } from '#client';
import { readSettings } from './settings.ts';
import { splitRuleIds } from './verdict.ts';

/** What is no fault of the API's. */
const OURS = ['Unarranged', 'Unoffered', 'NoAnswer', 'TypeError', 'ReferenceError'];

/** How to run a property. */
export interface PropertyOptions {
  readonly runs: number;
  /** Path to one case, from an earlier record; default `ASSAY_PATH`. */
  readonly path?: string;
}

/** How to see one case again: `ASSAY_PATH` holds its path and, for a sequence of steps, which of them were taken: `<path>@<steps>`. */
function again(path = process.env.ASSAY_PATH): { path?: string; replayPath?: string } {
  const [whole, steps] = path?.split('@') ?? [];
  return { ...(whole ? { path: whole } : {}), ...(steps ? { replayPath: steps } : {}) };
}

/** Option of `fc.commands` that lets a sequence be seen again. */
export function replayOptions(): { replayPath?: string } {
  const { replayPath } = again();
  return replayPath === undefined ? {} : { replayPath };
}

/**
 * Runs a property with the seed of the run and puts seed, number of runs and, when it fails, path and shrunk case on the record.
 * `ASSAY_RUNS` says how often instead. In a proof, which looks at nothing but the failure, no case is shrunk.
 * @throws Finding with the shrunk case when the API breaks the property; what stopped the arrangement as it is
 */
export async function assertProperty<Drawn extends unknown[]>(
  info: TestInfo,
  name: string,
  property: fc.IRawProperty<Drawn>,
  manner: PropertyOptions,
): Promise<void> {
  const { seed, proof } = readSettings();
  const { ASSAY_RUNS } = process.env;
  const { path } = again(manner.path);
  if (ASSAY_RUNS !== undefined) info.setTimeout(info.timeout + Number(ASSAY_RUNS) * 2000);
  const result = await fc.check(property, {
    seed,
    numRuns: Number(ASSAY_RUNS ?? manner.runs),
    endOnFailure: proof !== undefined,
    // No case that is tried after this, to shrink a failure, may cost the check its time.
    skipAllAfterTimeLimit: info.timeout * 0.6,
    ...(path === undefined ? {} : { path }),
  });
  const found = result.counterexample?.map((one) => fc.stringify(one)).join(', ');
  const [comment = '', steps] = /\s*\/\*replayPath="([^"]*)"\*\//.exec(found ?? '') ?? [];
  const shrunk = found?.replace(comment, '');
  const way = `${result.counterexamplePath ?? ''}${steps === undefined ? '' : `@${steps}`}`;
  const record = {
    name,
    seed,
    runs: result.numRuns,
    ...(way === '' ? {} : { path: way }),
    ...(shrunk === undefined ? {} : { case: shrunk }),
  };
  info.annotations.push({ type: 'property', description: JSON.stringify(record) });
  if (!result.failed || (result.counterexample === null && result.numRuns > 0)) return;
  if (result.counterexample === null) throw new UnarrangedError(`no time to try whether ${name}`);
  const cause = result.errorInstance as Error | undefined;
  if (cause !== undefined && OURS.includes(cause.name)) throw cause;
  const where = `(seed ${seed}, path ${way}, case ${shrunk})`;
  if (cause instanceof PromiseFinding) throw new PromiseFinding(cause.expected, `${cause.actual} ${where}`, cause.rule);
  const { rules, said } = splitRuleIds(cause?.message ?? 'the property does not hold');
  throw new PromiseFinding(name, `${said.split('\n').filter(Boolean).join(' ')} ${where}`, rules[0]);
}
