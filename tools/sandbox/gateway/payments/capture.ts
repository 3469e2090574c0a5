import { type ActiveLies, decision } from '../../decision.ts';
import { DAY } from '../../durations.ts';
import { LATE } from '../../real-time.ts';
import { decideMixUp } from '../../rush.ts';
import { isLike } from '../../sql-pattern.ts';
import { isAskedAgain } from '../asked-again.ts';
import { isForMulticurrency, isForSecond } from '../credentials.ts';
import { type GatewayCall, isByBothIds, isByMerchantId } from '../gateway-call.ts';
import type { GatewayReply } from '../gateway-reply.ts';
import {
  findKnownOrder,
  findLatestOrder,
  findOrder,
  findOrderOrLatest,
  inBits,
  latestOrder,
} from '../orders/find-order.ts';
import { formatAmount, loseCent } from '../orders/money.ts';
import {
  type GatewayOrder,
  isSecondsOld,
  limitCounting,
  namesCallback,
  type OrderTransaction,
  sumTransactions,
} from '../orders/order.ts';
import { announceChange, bookIncoming, capturableAmount, listRelease } from '../orders/order-progress.ts';
import { shareFate } from '../orders/orders-beside.ts';
import { buildStatusResponse } from '../orders/status-response.ts';
import { refuseParameter } from '../wire/gateway-refusal.ts';
import { readRequestedAmount } from './payment.ts';
import { refuseOperation } from './refused-operation.ts';

const isCarriedOut = decision({
  rule: 'GW-CAP-02',
  honest: (_order: GatewayOrder, _call: GatewayCall) => true,
  lies: {
    'capture-of-authorization-declined': () => false,
    'capture-of-an-amount-after-a-day-declined': (order, call) =>
      !isDayOld(order, call) || call.body['captureAmount'] === undefined,
    'capture-seconds-after-the-authorization-declined': (order) => !isSecondsOld(order),
    'capture-of-an-authorization-a-hundred-orders-ago-declined': (order, { gatewayState }) =>
      !gatewayState.orders.isLongAgo(order),
    'capture-of-an-authorization-that-names-a-callback-address-declined': (order) => !namesCallback(order),
    'capture-of-an-authorization-by-form-declined': ({ form }) => form === undefined,
    'capture-of-an-authorization-by-card-id-declined': ({ card }) => card?.isRegistered !== true,
    'capture-of-an-authorization-that-was-pending-declined': ({ card }) => card?.behaviour.via === undefined,
    'capture-of-an-authorization-whose-state-was-unknown-declined': ({ card }) => card?.behaviour.via !== 'UNKNOWN',
    'capture-of-an-authorization-after-a-chain-step-declined': ({ card }) => card?.behaviour.via !== 'CHAIN_STEP',
    'capture-after-a-method-and-a-challenge-declined': ({ card }) => card?.behaviour.step !== 'method',
  },
});

const sparesTheRest = decision({
  rule: 'GW-CAP-02',
  honest: () => true,
  lies: { 'refused-capture-spends-the-rest': () => false },
});

const counts = decision({
  rule: 'GW-CAP-02',
  honest: (amount: number, _order: GatewayOrder) => amount,
  lies: {
    'capture-charges-nothing': () => 0,
    'capture-after-3-d-secure-charges-nothing': (amount, { card }) =>
      card?.behaviour.step === 'challenge' || card?.behaviour.step === 'pareq' ? 0 : amount,
    'capture-read-up-to-its-thousands': (amount) => (amount < 100_000 ? amount : Math.floor(amount / 100_000) * 100),
  },
});

