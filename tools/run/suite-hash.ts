import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { listFilesBelow, listSuiteFiles, readBuiltFrom, SUITE_FOLDER } from '#folders';

/** SHA-256 over the promises, the checks, the sandbox and all that lies between them; own tests left out. A package tells that of the sources it was built from. */
export function suiteHash(): string {
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

/** The files that {@link suiteHash} is made of, from the root of the project, sorted. */
export function suiteFiles(): string[] {
  const specs = listFilesBelow('specs').filter((file) => file.endsWith('.yaml'));
  return [...specs, 'tests/collateral.yaml', ...listSuiteFiles()].sort();
}
