import type { TargetManners } from './types.ts';

/** Careful enough for somebody else's sandbox. */
export const DEFAULT_MANNERS: Omit<TargetManners, 'delivery'> = {
  pollGap: 3,
  pollLimit: 40,
  timeout: 10,
  patience: 30,
  exhaust: false,
  money: { calls: 500, total: 10_000 },
};
