import type { Call, Reply } from './call.ts';
import type { Order } from './order.ts';
import { announce } from './progress.ts';
import { Refusal } from './refusal.ts';
import { showOrder } from './show-order.ts';

/**
 * Refuses a capture or a reversal. The document promises the effect, not the form: a 400 will do as well as a state that says so.
 * @param what.state the state to say, where the document does promise one
 * @throws Refusal 400 where that is the service's way
 */
export function turnDown(
  call: Call,
  order: Order,
  what: {
    type: 'CAPTURE' | 'REVERSAL';
    amount: number;
    code: number;
    message: string;
    state?: 'DECLINED' | 'ERROR' | undefined;
  },
): Reply {
  const { desk } = call;
  const { refusal, refusedOperations, stateAfterRefusal } = desk.world.choices.gateway;
  const { type, amount, code, message } = what;
  const state = what.state ?? refusal;
  if (state === '400') throw new Refusal(400, -30, message);
  const created = desk.world.clock.now();
  if (refusedOperations === 'listed')
    order.transactions.push({
      type,
      status: state,
      amount,
      created,
      ...(type === 'REVERSAL' ? { reversalType: 'REFUND' } : {}),
    });
  const occasion = type === 'CAPTURE' ? 'capture' : 'reversal';
  if (stateAfterRefusal === 'of the refusal' && order.transactions.length > 0) {
    order.state = state;
    order.stamped = created;
    announce(desk, order, occasion);
  }
  return { status: 200, body: showOrder(desk, order, { in: occasion, refused: { state, code, message } }) };
}
