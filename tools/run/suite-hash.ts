import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join, relative, sep } from 'node:path';
import { readBuiltFrom, SUITE_FOLDER } from '#folders';

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
