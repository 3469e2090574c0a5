import { decideMixUp, type MixUp } from '../../rush.ts';
import type { GatewayCall } from '../gateway-call.ts';
import type { AdmissionProblem, GatewayRefusal } from '../wire/gateway-refusal.ts';

/** How long a request that is let in goes on in which others are let in beside it: by why those are refused. */
const mixUps: Partial<Record<AdmissionProblem, MixUp>> = {
  'unknown token': decideMixUp('GW-BEA-04', 'unknown-token-accepted-beside-the-right-one'),
  'other requestor': decideMixUp('GW-BEA-05', 'anothers-token-accepted-beside-the-right-one'),
  'other address': decideMixUp('GW-ADR-02', 'any-address-accepted-beside-an-allowed-one'),
  'other body': decideMixUp('OA-ERR-04', 'body-of-another-hash-accepted-beside-the-right-one'),
  'wrong signature': decideMixUp('OA-ERR-05', 'bad-signature-accepted-beside-a-right-one'),
};

/** What goes on: requests for one requestor or login, transfers apart. */
const nameOf = ({ operation, subject }: GatewayCall) =>
  `${operation === 'transfer' ? operation : 'request'} ${subject}`;

/**
 * Whether a request that is refused is let in for another that goes on.
 * @param problem why it is refused
 */
export function isLetInBeside(call: GatewayCall, { reason }: GatewayRefusal): boolean {
  const { activeLies, gatewayState } = call;
  const mixUp = reason && mixUps[reason];
  return mixUp !== undefined && mixUp(activeLies) > 0 && gatewayState.rush.isUnderWay(nameOf(call));
}

/** Has a request that was let in go on for as long as others are let in beside it. @returns milliseconds for its answer to wait */
export function goOn(call: GatewayCall): number {
  const { activeLies, gatewayState } = call;
  if (activeLies.size === 0) return 0;
  return gatewayState.rush.begin(activeLies, nameOf(call), ...Object.values(mixUps)).lasts;
}
