import type { TestInfo } from '@playwright/test';
import { readCheckAnnotations } from './check-annotations.ts';
import { readSettings } from './settings.ts';

const { seed } = readSettings();

/** What the ids and draws of a check start from: the seed of the run and the title of the check. */
export function seedOfCheck(info: TestInfo): string {
  return `${seed} ${readCheckAnnotations(info).title}`;
}