const whole = decision({
  rule: 'GW-CAP-03',
  honest: (order: GatewayOrder, _call: GatewayCall): number | undefined => order.amount,
  lies: {
    'capture-without-amount-takes-half': (order) => Math.floor(order.amount / 2),
    'capture-without-amount-loses-a-cent-to-a-float': ({ amount }) => loseCent(amount),
    'capture-by-merchant-id-without-amount-loses-a-cent-to-a-float': ({ amount }, call) =>
      isByMerchantId(call) ? loseCent(amount) : amount,
    'capture-without-amount-leaves-a-cent': (order) => order.amount - 1,
    'capture-without-amount-refused': () => undefined,
    'capture-by-merchant-id-for-another-requestor-without-amount-takes-half': (order, call) =>
      isByMerchantId(call) && isForSecond(order) ? Math.floor(order.amount / 2) : order.amount,
    'capture-by-form-without-amount-loses-a-cent-to-a-float': ({ amount, form }) =>
      form === undefined ? amount : loseCent(amount),
    'capture-by-card-id-without-amount-loses-a-cent-to-a-float': ({ amount, card }) =>
      card?.isRegistered ? loseCent(amount) : amount,
    'capture-for-another-requestor-without-amount-loses-a-cent-to-a-float': (order) =>
      isForSecond(order) ? loseCent(order.amount) : order.amount,
    'capture-by-both-ids-without-amount-takes-half': ({ amount }, call) =>
      isByBothIds(call) ? Math.floor(amount / 2) : amount,
    'capture-by-merchant-id-without-amount-takes-half': (order, call) =>
      isByMerchantId(call) ? Math.floor(order.amount / 2) : order.amount,
    'capture-by-card-id-without-amount-takes-half': ({ amount, card }) =>
      card?.isRegistered ? Math.floor(amount / 2) : amount,
    'capture-after-a-day-without-amount-takes-half': (order, call) =>
      isDayOld(order, call) ? Math.floor(order.amount / 2) : order.amount,
    'capture-for-another-requestor-without-amount-takes-half': (order) =>
      isForSecond(order) ? Math.floor(order.amount / 2) : order.amount,
    'capture-in-several-currencies-without-amount-leaves-a-cent': (order) =>
      isForMulticurrency(order) ? order.amount - 1 : order.amount,
    'capture-of-a-form-without-amount-leaves-a-cent': ({ amount, form }) => (form === undefined ? amount : amount - 1),
    'capture-after-3-d-secure-without-amount-leaves-a-cent': ({ amount, card }) =>
      card?.behaviour.step === undefined ? amount : amount - 1,
  },
});

const partial = decision({
  rule: 'GW-CAP-04',
  honest: (asked: number, _order: GatewayOrder, _call: GatewayCall): number | undefined => asked,
  lies: {
    'partial-capture-takes-all': (asked, order) => Math.max(asked, order.amount),
    'partial-capture-of-less-than-one-takes-all': (asked, { amount }) => (asked < 100 ? amount : asked),
    'partial-capture-loses-a-cent-to-a-float': (asked, order) => (asked < order.amount ? loseCent(asked) : asked),
    'partial-capture-after-a-day-takes-all': (asked, order, call) =>
      isDayOld(order, call) ? Math.max(asked, order.amount) : asked,
    'partial-capture-after-a-refused-one-takes-all': (asked, order) =>
      order.isCaptureRefused ? Math.max(asked, order.amount) : asked,
    'partial-capture-declined': (asked, order) => (asked < order.amount ? undefined : asked),
    'partial-capture-by-merchant-id-loses-a-cent-to-a-float': (asked, _order, call) =>
      isByMerchantId(call) ? loseCent(asked) : asked,
    'partial-capture-by-form-loses-a-cent-to-a-float': (asked, { amount, form }) =>
      form !== undefined && asked < amount ? loseCent(asked) : asked,
    'partial-capture-by-card-id-loses-a-cent-to-a-float': (asked, { amount, card }) =>
      card?.isRegistered && asked < amount ? loseCent(asked) : asked,
    'partial-capture-after-3-d-secure-loses-a-cent-to-a-float': (asked, { amount, card }) =>
      card?.behaviour.step !== undefined && asked < amount ? loseCent(asked) : asked,
    'partial-capture-for-another-requestor-loses-a-cent-to-a-float': (asked, order) =>
      isForSecond(order) && asked < order.amount ? loseCent(asked) : asked,
    'third-capture-takes-the-rest': (asked, order) =>
      countCaptures(order) > 1 ? Math.max(asked, order.amount - sumTransactions(order, 'CAPTURE')) : asked,
    'second-capture-takes-the-rest': (asked, order) =>
      isCaptured(order) ? Math.max(asked, order.amount - sumTransactions(order, 'CAPTURE')) : asked,
    'partial-capture-for-another-requestor-takes-all': (asked, order) =>
      isForSecond(order) ? Math.max(asked, order.amount) : asked,
    'partial-capture-in-several-currencies-takes-all': (asked, order) =>
      isForMulticurrency(order) ? Math.max(asked, order.amount) : asked,
    'partial-capture-of-a-form-takes-all': (asked, { amount, form }) =>
      form === undefined ? asked : Math.max(asked, amount),
    'partial-capture-by-card-id-takes-all': (asked, { amount, card }) =>
      card?.isRegistered ? Math.max(asked, amount) : asked,
    'partial-capture-after-3-d-secure-takes-all': (asked, { amount, card }) =>
      card?.behaviour.step === undefined ? asked : Math.max(asked, amount),
    'partial-capture-on-a-credit-card-takes-all': (asked, { amount, card }) =>
      card?.behaviour.holdDays === 28 ? Math.max(asked, amount) : asked,
    'partial-capture-by-both-ids-takes-all': (asked, order, call) =>
      isByBothIds(call) ? Math.max(asked, order.amount) : asked,
    'partial-capture-by-both-ids-loses-a-cent-to-a-float': (asked, { amount }, call) =>
      isByBothIds(call) && asked < amount ? loseCent(asked) : asked,
    'partial-capture-by-merchant-id-takes-all': (asked, order, call) =>
      isByMerchantId(call) ? Math.max(asked, order.amount) : asked,
  },
});

