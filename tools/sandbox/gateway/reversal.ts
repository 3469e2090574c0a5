import { decision } from '../decision.ts';
import type { Call, Reply } from './call.ts';
import { text } from './fields.ts';
import { findOrder, findWithoutSystemId } from './find-order.ts';
import { capturedOf, type Order, sumOf, type Transaction } from './order.ts';
import { amountIn } from './payments.ts';
import { announce, capturable } from './progress.ts';
import { invalid } from './refusal.ts';
import { showOrder } from './show-order.ts';
import { turnDown } from './turn-down.ts';

const needsSystemId = decision({
  rule: 'GW-REV-08',
  honest: () => true,
  lies: { 'reversal-without-system-id-taken': () => false },
});

const needsReason = decision({
  rule: 'GW-REV-09',
  honest: () => true,
  lies: { 'reversal-without-reason-taken': () => false },
});

const saleIsCaptured = decision({
  rule: 'GW-SAL-02',
  honest: (_order: Order) => true,
  lies: { 'sale-captures-nothing': (order) => order.kind !== 'SALE' },
});

const voids = decision({
  rule: 'GW-REV-02',
  honest: (): 'carried out' | 'refused' | 'ignored' => 'carried out',
  lies: { 'void-declined': () => 'refused', 'void-leaves-the-hold': () => 'ignored' },
});

const refunds = decision({
  rule: 'GW-REV-03',
  honest: (): 'carried out' | 'refused' | 'ignored' => 'carried out',
  lies: { 'refund-declined': () => 'refused', 'refund-not-recorded': () => 'ignored' },
});

const everything = decision({
  rule: 'GW-REV-04',
  honest: (left: number): number | undefined => left,
  lies: {
    'full-reversal-takes-half': (left) => Math.floor(left / 2),
    'full-reversal-leaves-a-cent': (left) => left - 1,
    'reversal-without-amount-refused': () => undefined,
  },
});

const series = decision({
  rule: 'GW-REV-05',
  honest: (_earlier: number, _asked: number, _left: number) => true,
  lies: {
    'second-reversal-declined': (earlier) => earlier === 0,
    'third-reversal-declined': (earlier) => earlier < 2,
    'last-partial-reversal-declined': (earlier, asked, left) => earlier === 0 || asked < left,
  },
});

const fits = decision({
  rule: 'GW-REV-06',
  honest: (asked: number, left: number, _captured: number) => asked <= left,
  lies: {
    'reversals-without-limit': () => true,
    'reversal-one-cent-above': (asked, left) => asked <= left + 1,
    'reversals-limited-one-by-one': (asked, _left, captured) => asked <= captured,
  },
});

const endsAtOnce = decision({
  rule: 'GW-REV-07',
  honest: (_kind: string | undefined): 'APPROVED' | 'PROCESSING' => 'APPROVED',
  lies: { 'refund-stays-processing': (kind) => (kind === 'REFUND' ? 'PROCESSING' : 'APPROVED') },
});

/** reversal: a void while nothing was captured, a refund afterwards. */
export function reversal(call: Call): Reply {
  const { desk, faults, body } = call;
  const reason = text(body['reversalReason']);
  if (reason === undefined && needsReason(faults)) throw invalid('reversalReason');
  const order =
    text(body['orderSystemId']) === undefined && !needsSystemId(faults) ? findWithoutSystemId(call) : bySystemId(call);
  const asked = amountIn(call, 'reversalAmount', order);
  if (Number.isNaN(asked) || asked === 0) throw invalid('reversalAmount');
  const captured = saleIsCaptured(faults, order) ? capturedOf(order) : 0;
  const nothingCaptured = captured === 0 && order.kind === 'AUTH';
  if (nothingCaptured) {
    const held = capturable(desk, order);
    if (held === 0 || (asked !== undefined && asked !== held))
      return refuse(call, order, 'There is nothing captured to reverse');
    const outcome = voids(faults);
    if (outcome === 'refused') return refuse(call, order, 'Declined by the issuer');
    if (outcome === 'carried out') order.voided = true;
    return book(call, order, { kind: 'VOID', amount: held, reason });
  }
  const left = captured - sumOf(order, 'REVERSAL') - sumOf(order, 'CHARGEBACK');
  const earlier = order.transactions.filter((one) => one.type === 'REVERSAL' && one.status === 'APPROVED').length;
  const amount = asked ?? everything(faults, left);
  if (amount === undefined || amount <= 0 || captured === 0)
    return refuse(call, order, 'There is nothing left to reverse');
  if (!fits(faults, amount, left, captured))
    return refuse(call, order, 'The reversals would exceed the captured amount');
  if (amount <= left && !series(faults, earlier, amount, left)) return refuse(call, order, 'Declined by the issuer');
  const outcome = refunds(faults);
  if (outcome === 'refused') return refuse(call, order, 'Declined by the issuer');
  if (outcome === 'ignored') return { status: 200, body: showOrder(desk, order, { in: 'reversal' }) };
  return book(call, order, { kind: 'REFUND', amount, reason });
}

function bySystemId(call: Call): Order {
  if (text(call.body['orderSystemId']) === undefined) throw invalid('orderSystemId');
  return findOrder(call);
}

function book(
  call: Call,
  order: Order,
  what: { kind: 'VOID' | 'REFUND'; amount: number; reason: string | undefined },
): Reply {
  const { desk, faults } = call;
  const { clock } = desk.world;
  const status = endsAtOnce(faults, what.kind);
  const { followUpAfter } = desk.world.choices.gateway;
  const slow = followUpAfter > 0 || (order.card?.behaviour.via !== undefined && what.kind === 'REFUND');
  const transaction: Transaction = {
    type: 'REVERSAL',
    status: slow ? 'PROCESSING' : status,
    amount: what.amount,
    created: clock.now(),
    reversalType: what.kind,
    ...(what.reason !== undefined && { reason: what.reason }),
  };
  order.transactions.push(transaction);
  const { merchant, currency } = order;
  if (what.kind === 'REFUND') desk.balances.reserve(merchant, currency, what.amount);
  const end = () => {
    transaction.status = status;
    order.state = status;
    order.stamped = clock.now();
    if (what.kind === 'REFUND' && status === 'APPROVED') desk.balances.release(merchant, currency, what.amount, true);
    announce(desk, order, 'reversal');
  };
  if (slow) {
    order.state = 'PROCESSING';
    order.stamped = clock.now();
    clock.after(followUpAfter || 3, end);
  } else end();
  return { status: 200, body: showOrder(desk, order, { in: 'reversal' }) };
}

function refuse(call: Call, order: Order, message: string): Reply {
  const amount = amountIn(call, 'reversalAmount', order) ?? order.amount;
  return turnDown(call, order, { type: 'REVERSAL', amount, code: 115, message });
}
