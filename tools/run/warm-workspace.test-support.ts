import { mkdirSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { SUITE_FOLDER } from '#folders';

const CACHE = 'node_modules/.cache/assay';
/** Kept by the hash of all that decides it: the contract as it was read, keys, seals, machine code. */
const KEPT = ['parsed', 'keys', 'seals', 'code'];

/**
 * Lets a workspace of a test have what the suite's own has kept, which takes a second of processor to make anew; which checks there are
 * and what they met it finds by itself.
 * @param workspace its folder; made where there is none
 */
export function warmWorkspace(workspace: string): void {
  mkdirSync(join(workspace, CACHE), { recursive: true });
  for (const name of KEPT) {
    mkdirSync(join(SUITE_FOLDER, CACHE, name), { recursive: true });
    symlinkSync(join(SUITE_FOLDER, CACHE, name), join(workspace, CACHE, name));
  }
}
