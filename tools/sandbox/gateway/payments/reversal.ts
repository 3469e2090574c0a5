import { decision } from '../../decision.ts';
import { DAY } from '../../durations.ts';
import { LATE } from '../../real-time.ts';
import { decideMixUp } from '../../rush.ts';
import { isAskedAgain } from '../asked-again.ts';
import { isForMulticurrency, isForSecond } from '../credentials.ts';
import { type GatewayCall, isByBothIds } from '../gateway-call.ts';
import type { GatewayReply } from '../gateway-reply.ts';
import { findLatestOrder, findOrder, findOrderOrLatest, inBits, latestOrder } from '../orders/find-order.ts';
import { formatAmount, loseCent } from '../orders/money.ts';
import {
  capturedAmount,
  type GatewayOrder,
  limitCounting,
  namesCallback,
  type OrderTransaction,
  sumTransactions,
} from '../orders/order.ts';
import { announceChange, announceEarly, capturableAmount } from '../orders/order-progress.ts';
import { othersOnCard, shareFate } from '../orders/orders-beside.ts';
import { buildStatusResponse } from '../orders/status-response.ts';
import { refuseParameter } from '../wire/gateway-refusal.ts';
import { readFieldText } from '../wire/request-fields.ts';
import { readRequestedAmount } from './payment.ts';
import { refuseOperation } from './refused-operation.ts';

const needsSystemId = decision({
  rule: 'GW-REV-08',
  honest: (_call: GatewayCall) => true,
  lies: {
    'reversal-without-system-id-taken': () => false,
    'reversal-without-system-id-taken-when-asked-again': (call) => !isAskedAgain(call),
    'reversal-for-another-requestor-without-system-id-taken': (call) => !isForSecond(call),
    'reversal-by-form-without-system-id-taken': (call) => findLatestOrder(call).form === undefined,
    'reversal-by-card-id-without-system-id-taken': (call) => findLatestOrder(call).card?.isRegistered !== true,
    'void-by-form-without-system-id-taken': (call) => {
      const { kind, form } = findLatestOrder(call);
      return kind !== 'AUTH' || form === undefined;
    },
    'void-without-system-id-taken': (call) => findLatestOrder(call).kind !== 'AUTH',
    'refund-for-another-requestor-of-a-captured-authorization-without-system-id-taken': (call) =>
      !isForSecond(call) || !isCapturedAuth(findLatestOrder(call)),
    'refund-of-a-captured-authorization-without-system-id-taken': (call) => !isCapturedAuth(findLatestOrder(call)),
  },
});

const needsReason = decision({
  rule: 'GW-REV-09',
  honest: (_asked: unknown, _call: GatewayCall) => true,
  lies: {
    'reversal-without-reason-taken': () => false,
    'reversal-without-reason-taken-when-asked-again': (_asked, call) => !isAskedAgain(call),
    'reversal-for-another-requestor-without-reason-taken': (_asked, call) => !isForSecond(call),
    'reversal-by-form-without-reason-taken': (_asked, call) => findOrder(call).form === undefined,
    'reversal-by-card-id-without-reason-taken': (_asked, call) => findOrder(call).card?.isRegistered !== true,
    'void-by-form-without-reason-taken': (_asked, call) => {
      const { kind, form } = findOrder(call);
      return kind !== 'AUTH' || form === undefined;
    },
    'partial-reversal-by-form-without-reason-taken': (asked, call) =>
      asked === undefined || findOrder(call).form === undefined,
    'void-for-another-requestor-without-reason-taken': (_asked, call) => {
      const order = findOrder(call);
      return order.kind !== 'AUTH' || !isForSecond(order);
    },
    'partial-reversal-for-another-requestor-without-reason-taken': (asked, call) =>
      asked === undefined || !isForSecond(call),
    'partial-reversal-by-card-id-without-reason-taken': (asked, call) =>
      asked === undefined || findOrder(call).card?.isRegistered !== true,
    'void-without-reason-taken': (_asked, call) => findOrder(call).kind !== 'AUTH',
    'partial-reversal-without-reason-taken': (asked) => asked === undefined,
    'refund-of-a-captured-authorization-without-reason-taken': (_asked, call) => !isCapturedAuth(findOrder(call)),
    'second-reversal-without-reason-taken': (_asked, call) => sumTransactions(findOrder(call), 'REVERSAL') === 0,
  },
});

const saleIsCaptured = decision({
  rule: 'GW-SAL-02',
  honest: (_order: GatewayOrder) => true,
  lies: {
    'sale-captures-nothing': (order) => order.kind !== 'SALE',
    'sale-that-names-a-callback-address-captures-nothing': (order) => order.kind !== 'SALE' || !namesCallback(order),
    'sale-of-thousands-captures-nothing': ({ kind, amount }) => kind !== 'SALE' || amount < 100_000,
    'sale-by-card-id-captures-nothing': ({ kind, card }) => kind !== 'SALE' || card?.isRegistered !== true,
    'sale-after-3-d-secure-captures-nothing': ({ kind, card }) => kind !== 'SALE' || card?.behaviour.step === undefined,
    'sale-after-a-method-and-a-challenge-captures-nothing': ({ kind, card }) =>
      kind !== 'SALE' || card?.behaviour.step !== 'method',
    'sale-that-was-pending-captures-nothing': ({ kind, card }) => kind !== 'SALE' || card?.behaviour.via === undefined,
    'sale-whose-state-was-unknown-captures-nothing': ({ kind, card }) =>
      kind !== 'SALE' || card?.behaviour.via !== 'UNKNOWN',
    'sale-after-a-chain-step-captures-nothing': ({ kind, card }) =>
      kind !== 'SALE' || card?.behaviour.via !== 'CHAIN_STEP',
    'sale-by-form-captures-nothing': ({ kind, form }) => kind !== 'SALE' || form === undefined,
  },
});

