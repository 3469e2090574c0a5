import { isArranged, test } from '#harness';

/**
 * Waits for what a lever of the target brings about.
 * @param isSecond whether it is about the second account: the lever may be one for the first alone, and the check ends there
 */
export async function bringAbout(bringing: Promise<unknown>, isSecond: boolean): Promise<void> {
  if (!isSecond) await bringing;
  else test.skip(!(await isArranged(bringing)), 'the lever of the target does not take the second account');
}
