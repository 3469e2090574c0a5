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

/** What a request that is refused is told: honestly of itself, under a lie of one that is refused at the same moment. */
export function tellRefusal(own: RefusedRequest, { rush, world: { activeLies } }: GatewayState): ToldRefusal {
  const id = rush.lend(activeLies, 'correlation id of a refusal', lendsItsId, own.correlation);
  const cause = rush.lend(activeLies, 'cause of a refusal', lendsItsCause, own.problem);
  return { lasts: Math.max(id.lasts, cause.lasts), refused: { problem: cause.value, correlation: id.value } };
}
