import type { ServiceTurn } from '../service-turns.ts';

/** Balances change with every payment of the merchant, which may be booked later; a report may have it tomorrow; a fault hits the next request to it; the steps of 3-D Secure lead back to our port. */
export const GATEWAY_TURNS: readonly ServiceTurn[] = [
  { needs: ['merchant', 'manager'], isAlone: true, movesClock: true },
  { needs: ['later', 'report'], movesClock: true },
  { needs: ['gateway.fault'], isAlone: true },
  { needs: ['callback', 'card.method', 'card.challenge', 'card.pareq', 'form'], usesPort: true },
];
