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
  return hashFiles(files.map((file) => [nameFile(file), readFileSync(file)]));
}

/** SHA-256 over files in this order, each by its name and what stands in it. */
export function hashFiles(files: readonly (readonly [name: string, content: Uint8Array])[]): string {
  const hash = createHash('sha256');
  for (const [name, content] of files) hash.update(`${name}\n`).update(content).update('\n');
  return hash.digest('hex');
}

/** SHA-256 over the promises, the checks, the sandbox and all that lies between them; own tests left out. A package tells that of the sources it was built from. */
function houseHash(): string {
  const built = readBuiltFrom();
  if (built !== undefined) return built.suite.sha256;
  return hashFiles(suiteFiles().map((file) => [file, readFileSync(join(SUITE_FOLDER, file))]));
}

/** The files of the suite that {@link suiteHash} is made of, from the root of the project, sorted. */
export function suiteFiles(): string[] {
  const specs = listFilesBelow('specs').filter((file) => file.endsWith('.yaml'));
  return [...specs, 'tests/collateral.yaml', ...listSuiteFiles()].sort();
}
