import { decision, type Faults } from '../decision.ts';
import type { Call, Reply } from './call.ts';
import { findOrder } from './find-order.ts';
import { type Order, sumOf, type Transaction } from './order.ts';
import { amountIn } from './payments.ts';
import { announce, capturable, book as enter } from './progress.ts';
import { invalid } from './refusal.ts';
import { showOrder } from './show-order.ts';
import { turnDown } from './turn-down.ts';

const isCarriedOut = decision({
  rule: 'GW-CAP-02',
  honest: (_order: Order) => true,
  lies: { 'capture-of-authorization-declined': () => false },
});

const counts = decision({
  rule: 'GW-CAP-02',
  honest: (amount: number) => amount,
  lies: { 'capture-charges-nothing': () => 0 },
});

const whole = decision({
  rule: 'GW-CAP-03',
  honest: (order: Order): number | undefined => order.amount,
  lies: {
    'capture-without-amount-takes-half': (order) => Math.floor(order.amount / 2),
    'capture-without-amount-leaves-a-cent': (order) => order.amount - 1,
    'capture-without-amount-refused': () => undefined,
  },
});

const partial = decision({
  rule: 'GW-CAP-04',
  honest: (asked: number, _order: Order): number | undefined => asked,
  lies: {
    'partial-capture-takes-all': (asked, order) => Math.max(asked, order.amount),
    'partial-capture-declined': (asked, order) => (asked < order.amount ? undefined : asked),
  },
});

const fits = decision({
  rule: 'GW-CAP-05',
  honest: (asked: number, left: number) => asked <= left,
  lies: {
    'capture-above-authorized': () => true,
    'capture-one-cent-above': (asked, left) => asked <= left + 1,
  },
});

const lapsed = decision({
  rule: 'GW-CAP-08',
  honest: (): 'declined' | 'carried out' | 'bad request' | 'error' => 'declined',
  lies: {
    'lapsed-authorization-captured': () => 'carried out',
    'lapsed-capture-as-400': () => 'bad request',
    'lapsed-capture-as-error': () => 'error',
  },
});

const byMerchantId = decision({
  rule: 'GW-CAP-07',
  honest: (_call: Call) => true,
  lies: { 'capture-ignores-merchant-id': (call) => call.body['orderSystemId'] !== undefined },
});

const bySystemId = decision({
  rule: 'GW-CAP-06',
  honest: (_call: Call) => true,
  lies: { 'capture-needs-merchant-id': (call) => call.body['orderMerchantId'] !== undefined },
});

/** capture: charges what an authorization blocked, whole or in part. */
export function capture(call: Call): Reply {
  const { desk, faults } = call;
  if (!byMerchantId(faults, call)) throw invalid('orderSystemId');
  if (!bySystemId(faults, call)) throw invalid('orderMerchantId');
  const order = findOrder(call);
  const asked = amountIn(call, 'captureAmount', order);
  if (Number.isNaN(asked) || asked === 0) throw invalid('captureAmount');
  if (order.kind === 'ACCOUNT_VERIFICATION' && verificationHoldsMoney(faults, order))
    return book(call, order, asked ?? 100);
  if (order.kind !== 'AUTH' || order.heldUntil === undefined || order.voided)
    return refuse(call, order, 'There is no authorization to capture');
  const isLapsed = desk.world.clock.now() >= order.heldUntil;
  if (isLapsed) {
    const said = lapsed(faults);
    if (said === 'bad request') throw invalid('orderSystemId', 'The authorization has lapsed');
    if (said !== 'carried out')
      return refuse(call, order, 'The authorization has lapsed', said === 'error' ? 'ERROR' : 'DECLINED');
  }
  const amount = asked === undefined ? whole(faults, order) : partial(faults, asked, order);
  const left = isLapsed ? order.amount - sumOf(order, 'CAPTURE') : capturable(desk, order);
  if (amount === undefined || !isCarriedOut(faults, order)) return refuse(call, order, 'Declined by the issuer');
  if (desk.world.choices.gateway.captures === 'one' && sumOf(order, 'CAPTURE') > 0)
    return refuse(call, order, 'The authorization was captured before');
  if (!fits(faults, amount, left)) return refuse(call, order, 'captureAmount is above the authorized amount');
  return book(call, order, amount);
}

const holdsMoney = decision({
  rule: 'GW-VER-05',
  honest: () => false,
  lies: { 'verification-can-be-captured': () => true },
});

function verificationHoldsMoney(faults: Faults, order: Order): boolean {
  return holdsMoney(faults) && order.state === 'APPROVED';
}

function book(call: Call, order: Order, amount: number): Reply {
  const { desk, faults } = call;
  const booked = counts(faults, amount);
  const { clock, choices } = desk.world;
  const made: Transaction = { type: 'CAPTURE', status: 'PROCESSING', amount: booked, created: clock.now() };
  order.transactions.push(made);
  const end = () => {
    made.status = 'APPROVED';
    order.state = 'APPROVED';
    order.stamped = clock.now();
    enter(desk, order, booked);
    announce(desk, order, 'capture');
  };
  if (choices.gateway.followUpAfter === 0) end();
  else {
    order.state = 'PROCESSING';
    order.stamped = clock.now();
    clock.after(choices.gateway.followUpAfter, end);
  }
  return { status: 200, body: showOrder(desk, order, { in: 'capture' }) };
}

function refuse(call: Call, order: Order, message: string, state?: 'DECLINED' | 'ERROR'): Reply {
  const amount = amountIn(call, 'captureAmount', order) ?? order.amount;
  return turnDown(call, order, { type: 'CAPTURE', amount, code: 114, message, state });
}