const fits = decision({
  rule: 'GW-CAP-05',
  honest: (asked: number, left: number, _order: GatewayOrder, _call: GatewayCall) => asked <= left,
  lies: {
    'captures-limited-by-what-was-not-paid-back': (amount, left, order) =>
      amount <= left + sumTransactions(order, 'REVERSAL'),
    'captures-limited-one-by-one': (asked, _left, order) => asked <= order.amount,
    'captures-without-amount-without-limit': (asked, left, _order, call) =>
      asked <= left || call.body['captureAmount'] === undefined,
    'captures-by-card-id-limited-one-by-one': (asked, left, { amount, card }) =>
      asked <= (card?.isRegistered ? amount : left),
    'captures-after-3-d-secure-limited-one-by-one': (asked, left, { amount, card }) =>
      asked <= (card?.behaviour.step === undefined ? left : amount),
    'captures-for-another-requestor-limited-one-by-one': (asked, left, order) =>
      asked <= (isForSecond(order) ? order.amount : left),
    'capture-above-authorized': () => true,
    'capture-above-authorized-when-asked-again': (asked, left, _order, call) => asked <= left || isAskedAgain(call),
    'capture-one-cent-above': (asked, left) => asked <= left + 1,
    'capture-by-merchant-id-above-authorized': (asked, left, _order, call) => asked <= left || isByMerchantId(call),
    'capture-by-both-ids-above-authorized': (asked, left, _order, call) => asked <= left || isByBothIds(call),
    'capture-by-both-ids-for-another-requestor-above-authorized': (asked, left, order, call) =>
      asked <= left || (isByBothIds(call) && isForSecond(order)),
    'captures-by-both-ids-limited-one-by-one': (asked, left, { amount }, call) =>
      asked <= (isByBothIds(call) ? amount : left),
    'capture-by-merchant-id-for-another-requestor-above-authorized': (asked, left, order, call) =>
      asked <= left || (isByMerchantId(call) && isForSecond(order)),
    'capture-by-form-above-authorized': (asked, left, { form }) => asked <= left || form !== undefined,
    'capture-by-card-id-above-authorized': (asked, left, { card }) => asked <= left || card?.isRegistered === true,
    'capture-after-3-d-secure-above-authorized': (asked, left, { card }) =>
      asked <= left || card?.behaviour.step !== undefined,
    'capture-above-authorized-for-another-requestor': (asked, left, order) => asked <= left || isForSecond(order),
    'capture-above-authorized-for-several-currencies': (asked, left, order) =>
      asked <= left || isForMulticurrency(order),
    'capture-limit-compared-as-text': (asked, left, { currency }) =>
      asked <= left || formatAmount(asked, currency) <= formatAmount(left, currency),
    'capture-by-form-limited-as-text': (asked, left, { currency, form }) =>
      asked <= left || (form !== undefined && formatAmount(asked, currency) <= formatAmount(left, currency)),
    'capture-for-another-requestor-limited-as-text': (asked, left, order) =>
      asked <= left ||
      (isForSecond(order) && formatAmount(asked, order.currency) <= formatAmount(left, order.currency)),
    'capture-of-ten-times-the-authorized-amount': (asked, left) => asked <= left || asked === 10 * left,
    'capture-limit-of-small-amounts-rounded-up': (asked, left) => asked <= Math.max(left, 100),
    'captures-limited-by-the-day': (asked, _left, order, { gatewayState }) =>
      asked <= order.amount - sumTransactions(order, 'CAPTURE', gatewayState.world.clock.now() - DAY),
    'capture-above-authorized-where-a-callback-address-is-named': (asked, left, order) =>
      asked <= left || namesCallback(order),
    'capture-above-authorized-where-no-callback-address-is-named': (asked, left, order) =>
      asked <= left || !namesCallback(order),
    'capture-above-authorized-after-a-day': (asked, left, order, call) => asked <= left || isDayOld(order, call),
    'capture-on-a-credit-card-above-authorized': (asked, left, { card }) =>
      asked <= left || card?.behaviour.holdDays === 28,
    'capture-on-a-frictionless-card-above-authorized': (asked, left, { card }) =>
      asked <= left || card?.behaviour.frictionless === true,
  },
});

/** Milliseconds of real time for which a capture counts; honestly, it goes on counting. */
const countsLasting = decision({
  rule: 'GW-CAP-05',
  honest: () => 0,
  lies: { 'captures-forgotten-after-seconds': () => LATE },
});

