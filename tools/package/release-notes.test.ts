import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '@playwright/test';
import { SUITE_FOLDER } from '#folders';
import { nextRelease, readReleaseNotes } from './release-notes.ts';

const CHANGELOG = '# Changelog\n\n## Unreleased\n\n## 1.2.0 (2026-03-01)\n\n- Two.\n\n## 1.1.0\n\n- One.\n';

test('the notes of a release are the part of the changelog about its version', () => {
  expect(readReleaseNotes(CHANGELOG, '1.2.0', '1.2.0')).toBe('- Two.');
  expect(readReleaseNotes(CHANGELOG, '1.1.0', '1.1.0')).toBe('- One.');
});

test('a version that is not the one of the package, or of which nothing is said, is no release', () => {
  expect(() => readReleaseNotes(CHANGELOG, '1.2.0', '1.3.0')).toThrow('the release is 1.2.0, and the package 1.3.0');
  expect(() => readReleaseNotes(CHANGELOG, '1.3.0', '1.3.0')).toThrow('nothing is said of 1.3.0');
  expect(() => readReleaseNotes(CHANGELOG, '1.2', '1.2')).toThrow('nothing is said of 1.2');
  expect(() => readReleaseNotes(CHANGELOG, 'Unreleased', '1.2.0')).toThrow('nothing is said of Unreleased');
});

test('the changelog says what the next release will say', () => {
  const changelog = readFileSync(join(SUITE_FOLDER, 'CHANGELOG.md'), 'utf8');
  const { version } = JSON.parse(readFileSync(join(SUITE_FOLDER, 'package.json'), 'utf8')) as { version: string };
  expect(readReleaseNotes(changelog, nextRelease(changelog, version), version)).toMatch(/^- /);
  expect([nextRelease(CHANGELOG, '1.2.0'), nextRelease(CHANGELOG, '1.2')]).toEqual(['1.2.0', 'Unreleased']);
});
