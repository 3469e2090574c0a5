import { rmSync } from 'node:fs';
import { takeBackObjects } from '#client';
import { resolveTarget, type WrittenTarget } from '#target';

/** Takes back what the checks left at the target, when they were killed before they could. */
export async function takeBackLeftovers(written: WrittenTarget, state: string): Promise<void> {
  for (const { what, id, reason } of await takeBackObjects(resolveTarget(written), state))
    console.error(
      `assay: ${reason === undefined ? 'taken back' : 'left behind'}: ${what} ${id}${reason === undefined ? '' : ` (${reason})`}`,
    );
  rmSync(state, { recursive: true, force: true });
}
