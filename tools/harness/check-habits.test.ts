import { expect, test } from '@playwright/test';
import { hasHabit } from './check-habits.ts';

const ids = Array.from({ length: 16 }, (_, i) => (0xfffffff0 + i).toString(16));

for (const [habit, of] of [
  ['namesCallbackUrl', 12],
  ['namesBothIds', 8],
  ['saysDefaults', 8],
] as const)
  test(`${of} of sixteen checks have the habit ${habit}`, () => {
    expect(ids.filter((id) => hasHabit(id, habit))).toHaveLength(of);
  });

test('each habit is met with and without each other', () => {
  const met = ids.map((id) =>
    [hasHabit(id, 'namesCallbackUrl'), hasHabit(id, 'namesBothIds'), hasHabit(id, 'saysDefaults')].join(),
  );
  expect(new Set(met).size).toBe(8);
});
