import { decision } from '../../decision.ts';
import { decideMixUp } from '../../rush.ts';
import { isLike } from '../../sql-pattern.ts';
import { isAskedAgain } from '../asked-again.ts';
import { isForMulticurrency, isForSecond } from '../credentials.ts';
import { type GatewayCall, isByMerchantId } from '../gateway-call.ts';
import type { GatewayReply } from '../gateway-reply.ts';
import { findLatestOrder } from '../orders/find-order.ts';
import { type GatewayOrder, isFinalState, isPending, namesCallback, sumTransactions } from '../orders/order.ts';
import { startAuthenticationStep } from '../orders/order-progress.ts';
import { type OrderIdentifier, orderFoundBy } from '../orders/orders-at-once.ts';
import { othersOnCard } from '../orders/orders-beside.ts';
import { buildStatusResponse } from '../orders/status-response.ts';
import { GatewayRefusal, refuseParameter } from '../wire/gateway-refusal.ts';
import { writeCorrelationId } from '../wire/identifiers.ts';
import { readFieldText, readOrderId } from '../wire/request-fields.ts';

const findsBySystemId = decision({
  rule: 'GW-STS-02',
  honest: (id: number, call: GatewayCall) => call.gatewayState.orders.byId(id, call.requestor),
  lies: {
    'status-ignores-system-id': () => undefined,
    'order-unknown-by-system-id-after-a-hundred-others': (id, call) =>
      unlessLongAgo(call, call.gatewayState.orders.byId(id, call.requestor)),
    'order-unknown-by-system-id-when-asked-again': (id, call) =>
      isAskedAgain(call) ? undefined : call.gatewayState.orders.byId(id, call.requestor),
    'status-off-by-one-order': (id, call) =>
      call.gatewayState.orders.byId(id - 1, call.requestor) ?? call.gatewayState.orders.byId(id + 1, call.requestor),
    'captured-order-unknown-by-system-id': (id, call) => butCaptured(call.gatewayState.orders.byId(id, call.requestor)),
    'sale-taken-back-in-full-unknown-by-system-id': (id, call) =>
      butTakenBack(call.gatewayState.orders.byId(id, call.requestor)),
    'open-form-unknown-by-system-id': (id, call) => butOpenForm(call.gatewayState.orders.byId(id, call.requestor)),
    'paid-form-shown-as-the-latest-order-by-system-id': (id, call) =>
      latestForPaidForm(call.gatewayState.orders.byId(id, call.requestor), call),
    'authorization-on-a-form-shown-as-the-latest-order-by-system-id': (id, call) => {
      const order = call.gatewayState.orders.byId(id, call.requestor);
      return order?.kind === 'AUTH' ? latestForPaidForm(order, call) : order;
    },
  },
});

