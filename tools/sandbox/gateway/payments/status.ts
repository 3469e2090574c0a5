import { decision } from '../../decision.ts';
import { DAY } from '../../durations.ts';
import { decideMixUp } from '../../rush.ts';
import { isForMulticurrency, isForSecond } from '../credentials.ts';
import type { GatewayCall } from '../gateway-call.ts';
import type { GatewayReply } from '../gateway-reply.ts';
import { findAskedOrder } from '../orders/asked-order.ts';
import { latestOrder } from '../orders/find-order.ts';
import { type GatewayOrder, isFinalState, isPending } from '../orders/order.ts';
import { startAuthenticationStep } from '../orders/order-progress.ts';
import { faultOfSorts } from '../orders/order-sorts.ts';
import { type OrderIdentifier, orderFoundBy } from '../orders/orders-at-once.ts';
import { othersOnCard } from '../orders/orders-beside.ts';
import { buildStatusResponse } from '../orders/status-response.ts';
import { GatewayRefusal, refuseParameter } from '../wire/gateway-refusal.ts';
import { writeCorrelationId } from '../wire/identifiers.ts';
import { readFieldText } from '../wire/request-fields.ts';

/** Identifiers under which a copy of an order may be kept that its own id does not find. */
const COPIES = ['merchant id', 'correlation id'] as const;

/** Whether an order shows what 3-D Secure asks for, by whichever identifier it was found. */
const showsStep = decision({
  rule: 'GW-TDS-24',
  honest: (_by: OrderIdentifier, _order: GatewayOrder) => true,
  lies: {
    ...faultOfSorts('without-three-ds', [
      'any-order',
      'authorization',
      'verification',
      'order-of-the-second-requestor',
    ]),
    ...faultOfSorts('without-three-ds', ['any-order', 'authorization', 'verification'], COPIES),
  },
});

/** The step that a waiting order shows: honestly, its own. */
const stepShown = decision({
  rule: 'GW-TDS-24',
  honest: ({ step }: GatewayOrder, _gatewayState: GatewayCall['gatewayState'], _by: OrderIdentifier) => step,
  lies: {
    'status-by-merchant-id-names-the-step-before': (order, _gatewayState, by) =>
      by === 'merchant id' ? stepBefore(order, by) : order.step,
    'status-by-correlation-id-names-the-step-before': (order, _gatewayState, by) =>
      by === 'correlation id' ? stepBefore(order, by) : order.step,
    'status-leads-to-the-latest-step-on-the-card': (order, gatewayState) =>
      order.step && (latestStep(othersOnCard(gatewayState, order), order.step.name, order.id) ?? order.step),
  },
});

/** Whether the state has moved on since the first answer, by whichever identifier it is asked for. */
const hasMovedOn = decision({
  rule: 'GW-STS-06',
  honest: (_by: OrderIdentifier, _order: GatewayOrder) => true,
  lies: {
    ...faultOfSorts('in-its-first-state', [
      'any-order',
      'authorization',
      'verification',
      'order-that-names-a-callback-address',
      'order-of-the-second-requestor',
      'order-of-a-multi-currency-requestor',
    ]),
    ...faultOfSorts(
      'in-its-first-state',
      ['any-order', 'sale', 'authorization', 'verification', 'form', 'payment-after-3-d-secure'],
      COPIES,
    ),
  },
});

/** Whether an order is shown as it is now, by whichever identifier it was found. */
const isFresh = decision({
  rule: 'GW-STS-07',
  honest: (_by: OrderIdentifier, _order: GatewayOrder) => true,
  lies: {
    ...faultOfSorts('stale', [
      'order-of-the-second-requestor',
      'order-of-a-multi-currency-requestor',
      'order-that-names-a-callback-address',
      'payment-with-a-registered-card',
    ]),
    ...faultOfSorts(
      'stale',
      [
        'any-order',
        'sale',
        'authorization',
        'form',
        'payment-after-3-d-secure',
        'payment-with-a-registered-card',
        'voided-authorization',
        'charged-back-order',
        'order-asked-for-early',
        'order-of-the-second-requestor',
        'order-of-a-multi-currency-requestor',
        'order-that-names-a-callback-address',
      ],
      COPIES,
    ),
  },
});

/** What is listed of an order, however often it was shown before. */
const isFreshAgain = decision({
  rule: 'GW-STS-07',
  honest: ({ transactions }: GatewayOrder, _by: OrderIdentifier) => transactions,
  lies: {
    'status-by-merchant-id-stale-after-a-second-change': (order, by) => firstTwo('merchant id', order, by),
    'status-by-correlation-id-stale-after-a-second-change': (order, by) => firstTwo('correlation id', order, by),
  },
});

/** When an authorization lapses after its status was read: honestly, when it did before. */
const holdEnds = decision({
  rule: 'GW-ATH-03',
  honest: ({ heldUntil }: GatewayOrder, _now: number) => heldUntil,
  lies: {
    'debit-hold-starts-anew-with-each-status': ({ heldUntil, card }, now) =>
      heldUntil !== undefined && card?.behaviour.holdDays === 7 && now < heldUntil ? now + WEEK : heldUntil,
  },
});

/** Whether a reading leaves the challenge that is under way. */
const challengeGoesOn = decision({
  rule: 'GW-TDS-10',
  honest: (_order: GatewayOrder) => true,
  lies: { 'challenge-started-anew-by-a-status': ({ step }) => step?.name !== 'CREQ' },
});

