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
  type Circumstance,
  isOld,
  isUnapproved,
  OF_ANY_AMOUNT,
  PAID,
  toldWhen,
  type Unapproved,
  USUAL,
} from '../orders/circumstances.ts';
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
  honest: carriedOut,
  lies: {
    'capture-declined': () => false,
    'capture-of-an-amount-declined-after-a-day': (order, call) =>
      !isOld(order, call) || call.body['captureAmount'] === undefined,
    ...toldWhen(
      'capture-declined',
      [
        ...PAID,
        'on-a-credit-card',
        'without-a-challenge',
        'after-a-method-and-a-challenge',
        'later-than-at-once',
        'after-an-unknown-state',
        'after-a-chain-step',
        'after-seconds',
        'after-a-hundred-orders',
      ],
      { lie: () => false, honest: carriedOut },
    ),
  },
});

const sparesTheRest = decision({
  rule: 'GW-CAP-02',
  honest: () => true,
  lies: { 'refused-capture-spends-the-rest': () => false },
});

const counts = decision({
  rule: 'GW-CAP-02',
  honest: asAsked,
  lies: {
    'capture-charges-nothing': () => 0,
    'capture-read-up-to-its-thousands': (amount) => (amount < 100_000 ? amount : Math.floor(amount / 100_000) * 100),
    ...toldWhen('capture-charges-nothing', PAID, { lie: () => 0, honest: asAsked }),
  },
});

const whole = decision({
  rule: 'GW-CAP-03',
  honest: allOf,
  lies: {
    'whole-capture-takes-half': (order) => Math.floor(order.amount / 2),
    'whole-capture-loses-a-cent-to-a-float': ({ amount }) => loseCent(amount),
    'whole-capture-leaves-a-cent': (order) => order.amount - 1,
    'whole-capture-refused': () => undefined,
    ...toldWhen('whole-capture-takes-half', [...USUAL, 'after-a-day', 'by-merchant-id-for-another-requestor'], {
      lie: ({ amount }) => Math.floor(amount / 2),
      honest: allOf,
    }),
    ...toldWhen('whole-capture-loses-a-cent-to-a-float', OF_ANY_AMOUNT, {
      lie: ({ amount }) => loseCent(amount),
      honest: allOf,
    }),
  },
});

const partial = decision({
  rule: 'GW-CAP-04',
  honest: partOf,
  lies: {
    'partial-capture-takes-all': takeAll,
    'partial-capture-loses-a-cent-to-a-float': loseCentOfPart,
    'partial-capture-declined': (asked, order) => (asked < order.amount ? undefined : asked),
    'partial-capture-of-less-than-one-takes-all': (asked, { amount }) => (asked < 100 ? amount : asked),
    'partial-capture-after-a-refused-one-takes-all': (asked, order) =>
      order.isCaptureRefused ? takeAll(asked, order) : asked,
    'third-capture-takes-the-rest': (asked, order) =>
      countCaptures(order) > 1 ? Math.max(asked, order.amount - sumTransactions(order, 'CAPTURE')) : asked,
    'second-capture-takes-the-rest': (asked, order) =>
      isCaptured(order) ? Math.max(asked, order.amount - sumTransactions(order, 'CAPTURE')) : asked,
    ...toldWhen('partial-capture-takes-all', [...USUAL, 'on-a-credit-card', 'after-a-day'], {
      lie: takeAll,
      honest: partOf,
    }),
    ...toldWhen('partial-capture-loses-a-cent-to-a-float', USUAL, { lie: loseCentOfPart, honest: partOf }),
  },
});

const fits = decision({
  rule: 'GW-CAP-05',
  honest: fitsIn,
  lies: {
    'capture-above-authorized': () => true,
    'captures-limited-one-by-one': fitsAlone,
    'capture-limited-as-text': fitsAsText,
    'capture-one-cent-above': (asked, left) => asked <= left + 1,
    'captures-limited-by-what-was-not-paid-back': (amount, left, order) =>
      amount <= left + sumTransactions(order, 'REVERSAL'),
    'capture-of-ten-times-the-authorized-amount': (asked, left) => asked <= left || asked === 10 * left,
    'capture-limit-of-small-amounts-rounded-up': (asked, left) => asked <= Math.max(left, 100),
    'captures-limited-by-the-day': (asked, _left, order, { gatewayState }) =>
      asked <= order.amount - sumTransactions(order, 'CAPTURE', gatewayState.world.clock.now() - DAY),
    ...toldWhen(
      'capture-above-authorized',
      [
        ...USUAL,
        'without-a-callback-address',
        'without-an-amount',
        'when-asked-again',
        'after-a-day',
        'on-a-credit-card',
        'without-a-challenge',
        'by-merchant-id-for-another-requestor',
        'by-both-ids-for-another-requestor',
      ],
      { lie: () => true, honest: fitsIn },
    ),
    ...toldWhen('captures-limited-one-by-one', USUAL, { lie: fitsAlone, honest: fitsIn }),
    ...toldWhen('capture-limited-as-text', PAID, { lie: fitsAsText, honest: fitsIn }),
  },
});