const voids = decision({
  rule: 'GW-REV-02',
  honest: (_order: GatewayOrder, _call: GatewayCall): 'carried out' | 'refused' | 'ignored' => 'carried out',
  lies: {
    'void-declined': () => 'refused',
    'void-leaves-the-hold': () => 'ignored',
    'void-after-a-refused-capture-declined': ({ isCaptureRefused }) => (isCaptureRefused ? 'refused' : 'carried out'),
    'void-by-card-id-leaves-the-hold': ({ card }) => (card?.isRegistered ? 'ignored' : 'carried out'),
    'void-of-an-order-that-names-a-callback-address-leaves-the-hold': (order) =>
      namesCallback(order) ? 'ignored' : 'carried out',
    'void-by-both-ids-leaves-the-hold': (_order, call) => (isByBothIds(call) ? 'ignored' : 'carried out'),
    'void-by-form-leaves-the-hold': ({ form }) => (form === undefined ? 'carried out' : 'ignored'),
    'void-after-3-d-secure-leaves-the-hold': ({ card }) =>
      card?.behaviour.step === undefined ? 'carried out' : 'ignored',
    'void-for-another-requestor-leaves-the-hold': (order) => (isForSecond(order) ? 'ignored' : 'carried out'),
    'void-after-a-day-leaves-the-hold': (order, call) => (isDayOld(order, call) ? 'ignored' : 'carried out'),
    'void-on-a-credit-card-leaves-the-hold': ({ card }) =>
      card?.behaviour.holdDays === 28 ? 'ignored' : 'carried out',
    'void-in-several-currencies-leaves-the-hold': (order) => (isForMulticurrency(order) ? 'ignored' : 'carried out'),
    'void-after-a-pareq-leaves-the-hold': ({ card }) => (card?.behaviour.step === 'pareq' ? 'ignored' : 'carried out'),
  },
});

/** Whether a refused reversal leaves what was authorized to be captured. */
const sparesTheHold = decision({
  rule: 'GW-CAP-02',
  honest: () => true,
  lies: { 'refused-reversal-spends-the-authorization': () => false },
});

const refunds = decision({
  rule: 'GW-REV-03',
  honest: (): 'carried out' | 'refused' | 'ignored' => 'carried out',
  lies: { 'refund-declined': () => 'refused', 'refund-not-recorded': () => 'ignored' },
});

const everything = decision({
  rule: 'GW-REV-04',
  honest: (left: number, _order: GatewayOrder, _call: GatewayCall): number | undefined => left,
  lies: {
    'full-reversal-takes-half': (left) => Math.floor(left / 2),
    'full-reversal-loses-a-cent-to-a-float': loseCent,
    'full-reversal-of-an-authorization-loses-a-cent-to-a-float': (left, { kind }) =>
      kind === 'AUTH' ? loseCent(left) : left,
    'full-reversal-by-card-id-loses-a-cent-to-a-float': (left, { card }) =>
      card?.isRegistered ? loseCent(left) : left,
    'full-reversal-after-a-day-loses-a-cent-to-a-float': (left, order, call) =>
      isDayOld(order, call) ? loseCent(left) : left,
    'full-reversal-by-both-ids-takes-half': (left, _order, call) => (isByBothIds(call) ? Math.floor(left / 2) : left),
    'full-reversal-by-both-ids-loses-a-cent-to-a-float': (left, _order, call) =>
      isByBothIds(call) ? loseCent(left) : left,
    'full-reversal-leaves-a-cent': (left) => left - 1,
    'reversal-without-amount-refused': () => undefined,
    'reversal-for-another-requestor-without-amount-refused': (left, order) => (isForSecond(order) ? undefined : left),
    'full-reversal-for-another-requestor-loses-a-cent-to-a-float': (left, order) =>
      isForSecond(order) ? loseCent(left) : left,
    'full-reversal-takes-back-the-first-capture-alone': (left, order) => Math.min(left, firstCapture(order)),
    'full-reversal-by-card-id-takes-half': (left, { card }) => (card?.isRegistered ? Math.floor(left / 2) : left),
    'full-reversal-after-a-day-takes-half': (left, order, call) =>
      isDayOld(order, call) ? Math.floor(left / 2) : left,
    'full-reversal-of-the-rest-leaves-a-cent': (left, { amount }) => (left < amount && left > 1 ? left - 1 : left),
    'full-reversal-in-several-currencies-leaves-a-cent': (left, order) =>
      isForMulticurrency(order) && left > 1 ? left - 1 : left,
    'full-reversal-of-a-form-leaves-a-cent': (left, { form }) => (form === undefined || left < 2 ? left : left - 1),
    'full-reversal-after-3-d-secure-leaves-a-cent': (left, { card }) =>
      card?.behaviour.step === undefined || left < 2 ? left : left - 1,
    'full-reversal-after-a-pareq-leaves-a-cent': (left, { card }) =>
      card?.behaviour.step !== 'pareq' || left < 2 ? left : left - 1,
    'full-reversal-of-an-authorization-by-form-takes-half': (left, { kind, form }) =>
      kind === 'AUTH' && form !== undefined ? Math.floor(left / 2) : left,
    'full-reversal-of-an-authorization-after-3-d-secure-takes-half': (left, { kind, card }) =>
      kind === 'AUTH' && card?.behaviour.step !== undefined ? Math.floor(left / 2) : left,
    'full-reversal-of-an-authorization-by-card-id-takes-half': (left, { kind, card }) =>
      kind === 'AUTH' && card?.isRegistered ? Math.floor(left / 2) : left,
  },
});

