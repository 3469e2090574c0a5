import { lstatSync, symlinkSync, unlinkSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { Trouble } from '#trouble';

/**
 * Points `latest` beside a run folder at it: a symbolic link, or a text file with the folder's name where links cannot be made.
 * @returns the path of the pointer
 * @throws Trouble (usage) when a real folder of that name is in the way
 */
export function pointLatest(folder: string): string {
  const pointer = join(dirname(folder), 'latest');
  const there = lstatSync(pointer, { throwIfNoEntry: false });
  if (there?.isDirectory())
    throw new Trouble('usage', 'a folder is in the way', { place: { file: pointer }, fix: 'rename it' });
  if (there) unlinkSync(pointer);
  try {
    symlinkSync(basename(folder), pointer, 'dir');
  } catch {
    writeFileSync(pointer, `${basename(folder)}\n`);
  }
  return pointer;
}
