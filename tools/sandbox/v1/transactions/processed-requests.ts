import type { BookedTransaction } from './transaction.ts';

/** The requests that were processed, by caller and X-Request-ID. */
export type ProcessedRequests = Map<string, { readonly transaction: BookedTransaction; repeats: number }>;