function carriedOut(_order: GatewayOrder, _call: GatewayCall): boolean {
  return true;
}

function asAsked(amount: number, _order: GatewayOrder, _call: GatewayCall): number {
  return amount;
}

function allOf({ amount }: GatewayOrder, _call: GatewayCall): number | undefined {
  return amount;
}

function partOf(asked: number, _order: GatewayOrder, _call: GatewayCall): number | undefined {
  return asked;
}

function takeAll(asked: number, { amount }: GatewayOrder): number {
  return Math.max(asked, amount);
}

function loseCentOfPart(asked: number, { amount }: GatewayOrder): number {
  return asked < amount ? loseCent(asked) : asked;
}

function fitsIn(asked: number, left: number, _order: GatewayOrder, _call: GatewayCall): boolean {
  return asked <= left;
}

function fitsAlone(asked: number, _left: number, { amount }: GatewayOrder): boolean {
  return asked <= amount;
}

function fitsAsText(asked: number, left: number, { currency }: GatewayOrder): boolean {
  return asked <= left || formatAmount(asked, currency) <= formatAmount(left, currency);
}

/** Milliseconds of real time for which a capture counts; honestly, it goes on counting. */
const countsLasting = decision({
  rule: 'GW-CAP-05',
  honest: () => 0,
  lies: { 'captures-forgotten-after-seconds': () => LATE },
});

/** Milliseconds until a capture counts, for the answer to wait for. */
const countsAfter = decision({
  rule: 'GW-CAP-05',
  honest: (_order: GatewayOrder, _call: GatewayCall) => 0,
  lies: {
    'captures-at-once-counted-apart': () => 60,
    ...toldWhen('captures-at-once-counted-apart', [...USUAL, 'without-an-amount'], { lie: () => 60, honest: () => 0 }),
  },
});

/** Lies that capture what was not approved, always and in some circumstances. */
function captureOf(state: Unapproved, circumstances: readonly Circumstance[]) {
  const fault = `${state}-authorization-captured`;
  const lie = (order: GatewayOrder, _call: GatewayCall) => !(order.kind === 'AUTH' && isUnapproved(state, order));
  return { [fault]: lie, ...toldWhen(fault, circumstances, { lie, honest: carriedOut }) };
}

const needsApproval = decision({
  rule: 'GW-CAP-02',
  honest: carriedOut,
  lies: {
    ...captureOf('declined', [
      'on-a-form',
      'after-3-d-secure',
      'for-another-requestor',
      'by-both-ids',
      'when-asked-again',
      'with-an-amount',
    ]),
    ...captureOf('filtered', ['on-a-form', 'for-another-requestor']),
    ...captureOf('failed', ['on-a-form', 'for-another-requestor']),
    ...captureOf('waiting', ['for-another-requestor']),
  },
});

const secondAsAWhole: typeof asAsked = (captured, order) => (countCaptures(order) > 1 ? order.amount : captured);

/** What is booked of a capture. */
const bookedOf = decision({
  rule: 'GW-CAP-04',
  honest: asAsked,
  lies: {
    'partial-capture-booked-as-a-whole': (_captured, { amount }) => amount,
    'second-capture-booked-as-a-whole': secondAsAWhole,
    ...toldWhen('second-capture-booked-as-a-whole', ['on-a-form'], { lie: secondAsAWhole, honest: asAsked }),
    ...toldWhen('partial-capture-booked-as-a-whole', [...PAID, 'after-a-pareq'], {
      lie: (_captured, { amount }) => amount,
      honest: asAsked,
    }),
  },
});

/** Whether a capture brings a callback. */
const isTold = decision({
  rule: 'GW-CBK-05',
  honest: carriedOut,
  lies: toldWhen('no-callback-for-a-capture', ['by-merchant-id', 'by-both-ids'], {
    lie: () => false,
    honest: carriedOut,
  }),
});