/** Whether a refund is not taken for one that another order on the card has had already. */
const isAnother = decision({
  rule: 'GW-REV-03',
  honest: (_amount: number, _order: GatewayOrder, _call: GatewayCall) => true,
  lies: {
    'refund-of-an-amount-that-another-order-on-the-card-had-back-declined': (amount, order, { gatewayState }) =>
      !othersOnCard(gatewayState, order).some(({ transactions }) =>
        transactions.some((one) => one.reversalType === 'REFUND' && one.amount === amount),
      ),
  },
});

const series = decision({
  rule: 'GW-REV-05',
  honest: (_earlier: number, _asked: number, _left: number, _order: GatewayOrder) => true,
  lies: {
    'second-reversal-declined': (earlier) => earlier === 0,
    'reversals-added-up-in-floating-point': (_earlier, asked, _left, order) =>
      addUpReversals(order) + asked / 100 <= capturedAmount(order) / 100,
    'reversals-of-an-authorization-added-up-in-floating-point': (_earlier, asked, _left, order) =>
      order.kind !== 'AUTH' || addUpReversals(order) + asked / 100 <= capturedAmount(order) / 100,
    'reversals-by-form-added-up-in-floating-point': (_earlier, asked, _left, order) =>
      order.form === undefined || addUpReversals(order) + asked / 100 <= capturedAmount(order) / 100,
    'reversals-by-card-id-added-up-in-floating-point': (_earlier, asked, _left, order) =>
      !order.card?.isRegistered || addUpReversals(order) + asked / 100 <= capturedAmount(order) / 100,
    'what-is-left-to-reverse-reckoned-in-floating-point': (_earlier, asked, left, order) => {
      const captured = capturedAmount(order);
      return asked / 100 <= captured / 100 - (captured - left) / 100;
    },
    'what-is-left-to-reverse-added-to-in-floating-point': (_earlier, asked, left, order) => {
      const captured = capturedAmount(order);
      return (captured - left) / 100 + asked / 100 <= captured / 100;
    },
    'last-partial-reversal-by-form-declined': (earlier, asked, left, { form }) =>
      earlier === 0 || asked < left || form === undefined,
    'third-reversal-declined': (earlier) => earlier < 2,
    'third-reversal-for-another-requestor-declined': (earlier, _asked, _left, order) =>
      earlier < 2 || !isForSecond(order),
    'third-reversal-in-several-currencies-declined': (earlier, _asked, _left, order) =>
      earlier < 2 || !isForMulticurrency(order),
    'reversal-of-the-same-amount-declined': (_earlier, asked, _left, order) =>
      !order.transactions.some((one) => one.type === 'REVERSAL' && one.amount === asked),
    'refused-reversal-counted-as-one': (_earlier, asked, left, { isReversalRefused }) =>
      isReversalRefused !== true || asked < left,
    'last-partial-reversal-declined': (earlier, asked, left) => earlier === 0 || asked < left,
    'second-reversal-by-form-declined': (earlier, _asked, _left, { form }) => earlier === 0 || form === undefined,
    'second-reversal-of-an-authorization-by-form-declined': (earlier, _asked, _left, { kind, form }) =>
      earlier === 0 || kind !== 'AUTH' || form === undefined,
    'second-reversal-by-card-id-declined': (earlier, _asked, _left, { card }) => earlier === 0 || !card?.isRegistered,
    'second-reversal-after-3-d-secure-declined': (earlier, _asked, _left, { card }) =>
      earlier === 0 || card?.behaviour.step === undefined,
    'second-reversal-for-another-requestor-declined': (earlier, _asked, _left, order) =>
      earlier === 0 || !isForSecond(order),
    'second-reversal-in-several-currencies-declined': (earlier, _asked, _left, order) =>
      earlier === 0 || !isForMulticurrency(order),
  },
});

/** The order that a reversal is about. */
const meant = decision({
  rule: 'GW-REV-08',
  honest: findOrder,
  lies: {
    'reversal-of-an-unknown-order-takes-the-latest': findOrderOrLatest,
    'reversal-by-a-system-id-read-in-32-bits': (call) => findOrder(inBits(call)),
  },
});

/** How many milliseconds a reversal goes on in which others take back what the latest order paid. */
const mixesOthers = decideMixUp('GW-REV-03', 'reversals-at-once-take-back-the-latest-order');

/** How many milliseconds a reversal goes on whose reason is that of others as well. */
const lendsItsReason = decideMixUp('GW-REP-04', 'reversals-at-once-reported-with-one-reason');

/** How many milliseconds a reversal goes on in which nobody is told of others. */
const drownsOthers = decideMixUp('GW-CBK-06', 'one-of-two-reversals-at-once-untold');

