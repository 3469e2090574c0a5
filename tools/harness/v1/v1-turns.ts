import type { ServiceTurn } from '../service-turns.ts';

/** A user has one webhook configuration, and where events are sent to stands in it; a limit that is used up and a fault hit all that ask it. */
export const V1_TURNS: readonly ServiceTurn[] = [
  { areas: ['V1-WHK', 'V1-EVT'], shared: 'webhook configuration' },
  { areas: ['V1-EVT'], movesClock: true },
  { needs: ['v1.user'], shared: 'newcomer' },
  { needs: ['exhaustion', 'v1.fault'], isAlone: true },
  { needs: ['receiver', 'trigger'], usesPort: true },
];
