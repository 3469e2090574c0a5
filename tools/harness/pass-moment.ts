import { setTimeout as wait } from 'node:timers/promises';

/** How long what is kept but in a memory, or follows late, may take to show it: milliseconds of real time. */
const MOMENT = 3_000;

/**
 * Lets a moment of real time pass, whichever clock of the service can be moved. Checks that do so say that they are idle.
 */
export async function passMoment(): Promise<void> {
  await wait(MOMENT);
}
