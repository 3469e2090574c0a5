import { setTimeout as wait } from 'node:timers/promises';
import { expect, test } from '@playwright/test';
import { VirtualClock } from './virtual-clock.ts';

test('has time passed only when all that fell due has ended, also what fell due at the same moment', async () => {
  const clock = new VirtualClock();
  const ended: string[] = [];
  const task = (name: string, milliseconds: number) => async () => {
    await wait(milliseconds);
    ended.push(name);
  };
  clock.after(5, task('first', 20));
  clock.after(5, async () => {
    clock.after(1, task('what follows', 5));
    await task('second', 60)();
  });
  await clock.advance(10);
  expect(ended.toSorted()).toEqual(['first', 'second', 'what follows']);
});
