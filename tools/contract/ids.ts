import { readFileSync, writeFileSync } from 'node:fs';
import { relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { EXIT_CODES, Trouble } from '#trouble';
import { loadContract } from './load-contract.ts';
import type { Contract } from './types.ts';

/** The list of every id that was ever given. */
export const IDS_FILE = fileURLToPath(new URL('../../specs/ids.txt', import.meta.url));

/** Ids of all rules of both sides, holes and readings, sorted. */
export function contractIds({
  rules,
  clientRules,
  holes,
  readings,
}: Pick<Contract, 'rules' | 'clientRules' | 'holes' | 'readings'>): string[] {
  return [...rules.keys(), ...clientRules.keys(), ...holes.keys(), ...readings.map(({ id }) => id)].sort();
}

/** Adds ids to the list of those given; takes none away, so that none is given twice. */
export function addIds(ids: readonly string[], file = IDS_FILE): void {
  const given = readIds(file);
  writeFileSync(file, `${[...new Set([...given, ...ids])].sort().join('\n')}\n`);
}

/**
 * Holds the list against the ids of today.
 * @throws Trouble (usage) naming the first id that is in one of them only, or out of order
 */
export function checkIds(ids: readonly string[], file = IDS_FILE): void {
  const given = readIds(file);
  const fail = (message: string, reason: string, fix: string, line?: number) => {
    throw new Trouble('usage', message, {
      place: { file: relative(process.cwd(), file), ...(line === undefined ? {} : { line }) },
      reason,
      fix,
    });
  };
  const fresh = ids.find((id) => !given.includes(id));
  if (fresh !== undefined) fail(`${fresh} is not listed`, 'it is new in the specs', 'npm run format lists it');
  const gone = given.find((id) => !ids.includes(id));
  if (gone !== undefined)
    fail(
      `${gone} is in no spec`,
      'an id that was given stays',
      'retire a rule instead of removing it',
      given.indexOf(gone) + 1,
    );
  const wrong = given.findIndex((id, i) => i > 0 && id <= given[i - 1]!);
  if (wrong >= 0)
    fail(`${given[wrong]} is out of order`, 'the list is sorted and names no id twice', 'npm run format', wrong + 1);
}

function readIds(file: string): string[] {
  return readFileSync(file, 'utf8').split('\n').filter(Boolean);
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  try {
    const ids = contractIds(loadContract());
    if (process.argv.includes('--check')) checkIds(ids);
    else addIds(ids);
  } catch (error) {
    if (!(error instanceof Trouble)) throw error;
    console.error(error.toString());
    process.exitCode = EXIT_CODES[error.outcome];
  }
}
