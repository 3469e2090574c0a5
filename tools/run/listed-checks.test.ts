import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '@playwright/test';
import { SUITE_FOLDER } from '#folders';
import { listChecks } from './listed-checks.ts';

test('every check is named by the source that it stands in, and by a line of it, whoever declares it', () => {
  const checks = listChecks('checks');
  const lines = new Map<string, readonly string[]>();
  const misplaced = checks.filter(({ file, line }) => {
    if (!/^tests\/\w+\/(?:[\w-]+\/)?[\w-]+\.spec\.ts$/.test(file)) return true;
    if (!lines.has(file)) lines.set(file, readFileSync(join(SUITE_FOLDER, file), 'utf8').split('\n'));
    return !/\b(?:test|rule|declare\w+)\(/.test(lines.get(file)![line - 1] ?? '');
  });
  expect(misplaced.map(({ title, file, line }) => `${file}:${line} ${title}`)).toEqual([]);
  expect(checks.filter(({ rules }) => rules.length === 0).length).toBeGreaterThan(80);
});
