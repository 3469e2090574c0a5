import { Trouble } from '#trouble';
import type { GivenArguments } from './arguments.ts';

const SECONDS = { s: 1, m: 60, h: 3600 } as const;

/**
 * Seconds of a duration such as 90s, 30m or 2h; undefined when there is none.
 * @param usual when the flag was not given
 * @throws Trouble (usage) when it is no duration
 */
export function readDuration(given: GivenArguments, flag: 'within', usual?: string): number | undefined {
  const text = given.flag(flag) ?? usual;
  if (text === undefined) return undefined;
  const [, digits, unit] = /^(\d{1,5})([smh])$/.exec(text) ?? [];
  const seconds = Number(digits) * SECONDS[(unit ?? 's') as keyof typeof SECONDS];
  if (!(seconds > 0))
    throw new Trouble('usage', `--${flag} ${text} is no time`, {
      fix: `--${flag} 30m (s, m or h after a whole number)`,
    });
  return seconds;
}
