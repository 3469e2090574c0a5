import type { BookedTransaction } from './transaction.ts';

/** The requests that were processed, by caller and X-Request-ID. */
export type ProcessedRequests = Map<string, ProcessedRequest>;

interface ProcessedRequest {
  readonly transaction: BookedTransaction;
  repeats: number;
  /** When it was processed, in milliseconds of real time; only a lie looks at it. */
  readonly processedReally: number;
}