const findsByMerchantId = decision({
  rule: 'GW-STS-03',
  honest: (id: string, call: GatewayCall, currency: string | undefined) =>
    call.gatewayState.orders.byMerchantId(id, call.requestor, currency),
  lies: {
    'status-ignores-merchant-id': () => undefined,
    'order-unknown-by-merchant-id-after-a-hundred-others': (id, call, currency) =>
      unlessLongAgo(call, call.gatewayState.orders.byMerchantId(id, call.requestor, currency)),
    'order-unknown-by-merchant-id-when-asked-again': (id, call, currency) =>
      isAskedAgain(call) ? undefined : call.gatewayState.orders.byMerchantId(id, call.requestor, currency),
    'status-forgets-merchant-ids-after-a-day': (id, call, currency) => {
      const order = call.gatewayState.orders.byMerchantId(id, call.requestor, currency);
      return isDayOld(order, call) ? undefined : order;
    },
    'verification-unknown-by-merchant-id': (id, call, currency) => {
      const order = call.gatewayState.orders.byMerchantId(id, call.requestor, currency);
      return order?.kind === 'ACCOUNT_VERIFICATION' ? undefined : order;
    },
    'order-of-the-second-requestor-unknown-by-merchant-id': (id, call, currency) =>
      isForSecond(call) ? undefined : call.gatewayState.orders.byMerchantId(id, call.requestor, currency),
    'order-of-a-multi-currency-requestor-unknown-by-merchant-id': (id, call, currency) =>
      isForMulticurrency(call) ? undefined : call.gatewayState.orders.byMerchantId(id, call.requestor, currency),
    'payment-with-a-registered-card-unknown-by-merchant-id': (id, call, currency) =>
      butRegistered(call.gatewayState.orders.byMerchantId(id, call.requestor, currency)),
    'sale-taken-back-in-full-unknown-by-merchant-id': (id, call, currency) =>
      butTakenBack(call.gatewayState.orders.byMerchantId(id, call.requestor, currency)),
    'open-form-unknown-by-merchant-id': (id, call, currency) =>
      butOpenForm(call.gatewayState.orders.byMerchantId(id, call.requestor, currency)),
    'declined-payment-unknown-by-merchant-id': (id, call, currency) =>
      butDeclined(call.gatewayState.orders.byMerchantId(id, call.requestor, currency)),
    'captured-order-unknown-by-merchant-id': (id, call, currency) =>
      butCaptured(call.gatewayState.orders.byMerchantId(id, call.requestor, currency)),
    'paid-form-unknown-by-merchant-id': (id, call, currency) =>
      butPaidForm(call.gatewayState.orders.byMerchantId(id, call.requestor, currency)),
    'status-by-merchant-id-refuses-a-declined-payment': (id, call, currency) => {
      const order = call.gatewayState.orders.byMerchantId(id, call.requestor, currency);
      if (order?.state === 'DECLINED') throw new GatewayRefusal(400, 105, 'Declined by the issuer');
      return order;
    },
    'declined-payment-approved-by-merchant-id': (id, call, currency) =>
      asApproved(call.gatewayState.orders.byMerchantId(id, call.requestor, currency)),
    'status-by-merchant-id-lists-sales-of-others': (id, call, currency) =>
      amongOthers(call.gatewayState.orders.byMerchantId(id, call.requestor, currency), call),
    'status-by-merchant-id-of-any-requestor': (id, call) =>
      [...call.gatewayState.orders.all()].findLast((one) => one.merchantOrderId === id),
    'status-by-merchant-id-in-any-case': (id, call) => latestAlike(call, id, (one) => one.toLowerCase()),
    'status-by-the-first-32-letters-of-a-merchant-id': (id, { gatewayState, requestor }) =>
      gatewayState.orders.of(requestor).find((one) => one.merchantOrderId.slice(0, 32) === id.slice(0, 32)),
    'status-by-merchant-id-compares-numbers': (id, { gatewayState, requestor }) =>
      gatewayState.orders
        .of(requestor)
        .findLast((one) => one.merchantOrderId === id || Number(one.merchantOrderId) === Number(id)),
    'status-by-merchant-id-without-accents': (id, call) => latestAlike(call, id, withoutAccents),
    'status-by-merchant-id-finds-ids-that-begin-so': (id, { gatewayState, requestor }) =>
      gatewayState.orders.of(requestor).findLast((one) => one.merchantOrderId.startsWith(id)),
    'status-by-merchant-id-reads-a-pattern': (id, { gatewayState, requestor }) =>
      gatewayState.orders.of(requestor).findLast((one) => isLike(one.merchantOrderId, id)),
    'status-by-merchant-id-takes-letters-of-four-bytes-for-one': (id, call) =>
      latestAlike(call, id, (one) => one.replaceAll(/[\u{10000}-\u{10ffff}]/gu, '?')),
    'status-by-merchant-id-without-signs': (id, call) =>
      latestAlike(call, id, (one) => one.replaceAll(/[^\p{L}\d]/gu, '')),
    'status-by-the-first-50-letters-of-a-merchant-id': (id, call) => latestAlike(call, id, (one) => one.slice(0, 50)),
    'order-under-an-id-of-more-than-50-letters-unknown-by-merchant-id': (id, call, currency) =>
      unlessWritten(/^.{51}/, id, call, currency),
    'order-under-an-id-with-letters-beyond-ascii-unknown-by-merchant-id': (id, call, currency) =>
      unlessWritten(/[^ -~]/, id, call, currency),
    'order-under-an-id-with-signs-of-addresses-unknown-by-merchant-id': (id, call, currency) =>
      unlessWritten(/[%+]/, id, call, currency),
    'order-under-an-id-with-a-zero-in-front-unknown-by-merchant-id': (id, call, currency) =>
      unlessWritten(/^0\d+$/, id, call, currency),
    'status-of-the-latest-order': (_id, call) => call.gatewayState.orders.of(call.requestor).at(-1),
  },
});

