import { expect, test } from '@playwright/test';
import type { LeverEffect } from '#client';
import { pollTarget } from './poll-target.ts';

/** Counts from 1 on, and notes what was waited. */
function counter(pollLimit = 3, lever: LeverEffect = 'moves') {
  const slept: number[] = [];
  let next = 0;
  let seen = lever;
  const pace = {
    manners: { pollGap: lever === 'unknown' ? 0.01 : 2, pollLimit },
    time: {
      sleep: async (seconds: number) => void slept.push(seconds),
      lever: () => seen,
      noteLever: (_clock: string, effect: LeverEffect) => {
        seen = effect;
      },
    },
  };
  return { slept, pace, read: async () => (next += 1), lever: () => seen };
}

test('a first reading that is enough is neither waited for nor read again', async () => {
  const { slept, pace, read } = counter();
  expect(await pollTarget(7, read, (one) => one === 7, pace)).toBe(7);
  expect([slept, await read()]).toEqual([[], 1]);
});

test('waits before each reading, and stops at the first that is enough', async () => {
  const { slept, pace, read } = counter();
  expect(await pollTarget(0, read, (one) => one === 2, pace)).toBe(2);
  expect(slept).toEqual([2, 2]);
});

test('gives the last reading within the limit when none is enough', async () => {
  const { slept, pace, read } = counter(3);
  expect(await pollTarget(0, read, () => false, pace)).toBe(3);
  expect(slept).toHaveLength(3);
});

test('goes on in real time where moving the clock brought nothing and nobody has seen it move', async () => {
  const found = counter(3, 'unknown');
  expect(await pollTarget(0, found.read, (one) => one === 5, found.pace)).toBe(5);
  expect([found.slept.length, found.lever()]).toEqual([3, 'stands']);
  const never = counter(3, 'unknown');
  expect(await pollTarget(0, never.read, () => false, never.pace)).toBe(6);
  expect(never.lever()).toBe('unknown');
});

test('goes on for a few polls only in real time, where no more are wanted', async () => {
  const { slept, pace, read } = counter(3, 'stands');
  expect(await pollTarget(0, read, () => false, { ...pace, realPolls: 1 })).toBe(1);
  expect(slept).toHaveLength(1);
});

test('does not go on in real time to find out what a clock does, where others may bring the next reading', async () => {
  const { slept, pace, read, lever } = counter(3, 'unknown');
  expect(await pollTarget(0, read, (one) => one === 4, { ...pace, realPolls: 2 })).toBe(3);
  expect([slept.length, lever()]).toEqual([3, 'unknown']);
});

test('makes no more polls than those of real time once the clock is found to stand', async () => {
  const { slept, pace, read } = counter(9, 'unknown');
  const time = {
    ...pace.time,
    sleep: async (seconds: number) => {
      await pace.time.sleep(seconds);
      pace.time.noteLever('records', 'stands');
    },
  };
  await pollTarget(0, read, () => false, { ...pace, time, realPolls: 2 });
  expect(slept).toHaveLength(2);
});
