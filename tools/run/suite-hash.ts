import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join, relative, sep } from 'node:path';
import { PROJECT_FOLDER } from './play-checks.ts';

/** What a proof speaks of: change any of it and the proof says nothing any more. */
const PROVEN = [
  'specs',
  'tests',
  'targets/embedded.yaml',
  'tools/apis.ts',
  'tools/sandbox',
  'tools/harness',
  'tools/client',
  'tools/contract',
  'tools/target',
  'tools/oauth',
];

/** SHA-256 over the promises, the checks, the sandbox and all that lies between them; own tests left out. */
export function suiteHash(): string {
  const hash = createHash('sha256');
  for (const file of PROVEN.flatMap((one) => files(join(PROJECT_FOLDER, one))).sort()) {
    if (/\.test(-support)?\.ts$|\.md$/.test(file)) continue;
    hash
      .update(`${relative(PROJECT_FOLDER, file).split(sep).join('/')}\n`)
      .update(readFileSync(file))
      .update('\n');
  }
  return hash.digest('hex');
}

function files(path: string): string[] {
  if (!existsSync(path)) return [];
  if (/\.\w+$/.test(path)) return [path];
  return readdirSync(path, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name));
}
