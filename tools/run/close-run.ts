import type { Redactor, RunLine } from '#evidence';
import { copyProof } from '#proof';
import { pointLatest, type RunResult, type RunSigner, renderConclusion, signRun, writeReport } from '#report';
import { layPrevious } from './lay-previous.ts';
import { suiteHash } from './suite-hash.ts';

/** What closing a run folder needs besides its journal. */
export interface ClosedRun {
  readonly first: RunLine;
  /** Knows the target's secrets, when they are at hand. */
  readonly redactor?: Redactor | undefined;
  signer(): Promise<RunSigner>;
  /** Folder of the accepted run that the page compares with. */
  readonly baseline: string;
  /** Whether the user named the folder: then it is nobody's latest run. */
  readonly isNamed: boolean;
}

/**
 * Closes a run folder whose journal has ended: lays proof and previous run beside it, draws its files, signs them and says what came of it.
 * @throws Trouble (incomplete) when a secret would have been written
 */
export async function closeRun(
  folder: string,
  { first, redactor, signer, baseline, isNamed }: ClosedRun,
): Promise<RunResult> {
  await copyProof(folder, suiteHash());
  layPrevious(folder, first, baseline);
  const result = writeReport(folder, { redactor, ownsFolder: true });
  const who = await signer();
  const fingerprint = signRun(folder, first.id, who);
  // What others read as the last run is a whole one, of everything.
  if (!isNamed && result.complete && first.selection === undefined) pointLatest(folder);
  console.log(renderConclusion(result, folder));
  console.log(`signed${who.pinned ? '' : ' (unpinned, integrity only)'}: certificate ${fingerprint}`);
  return result;
}
