import { decision } from '../decision.ts';
import type { Call, Reply } from './call.ts';
import { findOrder } from './find-order.ts';
import { cardIdAs } from './names.ts';
import { Refusal } from './refusal.ts';

const cardIdComesBack = decision({
  rule: 'GW-REC-04',
  honest: (cardId: string | number): unknown => ({ cardId }),
  lies: {
    'card-id-missing': () => ({}),
    'card-id-empty': () => ({ cardId: '' }),
    'registration-refused': () => {
      throw new Refusal(400, -3, 'The card cannot be registered');
    },
  },
});

/**
 * recurring/register-cards: remembers the card of an approved order for its requestor.
 * @throws Refusal 400 when the order is not approved or has no card
 */
export function registerCard(call: Call): Reply {
  const order = findOrder(call);
  if (order.state !== 'APPROVED' || order.card === undefined)
    throw new Refusal(400, -29, 'Only the card of an approved order can be registered');
  const cardId = cardIdAs(call.desk.world.choices.gateway, call.desk.world.uuid());
  call.desk.orders.registered.set(String(cardId), { requestor: call.requestor, card: order.card });
  return { status: 200, body: cardIdComesBack(call.faults, cardId) };
}
