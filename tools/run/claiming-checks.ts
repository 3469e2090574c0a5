import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { APIS, RULE_PREFIXES } from '#apis';

/** A check as it stands in a test file. */
export interface ClaimingCheck {
  readonly title: string;
  /** Test file and line, from the root of the project. */
  readonly place: string;
}

/** A rule id that stands by itself. */
const ROW = new RegExp(`'((?:${RULE_PREFIXES.join('|')})-[A-Z0-9]{3}-\\d{2})'`, 'g');
const TESTS = fileURLToPath(new URL('../../tests', import.meta.url));
let known: ReadonlyMap<string, ClaimingCheck[]> | undefined;

/** Checks that claim a rule, found in the text of the test files. */
export function checksClaiming(id: string): readonly ClaimingCheck[] {
  known ??= read();
  return known.get(id) ?? [];
}

function read(): ReadonlyMap<string, ClaimingCheck[]> {
  const found = new Map<string, ClaimingCheck[]>();
  for (const folder of APIS.flatMap(({ testFolders }) => testFolders).filter((name) => existsSync(join(TESTS, name)))) {
    for (const file of readdirSync(join(TESTS, folder)).filter((name) => name.endsWith('.spec.ts'))) {
      const text = readFileSync(join(TESTS, folder, file), 'utf8');
      for (const match of text.matchAll(/test\(\s*(['"`])((?:\\.|(?!\1).)*)\1,\s*rule\(([^)]*)\)/g)) {
        const place = `tests/${folder}/${file}:${text.slice(0, match.index).split('\n').length}`;
        for (const [, id] of match[3]!.matchAll(/['"`]([A-Z0-9]+-[A-Z0-9]+-\d+)['"`]/g))
          found.set(id!, [...(found.get(id!) ?? []), { title: match[2]!, place }]);
      }
      // Checks made from a table: the id stands in a row of it.
      for (const match of text.matchAll(ROW)) {
        const place = `tests/${folder}/${file}:${text.slice(0, match.index).split('\n').length}`;
        if (!found.has(match[1]!)) found.set(match[1]!, [{ title: 'a row of a table of checks', place }]);
      }
    }
  }
  return found;
}
