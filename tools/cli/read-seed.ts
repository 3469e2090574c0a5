import { randomBytes } from 'node:crypto';
import { Trouble } from '#trouble';
import type { GivenArguments } from './arguments.ts';

/** The seed of a run, or another number to draw from: given, or drawn. @throws Trouble (usage) when it is no whole number */
export function readSeed(given: GivenArguments, flag: 'seed' | 'shuffle' = 'seed'): number {
  const text = given.flag(flag);
  if (text === undefined) return randomBytes(4).readUInt32BE(0) >>> 1;
  if (!/^\d{1,10}$/.test(text))
    throw new Trouble('usage', `--${flag} ${text} is not a whole number`, { fix: `--${flag} 1` });
  return Number(text);
}