/** Milliseconds until a capture counts, for the answer to wait for. */
const countsAfter = decision({
  rule: 'GW-CAP-05',
  honest: (_call: GatewayCall, _order: GatewayOrder) => 0,
  lies: {
    'captures-at-once-counted-apart': () => 60,
    'whole-captures-at-once-counted-apart': ({ body }) => (body['captureAmount'] === undefined ? 60 : 0),
    'captures-by-both-ids-at-once-counted-apart': (call) => (isByBothIds(call) ? 60 : 0),
    'captures-by-merchant-id-at-once-counted-apart': (call) => (isByMerchantId(call) ? 60 : 0),
    'captures-in-several-currencies-at-once-counted-apart': (_call, order) => (isForMulticurrency(order) ? 60 : 0),
    'captures-of-a-form-at-once-counted-apart': (_call, { form }) => (form === undefined ? 0 : 60),
  },
});

const needsApproval = decision({
  rule: 'GW-CAP-02',
  honest: (_order: GatewayOrder, _call: GatewayCall) => true,
  lies: {
    'declined-authorization-captured-when-asked-again': ({ kind, state }, call) =>
      !(kind === 'AUTH' && state === 'DECLINED' && isAskedAgain(call)),
    'declined-authorization-captured': ({ kind, state }) => !(kind === 'AUTH' && state === 'DECLINED'),
    'declined-authorization-captured-when-an-amount-is-given': ({ kind, state }, call) =>
      !(kind === 'AUTH' && state === 'DECLINED' && call.body['captureAmount'] !== undefined),
    'declined-authorization-captured-by-both-ids': ({ kind, state }, call) =>
      !(kind === 'AUTH' && state === 'DECLINED' && isByBothIds(call)),
    'declined-authorization-of-another-requestor-captured': (order) =>
      !(order.kind === 'AUTH' && order.state === 'DECLINED' && isForSecond(order)),
    'filtered-authorization-of-another-requestor-captured': (order) =>
      !(order.kind === 'AUTH' && order.state === 'FILTERED' && isForSecond(order)),
    'failed-authorization-of-another-requestor-captured': (order) =>
      !(order.kind === 'AUTH' && order.state === 'ERROR' && isForSecond(order)),
    'waiting-authorization-of-another-requestor-captured': (order) =>
      !(order.kind === 'AUTH' && order.step !== undefined && isForSecond(order)),
    'declined-authorization-on-a-form-captured': ({ kind, state, form }) =>
      !(kind === 'AUTH' && state === 'DECLINED' && form !== undefined),
    'filtered-authorization-by-form-captured': ({ kind, state, form }) =>
      !(kind === 'AUTH' && state === 'FILTERED' && form !== undefined),
    'failed-authorization-by-form-captured': ({ kind, state, form }) =>
      !(kind === 'AUTH' && state === 'ERROR' && form !== undefined),
    'filtered-authorization-captured': ({ kind, state }) => !(kind === 'AUTH' && state === 'FILTERED'),
    'failed-authorization-captured': ({ kind, state }) => !(kind === 'AUTH' && state === 'ERROR'),
    'authorization-that-waits-for-3-d-secure-captured': ({ kind, step }) => !(kind === 'AUTH' && step !== undefined),
    'authorization-whose-cardholder-did-not-pass-captured': ({ kind, state, card }) =>
      !(kind === 'AUTH' && state === 'DECLINED' && card?.behaviour.step !== undefined),
  },
});

/** What is booked of a capture. */
const bookedOf = decision({
  rule: 'GW-CAP-04',
  honest: (captured: number, _order: GatewayOrder) => captured,
  lies: {
    'partial-capture-for-another-requestor-booked-as-a-whole': (captured, order) =>
      isForSecond(order) ? order.amount : captured,
    'partial-capture-in-several-currencies-booked-as-a-whole': (captured, order) =>
      isForMulticurrency(order) ? order.amount : captured,
    'partial-capture-booked-as-a-whole': (_captured, { amount }) => amount,
    'partial-capture-by-card-id-booked-as-a-whole': (captured, { amount, card }) =>
      card?.isRegistered ? amount : captured,
    'partial-capture-by-form-booked-as-a-whole': (captured, { amount, form }) =>
      form === undefined ? captured : amount,
    'partial-capture-after-a-pareq-booked-as-a-whole': (captured, { amount, card }) =>
      card?.behaviour.step === 'pareq' ? amount : captured,
    'second-capture-booked-as-a-whole': (captured, order) => (countCaptures(order) > 1 ? order.amount : captured),
  },
});

/** Whether a capture brings a callback. */
const isTold = decision({
  rule: 'GW-CBK-05',
  honest: (_call: GatewayCall) => true,
  lies: {
    'no-callback-for-a-capture-by-merchant-id': (call) => !isByMerchantId(call),
    'no-callback-for-a-capture-by-both-ids': (call) => !isByBothIds(call),
  },
});