const fits = decision({
  rule: 'GW-REV-06',
  honest: (asked: number, left: number, _captured: number, _order: GatewayOrder, _call: GatewayCall) => asked <= left,
  lies: {
    'reversals-without-limit': () => true,
    'refund-under-way-not-counted': (asked, left, captured, order) =>
      asked <= left || asked <= captured - sumApproved(order.transactions),
    'reversals-counted-since-the-last-capture': (asked, left, captured, { transactions }) => {
      const at = transactions.findLastIndex(({ type, status }) => type === 'CAPTURE' && status === 'APPROVED');
      return asked <= left || (at >= 0 && asked <= captured - sumApproved(transactions.slice(at)));
    },
    'reversal-one-cent-above': (asked, left) => asked <= left + 1,
    'reversals-limited-one-by-one': (asked, _left, captured) => asked <= captured,
    'reversals-by-card-id-without-limit': (asked, left, _captured, { card }) =>
      asked <= left || card?.isRegistered === true,
    'reversals-without-limit-where-a-callback-address-is-named': (asked, left, _captured, order) =>
      asked <= left || namesCallback(order),
    'reversals-without-limit-where-no-callback-address-is-named': (asked, left, _captured, order) =>
      asked <= left || !namesCallback(order),
    'reversals-by-both-ids-without-limit': (asked, left, _captured, _order, call) => asked <= left || isByBothIds(call),
    'reversals-by-both-ids-limited-one-by-one': (asked, left, captured, _order, call) =>
      asked <= (isByBothIds(call) ? captured : left),
    'reversals-for-another-requestor-without-limit': (asked, left, _captured, order) =>
      asked <= left || isForSecond(order),
    'reversals-for-several-currencies-without-limit': (asked, left, _captured, order) =>
      asked <= left || isForMulticurrency(order),
    'reversals-without-limit-after-a-refused-one': (asked, left, _captured, { isReversalRefused }) =>
      asked <= left || isReversalRefused === true,
    'reversal-limit-compared-as-text': (asked, left, _captured, { currency }) =>
      asked <= left || formatAmount(asked, currency) <= formatAmount(left, currency),
    'reversal-by-form-limited-as-text': (asked, left, _captured, { currency, form }) =>
      asked <= left || (form !== undefined && formatAmount(asked, currency) <= formatAmount(left, currency)),
    'reversal-for-another-requestor-limited-as-text': (asked, left, _captured, order) =>
      asked <= left ||
      (isForSecond(order) && formatAmount(asked, order.currency) <= formatAmount(left, order.currency)),
    'reversal-of-ten-times-the-captured-amount': (asked, left) => asked <= left || asked === 10 * left,
    'reversals-of-small-sales-without-limit': (asked, left, captured) => asked <= left || captured < 100,
    'reversals-by-form-without-limit': (asked, left, _captured, { form }) => asked <= left || form !== undefined,
    'reversals-after-3-d-secure-without-limit': (asked, left, _captured, { card }) =>
      asked <= left || card?.behaviour.step !== undefined,
    'reversals-on-a-frictionless-card-without-limit': (asked, left, _captured, { card }) =>
      asked <= left || card?.behaviour.frictionless === true,
    'reversals-of-two-captures-limited-by-the-authorized-amount': (asked, left, _captured, order) =>
      asked <= left || (isCapturedTwice(order) && asked + sumTransactions(order, 'REVERSAL') <= order.amount),
    'reversal-limit-forgotten-after-a-month': (asked, left, _captured, order, { gatewayState }) =>
      asked <= left || gatewayState.world.clock.now() - order.transactions[0]!.created > 30 * DAY,
    'reversal-limit-forgotten-after-a-hundred-others': (asked, left, _captured, order, { gatewayState }) =>
      asked <= left || gatewayState.orders.isLongAgo(order),
    'reversals-limited-by-the-last-one': (asked, _left, captured, { transactions }) =>
      asked + (transactions.findLast((one) => one.type === 'REVERSAL')?.amount ?? 0) <= captured,
    'reversals-limited-by-the-day': (asked, _left, captured, order, { gatewayState }) =>
      asked <= captured - sumTransactions(order, 'REVERSAL', gatewayState.world.clock.now() - DAY),
    'reversals-of-an-authorization-by-card-id-without-limit': (asked, left, _captured, { kind, card }) =>
      asked <= left || (kind === 'AUTH' && card?.isRegistered === true),
    'reversals-of-an-authorization-by-form-without-limit': (asked, left, _captured, { kind, form }) =>
      asked <= left || (kind === 'AUTH' && form !== undefined),
    'reversals-of-an-authorization-after-3-d-secure-without-limit': (asked, left, _captured, { kind, card }) =>
      asked <= left || (kind === 'AUTH' && card?.behaviour.step !== undefined),
    'reversals-of-an-authorization-for-another-requestor-without-limit': (asked, left, _captured, order) =>
      asked <= left || (order.kind === 'AUTH' && isForSecond(order)),
    'reversal-limit-of-an-authorization-forgotten-after-a-month': (asked, left, _captured, order, { gatewayState }) =>
      asked <= left ||
      (order.kind === 'AUTH' && gatewayState.world.clock.now() - order.transactions[0]!.created > 30 * DAY),
  },
});

