import { expect, test } from '@playwright/test';
import { pollTarget } from './poll-target.ts';

/** Counts from 1 on, and notes what was waited. */
function counter(pollLimit = 3) {
  const slept: number[] = [];
  let next = 0;
  const pace = {
    manners: { pollGap: 2, pollLimit },
    time: { sleep: async (seconds: number) => void slept.push(seconds) },
  };
  return { slept, pace, read: async () => (next += 1) };
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
