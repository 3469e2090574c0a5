import { setTimeout as wait } from 'node:timers/promises';
import type { TargetTime } from '#client';
import type { MovedClock, TargetManners } from '#target';

/**
 * Reads again and again, as far apart as the target file says (document: a few seconds).
 * @param first reading to begin with, judged before anything is read
 * @param pace how the target wants it, and which of its clocks brings the next reading, by default the one of its records
 * @returns the first reading that is enough, else the last one within the target file's limit of polls
 */
export async function pollTarget<Reading>(
  first: Reading,
  read: () => Promise<Reading>,
  isEnough: (reading: Reading) => boolean,
  pace: {
    readonly manners: Pick<TargetManners, 'pollGap' | 'pollLimit'>;
    readonly time: Pick<TargetTime, 'sleep' | 'lever' | 'noteLever'>;
    readonly clock?: MovedClock;
    /** Polls at most that time is waited for, where others may bring the next reading as well: then it does not tell what a clock does. */
    readonly realPolls?: number;
  },
): Promise<Reading> {
  const { pollGap, pollLimit } = pace.manners;
  const { time, clock = 'records', realPolls } = pace;
  // The first sleep may find out that the clock stands.
  const limit = () => (time.lever(clock) === 'stands' ? (realPolls ?? pollLimit) : pollLimit);
  let reading = first;
  for (let polls = 0; !isEnough(reading) && polls < limit(); polls += 1) {
    await time.sleep(pollGap, clock);
    reading = await read();
  }
  if (realPolls !== undefined) return reading;
  // What a clock that nobody has seen move did not bring, real time may: then it stood.
  for (let polls = 0; !isEnough(reading) && time.lever(clock) === 'unknown' && polls < pollLimit; polls += 1) {
    await wait(pollGap * 1000);
    reading = await read();
    if (isEnough(reading)) time.noteLever(clock, 'stands');
  }
  return reading;
}
