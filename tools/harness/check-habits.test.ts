import { expect, test } from '@playwright/test';
import { habitsOf } from './check-habits.ts';

const ids = Array.from({ length: 2048 }, (_, i) => (0xfffff800 + i).toString(16));

const HABITS = [
  ['namesCallbackUrl', 12],
  ['namesBothIds', 8],
  ['saysDefaults', 8],
  ['asksByOwnId', 8],
  ['namesAll', 8],
  ['namesRequests', 8],
  ['describesNothing', 8],
  ['goesOverSwift', 8],
  ['uploadsIdentityCards', 8],
  ['registersAuthorizations', 8],
] as const;

for (const [habit, of] of HABITS)
  test(`${of} of sixteen checks have the habit ${habit}`, () => {
    expect(ids.filter((id) => habitsOf(id).has(habit))).toHaveLength((ids.length / 16) * of);
  });

test('each habit is met with and without each other', () => {
  const met = ids.map((id) => [...habitsOf(id)].join());
  expect(new Set(met).size).toBe(2 ** HABITS.length);
});
