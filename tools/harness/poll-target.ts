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
  },
): Promise<Reading> {
  const { pollGap, pollLimit } = pace.manners;
  const { time, clock = 'records' } = pace;
  let reading = first;
  for (let polls = 0; !isEnough(reading) && polls < pollLimit; polls += 1) {
    await time.sleep(pollGap, clock);
    reading = await read();
  }
  // What a clock that nobody has seen move did not bring, real time may: then it stood.
  for (let polls = 0; !isEnough(reading) && time.lever(clock) === 'unknown' && polls < pollLimit; polls += 1) {
    await wait(pollGap * 1000);
    reading = await read();
    if (isEnough(reading)) time.noteLever(clock, 'stands');
  }
  return reading;
}
