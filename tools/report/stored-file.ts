import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Trouble } from '#trouble';
import type { RunResult } from './types.ts';

/** What a file is called to people, and what to do when it is damaged. */
interface Words {
  readonly what: string;
  readonly fix: string;
}

/**
 * A JSON file of ours that says which format it is of.
 * @returns undefined when there is none
 * @throws Trouble (usage) with its place when it is not JSON, or of a format that this version does not read
 */
export function readStoredFile<Kept extends { readonly format: string }>(
  file: string,
  format: Kept['format'],
  { what, fix }: Words,
): Kept | undefined {
  if (!existsSync(file)) return undefined;
  let reason = 'it is not JSON';
  try {
    const read = JSON.parse(readFileSync(file, 'utf8')) as Kept | null;
    if (read?.format === format) return read;
    reason = `its format is not ${format}`;
  } catch {
    // Said below, with the place.
  }
  throw new Trouble('usage', `the ${what} is damaged`, { place: { file }, reason, fix });
}

/** The result in a run folder; undefined where there is none to be read. */
export function readRunResult(folder: string): RunResult | undefined {
  try {
    return readStoredFile<RunResult>(join(folder, 'run.json'), 'assay.run/1', {
      what: 'result',
      fix: 'assay report draws it anew',
    });
  } catch {
    return undefined;
  }
}

/** Whether two runs asked the same rules of the same target. */
export function isComparableRun(
  one: Pick<RunResult, 'target' | 'selection'>,
  other: { readonly target: Pick<RunResult['target'], 'name' | 'kind'>; readonly selection?: string | undefined },
): boolean {
  return isSameTarget(one.target, other.target) && one.selection === other.selection;
}

/** Whether two runs were against the same target. */
export function isSameTarget(
  one: Pick<RunResult['target'], 'name' | 'kind'>,
  other: Pick<RunResult['target'], 'name' | 'kind'>,
): boolean {
  return one.name === other.name && one.kind === other.kind;
}
