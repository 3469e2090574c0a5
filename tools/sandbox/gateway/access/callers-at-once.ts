import { decideMixUp } from '../../rush.ts';
import type { GatewayCall } from '../gateway-call.ts';
import { GatewayRefusal } from '../wire/gateway-refusal.ts';

/** How long a request that is let in goes on in which others are let in beside it: by what they are refused for. */
const mixUps = {
  unknown: decideMixUp('GW-BEA-04', 'unknown-token-accepted-beside-the-right-one'),
  anothers: decideMixUp('GW-BEA-05', 'anothers-token-accepted-beside-the-right-one'),
  address: decideMixUp('GW-ADR-02', 'any-address-accepted-beside-an-allowed-one'),
  body: decideMixUp('OA-ERR-04', 'body-of-another-hash-accepted-beside-the-right-one'),
  signature: decideMixUp('OA-ERR-05', 'bad-signature-accepted-beside-a-right-one'),
};

/** What goes on: requests for one requestor or login, transfers apart. */
const nameOf = ({ operation, subject }: GatewayCall) =>
  `${operation === 'transfer' ? operation : 'request'} ${subject}`;

/**
 * Whether a request that is refused is let in for another that goes on.
 * @param problem why it is refused
 * @param isKnown whether its token is somebody's
 */
export function isLetInBeside(call: GatewayCall, problem: unknown, isKnown: boolean): boolean {
  if (!(problem instanceof GatewayRefusal) || problem.status !== 401) return false;
  const { activeLies, gatewayState } = call;
  const mixUp = {
    '-7': mixUps[isKnown ? 'anothers' : 'unknown'],
    '-20': mixUps.address,
    '-19': mixUps.body,
    '-13': mixUps.signature,
  }[String(problem.code)];
  return mixUp !== undefined && mixUp(activeLies) > 0 && gatewayState.rush.isUnderWay(nameOf(call));
}

/** Has a request that was let in go on for as long as others are let in beside it. @returns milliseconds for its answer to wait */
export function goOn(call: GatewayCall): number {
  const { activeLies, gatewayState } = call;
  if (activeLies.size === 0) return 0;
  return gatewayState.rush.begin(activeLies, nameOf(call), ...Object.values(mixUps)).lasts;
}
