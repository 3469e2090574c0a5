import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from '@playwright/test';
import { callAbreast } from './call-abreast.ts';

/** Calls that note how many of them are under way. */
function countedCalls(count: number, most: { now: number; seen: number }) {
  return Array.from({ length: count }, (_, i) => async () => {
    most.now += 1;
    most.seen = Math.max(most.seen, most.now);
    await sleep(1);
    most.now -= 1;
    return i;
  });
}

test('makes as many calls at the same time as it may, and answers in their order', async () => {
  for (const [may, seen] of [
    [1, 1],
    [3, 3],
    [20, 7],
  ] as const) {
    const most = { now: 0, seen: 0 };
    expect(await callAbreast(countedCalls(7, most), may)).toEqual([0, 1, 2, 3, 4, 5, 6]);
    expect(most).toEqual({ now: 0, seen });
  }
  expect(await callAbreast([], 6)).toEqual([]);
});

test('begins nothing more after a failure, and has ended what is under way when it says so', async () => {
  const most = { now: 0, seen: 0 };
  const begun: number[] = [];
  const calls = countedCalls(6, most).map((call, i) => async () => {
    begun.push(i);
    if (i === 1) throw new Error('the second fails');
    return call();
  });
  await expect(callAbreast(calls, 3)).rejects.toThrow('the second fails');
  expect([most.now, begun]).toEqual([0, [0, 1, 2]]);
});
