import type { TestInfo } from '@playwright/test';
import fc from 'fast-check';
import { Finding } from '#client';
import { settings } from './settings.ts';

/** How to run a property. */
export interface Manner {
  readonly runs: number;
  /** Path to one case, from an earlier record; default `ASSAY_PATH`. */
  readonly path?: string;
}

/**
 * Runs a property with the seed of the run and puts seed, number of runs and, when it fails, path and shrunk case on the record.
 * @throws Finding with the shrunk case when the API breaks the property; what stopped the arrangement as it is
 */
export async function hold<Drawn extends unknown[]>(
  info: TestInfo,
  name: string,
  property: fc.IRawProperty<Drawn>,
  { runs, path = process.env.ASSAY_PATH }: Manner,
): Promise<void> {
  const { seed } = settings();
  const result = await fc.check(property, { seed, numRuns: runs, ...(path === undefined ? {} : { path }) });
  const shrunk = result.failed ? result.counterexample?.map((one) => fc.stringify(one)).join(', ') : undefined;
  const record = {
    name,
    seed,
    runs: result.numRuns,
    ...(result.counterexamplePath === null ? {} : { path: result.counterexamplePath }),
    ...(shrunk === undefined ? {} : { case: shrunk }),
  };
  info.annotations.push({ type: 'property', description: JSON.stringify(record) });
  if (!result.failed) return;
  const cause = result.errorInstance as Error | undefined;
  if (cause !== undefined && ['Unarranged', 'NoAnswer', 'TypeError', 'ReferenceError'].includes(cause.name))
    throw cause;
  const message = cause?.message ?? 'the property does not hold';
  const [named = '', rule] = /^([A-Z0-9]+-[A-Z]+-\d+)(?:: |\n)/.exec(message) ?? [];
  const said = message.slice(named.length).split('\n').filter(Boolean).join(' ');
  throw new Finding(
    name,
    `${said} (seed ${seed}, path ${result.counterexamplePath ?? ''}, case ${shrunk ?? ''})`,
    rule,
  );
}