const findsByCorrelation = decision({
  rule: 'GW-STS-04',
  honest: (id: string, call: GatewayCall) => call.gatewayState.orders.byCorrelation(id, call.requestor),
  lies: {
    'status-ignores-correlation-id': () => undefined,
    'order-unknown-by-correlation-id-after-a-hundred-others': (id, call) =>
      unlessLongAgo(call, call.gatewayState.orders.byCorrelation(id, call.requestor)),
    'order-unknown-by-correlation-id-after-a-day': (id, call) => {
      const order = call.gatewayState.orders.byCorrelation(id, call.requestor);
      return isDayOld(order, call) ? undefined : order;
    },
    'order-unknown-by-correlation-id-when-asked-again': (id, call) =>
      isAskedAgain(call) ? undefined : call.gatewayState.orders.byCorrelation(id, call.requestor),
    'order-of-the-second-requestor-unknown-by-correlation-id': (id, call) =>
      isForSecond(call) ? undefined : call.gatewayState.orders.byCorrelation(id, call.requestor),
    'order-of-a-multi-currency-requestor-unknown-by-correlation-id': (id, call) =>
      isForMulticurrency(call) ? undefined : call.gatewayState.orders.byCorrelation(id, call.requestor),
    'payment-with-a-registered-card-unknown-by-correlation-id': (id, call) =>
      butRegistered(call.gatewayState.orders.byCorrelation(id, call.requestor)),
    'sale-taken-back-in-full-unknown-by-correlation-id': (id, call) =>
      butTakenBack(call.gatewayState.orders.byCorrelation(id, call.requestor)),
    'open-form-unknown-by-correlation-id': (id, call) =>
      butOpenForm(call.gatewayState.orders.byCorrelation(id, call.requestor)),
    'declined-payment-unknown-by-correlation-id': (id, call) =>
      butDeclined(call.gatewayState.orders.byCorrelation(id, call.requestor)),
    'captured-order-unknown-by-correlation-id': (id, call) =>
      butCaptured(call.gatewayState.orders.byCorrelation(id, call.requestor)),
    'status-by-correlation-id-lists-sales-of-others': (id, call) =>
      amongOthers(call.gatewayState.orders.byCorrelation(id, call.requestor), call),
    'status-correlates-the-first-order': (_id, call) => call.gatewayState.orders.of(call.requestor)[0],
  },
});

