import type { Api, Contract } from '#contract';
import type { Encounter } from './encounter.ts';
import { readTraffic } from './read-traffic.ts';
import { ENCOUNTERS } from './services.ts';
import type { Traffic } from './traffic.ts';

/** Something that a client can meet, and where it did. */
export interface EncounterResult extends Pick<Encounter, 'group' | 'name' | 'bring'> {
  readonly api: Api;
  /** Positions of the exchanges. */
  readonly met: readonly number[];
}

/** Everything that a client of the services in this traffic can meet, met or not. */
export function listEncounters(contract: Contract, traffic: Traffic): EncounterResult[] {
  const read = readTraffic(contract, traffic);
  const used = new Set(traffic.exchanges.map(({ api }) => api));
  return ENCOUNTERS.filter(([api]) => used.has(api)).flatMap(([api, encounters]) =>
    encounters.map(({ group, name, bring, find }) => ({
      api,
      group,
      name,
      bring,
      met: find(read).map(({ index }) => index),
    })),
  );
}
