import { expect, test } from '@playwright/test';
import type { TargetTime } from '#client';
import type { Target, TargetCard } from '#target';
import { requireUnexpired } from './card-expiry.ts';

const CARD = { month: '10', year: '2030' } as TargetCard;

/** Asks for a card on a clock that is at a moment. */
const askAt = (moment: string, steered = true) =>
  requireUnexpired(CARD, {} as Target, { steered, now: async () => Date.parse(moment) } as unknown as TargetTime);

test('a test card does until the last day of its last month on the clock of the target', async () => {
  await askAt('2030-10-31T23:59:59Z');
  await expect(askAt('2030-11-01T00:00:00Z')).rejects.toThrow(
    /^a test card expired 10\/2030, and the clock of the target is at 2030-11-01; a later expiry in gateway\.cards/,
  );
});

test('where no clock is moved, nothing is asked for', async () => {
  await askAt('2031-01-01T00:00:00Z', false);
});
