import { takeNote } from '../take-note.ts';
import type { GatewayCall } from './gateway-call.ts';
import type { GatewayState } from './gateway-state.ts';

/** Whether the very same request came before; only lies ask, about requests without a card. */
export const isAskedAgain = comesAgain(({ operation, subject, raw }) => `${operation} ${subject} ${raw}`);

/** Whether a request that is not admitted was not admitted before, as it is; only lies ask. */
export const isRefusedAgain = comesAgain(({ url, headers, raw }) =>
  [url, headers.authorization, headers['x-forwarded-for'], headers['x-real-ip'], raw].join(' '),
);

/** Tells whether the like of a call was asked about before; of one call it says the same each time. */
function comesAgain(write: (call: GatewayCall) => string): (call: GatewayCall) => boolean {
  const notes = new WeakMap<GatewayState, Set<string>>();
  const answers = new WeakMap<GatewayCall, boolean>();
  return (call) => {
    const own = notes.get(call.gatewayState) ?? new Set();
    notes.set(call.gatewayState, own);
    const answer = answers.get(call) ?? takeNote(own, write(call));
    answers.set(call, answer);
    return answer;
  };
}
