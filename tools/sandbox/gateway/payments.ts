import { decision } from '../decision.ts';
import type { Call, Reply } from './call.ts';
import { readAmount } from './money.ts';
import { needPart, openOrder } from './open-order.ts';
import type { Kind, Order } from './order.ts';
import { isFinal } from './order.ts';
import { payingCard } from './paying-card.ts';
import { begin, move, settle } from './progress.ts';
import { Refusal } from './refusal.ts';
import { showOrder } from './show-order.ts';

const declineIsAnAnswer = decision({
  rule: 'GW-STA-01',
  honest: (_order: Order) => true,
  lies: { 'declined-as-400': (order) => order.state !== 'DECLINED' },
});

const failureIsAnAnswer = decision({
  rule: 'GW-STA-02',
  honest: (_order: Order) => true,
  lies: { 'error-as-500': (order) => order.state !== 'ERROR' },
});

const filterIsAnAnswer = decision({
  rule: 'GW-STA-03',
  honest: (_order: Order) => true,
  lies: { 'filtered-as-400': (order) => order.state !== 'FILTERED' },
});

const pendingIsAnAnswer = decision({
  rule: 'GW-GEN-04',
  honest: (_order: Order) => true,
  lies: { 'pending-sale-as-500': (order) => isFinal(order.state) || order.step !== undefined },
});

const pendingStatus = decision({
  rule: 'GW-GEN-03',
  honest: (_order: Order) => 200,
  lies: { 'pending-sale-answered-202': (order) => (isFinal(order.state) ? 200 : 202) },
});

/** sale, auth, account-verification: one payment with a card. */
export function pay(kind: Kind): (call: Call) => Reply {
  return (call) => {
    if (kind !== 'AUTH') needPart(call, 'browser');
    needPart(call, 'order');
    const { card, behaviour } = payingCard(call);
    const order = openOrder(call, kind);
    order.card = card;
    begin(call.desk, order, behaviour);
    order.first = order.state;
    return answer(call, order);
  };
}

/** transfer: money goes out; reserved until it is final. */
export function transfer(call: Call): Reply {
  const { desk } = call;
  const order = openOrder(call, 'TRANSFER');
  order.transactions.push({
    type: 'TRANSFER',
    status: 'PROCESSING',
    amount: order.amount,
    created: desk.world.clock.now(),
  });
  desk.balances.reserve(order.merchant, order.currency, order.amount);
  move(desk, order, 'PROCESSING');
  const { transferAfter } = desk.world.choices.gateway;
  const end = () => settle(desk, order, 'APPROVED', 'outcome');
  if (transferAfter === 0) end();
  else desk.world.clock.after(transferAfter, end);
  return { status: 200, body: showOrder(desk, order, { in: call.operation }) };
}

function answer(call: Call, order: Order): Reply {
  const { faults, desk } = call;
  if (!declineIsAnAnswer(faults, order)) throw new Refusal(400, 105, 'Declined by the issuer');
  if (!failureIsAnAnswer(faults, order)) throw new Refusal(500, 196, 'The payment could not be processed');
  if (!filterIsAnAnswer(faults, order)) throw new Refusal(400, 301, 'Stopped by a filter of the requestor');
  if (!pendingIsAnAnswer(faults, order)) throw new Refusal(500, 197, 'The payment is not final');
  return { status: pendingStatus(faults, order), body: showOrder(desk, order, { in: call.operation }) };
}

/** An amount in a request about an order, else what goes without saying. */
export function amountIn(call: Call, name: string, order: Order): number | undefined {
  const value = call.body[name];
  return value === undefined || value === null || value === ''
    ? undefined
    : (readAmount(value, order.currency) ?? Number.NaN);
}