/** Whether an order shows what 3-D Secure asks for, by whichever identifier it was found. */
const showsStep = decision({
  rule: 'GW-TDS-24',
  honest: (_by: OrderIdentifier, _order: GatewayOrder) => true,
  lies: {
    'status-without-three-ds-for-another-requestor': (_by, order) => !isForSecond(order),
    'status-of-an-authorization-without-three-ds': (_by, { kind }) => kind !== 'AUTH',
    'status-of-a-verification-without-three-ds': (_by, { kind }) => kind !== 'ACCOUNT_VERIFICATION',
    'status-by-merchant-id-without-three-ds': (by) => by !== 'merchant id',
    'status-by-correlation-id-without-three-ds': (by) => by !== 'correlation id',
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
    'status-by-merchant-id-repeats-first-answer-of-an-authorization': (by, { kind }) =>
      by !== 'merchant id' || kind !== 'AUTH',
    'status-by-correlation-id-repeats-first-answer-of-an-authorization': (by, { kind }) =>
      by !== 'correlation id' || kind !== 'AUTH',
    'status-by-merchant-id-repeats-first-answer-of-a-form': (by, { form }) =>
      by !== 'merchant id' || form === undefined,
    'status-by-correlation-id-repeats-first-answer-of-a-form': (by, { form }) =>
      by !== 'correlation id' || form === undefined,
    'status-by-merchant-id-repeats-first-answer-of-a-verification': (by, { kind }) =>
      by !== 'merchant id' || kind !== 'ACCOUNT_VERIFICATION',
    'status-by-merchant-id-repeats-first-answer': (by) => by !== 'merchant id',
    'status-by-correlation-id-repeats-first-answer': (by) => by !== 'correlation id',
  },
});