/** What is taken back where an amount is given. */
const part = decision({
  rule: 'GW-REV-05',
  honest: (asked: number, _left: number, _order: GatewayOrder, _call: GatewayCall) => asked,
  lies: {
    'partial-reversal-after-a-day-takes-all': (asked, left, order, call) =>
      isDayOld(order, call) ? Math.max(asked, left) : asked,
    'partial-reversal-loses-a-cent-to-a-float': loseCent,
    'partial-reversal-by-form-loses-a-cent-to-a-float': (asked, _left, { form }) =>
      form === undefined ? asked : loseCent(asked),
    'partial-reversal-by-card-id-loses-a-cent-to-a-float': (asked, _left, { card }) =>
      card?.isRegistered ? loseCent(asked) : asked,
    'partial-reversal-after-3-d-secure-loses-a-cent-to-a-float': (asked, _left, { card }) =>
      card?.behaviour.step === undefined ? asked : loseCent(asked),
    'partial-reversal-for-another-requestor-loses-a-cent-to-a-float': (asked, _left, order) =>
      isForSecond(order) ? loseCent(asked) : asked,
    'partial-reversal-after-a-day-loses-a-cent-to-a-float': (asked, _left, order, call) =>
      isDayOld(order, call) ? loseCent(asked) : asked,
    'partial-reversal-by-both-ids-takes-all': (asked, left, _order, call) =>
      isByBothIds(call) ? Math.max(asked, left) : asked,
    'partial-reversal-by-both-ids-loses-a-cent-to-a-float': (asked, _left, _order, call) =>
      isByBothIds(call) ? loseCent(asked) : asked,
    'partial-reversal-for-another-requestor-takes-all': (asked, left, order) =>
      isForSecond(order) ? Math.max(asked, left) : asked,
    'partial-reversal-in-several-currencies-takes-all': (asked, left, order) =>
      isForMulticurrency(order) ? Math.max(asked, left) : asked,
    'partial-reversal-of-a-form-takes-all': (asked, left, { form }) =>
      form === undefined ? asked : Math.max(asked, left),
    'partial-reversal-by-card-id-takes-all': (asked, left, { card }) =>
      card?.isRegistered ? Math.max(asked, left) : asked,
    'partial-reversal-after-3-d-secure-takes-all': (asked, left, { card }) =>
      card?.behaviour.step === undefined ? asked : Math.max(asked, left),
  },
});

/** What is taken back where no amount is given, above what is left. */
const wholeAbove = decision({
  rule: 'GW-REV-06',
  honest: (_left: number, _order: GatewayOrder) => 0,
  lies: {
    'full-reversal-of-a-part-takes-what-was-authorized': (left, { kind, amount }) =>
      kind === 'AUTH' && left > 0 ? amount - left : 0,
    'reversal-without-amount-takes-all-again': (left, { amount }) => (left > 0 ? 0 : amount),
  },
});

/** Whether a reversal that is refused takes money from the merchant all the same. */
const debitsAllTheSame = decision({
  rule: 'GW-REV-06',
  honest: (_order: GatewayOrder, _call: GatewayCall) => false,
  lies: {
    'refused-reversal-debited': () => true,
    'refused-reversal-by-both-ids-debited': (_order, call) => isByBothIds(call),
    'refused-reversal-for-another-requestor-debited': isForSecond,
    'refused-reversal-on-the-hosted-form-debited': ({ form }) => form !== undefined,
  },
});

/** Milliseconds of real time for which a reversal counts; honestly, it goes on counting. */
const countsLasting = decision({
  rule: 'GW-REV-06',
  honest: () => 0,
  lies: { 'reversals-forgotten-after-seconds': () => LATE },
});

/** Milliseconds until a reversal counts, for the answer to wait for. */
const countsAfter = decision({
  rule: 'GW-REV-06',
  honest: (_call: GatewayCall, _order: GatewayOrder) => 0,
  lies: {
    'reversals-at-once-counted-apart': () => 60,
    'full-reversals-at-once-counted-apart': ({ body }) => (body['reversalAmount'] === undefined ? 60 : 0),
    'reversals-of-an-authorization-at-once-counted-apart': (_call, { kind }) => (kind === 'AUTH' ? 60 : 0),
    'reversals-by-both-ids-at-once-counted-apart': (call) => (isByBothIds(call) ? 60 : 0),
    'reversals-for-another-requestor-at-once-counted-apart': (_call, order) => (isForSecond(order) ? 60 : 0),
    'reversals-of-a-sale-by-form-at-once-counted-apart': (_call, { kind, form }) =>
      kind === 'SALE' && form !== undefined ? 60 : 0,
    'full-reversals-of-an-authorization-by-form-at-once-counted-apart': ({ body }, { kind, form }) =>
      kind === 'AUTH' && form !== undefined && body['reversalAmount'] === undefined ? 60 : 0,
  },
});

