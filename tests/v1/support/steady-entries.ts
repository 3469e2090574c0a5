import { isDeepStrictEqual } from 'node:util';
import { listUuids } from '#harness';

type Entry = Readonly<Record<string, unknown>>;

/** An entry of a list, and what it shows by itself. */
export interface SteadyEntry {
  readonly listed: Entry;
  readonly read: unknown;
}

/**
 * Reads entries of a list that it shows the same before and after: what changes meanwhile says nothing of whether both agree.
 * @param list the entries as they are listed now
 * @param read one of them by itself
 * @param most how many are read at most
 */
export async function readSteadyEntries(
  list: () => Promise<readonly unknown[]>,
  read: (uuid: string) => Promise<unknown>,
  most: number,
): Promise<readonly SteadyEntry[]> {
  const before = (await list()) as readonly Entry[];
  const found = new Map<unknown, unknown>();
  for (const uuid of listUuids(before).slice(0, most)) found.set(uuid, await read(uuid));
  const after = await list();
  return before
    .filter((one) => found.has(one.uuid) && after.some((other) => isDeepStrictEqual(one, other)))
    .map((listed) => ({ listed, read: found.get(listed.uuid) }));
}
