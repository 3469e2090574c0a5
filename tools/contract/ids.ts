import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { loadContract } from './load-contract.ts';
import type { Contract } from './types.ts';

/** The list of every id that was ever given. */
export const IDS_FILE = fileURLToPath(new URL('../../specs/ids.txt', import.meta.url));

/** Ids of all rules, holes and readings, sorted. */
export function contractIds({ rules, holes, readings }: Pick<Contract, 'rules' | 'holes' | 'readings'>): string[] {
  return [...rules.keys(), ...holes.keys(), ...readings.map(({ id }) => id)].sort();
}

/** Adds ids to the list of those given; takes none away. */
export function addIds(ids: readonly string[], file = IDS_FILE): void {
  const given = readFileSync(file, 'utf8').split('\n').filter(Boolean);
  writeFileSync(file, `${[...new Set([...given, ...ids])].sort().join('\n')}\n`);
}

if (process.argv[1] === fileURLToPath(import.meta.url)) addIds(contractIds(loadContract()));
