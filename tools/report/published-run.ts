import type { PastRun } from './run-history.ts';
import type { RunResult } from './types.ts';

/** A run that was published, as the index shows it. */
export interface PublishedRun extends PastRun, Pick<RunResult, 'complete' | 'target' | 'selection'> {
  readonly signature: {
    /** SHA-256 fingerprint of the certificate. */
    readonly fingerprint: string;
    readonly signedAt: string;
    /** Whether it was held against a certificate that was named. */
    readonly named: boolean;
  };
  /** SHA-256 of the sums of its files. */
  readonly sums: string;
  /** What no longer holds of a run that lay there before. */
  readonly changed?: string;
}
