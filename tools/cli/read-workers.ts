import { Trouble } from '#trouble';
import type { GivenArguments } from './arguments.ts';

/** How many checks at the same time. @throws Trouble (usage) when it is no whole number above zero */
export function readWorkers(given: GivenArguments): string | undefined {
  const text = given.flag('workers');
  if (text !== undefined && !/^[1-9]\d{0,2}$/.test(text))
    throw new Trouble('usage', `--workers ${text} is no number of workers`, { fix: '--workers 2' });
  return text;
}
