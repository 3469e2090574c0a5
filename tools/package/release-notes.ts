/**
 * What a release says of itself: the part of CHANGELOG.md about its version. `npx tsx tools/package/release-notes.ts 1.2.3` prints it,
 * without a version that of the next release.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { SUITE_FOLDER } from '#folders';
import { EXIT_CODES, Trouble } from '#trouble';

/**
 * The notes of a version.
 * @param changelog with a heading `## VERSION` for each, with or without a day behind it
 * @param packaged the version that package.json names
 * @throws Trouble (usage) when the versions differ, or the changelog says nothing of it
 */
export function readReleaseNotes(changelog: string, version: string, packaged: string): string {
  const place = { file: 'CHANGELOG.md' };
  if (version !== 'Unreleased' && version !== packaged)
    throw new Trouble('usage', `the release is ${version}, and the package ${packaged}`, {
      place: { file: 'package.json' },
      fix: 'npm version sets both, the number and the tag',
    });
  const [, notes] = changelog.split(new RegExp(`^## ${version.replaceAll('.', '\\.')}(?: .*)?$`, 'm'));
  if (notes === undefined)
    throw new Trouble('usage', `nothing is said of ${version}`, { place, fix: `rename Unreleased to ${version}` });
  const text = notes.split(/^## /m)[0]!.trim();
  if (text === '') throw new Trouble('usage', `nothing is said of ${version}`, { place, fix: 'say what changed' });
  return text;
}

/** What a release of today would be called in the changelog. */
export function nextRelease(changelog: string, packaged: string): string {
  return new RegExp(`^## ${packaged.replaceAll('.', '\\.')}(?: .*)?$`, 'm').test(changelog) ? packaged : 'Unreleased';
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  try {
    const read = (name: string) => readFileSync(join(SUITE_FOLDER, name), 'utf8');
    const [changelog, { version }] = [read('CHANGELOG.md'), JSON.parse(read('package.json')) as { version: string }];
    const wanted = process.argv[2] || nextRelease(changelog, version);
    console.log(readReleaseNotes(changelog, wanted.replace(/^v/, ''), version));
  } catch (error) {
    if (!(error instanceof Trouble)) throw error;
    console.error(error.toString());
    process.exitCode = EXIT_CODES[error.outcome];
  }
}