/** Whether an order that was captured comes to a final state again. */
const comesToRest = decision({
  rule: 'GW-STA-08',
  honest: (_order: GatewayOrder) => true,
  lies: {
    'second-capture-never-ends': (order) => countCaptures(order) < 2,
    'capture-for-another-requestor-never-ends': (order) => !isForSecond(order),
    'capture-in-several-currencies-never-ends': (order) => !isForMulticurrency(order),
    'capture-of-a-form-never-ends': ({ form }) => form === undefined,
    'capture-by-card-id-never-ends': ({ card }) => !card?.isRegistered,
  },
});

/** How often what was captured is booked. */
const bookings = decision({ rule: 'GW-CAP-02', honest: () => 1, lies: { 'capture-booked-twice': () => 2 } });

const lapsed = decision({
  rule: 'GW-CAP-08',
  honest: (_order: GatewayOrder, _call: GatewayCall): 'declined' | 'carried out' | 'bad request' | 'error' =>
    'declined',
  lies: {
    'lapsed-authorization-captured': () => 'carried out',
    'lapsed-authorization-captured-when-asked-again': (_order, call) =>
      isAskedAgain(call) ? 'carried out' : 'declined',
    'lapse-forgotten-after-a-capture': (order) => (sumTransactions(order, 'CAPTURE') > 0 ? 'carried out' : 'declined'),
    'lapsed-authorization-captured-by-merchant-id': (_order, call) =>
      isByMerchantId(call) ? 'carried out' : 'declined',
    'lapsed-authorization-captured-by-both-ids': (_order, call) => (isByBothIds(call) ? 'carried out' : 'declined'),
    'lapsed-authorization-of-another-requestor-captured-by-merchant-id': (order, call) =>
      isByMerchantId(call) && isForSecond(order) ? 'carried out' : 'declined',
    'lapsed-authorization-captured-without-an-amount': (_order, { body }) =>
      body['captureAmount'] === undefined ? 'carried out' : 'declined',
    'lapsed-authorization-by-card-id-captured': ({ card }) => (card?.isRegistered ? 'carried out' : 'declined'),
    'lapsed-authorization-by-form-captured': ({ form }) => (form === undefined ? 'declined' : 'carried out'),
    'lapsed-authorization-after-3-d-secure-captured': ({ card }) =>
      card?.behaviour.step === undefined ? 'declined' : 'carried out',
    'lapsed-authorization-of-another-requestor-captured': (order) => (isForSecond(order) ? 'carried out' : 'declined'),
    'lapsed-authorization-of-several-currencies-captured': (order) =>
      isForMulticurrency(order) ? 'carried out' : 'declined',
    'lapsed-capture-as-400': () => 'bad request',
    'lapsed-capture-as-error': () => 'error',
    'lapsed-capture-for-another-requestor-as-error': (order) => (isForSecond(order) ? 'error' : 'declined'),
    'lapsed-capture-of-a-form-as-400': ({ form }) => (form === undefined ? 'declined' : 'bad request'),
    'lapsed-capture-after-3-d-secure-as-error': ({ card }) =>
      card?.behaviour.step === undefined ? 'declined' : 'error',
  },
});

const byMerchantId = decision({
  rule: 'GW-CAP-07',
  honest: (_call: GatewayCall) => true,
  lies: {
    'capture-ignores-merchant-id': (call) => !isByMerchantId(call),
    'capture-for-another-requestor-ignores-merchant-id': (call) => !isByMerchantId(call) || !isForSecond(call),
    'capture-for-several-currencies-ignores-merchant-id': (call) => !isByMerchantId(call) || !isForMulticurrency(call),
    'capture-of-a-form-ignores-merchant-id': (call) =>
      !isByMerchantId(call) || findKnownOrder(call)?.form === undefined,
    'capture-after-3-d-secure-ignores-merchant-id': (call) =>
      !isByMerchantId(call) || findKnownOrder(call)?.card?.behaviour.step === undefined,
  },
});

const ofRequestor = decision({
  rule: 'GW-CAP-07',
  honest: (found: GatewayOrder, _call: GatewayCall) => found,
  lies: { 'capture-by-merchant-id-of-any-requestor': (found, call) => latestOfMerchantId(call) ?? found },
});

const bySystemId = decision({
  rule: 'GW-CAP-06',
  honest: (_call: GatewayCall) => true,
  lies: {
    'capture-for-another-requestor-needs-merchant-id': (call) =>
      call.body['orderMerchantId'] !== undefined || !isForSecond(call),
    'capture-needs-merchant-id': (call) => call.body['orderMerchantId'] !== undefined,
    'capture-in-several-currencies-needs-merchant-id': (call) =>
      call.body['orderMerchantId'] !== undefined || !isForMulticurrency(call),
    'capture-after-3-d-secure-needs-merchant-id': (call) =>
      call.body['orderMerchantId'] !== undefined || findKnownOrder(call)?.card?.behaviour.step === undefined,
    'capture-of-a-form-needs-merchant-id': (call) =>
      call.body['orderMerchantId'] !== undefined || findKnownOrder(call)?.form === undefined,
  },
});

