import { Trouble } from '#trouble';

/**
 * Every Nth of a list, so that all shares together are all of it, and each has some of every part.
 * @param share `1/4` for the first of four; absent: all
 * @throws Trouble (usage) for a text that is no share
 */
export function takeShare<One>(all: readonly One[], share: string | undefined): readonly One[] {
  if (share === undefined) return all;
  const { index, of } = readShare(share);
  return all.filter((_, i) => i % of === index - 1);
}

/** @throws Trouble (usage) for a text that is no share */
export function readShare(share: string): { readonly index: number; readonly of: number } {
  const [index = 0, of = 0] = (/^(\d{1,4})\/(\d{1,4})$/.exec(share) ?? []).slice(1).map(Number);
  if (index < 1 || index > of)
    throw new Trouble('usage', `--shard ${share} is no share of the work`, { fix: '--shard 1/4 to --shard 4/4' });
  return { index, of };
}
