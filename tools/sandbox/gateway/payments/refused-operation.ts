import { decision } from '../../decision.ts';
import type { GatewayCall } from '../gateway-call.ts';
import type { GatewayReply } from '../gateway-reply.ts';
import { type GatewayOrder, isFinalState } from '../orders/order.ts';
import { announceChange } from '../orders/order-progress.ts';
import { buildStatusResponse } from '../orders/status-response.ts';
import { GatewayRefusal } from '../wire/gateway-refusal.ts';

const refusedStatus = decision({
  rule: 'GW-GEN-03',
  honest: (_type: 'CAPTURE' | 'REVERSAL') => 200,
  lies: {
    'refused-capture-answered-409': (type) => (type === 'CAPTURE' ? 409 : 200),
    'refused-reversal-answered-422': (type) => (type === 'REVERSAL' ? 422 : 200),
  },
});

/** What a refused operation books on the merchant's balance, in minor units. */
const refusalMovesNothing = decision({
  rule: 'GW-BAL-05',
  honest: (_type: 'CAPTURE' | 'REVERSAL', _order: GatewayOrder, _amount: number) => 0,
  lies: {
    'refused-capture-of-a-sale-booked': (type, { kind }, amount) =>
      type === 'CAPTURE' && kind === 'SALE' ? amount : 0,
    'refused-capture-of-a-verification-booked': (type, { kind }, amount) =>
      type === 'CAPTURE' && kind === 'ACCOUNT_VERIFICATION' ? amount : 0,
    'refused-reversal-of-an-authorization-debited': (type, { kind }, amount) =>
      type === 'REVERSAL' && kind === 'AUTH' ? -amount : 0,
    'refused-reversal-after-a-chargeback-debited': (type, { chargedBack }, amount) =>
      type === 'REVERSAL' && chargedBack ? -amount : 0,
    'refused-reversal-of-a-declined-payment-debited': (type, { state }, amount) =>
      type === 'REVERSAL' && state === 'DECLINED' ? -amount : 0,
  },
});

/**
 * Refuses a capture or a reversal. The document promises the effect, not the form: a 400 will do as well as a state that says so.
 * @param what.state the state to say, where the document does promise one
 * @throws Refusal 400 where that is the service's way
 */
export function refuseOperation(
  call: GatewayCall,
  order: GatewayOrder,
  what: {
    type: 'CAPTURE' | 'REVERSAL';
    amount: number;
    code: number;
    message: string;
    state?: 'DECLINED' | 'ERROR' | undefined;
  },
): GatewayReply {
  const { gatewayState } = call;
  const { refusal, refusedOperations, stateAfterRefusal } = gatewayState.world.choices;
  const { type, amount, code, message } = what;
  const state = what.state ?? refusal;
  const moved = refusalMovesNothing(call.activeLies, type, order, amount);
  if (moved > 0) gatewayState.balances.credit(order.merchant, order.currency, moved);
  else if (moved < 0) gatewayState.balances.debit(order.merchant, order.currency, -moved);
  if (state === '400') throw new GatewayRefusal(400, -30, message);
  const created = gatewayState.world.clock.now();
  if (refusedOperations === 'listed')
    order.transactions.push({
      type,
      status: state,
      amount,
      created,
      ...(type === 'REVERSAL' ? { reversalType: 'REFUND' } : {}),
    });
  const occasion = type === 'CAPTURE' ? 'capture' : 'reversal';
  // A payment that is under way goes on.
  if (stateAfterRefusal === 'of the refusal' && order.transactions.length > 0 && isFinalState(order.state)) {
    order.state = state;
    order.changedAt = created;
    announceChange(gatewayState, order, occasion);
  }
  return {
    status: refusedStatus(call.activeLies, type),
    body: buildStatusResponse(gatewayState, order, { in: occasion, refused: { state, code, message } }),
  };
}
