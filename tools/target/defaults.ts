import type { TargetManners } from './types.ts';

/** Careful enough for somebody else's sandbox. */
export const DEFAULT_MANNERS: Omit<TargetManners, 'delivery' | 'parallel'> = {
  pollGap: 3,
  pollLimit: 40,
  timeout: 10,
  patience: 30,
  exhaust: false,
  money: { calls: 500, total: 10_000 },
};

/** Checks that may ask a service at the same time: one after the other where money is real. */
export const DEFAULT_PARALLEL = { production: 1, other: 8 } as const;