const needsCapture = decision({
  rule: 'GW-REV-06',
  honest: (_order: GatewayOrder, _asked: number | undefined, _call: GatewayCall) => true,
  lies: {
    'declined-sale-refunded-by-both-ids': ({ kind, state }, _asked, call) =>
      !(kind === 'SALE' && state === 'DECLINED' && isByBothIds(call)),
    'declined-sale-refunded-after-a-refusal': ({ kind, state, isReversalRefused }) =>
      !(kind === 'SALE' && state === 'DECLINED' && isReversalRefused),
    'declined-sale-refunded': ({ kind, state }) => !(kind === 'SALE' && state === 'DECLINED'),
    'declined-sale-refunded-when-no-amount-is-given': ({ kind, state }, asked) =>
      !(kind === 'SALE' && state === 'DECLINED' && asked === undefined),
    'declined-authorization-refunded': ({ kind, state }) => !(kind === 'AUTH' && state === 'DECLINED'),
    'declined-sale-on-a-form-refunded': ({ kind, state, form }) =>
      !(kind === 'SALE' && state === 'DECLINED' && form !== undefined),
    'filtered-sale-by-form-refunded': ({ kind, state, form }) =>
      !(kind === 'SALE' && state === 'FILTERED' && form !== undefined),
    'failed-sale-by-form-refunded': ({ kind, state, form }) =>
      !(kind === 'SALE' && state === 'ERROR' && form !== undefined),
    'filtered-sale-refunded': ({ kind, state }) => !(kind === 'SALE' && state === 'FILTERED'),
    'filtered-authorization-refunded': ({ kind, state }) => !(kind === 'AUTH' && state === 'FILTERED'),
    'failed-sale-refunded': ({ kind, state }) => !(kind === 'SALE' && state === 'ERROR'),
    'failed-authorization-refunded': ({ kind, state }) => !(kind === 'AUTH' && state === 'ERROR'),
    'declined-sale-of-another-requestor-refunded': (order) =>
      !(order.kind === 'SALE' && order.state === 'DECLINED' && isForSecond(order)),
    'failed-sale-of-another-requestor-refunded': (order) =>
      !(order.kind === 'SALE' && order.state === 'ERROR' && isForSecond(order)),
    'filtered-authorization-of-another-requestor-refunded': (order) =>
      !(order.kind === 'AUTH' && order.state === 'FILTERED' && isForSecond(order)),
    'verification-of-another-requestor-refunded': (order) =>
      !(order.kind === 'ACCOUNT_VERIFICATION' && isForSecond(order)),
    'sale-refused-after-3-d-secure-refunded': ({ kind, state, card }) =>
      !(kind === 'SALE' && state === 'DECLINED' && card?.behaviour.step !== undefined),
    'voided-authorization-refunded': ({ voided }) => !voided,
    'authorization-that-was-not-captured-refunded-in-part': (order, asked) =>
      !(
        order.heldUntil !== undefined &&
        !order.voided &&
        capturedAmount(order) === 0 &&
        (asked ?? order.amount) < order.amount
      ),
    'verification-refunded': ({ kind }) => kind !== 'ACCOUNT_VERIFICATION',
    'waiting-sale-refunded': ({ kind, step }) => !(kind === 'SALE' && step !== undefined),
    'waiting-sale-refunded-as-a-whole': ({ kind, step, amount }, asked) =>
      !(kind === 'SALE' && step !== undefined && (asked ?? amount) === amount),
  },
});

const refundLeaves = decision({
  rule: 'GW-REV-03',
  honest: (_order: GatewayOrder, _call: GatewayCall) => true,
  lies: {
    'refund-by-both-ids-credited-to-the-merchant': (_order, call) => !isByBothIds(call),
    'refund-credited-to-the-merchant': ({ kind }) => kind === 'AUTH',
    'refund-of-a-captured-authorization-credited-to-the-merchant': ({ kind }) => kind !== 'AUTH',
    'second-refund-credited-to-the-merchant': ({ transactions }) =>
      transactions.filter(({ reversalType }) => reversalType === 'REFUND').length < 2,
    'refund-in-several-currencies-credited-to-the-merchant': (order) => !isForMulticurrency(order),
    'refund-for-another-requestor-credited-to-the-merchant': (order) => !isForSecond(order),
    'refund-after-a-pareq-credited-to-the-merchant': ({ card }) => card?.behaviour.step !== 'pareq',
    'refund-by-form-credited-to-the-merchant': ({ form }) => form === undefined,
    'refund-after-3-d-secure-credited-to-the-merchant': ({ card }) => card?.behaviour.step === undefined,
    'refund-by-card-id-credited-to-the-merchant': ({ card }) => !card?.isRegistered,
    'refund-of-an-authorization-by-form-credited-to-the-merchant': ({ kind, form }) =>
      kind !== 'AUTH' || form === undefined,
    'second-refund-of-a-sale-credited-to-the-merchant': ({ kind, transactions }) =>
      kind !== 'SALE' || transactions.filter(({ reversalType }) => reversalType === 'REFUND').length < 2,
  },
});

/** From whose balance a refund is taken. */
const leavesFrom = decision({
  rule: 'GW-REV-03',
  honest: ({ merchant }: GatewayOrder, _first: string) => merchant,
  lies: { 'refund-for-another-merchant-taken-from-the-first': (_order, first) => first },
});

/** Whether what was reserved for a refund is free again when it is over. */
const reservationEnds = decision({
  rule: 'GW-BAL-16',
  honest: (_order: GatewayOrder) => true,
  lies: {
    'refund-that-is-over-stays-in-processing': () => false,
    'refund-of-a-captured-authorization-stays-in-processing': ({ kind }) => kind !== 'AUTH',
    'refund-by-form-stays-in-processing': ({ form }) => form === undefined,
    'second-refund-stays-in-processing': ({ transactions }) =>
      transactions.filter(({ reversalType }) => reversalType === 'REFUND').length < 2,
  },
});

/** Whether nothing of what takes no money out is set aside for good. */
const onlyRefundsAreReserved = decision({
  rule: 'GW-BAL-16',
  honest: (_what: 'refused' | 'VOID' | 'REFUND') => true,
  lies: {
    'refused-refund-stays-in-processing': (what) => what !== 'refused',
    'void-stays-in-processing': (what) => what !== 'VOID',
  },
});

const voidMovesNothing = decision({
  rule: 'GW-REV-02',
  honest: (_held: number, _order: GatewayOrder) => 0,
  lies: {
    'void-credited-to-the-merchant': (held) => held,
    'void-by-card-id-credited-to-the-merchant': (held, { card }) => (card?.isRegistered ? held : 0),
    'void-after-3-d-secure-credited-to-the-merchant': (held, { card }) =>
      card?.behaviour.step === undefined ? 0 : held,
    'void-for-another-requestor-credited-to-the-merchant': (held, order) => (isForSecond(order) ? held : 0),
    'void-by-form-credited-to-the-merchant': (held, { form }) => (form === undefined ? 0 : held),
    'void-in-several-currencies-credited-to-the-merchant': (held, order) => (isForMulticurrency(order) ? held : 0),
  },
});

