import type { TestInfo } from '@playwright/test';
import { readCheckAnnotations } from './check-annotations.ts';
import { readSettings } from './settings.ts';

const { seed } = readSettings();

/** What the ids and draws of a check start from: the seed of the run, and file and title, as checks of two files may have one title. */
export function seedOfCheck(info: Pick<TestInfo, 'title' | 'annotations'>): string {
  const { file, title } = readCheckAnnotations(info);
  return [seed, file, title].join(' ');
}
