import { type TargetTime, UnofferedError } from '#client';
import type { Target, TargetCard } from '#target';

/** Milliseconds for which a time that was read of a target does. */
const FRESH = 2000;

/** Time of a target as it was read last, and when, in milliseconds since 1970. */
const readings = new WeakMap<Target, { readonly at: number; readonly now: number }>();

/**
 * Asks for a test card that is still valid on the target's clock: checks that let weeks pass take it years ahead, and what a service says of
 * a card that has expired is not what it says of this one.
 * @throws Unoffered for one that has expired by then
 */
export async function requireUnexpired(card: TargetCard, target: Target, time: TargetTime): Promise<void> {
  if (!time.steered) return;
  let known = readings.get(target);
  if (known === undefined || Date.now() - known.at > FRESH) {
    // A time that cannot be read is for those to say who go by it.
    known = { at: Date.now(), now: await time.now().catch(() => Date.now()) };
    readings.set(target, known);
  }
  if (known.now < Date.UTC(Number(card.year), Number(card.month))) return;
  throw new UnofferedError(
    'capability',
    `a test card expired ${card.month}/${card.year}, and the clock of the target is at ${new Date(known.now).toISOString().slice(0, 10)}; a later expiry in gateway.cards of the target file would enable it`,
  );
}