/** Whether a voided order comes to a final state again. */
const voidComesToRest = decision({
  rule: 'GW-STA-08',
  honest: (_order: GatewayOrder) => true,
  lies: {
    'void-for-another-requestor-never-ends': (order) => !isForSecond(order),
    'void-of-a-form-never-ends': ({ form }) => form === undefined,
    'void-by-card-id-never-ends': ({ card }) => !card?.isRegistered,
  },
});

/** Whether a reversal brings a callback. */
const isTold = decision({
  rule: 'GW-CBK-06',
  honest: (_call: GatewayCall) => true,
  lies: { 'no-callback-for-a-reversal-by-both-ids': (call) => !isByBothIds(call) },
});

const endsAtOnce = decision({
  rule: 'GW-REV-07',
  honest: (_kind: string | undefined, _order: GatewayOrder, _call: GatewayCall): 'APPROVED' | 'PROCESSING' =>
    'APPROVED',
  lies: {
    'refund-stays-processing': (kind) => (kind === 'REFUND' ? 'PROCESSING' : 'APPROVED'),
    'refund-by-both-ids-stays-processing': (kind, _order, call) =>
      kind === 'REFUND' && isByBothIds(call) ? 'PROCESSING' : 'APPROVED',
    'refund-after-a-day-stays-processing': (kind, order, call) =>
      kind === 'REFUND' && isDayOld(order, call) ? 'PROCESSING' : 'APPROVED',
    'refund-of-an-authorization-after-a-day-stays-processing': (kind, order, call) =>
      kind === 'REFUND' && order.kind === 'AUTH' && isDayOld(order, call) ? 'PROCESSING' : 'APPROVED',
    'second-refund-stays-processing': (kind, { transactions }) =>
      kind === 'REFUND' && transactions.some(({ reversalType }) => reversalType === 'REFUND')
        ? 'PROCESSING'
        : 'APPROVED',
    'refund-by-card-id-stays-processing': (kind, { card }) =>
      kind === 'REFUND' && card?.isRegistered ? 'PROCESSING' : 'APPROVED',
    'refund-by-form-stays-processing': (kind, { form }) =>
      kind === 'REFUND' && form !== undefined ? 'PROCESSING' : 'APPROVED',
    'refund-after-3-d-secure-stays-processing': (kind, { card }) =>
      kind === 'REFUND' && card?.behaviour.step !== undefined ? 'PROCESSING' : 'APPROVED',
    'refund-of-an-authorization-by-form-stays-processing': (kind, { kind: by, form }) =>
      kind === 'REFUND' && by === 'AUTH' && form !== undefined ? 'PROCESSING' : 'APPROVED',
  },
});

/** What reversals that are over have taken back. */
const sumApproved = (transactions: readonly OrderTransaction[]) =>
  transactions.reduce(
    (sum, { type, status, amount }) => (type === 'REVERSAL' && status === 'APPROVED' ? sum + amount : sum),
    0,
  );
const addUpReversals = ({ transactions }: GatewayOrder) =>
  transactions.reduce((sum, { type, status, amount }) => {
    return type === 'REVERSAL' && status === 'APPROVED' ? sum + amount / 100 : sum;
  }, 0);
const isCapturedTwice = ({ transactions }: GatewayOrder) =>
  transactions.filter(({ type, status }) => type === 'CAPTURE' && status === 'APPROVED').length > 1;
const isCapturedAuth = (order: GatewayOrder) => order.kind === 'AUTH' && capturedAmount(order) > 0;
const isDayOld = ({ transactions }: GatewayOrder, { gatewayState }: GatewayCall) =>
  gatewayState.world.clock.now() - transactions[0]!.created >= DAY;
const firstCapture = (order: GatewayOrder) =>
  order.transactions.find(({ type, status }) => type === 'CAPTURE' && status === 'APPROVED')?.amount ?? order.amount;

/** reversal: a void while nothing was captured, a refund afterwards. */
export function answerReversal(call: GatewayCall): GatewayReply {
  return call.gatewayState.rush.answer(
    call.activeLies,
    'reversal',
    [mixesOthers, drownsOthers, lendsItsReason],
    (isAtOnce) => reverse(call, isAtOnce),
  );
}

