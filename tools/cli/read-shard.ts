import { Trouble } from '#trouble';
import type { GivenArguments } from './arguments.ts';

/**
 * Which part of the checks is played. The seed has to be said: each part would draw another.
 * @throws Trouble (usage) for a text that is no part, a part without a seed, or with an order of its own
 */
export function readShard(given: GivenArguments): { index: number; of: number } | undefined {
  const text = given.flag('shard');
  if (text === undefined) return undefined;
  const [index = 0, of = 0] = (/^(\d{1,4})\/(\d{1,4})$/.exec(text) ?? []).slice(1).map(Number);
  if (index < 1 || index > of)
    throw new Trouble('usage', `--shard ${text} is no part of the checks`, { fix: '--shard 1/4 to --shard 4/4' });
  if (!given.has('seed'))
    throw new Trouble('usage', '--shard needs --seed', {
      reason: 'all parts of one run draw from the same seed',
      fix: `--shard ${text} --seed 1`,
    });
  return { index, of };
}
