import { createHash } from 'node:crypto';

/** Stable id of a check: eight hex digits of file and title. */
export function checkId(file: string, title: string): string {
  return createHash('sha256').update(`${file}\n${title}`).digest('hex').slice(0, 8);
}