/** How many milliseconds a capture goes on in which others charge the latest order. */
const mixesOthers = decideMixUp('GW-CAP-06', 'captures-at-once-charge-the-latest-order');

/** How many milliseconds a capture goes on in which nobody is told of others. */
const drownsOthers = decideMixUp('GW-CBK-05', 'one-of-two-captures-at-once-untold');

const needsName = decision({
  rule: 'GW-CAP-09',
  honest: findOrder,
  lies: {
    'capture-without-name-takes-the-latest': findNamedOrLatest,
    'capture-without-name-takes-the-latest-when-asked-again': (call) =>
      isAskedAgain(call) ? findNamedOrLatest(call) : findOrder(call),
    'capture-of-an-unknown-order-takes-the-latest': findOrderOrLatest,
    'capture-by-merchant-id-finds-ids-that-begin-so': (call) =>
      findLike(call, (known, named) => known.startsWith(named)),
    'capture-by-merchant-id-reads-a-pattern': (call) => findLike(call, isLike),
    'capture-by-merchant-id-finds-the-beginning-of-an-id': (call) =>
      findLike(call, (known, named) => named.startsWith(known)),
    'capture-by-a-system-id-read-in-32-bits': (call) => findOrder(inBits(call)),
    'capture-with-an-empty-system-id-takes-the-latest': (call) =>
      call.body['orderSystemId'] === '' && call.body['orderMerchantId'] === undefined
        ? findLatestOrder(call)
        : findOrder(call),
  },
});

const chargedWhenRefused = (rule: string, name: string, when: (order: GatewayOrder, call: GatewayCall) => boolean) =>
  decision({
    rule,
    honest: (_order: GatewayOrder, _call: GatewayCall) => false,
    lies: { [name]: when },
  });

const isLapsed = ({ heldUntil }: GatewayOrder, { gatewayState }: GatewayCall) =>
  heldUntil !== undefined && gatewayState.world.clock.now() >= heldUntil;
const isHeld = (order: GatewayOrder, call: GatewayCall) =>
  order.heldUntil !== undefined && !order.voided && !isLapsed(order, call);
const isDayOld = ({ transactions }: GatewayOrder, { gatewayState }: GatewayCall) =>
  gatewayState.world.clock.now() - transactions[0]!.created >= DAY;
const countCaptures = ({ transactions }: GatewayOrder) => transactions.filter(({ type }) => type === 'CAPTURE').length;
const isCaptured = (order: GatewayOrder) => sumTransactions(order, 'CAPTURE') > 0;

/** Whether a capture that is refused is booked on the balance all the same; honestly, none is. */
const chargesAllTheSame = [
  chargedWhenRefused(
    'GW-CAP-05',
    'refused-capture-above-authorized-charged',
    (order, call) => isHeld(order, call) && !isCaptured(order),
  ),
  chargedWhenRefused(
    'GW-CAP-05',
    'refused-second-capture-charged',
    (order, call) => isHeld(order, call) && isCaptured(order),
  ),
  chargedWhenRefused(
    'GW-CAP-05',
    'refused-capture-for-another-requestor-charged',
    (order, call) => isHeld(order, call) && isForSecond(order),
  ),
  chargedWhenRefused(
    'GW-CAP-05',
    'refused-capture-by-merchant-id-charged',
    (order, call) => isHeld(order, call) && isByMerchantId(call),
  ),
  chargedWhenRefused(
    'GW-CAP-05',
    'refused-capture-by-both-ids-charged',
    (order, call) => isHeld(order, call) && isByBothIds(call),
  ),
  chargedWhenRefused(
    'GW-CAP-05',
    'refused-capture-on-the-hosted-form-charged',
    (order, call) => order.form !== undefined && isHeld(order, call) && isCaptured(order),
  ),
  chargedWhenRefused('GW-CAP-05', 'refused-capture-of-a-sale-charged', ({ kind }) => kind === 'SALE'),
  chargedWhenRefused('GW-CAP-08', 'declined-capture-after-the-lapse-charged', isLapsed),
  chargedWhenRefused('GW-REV-02', 'refused-capture-after-a-void-charged', ({ voided }) => voided),
  chargedWhenRefused(
    'GW-CAP-02',
    'refused-capture-of-a-declined-authorization-charged',
    ({ state, kind }) => kind === 'AUTH' && state === 'DECLINED',
  ),
];

/** capture: charges what an authorization blocked, whole or in part. */
export function answerCapture(call: GatewayCall): GatewayReply {
  return call.gatewayState.rush.answer(call.activeLies, 'capture', [mixesOthers, drownsOthers], (isAtOnce) =>
    capture(call, isAtOnce),
  );
}

