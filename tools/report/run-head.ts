import { closeSync, openSync, readSync } from 'node:fs';
import { join } from 'node:path';
import { readRunResult } from './stored-file.ts';
import type { RunResult } from './types.ts';

/** What a result begins with: which run it is, of what, and how it ended. */
export type RunHead = Pick<RunResult, 'id' | 'complete' | 'startedAt' | 'target' | 'selection' | 'lie'>;

/** Bytes in which a result gets to its counts, unless it was called with many arguments. */
const HEAD = 16_384;
const BEHIND = ',\n "counts": {';

/**
 * The beginning of the result in a run folder, without the rules and checks that are most of it: reading the whole of each run in a
 * workspace took a new one the longer the more there were.
 * @returns undefined where there is no result to be read
 */
export function readRunHead(folder: string): RunHead | undefined {
  const text = readBeginning(join(folder, 'run.json'));
  if (text === undefined) return undefined;
  try {
    const end = text.indexOf(BEHIND);
    const head = JSON.parse(end < 0 ? text : `${text.slice(0, end)}}`) as RunHead & { readonly format?: string };
    return head.format === 'assay.run/1' ? head : undefined;
  } catch {
    // Written by somebody else, or longer.
    return readRunResult(folder);
  }
}

function readBeginning(path: string): string | undefined {
  try {
    const file = openSync(path, 'r');
    try {
      const bytes = Buffer.alloc(HEAD);
      return bytes.toString('utf8', 0, readSync(file, bytes, 0, HEAD, 0));
    } finally {
      closeSync(file);
    }
  } catch {
    return undefined;
  }
}
