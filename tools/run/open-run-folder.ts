import { existsSync, mkdirSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { JOURNAL } from '#evidence';
import { Trouble } from '#trouble';

/**
 * Makes a folder for a run, with those above it.
 * @returns its absolute path
 * @throws Trouble (usage) when a run lies there: nothing recorded is written over
 */
export function openRunFolder(path: string): string {
  const folder = resolve(path);
  if (existsSync(join(folder, JOURNAL)))
    throw new Trouble('usage', `${folder} already holds a run`, { fix: 'name another folder with --out' });
  mkdirSync(folder, { recursive: true });
  return folder;
}
