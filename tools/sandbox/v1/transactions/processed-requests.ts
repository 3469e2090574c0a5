import type { IncomingHttpHeaders } from 'node:http';
import type { BookedTransaction } from './transaction.ts';

/** The requests that were processed, by caller and X-Request-ID. */
export type ProcessedRequests = Map<string, ProcessedRequest>;

interface ProcessedRequest {
  readonly transaction: BookedTransaction;
  repeats: number;
  /** When it was processed, in milliseconds of real time; only a lie looks at it. */
  readonly processedReally: number;
}

/** Whether a request with these headers was processed before, whoever sent it. */
export function comesAgain(processed: ProcessedRequests, headers: IncomingHttpHeaders): boolean {
  const id = String(headers['x-request-id']).toLowerCase();
  return [...processed.keys()].some((key) => key.endsWith(` ${id}`));
}