function capture(call: GatewayCall, isAtOnce: boolean): GatewayReply {
  const { gatewayState, activeLies } = call;
  if (!byMerchantId(activeLies, call)) throw refuseParameter('orderSystemId');
  if (!bySystemId(activeLies, call)) throw refuseParameter('orderMerchantId');
  const named = ofRequestor(activeLies, needsName(activeLies, call), call);
  const order = isAtOnce && mixesOthers(activeLies) > 0 ? latestOrder(call) : named;
  if (isAtOnce && drownsOthers(activeLies) > 0) order.isUntold = true;
  const asked = readRequestedAmount(call, 'captureAmount', order);
  if (Number.isNaN(asked) || asked === 0) throw refuseParameter('captureAmount');
  if (order.kind === 'ACCOUNT_VERIFICATION' && verificationHoldsMoney(activeLies, order, call))
    return book(call, order, asked ?? 100);
  if (order.voided && voidIsForgotten(activeLies, order, call)) return book(call, order, asked ?? order.amount);
  if (!needsApproval(activeLies, order, call)) return book(call, order, asked ?? order.amount);
  if (saleIsHeld(activeLies, order, call) && order.state === 'APPROVED')
    return book(call, order, asked ?? order.amount);
  if (order.kind !== 'AUTH' || order.heldUntil === undefined || order.voided)
    return refuse(call, order, 'There is no authorization to capture');
  const hasLapsed = isLapsed(order, call);
  if (hasLapsed) {
    const said = lapsed(activeLies, order, call);
    if (said === 'bad request') throw refuseParameter('orderSystemId', 'The authorization has lapsed');
    if (said !== 'carried out')
      return refuse(call, order, 'The authorization has lapsed', said === 'error' ? 'ERROR' : 'DECLINED');
  }
  const left = hasLapsed ? order.amount - sumTransactions(order, 'CAPTURE') : capturableAmount(gatewayState, order);
  const { captureAbove } = gatewayState.world.choices;
  const taken = captureAbove === 'refused' || left === 0 || asked === undefined ? asked : Math.min(asked, left);
  const amount = taken === undefined ? whole(activeLies, order, call) : partial(activeLies, taken, order, call);
  if (amount === undefined || !isCarriedOut(activeLies, order, call))
    return refuse(call, order, 'Declined by the issuer');
  if (gatewayState.world.choices.captures === 'one' && sumTransactions(order, 'CAPTURE') > 0)
    return refuse(call, order, 'The authorization was captured before');
  if (!fits(activeLies, amount, left, order, call))
    return refuse(call, order, 'captureAmount is above the authorized amount');
  return book(call, order, amount);
}

/** Whether a capture that is refused blocks the amount anew. */
const refusalRenews = decision({
  rule: 'GW-CAP-08',
  honest: () => false,
  lies: { 'hold-renewed-by-a-refused-capture': () => true },
});

/** Whether a voided authorization is captured all the same. */
const voidIsForgotten = decision({
  rule: 'GW-REV-02',
  honest: (_order: GatewayOrder, _call: GatewayCall) => false,
  lies: {
    'voided-authorization-captured-when-asked-again': (_order, call) => isAskedAgain(call),
    'voided-authorization-captured-when-no-amount-is-given': (_order, call) => call.body['captureAmount'] === undefined,
    'voided-authorization-captured-by-merchant-id': (_order, call) => isByMerchantId(call),
    'voided-authorization-captured-by-both-ids': (_order, call) => isByBothIds(call),
    'void-forgotten-after-seconds': isSecondsOld,
    'void-forgotten-after-a-day': ({ changedAt }, { gatewayState }) =>
      gatewayState.world.clock.now() - changedAt >= DAY,
    'void-forgotten-after-four-days': ({ changedAt }, { gatewayState }) =>
      gatewayState.world.clock.now() - changedAt >= 4 * DAY,
  },
});

/** Whether a sale, which is charged already, can be captured as well. */
const saleIsHeld = decision({
  rule: 'GW-CAP-05',
  honest: (_order: GatewayOrder, _call: GatewayCall) => false,
  lies: {
    'sale-can-be-captured': ({ kind }) => kind === 'SALE',
    'sale-can-be-captured-when-asked-again': ({ kind }, call) => kind === 'SALE' && isAskedAgain(call),
    'sale-can-be-captured-in-part': ({ kind }, { body }) => kind === 'SALE' && body['captureAmount'] !== undefined,
    'sale-for-another-requestor-can-be-captured': (order) => order.kind === 'SALE' && isForSecond(order),
    'sale-in-several-currencies-can-be-captured': (order) => order.kind === 'SALE' && isForMulticurrency(order),
    'sale-by-card-id-can-be-captured': ({ kind, card }) => kind === 'SALE' && card?.isRegistered === true,
    'sale-by-form-can-be-captured': ({ kind, form }) => kind === 'SALE' && form !== undefined,
    'sale-after-3-d-secure-can-be-captured': ({ kind, card }) => kind === 'SALE' && card?.behaviour.step !== undefined,
  },
});

