import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Trouble } from '#trouble';
import type { Run } from './types.ts';

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
export function readKept<Kept extends { readonly format: string }>(
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
export function runOf(folder: string): Run | undefined {
  try {
    return readKept<Run>(join(folder, 'run.json'), 'assay.run/1', {
      what: 'result',
      fix: 'assay report draws it anew',
    });
  } catch {
    return undefined;
  }
}

/** Whether two runs asked the same rules of the same target. */
export function isAlike(
  one: Pick<Run, 'target' | 'selection'>,
  other: { readonly target: Pick<Run['target'], 'name' | 'kind'>; readonly selection?: string | undefined },
): boolean {
  return isOf(one.target, other.target) && one.selection === other.selection;
}

/** Whether two runs were against the same target. */
export function isOf(one: Pick<Run['target'], 'name' | 'kind'>, other: Pick<Run['target'], 'name' | 'kind'>): boolean {
  return one.name === other.name && one.kind === other.kind;
}
