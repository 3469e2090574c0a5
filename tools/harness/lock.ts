import { createHash } from 'node:crypto';
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';

/**
 * Waits until no other worker on this machine holds what `name` stands for, and takes it. A lock whose holder has died is taken over.
 * @returns gives it back
 */
export async function lock(name: string): Promise<() => void> {
  const path = join(tmpdir(), `assay-${createHash('sha256').update(name).digest('hex').slice(0, 16)}.lock`);
  for (;;) {
    try {
      writeFileSync(path, String(process.pid), { flag: 'wx' });
      return () => rmSync(path, { force: true });
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    }
    if (abandoned(path)) rmSync(path, { force: true });
    else await wait(50);
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
