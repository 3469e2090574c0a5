import { expect, test } from '@playwright/test';
import type { Target } from '#target';
import { oncePerTarget } from './once-per-target.ts';

const [one, other] = [{ name: 'one' }, { name: 'other' }] as unknown as [Target, Target];

test('finds out once per target, also for those who ask at the same time', async () => {
  const remember = oncePerTarget<number>();
  let asked = 0;
  const find = async () => ++asked;
  expect(await Promise.all([remember(one, find), remember(one, find), remember(other, find)])).toEqual([1, 1, 2]);
  expect(await remember(one, find)).toBe(1);
});

test('finds out anew after a failure', async () => {
  const remember = oncePerTarget<number>();
  await expect(remember(one, () => Promise.reject(new Error('no answer')))).rejects.toThrow('no answer');
  expect(await remember(one, async () => 7)).toBe(7);
});

test('finds out anew what could not be told', async () => {
  const remember = oncePerTarget<number | undefined>();
  expect(await remember(one, async () => undefined)).toBeUndefined();
  expect(await remember(one, async () => 7)).toBe(7);
  expect(await remember(one, async () => undefined)).toBe(7);
});
