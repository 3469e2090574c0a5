import type { Redactor, RunLine } from '#evidence';
import { pointLatest, type RunResult, type RunSigner, renderConclusion, writeReport } from '#report';
import { closeRun, describeClosing } from './stamp-run.ts';

/** What finishing a run folder needs besides its journal. */
export interface FinishedJournal {
  readonly first: RunLine;
  /** Knows the target's secrets, when they are at hand. */
  readonly redactor?: Redactor | undefined;
  signer(): Promise<RunSigner>;
  /** Address of who stamps the time of the signature, when one is named. */
  readonly authority: string | undefined;
  /** Whether the user named the folder: then it is nobody's latest run. */
  readonly isNamed: boolean;
}

/**
 * Finishes a run folder whose journal has ended and that has what its page needs besides: draws its files, signs them and says what came of it.
 * @throws Trouble (incomplete) when a secret would have been written
 */
export async function finishRun(folder: string, parts: FinishedJournal): Promise<RunResult> {
  const { first, redactor, signer, authority, isNamed } = parts;
  const result = writeReport(folder, { redactor, ownsFolder: true });
  const who = await signer();
  const closed = await closeRun(folder, first.id, who, authority);
  // What others read as the last run is a whole one, of everything.
  if (!isNamed && result.complete && first.selection === undefined) pointLatest(folder);
  console.log(renderConclusion(result, folder));
  console.log(describeClosing(closed, who.pinned));
  return result;
}
