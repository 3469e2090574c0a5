import { createHash, randomUUID } from 'node:crypto';
import { readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';

/**
 * Waits until no other worker on this machine holds what `name` stands for, and takes it. A lock whose holder has died is taken over.
 * @param patience milliseconds between two looks
 * @returns gives it back
 */
export async function acquireLock(name: string, patience = 50): Promise<() => void> {
  const path = join(tmpdir(), `assay-${createHash('sha256').update(name).digest('hex').slice(0, 16)}.lock`);
  for (;;) {
    try {
      writeFileSync(path, String(process.pid), { flag: 'wx' });
      return () => rmSync(path, { force: true });
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    }
    if (abandoned(path)) bury(path);
    else await wait(patience);
  }
}

/** Renaming is what only one of several waiters can do; one that took a living lock by mistake puts it back. */
function bury(path: string): void {
  const grave = `${path}.${randomUUID()}`;
  try {
    renameSync(path, grave);
    if (abandoned(grave)) rmSync(grave, { force: true });
    else renameSync(grave, path);
  } catch {
    // Another waiter was quicker.
  }
}

function abandoned(path: string): boolean {
  try {
    const pid = Number(readFileSync(path, 'utf8'));
    // Empty for the moment between creating and writing it.
    if (!Number.isInteger(pid) || pid <= 0) return false;
    process.kill(pid, 0);
    return false;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'ESRCH';
  }
}
