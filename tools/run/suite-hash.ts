import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join, relative, sep } from 'node:path';
import { nameFile, ownFiles, readBuiltFrom, SUITE_FOLDER } from '#folders';

/** What a proof speaks of: change any of it and the proof says nothing any more. */
const PROVEN = [
  'specs',
  'tests',
  'targets/embedded.yaml',
  'tools/apis.ts',
  'tools/json-pointer.ts',
  'tools/sandbox',
  'tools/harness',
  'tools/client',
  'tools/contract',
  'tools/target',
  'tools/oauth',
];

/** What lies there and changes no verdict: own tests, documents, the list of ids, and what is decided about upgrades. */
const BESIDE =
  /\.test(-support)?\.ts$|\.md$|^specs\/ids\.txt$|^tests\/(?:document-decisions|upgrade-waivers|waivers)\.yaml$/;

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
  return PROVEN.flatMap((one) => files(join(SUITE_FOLDER, one)))
    .map((path) => relative(SUITE_FOLDER, path).split(sep).join('/'))
    .filter((file) => !BESIDE.test(file))
    .sort();
}

function files(path: string): string[] {
  if (!existsSync(path)) return [];
  if (/\.\w+$/.test(path)) return [path];
  return readdirSync(path, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name));
}