/** Whether an order that was captured comes to a final state again. */
const comesToRest = decision({
  rule: 'GW-STA-08',
  honest: carriedOut,
  lies: {
    'second-capture-never-ends': (order) => countCaptures(order) < 2,
    ...toldWhen('capture-never-ends', PAID, { lie: () => false, honest: carriedOut }),
  },
});

/** How often what was captured is booked. */
const bookings = decision({ rule: 'GW-CAP-02', honest: () => 1, lies: { 'capture-booked-twice': () => 2 } });

type Lapse = 'declined' | 'carried out' | 'bad request' | 'error';
const declined = (_order: GatewayOrder, _call: GatewayCall): Lapse => 'declined';

const lapsed = decision({
  rule: 'GW-CAP-08',
  honest: declined,
  lies: {
    'lapsed-authorization-captured': (): Lapse => 'carried out',
    'lapsed-capture-as-400': (): Lapse => 'bad request',
    'lapsed-capture-as-error': (): Lapse => 'error',
    'lapse-forgotten-after-a-capture': (order): Lapse =>
      sumTransactions(order, 'CAPTURE') > 0 ? 'carried out' : 'declined',
    ...toldWhen(
      'lapsed-authorization-captured',
      [...USUAL, 'without-an-amount', 'with-an-amount', 'when-asked-again', 'by-merchant-id-for-another-requestor'],
      { lie: (): Lapse => 'carried out', honest: declined },
    ),
    ...toldWhen('lapsed-capture-as-error', PAID, { lie: (): Lapse => 'error', honest: declined }),
    ...toldWhen('lapsed-capture-as-400', PAID, { lie: (): Lapse => 'bad request', honest: declined }),
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
  honest: notAtAll,
  lies: {
    'void-forgotten-after-seconds': isSecondsOld,
    'void-forgotten-after-a-day': ({ changedAt }, { gatewayState }) =>
      gatewayState.world.clock.now() - changedAt >= DAY,
    'void-forgotten-after-four-days': ({ changedAt }, { gatewayState }) =>
      gatewayState.world.clock.now() - changedAt >= 4 * DAY,
    ...toldWhen('voided-authorization-captured', [...USUAL, 'when-asked-again', 'without-an-amount'], {
      lie: carriedOut,
      honest: notAtAll,
    }),
  },
});

/** Whether a sale, which is charged already, can be captured as well. */
const saleIsHeld = decision({
  rule: 'GW-CAP-05',
  honest: notAtAll,
  lies: {
    'sale-captured': isSale,
    ...toldWhen('sale-captured', [...USUAL, 'when-asked-again', 'with-an-amount'], { lie: isSale, honest: notAtAll }),
  },
});

const holdsMoney = decision({
  rule: 'GW-VER-05',
  honest: notAtAll,
  lies: {
    'verification-captured': carriedOut,
    ...toldWhen(
      'verification-captured',
      [
        ...USUAL.filter((one) => one !== 'on-a-form'),
        'after-a-method-and-a-challenge',
        'after-a-pareq',
        'without-a-challenge',
        'when-asked-again',
        'after-a-day',
      ],
      { lie: carriedOut, honest: notAtAll },
    ),
  },
});

function notAtAll(_order: GatewayOrder, _call: GatewayCall): boolean {
  return false;
}

function isSale({ kind }: GatewayOrder): boolean {
  return kind === 'SALE';
}

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
  const booked = counts(activeLies, amount, order, call);
  const { clock, choices } = gatewayState.world;
  const made: OrderTransaction = { type: 'CAPTURE', status: 'PROCESSING', amount: booked, created: clock.now() };
  order.transactions.push(made);
  const after = countsAfter(activeLies, order, call);
  limitCounting(made, { after, lasting: countsLasting(activeLies) });
  const end = () => {
    made.status = 'APPROVED';
    order.state = comesToRest(activeLies, order, call) ? 'APPROVED' : 'PROCESSING';
    order.changedAt = clock.now();
    for (let i = 0; i < bookings(activeLies); i += 1)
      bookIncoming(gatewayState, order, bookedOf(activeLies, booked, order, call));
    if (choices.captures === 'one') listRelease(gatewayState, order);
    shareFate(gatewayState, order, 'captured');
    if (isTold(activeLies, order, call)) announceChange(gatewayState, order, 'capture');
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