function reverse(call: GatewayCall, isAtOnce: boolean): GatewayReply {
  const { gatewayState, activeLies, body } = call;
  const own = readFieldText(body['reversalReason']);
  const reason = isAtOnce && lendsItsReason(activeLies) > 0 ? lastReason(gatewayState) : own;
  if (reason === undefined && needsReason(activeLies, body['reversalAmount'], call))
    throw refuseParameter('reversalReason');
  const isMixedUp = isAtOnce && mixesOthers(activeLies) > 0;
  const isUnnamed = readFieldText(body['orderSystemId']) === undefined && !needsSystemId(activeLies, call);
  const order = isMixedUp ? latestOrder(call) : isUnnamed ? findLatestOrder(call) : bySystemId(call);
  if (isAtOnce && drownsOthers(activeLies) > 0) order.isUntold = true;
  const asked = readRequestedAmount(call, 'reversalAmount', order);
  if (Number.isNaN(asked) || asked === 0) throw refuseParameter('reversalAmount');
  if (!needsCapture(activeLies, order, asked, call))
    return book(call, order, { kind: 'REFUND', amount: asked ?? order.amount, reason });
  const captured = saleIsCaptured(activeLies, order) ? capturedAmount(order) : 0;
  const nothingCaptured = captured === 0 && order.kind === 'AUTH';
  if (nothingCaptured) {
    const held = capturableAmount(gatewayState, order);
    if (held === 0 || (asked !== undefined && asked !== held))
      return refuse(call, order, 'There is nothing captured to reverse');
    const outcome = voids(activeLies, order, call);
    if (outcome === 'refused') return refuse(call, order, 'Declined by the issuer');
    if (outcome === 'carried out') order.voided = true;
    return book(call, order, { kind: 'VOID', amount: held, reason });
  }
  // Only a lie reads one.
  if (asked !== undefined && asked < 0) return book(call, order, { kind: 'REFUND', amount: asked, reason });
  const left = captured - sumTransactions(order, 'REVERSAL') - sumTransactions(order, 'CHARGEBACK');
  const earlier = order.transactions.filter((one) => one.type === 'REVERSAL' && one.status === 'APPROVED').length;
  const above = asked === undefined ? wholeAbove(activeLies, left, order) : 0;
  const whole = everything(activeLies, left, order, call);
  const all = whole === undefined ? undefined : whole + above;
  const amount = asked === undefined ? all : part(activeLies, asked, left, order, call);
  if (amount === undefined || amount <= 0 || captured === 0)
    return refuse(call, order, 'There is nothing left to reverse');
  if (!fits(activeLies, amount, left + above, captured, order, call))
    return refuse(call, order, 'The reversals would exceed the captured amount');
  if (amount <= left && !series(activeLies, earlier, amount, left, order))
    return refuse(call, order, 'Declined by the issuer');
  const outcome = refunds(activeLies);
  if (outcome === 'refused' || !isAnother(activeLies, amount, order, call))
    return refuse(call, order, 'Declined by the issuer');
  if (outcome === 'ignored') return { status: 200, body: buildStatusResponse(gatewayState, order, { in: 'reversal' }) };
  return book(call, order, { kind: 'REFUND', amount, reason });
}

/** The reason of the reversal before. */
function lastReason({ orders }: GatewayCall['gatewayState']): string | undefined {
  const reversals = [...orders.all()].flatMap(({ transactions }) => transactions.filter(({ reason }) => reason));
  return reversals.toSorted((a, b) => a.created - b.created).at(-1)?.reason;
}

function bySystemId(call: GatewayCall): GatewayOrder {
  if (readFieldText(call.body['orderSystemId']) === undefined) throw refuseParameter('orderSystemId');
  return meant(call.activeLies, call);
}

function book(
  call: GatewayCall,
  order: GatewayOrder,
  what: { kind: 'VOID' | 'REFUND'; amount: number; reason: string | undefined },
): GatewayReply {
  const { gatewayState, activeLies } = call;
  const { clock } = gatewayState.world;
  const status = endsAtOnce(activeLies, what.kind, order, call);
  const { followUpAfter } = gatewayState.world.choices;
  const slow = followUpAfter > 0 || (order.card?.behaviour.via !== undefined && what.kind === 'REFUND');
  const transaction: OrderTransaction = {
    type: 'REVERSAL',
    status: slow ? 'PROCESSING' : status,
    amount: what.amount,
    created: clock.now(),
    reversalType: what.kind,
    ...(what.reason !== undefined && { reason: what.reason }),
  };
  order.transactions.push(transaction);
  const after = countsAfter(activeLies, call, order);
  limitCounting(transaction, { after, lasting: countsLasting(activeLies) });
  const { currency } = order;
  const merchant = leavesFrom(activeLies, order, gatewayState.world.credentials.merchant.login);
  if (what.kind === 'REFUND' || !onlyRefundsAreReserved(activeLies, what.kind))
    gatewayState.balances.reserve(merchant, currency, what.amount, 'refund');
  const end = () => {
    transaction.status = status;
    order.state = what.kind === 'REFUND' || voidComesToRest(activeLies, order) ? status : 'PROCESSING';
    order.changedAt = clock.now();
    if (what.kind === 'REFUND' && status === 'APPROVED')
      gatewayState.balances.release(merchant, currency, what.amount, 'refund', refundLeaves(activeLies, order, call));
    if (what.kind === 'REFUND' && !reservationEnds(activeLies, order))
      gatewayState.balances.reserve(merchant, currency, what.amount, 'refund');
    if (what.kind === 'REFUND' && !refundLeaves(activeLies, order, call))
      gatewayState.balances.credit(merchant, currency, what.amount);
    const gained = what.kind === 'VOID' ? voidMovesNothing(activeLies, what.amount, order) : 0;
    if (gained > 0) gatewayState.balances.credit(merchant, currency, gained);
    if (what.kind === 'VOID') shareFate(gatewayState, order, 'voided');
    if (isTold(activeLies, call)) announceChange(gatewayState, order, 'reversal');
  };
  if (slow) {
    order.state = 'PROCESSING';
    order.changedAt = clock.now();
    announceEarly(gatewayState, order, status, 'reversal');
    clock.after(followUpAfter || 3, end);
  } else end();
  return { status: 200, body: buildStatusResponse(gatewayState, order, { in: 'reversal' }), after };
}

function refuse(call: GatewayCall, order: GatewayOrder, message: string): GatewayReply {
  const amount = readRequestedAmount(call, 'reversalAmount', order) ?? order.amount;
  if (debitsAllTheSame(call.activeLies, order, call))
    call.gatewayState.balances.debit(order.merchant, order.currency, amount);
  if (!onlyRefundsAreReserved(call.activeLies, 'refused'))
    call.gatewayState.balances.reserve(order.merchant, order.currency, amount, 'refund');
  if (!sparesTheHold(call.activeLies)) order.heldUntil = undefined;
  order.isReversalRefused = true;
  return refuseOperation(call, order, { type: 'REVERSAL', amount, code: 115, message });
}
