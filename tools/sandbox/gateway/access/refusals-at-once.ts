import { decideMixUp } from '../../rush.ts';
import type { GatewayState } from '../gateway-state.ts';

/** A request that is refused: why, and the correlation id that its answer has. */
export interface RefusedRequest {
  readonly problem: unknown;
  readonly correlation: string;
}

/** What a refusal is told as, and for how many milliseconds its answer waits. */
export interface ToldRefusal {
  readonly refused: RefusedRequest;
  readonly lasts: number;
}

/** How many milliseconds a refusal goes on in which others have its correlation id. */
const lendsItsId = decideMixUp('GW-ERR-10', 'errors-at-once-share-a-correlation-id');

/** The same in which others are told of its cause. */
const lendsItsCause = decideMixUp('GW-ERR-04', 'refusals-at-once-told-of-one-cause');

/** Makes what tells requests that are refused at once apart: honestly each is told of itself, under a lie of the one before. */
export function createRefusalTeller(): (own: RefusedRequest, gatewayState: GatewayState) => ToldRefusal {
  let last: RefusedRequest | undefined;
  return (own, { rush, world: { activeLies } }) => {
    const { lasts, isAtOnce } = rush.begin(activeLies, 'refusal', lendsItsId, lendsItsCause);
    const beside = isAtOnce ? (last ?? own) : own;
    last = own;
    return {
      lasts,
      refused: {
        problem: (lendsItsCause(activeLies) > 0 ? beside : own).problem,
        correlation: (lendsItsId(activeLies) > 0 ? beside : own).correlation,
      },
    };
  };
}