const pendingIsAnAnswer = decision({
  rule: 'GW-GEN-04',
  honest: (_order: GatewayOrder) => true,
  lies: {
    'pending-status-as-400': (order) => !isPending(order),
    'pending-status-of-an-authorization-as-400': (order) => !(isPending(order) && order.kind === 'AUTH'),
    'pending-status-of-a-verification-as-400': (order) => !(isPending(order) && order.kind === 'ACCOUNT_VERIFICATION'),
    'pending-status-for-another-requestor-as-400': (order) => !(isPending(order) && isForSecond(order)),
  },
});

/** How many milliseconds a reading goes on in which others are shown the latest order. */
const mixesOthers = decideMixUp('GW-STS-02', 'status-readings-at-once-show-the-latest-order');

/** status: the order as it is now, found by any one of three identifiers. */
export function answerStatus(call: GatewayCall): GatewayReply {
  const { gatewayState, activeLies } = call;
  const { by, order, currency } = findAskedOrder(call);
  const found = order && orderFoundBy(activeLies, by, order);
  return gatewayState.rush.answer(activeLies, 'status', [mixesOthers], (isAtOnce) =>
    showOrder(call, isAtOnce ? latestOrder(call) : found, by, currency),
  );
}

function showOrder(
  call: GatewayCall,
  found: GatewayOrder | undefined,
  by: OrderIdentifier,
  currency: string | undefined,
): GatewayReply {
  const { gatewayState, activeLies } = call;
  const { unknownOrder: unknown, statusCurrency, failedOrders } = gatewayState.world.choices;
  const isForgotten = failedOrders === 'forgotten' && found && isLongFailed(found, gatewayState.world.clock.now());
  const order = isForgotten ? undefined : found;
  if (statusCurrency === 'needed' && isForMulticurrency(call) && currency === undefined)
    throw refuseParameter('orderCurrencyCode');
  if (order === undefined && unknown === '400') throw new GatewayRefusal(400, -27, 'Order not found');
  if (order === undefined) return { status: 200, body: unknownOrder(call, unknown) };
  if (!pendingIsAnAnswer(activeLies, order)) throw new GatewayRefusal(400, 197, 'The payment is not final');
  order.polls += 1;
  if (!challengeGoesOn(activeLies, order)) startAuthenticationStep(gatewayState, order, 'CREQ');
  if (order.transactions.length === 1) order.askedEarly = new Set([...(order.askedEarly ?? []), by]);
  order.heldUntil = holdEnds(activeLies, order, gatewayState.world.clock.now());
  const shown: GatewayOrder = {
    ...order,
    state: hasMovedOn(activeLies, by, order) ? order.state : order.first,
    step: showsStep(activeLies, by, order) ? stepShown(activeLies, order, gatewayState, by) : undefined,
    transactions: isFresh(activeLies, by, order) ? isFreshAgain(activeLies, order, by) : order.transactions.slice(0, 1),
  };
  return { status: 200, body: buildStatusResponse(gatewayState, shown, { in: 'status', by }) };
}

/** Steps that an order was shown to wait for, by the first identifier it was asked by; only lies note them. */
const stepsShown = new WeakMap<GatewayOrder, Map<OrderIdentifier, GatewayOrder['step']>>();

/** The step that an order which waits was shown to wait for when it was first asked by this identifier. */
function stepBefore(order: GatewayOrder, by: OrderIdentifier): GatewayOrder['step'] {
  if (order.step === undefined) return undefined;
  const noted = stepsShown.get(order) ?? new Map<OrderIdentifier, GatewayOrder['step']>();
  stepsShown.set(order, noted);
  if (!noted.has(by)) noted.set(by, order.step);
  return noted.get(by);
}

function latestStep(others: readonly GatewayOrder[], name: string, after: number): GatewayOrder['step'] {
  return others.findLast(({ id, step }) => id > after && step?.name === name)?.step;
}

/** Orders that were shown with two transactions, by whichever identifier; only lies note them. */
const shownWithTwo = new WeakMap<GatewayOrder, Set<OrderIdentifier>>();

/** What is shown from then on of an order that was shown with two transactions by this identifier. */
function firstTwo(shown: OrderIdentifier, order: GatewayOrder, by: OrderIdentifier): GatewayOrder['transactions'] {
  if (by !== shown) return order.transactions;
  const noted = shownWithTwo.get(order) ?? new Set();
  if (order.transactions.length === 2) shownWithTwo.set(order, noted.add(by));
  return noted.has(by) ? order.transactions.slice(0, 2) : order.transactions;
}

const WEEK = 7 * DAY;

function isLongFailed({ state, transactions, changedAt }: GatewayOrder, now: number): boolean {
  const isFailed = isFinalState(state) && transactions.every(({ status }) => status !== 'APPROVED');
  return isFailed && now - changedAt > WEEK;
}

function unknownOrder(call: GatewayCall, orderState: string): unknown {
  const own = readFieldText(call.body['orderMerchantId']);
  return {
    correlationId: writeCorrelationId(call.gatewayState.world.choices, call.gatewayState.world.uuid()),
    ...(own !== undefined && { orderMerchantId: own }),
    orderState,
    transactions: [],
    statusCreatedTimestamp: call.gatewayState.world.clock.now(),
    errorCode: -27,
    errorMessage: 'Order not found',
  };
}
