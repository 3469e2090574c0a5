import { type Decision, decision } from '../../decision.ts';
import type { GatewayState } from '../gateway-state.ts';
import type { GatewayOrder } from './order.ts';
import { concludePayment, refuseAuthentication } from './order-progress.ts';

/** What becomes of an order, as far as lies let others share it. */
export type Fate = 'captured' | 'voided' | 'charged back' | 'authenticated' | 'not authenticated';

type Sharing = (other: GatewayOrder, gatewayState: GatewayState) => void;

/** What becomes of the other orders on a card; honestly, nothing. */
const sharing = (rule: string, lies: Readonly<Record<string, readonly [Fate, Sharing]>>) =>
  decision({
    rule,
    honest: (_fate: Fate): Sharing | undefined => undefined,
    lies: Object.fromEntries(
      Object.entries(lies).map(([name, [when, share]]) => [name, (fate: Fate) => (fate === when ? share : undefined)]),
    ),
  });

const shared: readonly Decision<[Fate], Sharing | undefined>[] = [
  sharing('GW-CAP-02', {
    'capture-ends-the-other-authorizations-on-its-card': ['captured', endHold],
    'void-ends-the-other-authorizations-on-its-card': ['voided', endHold],
  }),
  sharing('GW-STA-04', {
    'approved-order-declined-by-the-chargeback-of-another-on-its-card': [
      'charged back',
      (other) => {
        if (other.state === 'APPROVED') other.state = 'DECLINED';
      },
    ],
  }),
  sharing('GW-TDS-26', {
    'passed-challenge-approves-the-other-orders-on-its-card': [
      'authenticated',
      (other, gatewayState) => {
        if (other.step !== undefined) concludePayment(gatewayState, other, other.card!.behaviour, 'authentication');
      },
    ],
  }),
  sharing('GW-TDS-24', {
    'failed-challenge-ends-the-other-orders-on-its-card': [
      'not authenticated',
      (other, gatewayState) => {
        if (other.step !== undefined) refuseAuthentication(gatewayState, other, 'The cardholder was not authenticated');
      },
    ],
  }),
];

function endHold(other: GatewayOrder): void {
  other.heldUntil = undefined;
}

/** Has the other orders on the card of an order share what becomes of that one, under a lie. */
export function shareFate(gatewayState: GatewayState, order: GatewayOrder, fate: Fate): void {
  const { activeLies } = gatewayState.world;
  if (activeLies.size === 0) return;
  for (const decided of shared) {
    const share = decided(activeLies, fate);
    if (share !== undefined) for (const other of othersOnCard(gatewayState, order)) share(other, gatewayState);
  }
}

/** The other orders of a requestor on the card of one, oldest first. */
export function othersOnCard({ orders }: GatewayState, { id, requestor, card }: GatewayOrder): GatewayOrder[] {
  return orders
    .of(requestor)
    .filter((one) => one.id !== id && card !== undefined && one.card?.fingerprint === card.fingerprint);
}
