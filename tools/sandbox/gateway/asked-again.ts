import { takeNote } from '../take-note.ts';
import type { GatewayCall } from './gateway-call.ts';
import type { GatewayState } from './gateway-state.ts';

const asked = new WeakMap<GatewayState, Set<string>>();
const known = new WeakMap<GatewayCall, boolean>();

/** Whether the very same request came before; only lies ask, about requests without a card. */
export function isAskedAgain(call: GatewayCall): boolean {
  const before = known.get(call);
  if (before !== undefined) return before;
  const requests = asked.get(call.gatewayState) ?? new Set();
  asked.set(call.gatewayState, requests);
  const isThere = takeNote(requests, `${call.operation} ${call.subject} ${call.raw}`);
  known.set(call, isThere);
  return isThere;
}
