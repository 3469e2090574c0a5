import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { listFilesBelow, listSuiteFiles, nameFile, ownFiles, readBuiltFrom, SUITE_FOLDER } from '#folders';

/**
 * SHA-256 over everything that judges: the suite, and the workspace's own rules and checks where there are any.
 */
export function suiteHash(): string {
  const own = ownHash();
  return own === undefined ? houseHash() : createHash('sha256').update(`${houseHash()}\n${own}`).digest('hex');
}

/** SHA-256 over the workspace's own rules and checks; undefined where there are none. */
export function ownHash(): string | undefined {
  const files = ownFiles();
  if (files.length === 0) return undefined;
  const hash = createHash('sha256');
  for (const file of files)
    hash
      .update(`${nameFile(file)}\n`)
      .update(readFileSync(file))
      .update('\n');
  return hash.digest('hex');
}

/** SHA-256 over the promises, the checks, the sandbox and all that lies between them; own tests left out. A package tells that of the sources it was built from. */
function houseHash(): string {
  const built = readBuiltFrom();
  if (built !== undefined) return built.suite.sha256;
  const hash = createHash('sha256');
  for (const file of suiteFiles())
    hash
      .update(`${file}\n`)
      .update(readFileSync(join(SUITE_FOLDER, file)))
      .update('\n');
  return hash.digest('hex');
}

/** The files of the suite that {@link suiteHash} is made of, from the root of the project, sorted. */
export function suiteFiles(): string[] {
  const specs = listFilesBelow('specs').filter((file) => file.endsWith('.yaml'));
  return [...specs, 'tests/collateral.yaml', ...listSuiteFiles()].sort();
}
