import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Trouble } from '#trouble';
import { readStoredFile } from './stored-file.ts';
import type { RunResult } from './types.ts';

/** Name of the file that holds what a reviewer decided about a run. */
export const SIGN_OFF_FILE = 'sign-off.json';

/** What a reviewer can decide. */
export const SIGN_OFF_DECISIONS = ['accepted', 'accepted with conditions', 'rejected'] as const;

/** What a reviewer decided about a run: who, when, what, and why. */
export type SignOff = NonNullable<RunResult['signOff']>;

/** The content of sign-off.json. */
interface StoredSignOff extends SignOff {
  readonly format: 'assay.sign-off/1';
  /** Id of the run that was decided about. */
  readonly run: string;
}

/** Lays a reviewer's decision beside a journal, where it is drawn and signed along. */
export function writeSignOff(folder: string, run: string, decision: SignOff): void {
  const stored: StoredSignOff = { format: 'assay.sign-off/1', run, ...decision };
  writeFileSync(join(folder, SIGN_OFF_FILE), `${JSON.stringify(stored, undefined, 1)}\n`);
}

/**
 * The decision that lies beside a journal.
 * @throws Trouble (usage) when it is damaged, lacks something, or is about another run
 */
export function readSignOff(folder: string, run: string): SignOff | undefined {
  const file = join(folder, SIGN_OFF_FILE);
  const fix = 'remove the file, or sign off anew: assay report DIR --sign-off NAME --decision WORD --sign';
  const stored = readStoredFile<StoredSignOff>(file, 'assay.sign-off/1', { what: 'sign-off', fix });
  if (stored === undefined) return undefined;
  const { name, date, decision, note } = stored;
  const reason =
    stored.run !== run
      ? `it is about run ${stored.run}`
      : typeof name !== 'string' || name.trim() === '' || !/^\d{4}-\d{2}-\d{2}$/.test(date)
        ? 'it needs a name and a date'
        : SIGN_OFF_DECISIONS.includes(decision)
          ? undefined
          : `decision is ${SIGN_OFF_DECISIONS.join(', ')}`;
  if (reason !== undefined) throw new Trouble('usage', 'the sign-off is damaged', { place: { file }, reason, fix });
  return { name, date, decision, ...(note === undefined ? {} : { note }) };
}
