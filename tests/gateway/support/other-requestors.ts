import { type ApiReply, expect, type PlacedOrder, type Target } from '#harness';
import { OTHER_REQUESTORS } from './payment-ways.ts';

/**
 * Sends requests that are in order for each other requestor of the target: whether they are open to that one is its own affair, but they
 * are no reason to fail.
 * @param id rule about the answers
 * @param ask sends them; the answer to the last one is looked at, if any was sent
 */
export async function expectNoFailure(
  id: string,
  target: Target,
  ask: (requestor: PlacedOrder['requestor']) => Promise<ApiReply | undefined>,
): Promise<void> {
  for (const [name] of OTHER_REQUESTORS) {
    const requestor = target.gateway!.requestors[name];
    const reply = requestor && (await ask(requestor));
    if (reply !== undefined) expect(reply, id).not.toAnswer(500);
  }
}
