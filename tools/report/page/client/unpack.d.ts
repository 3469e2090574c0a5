import type { ExchangeLine } from '#evidence';

/** Puts packed exchanges together again, the same as they were packed but for the cut of long bodies. */
export function unpack(pack: unknown): Omit<ExchangeLine, 'kind'>[];