/** Whether an order is shown as it is now, by whichever identifier it was found. */
const isFresh = decision({
  rule: 'GW-STS-07',
  honest: (_by: OrderIdentifier, _order: GatewayOrder) => true,
  lies: {
    'status-for-another-requestor-stale': (_by, order) => !isForSecond(order),
    'status-in-several-currencies-stale': (_by, order) => !isForMulticurrency(order),
    'status-of-an-order-that-names-a-callback-address-stale': (_by, order) => !namesCallback(order),
    'status-by-merchant-id-stale-after-a-void': (by, { voided }) => by !== 'merchant id' || !voided,
    'status-by-correlation-id-stale-after-a-void': (by, { voided }) => by !== 'correlation id' || !voided,
    'status-by-merchant-id-stale-after-a-chargeback': (by, { chargedBack }) => by !== 'merchant id' || !chargedBack,
    'status-by-correlation-id-stale-after-a-chargeback': (by, { chargedBack }) =>
      by !== 'correlation id' || !chargedBack,
    'status-by-merchant-id-stays-as-it-was-first': (by, { askedEarly }) => by !== 'merchant id' || !askedEarly?.has(by),
    'status-by-correlation-id-stays-as-it-was-first': (by, { askedEarly }) =>
      by !== 'correlation id' || !askedEarly?.has(by),
    'status-by-merchant-id-stale': (by) => by !== 'merchant id',
    'status-of-a-form-by-merchant-id-stale': (by, { form }) => by !== 'merchant id' || form === undefined,
    'status-after-3-d-secure-by-merchant-id-stale': (by, { card }) =>
      by !== 'merchant id' || card?.behaviour.step === undefined,
    'status-for-another-requestor-by-correlation-id-stale': (by, order) =>
      by !== 'correlation id' || !isForSecond(order),
    'status-in-several-currencies-by-merchant-id-stale': (by, order) =>
      by !== 'merchant id' || !isForMulticurrency(order),
    'status-of-a-sale-by-merchant-id-stale': (by, { kind }) => by !== 'merchant id' || kind !== 'SALE',
    'status-of-a-sale-by-correlation-id-stale': (by, { kind }) => by !== 'correlation id' || kind !== 'SALE',
    'status-by-correlation-id-stale': (by) => by !== 'correlation id',
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

const needsName = decision({
  rule: 'GW-STS-09',
  honest: (_call: GatewayCall): GatewayOrder => {
    throw refuseParameter('orderSystemId', 'one of orderSystemId, orderMerchantId and byCorrelationId is needed');
  },
  lies: {
    'status-without-name-shows-the-latest': findLatestOrder,
    'status-without-name-shows-the-latest-of-another-requestor': (call) => {
      if (!isForSecond(call)) throw refuseParameter('orderSystemId');
      return findLatestOrder(call);
    },
    'status-without-name-shows-the-latest-when-asked-again': (call) => {
      if (!isAskedAgain(call)) throw refuseParameter('orderSystemId');
      return findLatestOrder(call);
    },
  },
});

/** Whether a name that no order has is nothing to go by. */
const namesNothing = decision({
  rule: 'GW-STS-09',
  honest: (_call: GatewayCall): GatewayOrder | undefined => undefined,
  lies: {
    'status-of-an-unknown-correlation-id-shows-the-latest': (call) =>
      readFieldText(call.body['byCorrelationId']) === undefined ? undefined : findLatestOrder(call),
    'status-of-an-unknown-merchant-id-shows-the-latest-of-another-requestor': (call) =>
      isForSecond(call) && readFieldText(call.body['orderMerchantId']) !== undefined
        ? findLatestOrder(withoutName(call))
        : undefined,
    'status-of-an-unknown-merchant-id-shows-the-latest': (call) =>
      readFieldText(call.body['orderMerchantId']) === undefined ? undefined : findLatestOrder(withoutName(call)),
    'status-by-a-system-id-read-in-32-bits': ({ body, gatewayState, requestor }) =>
      gatewayState.orders.byId((readOrderId(body) ?? 0) % 2 ** 32, requestor),
    'status-with-an-empty-system-id-shows-the-latest': (call) =>
      call.body['orderSystemId'] === '' ? findLatestOrder(call) : undefined,
  },
});

const takesCurrency = decision({
  rule: 'GW-STS-05',
  honest: (code: string | undefined, _call: GatewayCall) => code,
  lies: {
    'status-refuses-currency-code-beside-other-ids': (code, call) => {
      if (code !== undefined && isByMerchantId(call)) throw refuseParameter('orderCurrencyCode');
      return code;
    },
    'status-refuses-currency-code': (code) => {
      if (code !== undefined) throw refuseParameter('orderCurrencyCode');
      return code;
    },
  },
});

/** Which order it is that a currency beside another identifier than the system id helps to find. */
const currencyTells = decision({
  rule: 'GW-STS-05',
  honest: (order: GatewayOrder | undefined, _call: GatewayCall) => order,
  lies: {
    'status-with-currency-code-shows-the-first-order': (order, call) =>
      order === undefined || call.body['orderCurrencyCode'] === undefined || !isByMerchantId(call)
        ? order
        : call.gatewayState.orders.of(call.requestor)[0],
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
  const { gatewayState, activeLies, body } = call;
  const id = readOrderId(body);
  const own = readFieldText(body['orderMerchantId']);
  const correlation = readFieldText(body['byCorrelationId']);
  const currency = takesCurrency(activeLies, readFieldText(body['orderCurrencyCode']), call);
  let order: GatewayOrder | undefined;
  if (id !== undefined) order = findsBySystemId(activeLies, id, call);
  else if (own !== undefined)
    order = findsByMerchantId(activeLies, own, call, isForMulticurrency(call) ? currency : undefined);
  else if (correlation !== undefined) order = findsByCorrelation(activeLies, correlation, call);
  else order = (activeLies.size === 0 ? undefined : namesNothing(activeLies, call)) ?? needsName(activeLies, call);
  if (order === undefined && activeLies.size > 0) order = namesNothing(activeLies, call);
  order = currencyTells(activeLies, order, call);
  const by = id !== undefined ? 'system id' : own !== undefined ? 'merchant id' : 'correlation id';
  const found = order && orderFoundBy(activeLies, by, order);
  return gatewayState.rush.answer(activeLies, 'status', [mixesOthers], (isAtOnce) =>
    showOrder(call, isAtOnce ? findLatestOrder(withoutName(call)) : found, by, currency),
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
  const listed = isFreshAgain(activeLies, order, by);
  const shown = isFresh(activeLies, by, order)
    ? listed === order.transactions
      ? order
      : { ...order, transactions: listed }
    : { ...order, transactions: order.transactions.slice(0, 1) };
  const now = hasMovedOn(activeLies, by, order) ? shown : { ...shown, state: order.first };
  const told = showsStep(activeLies, by, order)
    ? { ...now, step: stepShown(activeLies, order, gatewayState, by) }
    : { ...now, step: undefined };
  return { status: 200, body: buildStatusResponse(gatewayState, told, { in: 'status', by }) };
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

/** The order of a requestor with an id of the merchant, unless the id is written so: it was kept in another way. */
function unlessWritten(pattern: RegExp, id: string, call: GatewayCall, currency: string | undefined) {
  return pattern.test(id) ? undefined : call.gatewayState.orders.byMerchantId(id, call.requestor, currency);
}

/** The latest order of a requestor whose id of the merchant is the same once both were written so. */
function latestAlike({ gatewayState, requestor }: GatewayCall, id: string, write: (id: string) => string) {
  return gatewayState.orders.of(requestor).findLast((one) => write(one.merchantOrderId) === write(id));
}

const withoutAccents = (id: string) => id.normalize('NFD').replaceAll(/\p{M}/gu, '');

const DAY = 86_400_000;
const WEEK = 7 * DAY;

function unlessLongAgo({ gatewayState }: GatewayCall, order: GatewayOrder | undefined): GatewayOrder | undefined {
  return order === undefined || gatewayState.orders.isLongAgo(order) ? undefined : order;
}

function isDayOld(order: GatewayOrder | undefined, { gatewayState }: GatewayCall): boolean {
  return order !== undefined && gatewayState.world.clock.now() - order.changedAt > DAY;
}

function isLongFailed({ state, transactions, changedAt }: GatewayOrder, now: number): boolean {
  const isFailed = isFinalState(state) && transactions.every(({ status }) => status !== 'APPROVED');
  return isFailed && now - changedAt > WEEK;
}

function withoutName(call: GatewayCall): GatewayCall {
  return { ...call, body: {} };
}

function butDeclined(order: GatewayOrder | undefined): GatewayOrder | undefined {
  return order?.state === 'DECLINED' ? undefined : order;
}

function butRegistered(order: GatewayOrder | undefined): GatewayOrder | undefined {
  return order?.card?.isRegistered ? undefined : order;
}

function butOpenForm(order: GatewayOrder | undefined): GatewayOrder | undefined {
  return order?.form !== undefined && !isFinalState(order.state) ? undefined : order;
}

function butCaptured(order: GatewayOrder | undefined): GatewayOrder | undefined {
  return order?.transactions.some(({ type }) => type === 'CAPTURE') ? undefined : order;
}

function butTakenBack(order: GatewayOrder | undefined): GatewayOrder | undefined {
  return order?.kind === 'SALE' && sumTransactions(order, 'REVERSAL') === order.amount ? undefined : order;
}

const isPaidForm = (order: GatewayOrder | undefined) => order?.form !== undefined && order.state === 'APPROVED';

function butPaidForm(order: GatewayOrder | undefined): GatewayOrder | undefined {
  return isPaidForm(order) ? undefined : order;
}

function latestForPaidForm(order: GatewayOrder | undefined, call: GatewayCall): GatewayOrder | undefined {
  return isPaidForm(order) ? findLatestOrder(withoutName(call)) : order;
}

function asApproved(order: GatewayOrder | undefined): GatewayOrder | undefined {
  return order?.state === 'DECLINED' ? { ...order, state: 'APPROVED' } : order;
}

/** A sale with the transactions of all sales of its requestor. */
function amongOthers(order: GatewayOrder | undefined, call: GatewayCall): GatewayOrder | undefined {
  if (order?.kind !== 'SALE') return order;
  const all = [...call.gatewayState.orders.all()];
  const sales = all.filter(({ requestor, kind }) => requestor === order.requestor && kind === 'SALE');
  return { ...order, transactions: sales.flatMap(({ transactions }) => transactions) };
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