const holdsMoney = decision({
  rule: 'GW-VER-05',
  honest: (_order: GatewayOrder, _call: GatewayCall) => false,
  lies: {
    'verification-can-be-captured': () => true,
    'verification-can-be-captured-when-asked-again': (_order, call) => isAskedAgain(call),
    'verification-for-another-requestor-can-be-captured': (order) => isForSecond(order),
    'verification-in-several-currencies-can-be-captured': (order) => isForMulticurrency(order),
    'verification-can-be-captured-by-merchant-id': (_order, call) => isByMerchantId(call),
    'verification-can-be-captured-by-both-ids': (_order, call) => isByBothIds(call),
    'verification-by-card-id-can-be-captured': ({ card }) => card?.isRegistered === true,
    'verification-can-be-captured-after-a-day': ({ changedAt }, { gatewayState }) =>
      gatewayState.world.clock.now() - changedAt >= DAY,
    'verification-after-3-d-secure-can-be-captured': ({ card }) => card?.behaviour.step !== undefined,
    'verification-after-a-method-and-a-challenge-can-be-captured': ({ card }) => card?.behaviour.step === 'method',
    'verification-after-a-pareq-can-be-captured': ({ card }) => card?.behaviour.step === 'pareq',
    'verification-without-a-challenge-can-be-captured': ({ card }) => card?.behaviour.frictionless === true,
  },
});

function latestOfMerchantId(call: GatewayCall): GatewayOrder | undefined {
  if (!isByMerchantId(call)) return undefined;
  const { body, gatewayState } = call;
  return [...gatewayState.orders.all()].findLast((one) => one.merchantOrderId === body['orderMerchantId']);
}

/** The order that is named, else the latest of this requestor whose own id is taken for the one that is named. */
function findLike(call: GatewayCall, isSame: (known: string, named: string) => boolean): GatewayOrder {
  const named = isByMerchantId(call) ? String(call.body['orderMerchantId']) : '';
  const { gatewayState, requestor } = call;
  const alike = gatewayState.orders.of(requestor).findLast((one) => named !== '' && isSame(one.merchantOrderId, named));
  return findKnownOrder(call) ?? alike ?? findOrder(call);
}

function findNamedOrLatest(call: GatewayCall): GatewayOrder {
  return isByMerchantId(call) ? findLatestOrder(call) : findOrder(call);
}

function verificationHoldsMoney(activeLies: ActiveLies, order: GatewayOrder, call: GatewayCall): boolean {
  return holdsMoney(activeLies, order, call) && order.state === 'APPROVED';
}

function book(call: GatewayCall, order: GatewayOrder, amount: number): GatewayReply {
  const { gatewayState, activeLies } = call;
  const booked = counts(activeLies, amount, order);
  const { clock, choices } = gatewayState.world;
  const made: OrderTransaction = { type: 'CAPTURE', status: 'PROCESSING', amount: booked, created: clock.now() };
  order.transactions.push(made);
  const after = countsAfter(activeLies, call, order);
  limitCounting(made, { after, lasting: countsLasting(activeLies) });
  const end = () => {
    made.status = 'APPROVED';
    order.state = comesToRest(activeLies, order) ? 'APPROVED' : 'PROCESSING';
    order.changedAt = clock.now();
    for (let i = 0; i < bookings(activeLies); i += 1)
      bookIncoming(gatewayState, order, bookedOf(activeLies, booked, order));
    if (choices.captures === 'one') listRelease(gatewayState, order);
    shareFate(gatewayState, order, 'captured');
    if (isTold(activeLies, call)) announceChange(gatewayState, order, 'capture');
  };
  if (choices.followUpAfter === 0) end();
  else {
    order.state = 'PROCESSING';
    order.changedAt = clock.now();
    clock.after(choices.followUpAfter, end);
  }
  return { status: 200, body: buildStatusResponse(gatewayState, order, { in: 'capture' }), after };
}

function refuse(call: GatewayCall, order: GatewayOrder, message: string, state?: 'DECLINED' | 'ERROR'): GatewayReply {
  const amount = readRequestedAmount(call, 'captureAmount', order) ?? order.amount;
  if (chargesAllTheSame.some((decided) => decided(call.activeLies, order, call)))
    bookIncoming(call.gatewayState, order, amount);
  if (!sparesTheRest(call.activeLies)) order.heldUntil = undefined;
  const { clock } = call.gatewayState.world;
  if (refusalRenews(call.activeLies) && capturableAmount(call.gatewayState, order) > 0)
    order.heldUntil = clock.now() + (order.card?.behaviour.holdDays ?? 7) * DAY;
  order.isCaptureRefused = true;
  return refuseOperation(call, order, { type: 'CAPTURE', amount, code: 114, message, state });
}
