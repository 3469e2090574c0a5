import { decision } from '../../decision.ts';
import { DAY } from '../../durations.ts';
import { LATE } from '../../real-time.ts';
import { decideMixUp } from '../../rush.ts';
import { isAskedAgain } from '../asked-again.ts';
import { isForSecond } from '../credentials.ts';
import type { GatewayCall } from '../gateway-call.ts';
import type { GatewayReply } from '../gateway-reply.ts';
import {
  type Circumstance,
  isUnapproved,
  ofAuthorizations,
  toldWhen,
  type Unapproved,
  USUAL,
} from '../orders/circumstances.ts';
import { findLatestOrder, findOrder, findOrderOrLatest, inBits, latestOrder } from '../orders/find-order.ts';
import { formatAmount, loseCent } from '../orders/money.ts';
import {
  capturedAmount,
  type GatewayOrder,
  limitCounting,
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

/** The circumstances of a reversal, which the system id names. */
const REVERSALS = USUAL.filter((one) => one !== 'by-merchant-id');

const saleIsCaptured = decision({
  rule: 'GW-SAL-02',
  honest: truly,
  lies: {
    'sale-captures-nothing': isNoSale,
    'sale-of-thousands-captures-nothing': ({ kind, amount }) => kind !== 'SALE' || amount < 100_000,
    ...toldWhen(
      'sale-captures-nothing',
      [
        'on-a-form',
        'on-a-registered-card',
        'after-3-d-secure',
        'after-a-method-and-a-challenge',
        'for-another-requestor',
        'in-several-currencies',
        'with-a-callback-address',
        'later-than-at-once',
        'after-an-unknown-state',
        'after-a-chain-step',
      ],
      { lie: isNoSale, honest: truly },
    ),
  },
});

type Outcome = 'carried out' | 'refused' | 'ignored';
const carriedOut = (_order: GatewayOrder, _call: GatewayCall): Outcome => 'carried out';

const voids = decision({
  rule: 'GW-REV-02',
  honest: carriedOut,
  lies: {
    'void-declined': (): Outcome => 'refused',
    'void-leaves-the-hold': (): Outcome => 'ignored',
    'void-after-a-refused-capture-declined': ({ isCaptureRefused }): Outcome =>
      isCaptureRefused ? 'refused' : 'carried out',
    ...toldWhen('void-leaves-the-hold', [...REVERSALS, 'after-a-pareq', 'on-a-credit-card', 'after-a-day'], {
      lie: (): Outcome => 'ignored',
      honest: carriedOut,
    }),
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

/** A part of what is to be taken back, or more of it, beside just that. */
const instead = (change: (amount: number) => number) => ({
  lie: (amount: number, _order: GatewayOrder, _call: GatewayCall): number | undefined => change(amount),
  honest: asMeant,
});
const HALF = instead((left) => Math.floor(left / 2));
const LOST_CENT = instead(loseCent);
const LEFT_CENT = instead((left) => (left > 1 ? left - 1 : left));

const everything = decision({
  rule: 'GW-REV-04',
  honest: asMeant,
  lies: {
    'full-reversal-takes-half': HALF.lie,
    'full-reversal-loses-a-cent-to-a-float': LOST_CENT.lie,
    'full-reversal-leaves-a-cent': LEFT_CENT.lie,
    'full-reversal-of-an-authorization-loses-a-cent-to-a-float': ofAuthorizations(LOST_CENT).lie,
    'full-reversal-refused': () => undefined,
    'full-reversal-refused-for-another-requestor': (left, order) => (isForSecond(order) ? undefined : left),
    'full-reversal-takes-back-the-first-capture-alone': (left, order) => Math.min(left, firstCapture(order)),
    'full-reversal-of-the-rest-leaves-a-cent': (left, { amount }) => (left < amount && left > 1 ? left - 1 : left),
    ...toldWhen('full-reversal-takes-half', [...REVERSALS, 'after-a-day'], HALF),
    ...toldWhen('full-reversal-of-an-authorization-takes-half', REVERSALS, ofAuthorizations(HALF)),
    ...toldWhen(
      'full-reversal-loses-a-cent-to-a-float',
      ['on-a-registered-card', 'for-another-requestor', 'in-several-currencies', 'by-both-ids', 'after-a-day'],
      LOST_CENT,
    ),
    ...toldWhen('full-reversal-leaves-a-cent', ['after-a-pareq'], LEFT_CENT),
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
  honest: isNext,
  lies: {
    'second-reversal-declined': isFirst,
    'third-reversal-declined': isOneOfTwo,
    'last-partial-reversal-declined': isNotLast,
    'reversals-added-up-in-floating-point': isBelowFloats,
    'what-is-left-to-reverse-reckoned-in-floating-point': (_earlier, asked, left, order) => {
      const captured = capturedAmount(order);
      return asked / 100 <= captured / 100 - (captured - left) / 100;
    },
    'what-is-left-to-reverse-added-to-in-floating-point': (_earlier, asked, left, order) => {
      const captured = capturedAmount(order);
      return (captured - left) / 100 + asked / 100 <= captured / 100;
    },
    'reversal-of-the-same-amount-declined': (_earlier, asked, _left, order) =>
      !order.transactions.some((one) => one.type === 'REVERSAL' && one.amount === asked),
    'refused-reversal-counted-as-one': (_earlier, asked, left, { isReversalRefused }) =>
      isReversalRefused !== true || asked < left,
    'reversals-of-an-authorization-added-up-in-floating-point': ofAuthorizations({ lie: isBelowFloats, honest: isNext })
      .lie,
    ...toldWhen('second-reversal-declined', REVERSALS, { lie: isFirst, honest: isNext }),
    ...toldWhen(
      'second-reversal-of-an-authorization-declined',
      ['on-a-form'],
      ofAuthorizations({ lie: isFirst, honest: isNext }),
    ),
    ...toldWhen('third-reversal-declined', REVERSALS, { lie: isOneOfTwo, honest: isNext }),
    ...toldWhen('last-partial-reversal-declined', REVERSALS, { lie: isNotLast, honest: isNext }),
    ...toldWhen('reversals-added-up-in-floating-point', REVERSALS, { lie: isBelowFloats, honest: isNext }),
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

const unlimited = () => true;

const fits = decision({
  rule: 'GW-REV-06',
  honest: fitsIn,
  lies: {
    'reversals-without-limit': unlimited,
    'reversals-limited-one-by-one': fitsAlone,
    'reversal-limited-as-text': fitsAsText,
    'refund-under-way-not-counted': (asked, left, captured, order) =>
      asked <= left || asked <= captured - sumApproved(order.transactions),
    'reversals-counted-since-the-last-capture': (asked, left, captured, { transactions }) => {
      const at = transactions.findLastIndex(({ type, status }) => type === 'CAPTURE' && status === 'APPROVED');
      return asked <= left || (at >= 0 && asked <= captured - sumApproved(transactions.slice(at)));
    },
    'reversal-one-cent-above': (asked, left) => asked <= left + 1,
    'reversals-without-limit-after-a-refused-one': (asked, left, _captured, { isReversalRefused }) =>
      asked <= left || isReversalRefused === true,
    'reversal-of-ten-times-the-captured-amount': (asked, left) => asked <= left || asked === 10 * left,
    'reversals-of-small-sales-without-limit': (asked, left, captured) => asked <= left || captured < 100,
    'reversals-of-two-captures-limited-by-the-authorized-amount': (asked, left, _captured, order) =>
      asked <= left || (isCapturedTwice(order) && asked + sumTransactions(order, 'REVERSAL') <= order.amount),
    'reversals-limited-by-the-last-one': (asked, _left, captured, { transactions }) =>
      asked + (transactions.findLast((one) => one.type === 'REVERSAL')?.amount ?? 0) <= captured,
    'reversals-limited-by-the-day': (asked, _left, captured, order, { gatewayState }) =>
      asked <= captured - sumTransactions(order, 'REVERSAL', gatewayState.world.clock.now() - DAY),
    ...toldWhen(
      'reversals-without-limit',
      [...REVERSALS, 'without-a-callback-address', 'without-a-challenge', 'after-a-month', 'after-a-hundred-orders'],
      { lie: unlimited, honest: fitsIn },
    ),
    ...toldWhen(
      'reversals-of-an-authorization-without-limit',
      ['on-a-form', 'on-a-registered-card', 'after-3-d-secure', 'for-another-requestor', 'after-a-month'],
      ofAuthorizations({ lie: unlimited, honest: fitsIn }),
    ),
    ...toldWhen('reversals-limited-one-by-one', REVERSALS, { lie: fitsAlone, honest: fitsIn }),
    ...toldWhen('reversal-limited-as-text', REVERSALS, { lie: fitsAsText, honest: fitsIn }),
  },
});

/** What is taken back where an amount is given. */
const part = decision({
  rule: 'GW-REV-05',
  honest: partOf,
  lies: {
    'partial-reversal-takes-all': takeAll,
    'partial-reversal-loses-a-cent-to-a-float': loseCent,
    ...toldWhen('partial-reversal-takes-all', [...REVERSALS, 'after-a-day'], { lie: takeAll, honest: partOf }),
    ...toldWhen('partial-reversal-loses-a-cent-to-a-float', [...REVERSALS, 'after-a-day'], {
      lie: loseCent,
      honest: partOf,
    }),
  },
});

function notAtAll(_order: GatewayOrder, _call: GatewayCall): boolean {
  return false;
}

function truly(_order: GatewayOrder, _call: GatewayCall): boolean {
  return true;
}

function isNoSale({ kind }: GatewayOrder): boolean {
  return kind !== 'SALE';
}

function asMeant(left: number, _order: GatewayOrder, _call: GatewayCall): number | undefined {
  return left;
}

function isNext(_earlier: number, _asked: number, _left: number, _order: GatewayOrder, _call: GatewayCall): boolean {
  return true;
}

function isFirst(earlier: number): boolean {
  return earlier === 0;
}

function isOneOfTwo(earlier: number): boolean {
  return earlier < 2;
}

function isNotLast(earlier: number, asked: number, left: number): boolean {
  return earlier === 0 || asked < left;
}

function isBelowFloats(_earlier: number, asked: number, _left: number, order: GatewayOrder): boolean {
  return addUpReversals(order) + asked / 100 <= capturedAmount(order) / 100;
}

function fitsIn(asked: number, left: number, _captured: number, _order: GatewayOrder, _call: GatewayCall): boolean {
  return asked <= left;
}

function fitsAlone(asked: number, _left: number, captured: number): boolean {
  return asked <= captured;
}

function fitsAsText(asked: number, left: number, _captured: number, { currency }: GatewayOrder): boolean {
  return asked <= left || formatAmount(asked, currency) <= formatAmount(left, currency);
}

function partOf(asked: number, _left: number, _order: GatewayOrder, _call: GatewayCall): number {
  return asked;
}

function takeAll(asked: number, left: number): number {
  return Math.max(asked, left);
}

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
  honest: notAtAll,
  lies: {
    'refused-reversal-debited': truly,
    ...toldWhen('refused-reversal-debited', ['on-a-form', 'for-another-requestor', 'by-both-ids'], {
      lie: truly,
      honest: notAtAll,
    }),
  },
});

/** Milliseconds of real time for which a reversal counts; honestly, it goes on counting. */
const countsLasting = decision({
  rule: 'GW-REV-06',
  honest: () => 0,
  lies: { 'reversals-forgotten-after-seconds': () => LATE },
});

const APART = { lie: () => 60, honest: () => 0 };

/** Milliseconds until a reversal counts, for the answer to wait for. */
const countsAfter = decision({
  rule: 'GW-REV-06',
  honest: (_order: GatewayOrder, _call: GatewayCall) => 0,
  lies: {
    'reversals-at-once-counted-apart': APART.lie,
    'reversals-of-an-authorization-at-once-counted-apart': ofAuthorizations(APART).lie,
    ...toldWhen('reversals-at-once-counted-apart', [...REVERSALS, 'without-an-amount'], APART),
    ...toldWhen('reversals-of-an-authorization-at-once-counted-apart', ['on-a-form'], ofAuthorizations(APART)),
  },
});

/** Lies that refund what was never charged, always and in some circumstances. */
function refundOf(state: Unapproved, kind: 'SALE' | 'AUTH', circumstances: readonly Circumstance[] = []) {
  const fault = `${state}-${kind === 'SALE' ? 'sale' : 'authorization'}-refunded`;
  const lie = (_asked: number | undefined, order: GatewayOrder, _call: GatewayCall) =>
    !(order.kind === kind && isUnapproved(state, order));
  return { [fault]: lie, ...toldWhen(fault, circumstances, { lie, honest: isAsked }) };
}

const needsCapture = decision({
  rule: 'GW-REV-06',
  honest: isAsked,
  lies: {
    ...refundOf('declined', 'SALE', [
      'on-a-form',
      'after-3-d-secure',
      'for-another-requestor',
      'by-both-ids',
      'without-an-amount',
    ]),
    ...refundOf('declined', 'AUTH'),
    ...refundOf('filtered', 'SALE', ['on-a-form']),
    ...refundOf('filtered', 'AUTH', ['for-another-requestor']),
    ...refundOf('failed', 'SALE', ['on-a-form', 'for-another-requestor']),
    ...refundOf('failed', 'AUTH'),
    ...refundOf('waiting', 'SALE'),
    'verification-refunded': isNoVerification,
    ...toldWhen('verification-refunded', ['for-another-requestor'], { lie: isNoVerification, honest: isAsked }),
    'declined-sale-refunded-after-a-refusal': (_asked, { kind, state, isReversalRefused }) =>
      !(kind === 'SALE' && state === 'DECLINED' && isReversalRefused),
    'voided-authorization-refunded': (_asked, { voided }) => !voided,
    'authorization-that-was-not-captured-refunded-in-part': (asked, order) =>
      !(
        order.heldUntil !== undefined &&
        !order.voided &&
        capturedAmount(order) === 0 &&
        (asked ?? order.amount) < order.amount
      ),
    'waiting-sale-refunded-as-a-whole': (asked, { kind, step, amount }) =>
      !(kind === 'SALE' && step !== undefined && (asked ?? amount) === amount),
  },
});

function isAsked(_asked: number | undefined, _order: GatewayOrder, _call: GatewayCall): boolean {
  return true;
}

function isNoVerification(_asked: number | undefined, { kind }: GatewayOrder): boolean {
  return kind !== 'ACCOUNT_VERIFICATION';
}

const KEPT = { lie: () => false, honest: truly };

const refundLeaves = decision({
  rule: 'GW-REV-03',
  honest: truly,
  lies: {
    'refund-of-a-sale-credited-to-the-merchant': ({ kind }) => kind === 'AUTH',
    'refund-of-an-authorization-credited-to-the-merchant': ofAuthorizations(KEPT).lie,
    'second-refund-credited-to-the-merchant': isNoSecondRefund,
    'second-refund-of-a-sale-credited-to-the-merchant': (order) => order.kind !== 'SALE' || isNoSecondRefund(order),
    ...toldWhen('refund-credited-to-the-merchant', [...REVERSALS, 'after-a-pareq'], KEPT),
    ...toldWhen('refund-of-an-authorization-credited-to-the-merchant', ['on-a-form'], ofAuthorizations(KEPT)),
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
  honest: truly,
  lies: {
    'refund-that-is-over-stays-in-processing': KEPT.lie,
    'refund-of-an-authorization-that-is-over-stays-in-processing': ofAuthorizations(KEPT).lie,
    'second-refund-that-is-over-stays-in-processing': isNoSecondRefund,
    ...toldWhen('refund-that-is-over-stays-in-processing', ['on-a-form'], KEPT),
  },
});

function isNoSecondRefund({ transactions }: GatewayOrder): boolean {
  return transactions.filter(({ reversalType }) => reversalType === 'REFUND').length < 2;
}

/** Whether nothing of what takes no money out is set aside for good. */
const onlyRefundsAreReserved = decision({
  rule: 'GW-BAL-16',
  honest: (_what: 'refused' | 'VOID' | 'REFUND') => true,
  lies: {
    'refused-refund-stays-in-processing': (what) => what !== 'refused',
    'void-stays-in-processing': (what) => what !== 'VOID',
  },
});

const CREDITED = { lie: asMeant, honest: () => 0 };

const voidMovesNothing = decision({
  rule: 'GW-REV-02',
  honest: (_held: number, _order: GatewayOrder, _call: GatewayCall): number | undefined => 0,
  lies: {
    'void-credited-to-the-merchant': CREDITED.lie,
    ...toldWhen('void-credited-to-the-merchant', REVERSALS, CREDITED),
  },
});

/** Whether a voided order comes to a final state again. */
const voidComesToRest = decision({
  rule: 'GW-STA-08',
  honest: truly,
  lies: toldWhen('void-never-ends', REVERSALS, KEPT),
});

/** Whether a reversal brings a callback. */
const isTold = decision({
  rule: 'GW-CBK-06',
  honest: truly,
  lies: toldWhen('no-callback-for-a-reversal', ['by-both-ids'], KEPT),
});

type Rest = 'APPROVED' | 'PROCESSING';
const ENDLESS = {
  lie: (kind: string | undefined, _order: GatewayOrder, _call: GatewayCall): Rest =>
    kind === 'REFUND' ? 'PROCESSING' : 'APPROVED',
  honest: (): Rest => 'APPROVED',
};

const endsAtOnce = decision({
  rule: 'GW-REV-07',
  honest: (_kind: string | undefined, _order: GatewayOrder, _call: GatewayCall): Rest => 'APPROVED',
  lies: {
    'refund-stays-processing': ENDLESS.lie,
    'second-refund-stays-processing': (kind, { transactions }): Rest =>
      kind === 'REFUND' && transactions.some(({ reversalType }) => reversalType === 'REFUND')
        ? 'PROCESSING'
        : 'APPROVED',
    ...toldWhen('refund-stays-processing', [...REVERSALS, 'after-a-day'], ENDLESS),
    ...toldWhen('refund-of-an-authorization-stays-processing', ['on-a-form', 'after-a-day'], ofAuthorizations(ENDLESS)),
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
  if (!needsCapture(activeLies, asked, order, call))
    return book(call, order, { kind: 'REFUND', amount: asked ?? order.amount, reason });
  const captured = saleIsCaptured(activeLies, order, call) ? capturedAmount(order) : 0;
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
  if (amount <= left && !series(activeLies, earlier, amount, left, order, call))
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
  const after = countsAfter(activeLies, order, call);
  limitCounting(transaction, { after, lasting: countsLasting(activeLies) });
  const { currency } = order;
  const merchant = leavesFrom(activeLies, order, gatewayState.world.credentials.merchant.login);
  if (what.kind === 'REFUND' || !onlyRefundsAreReserved(activeLies, what.kind))
    gatewayState.balances.reserve(merchant, currency, what.amount, 'refund');
  const end = () => {
    transaction.status = status;
    order.state = what.kind === 'REFUND' || voidComesToRest(activeLies, order, call) ? status : 'PROCESSING';
    order.changedAt = clock.now();
    if (what.kind === 'REFUND' && status === 'APPROVED')
      gatewayState.balances.release(merchant, currency, what.amount, 'refund', refundLeaves(activeLies, order, call));
    if (what.kind === 'REFUND' && !reservationEnds(activeLies, order, call))
      gatewayState.balances.reserve(merchant, currency, what.amount, 'refund');
    if (what.kind === 'REFUND' && !refundLeaves(activeLies, order, call))
      gatewayState.balances.credit(merchant, currency, what.amount);
    const gained = what.kind === 'VOID' ? (voidMovesNothing(activeLies, what.amount, order, call) ?? 0) : 0;
    if (gained > 0) gatewayState.balances.credit(merchant, currency, gained);
    if (what.kind === 'VOID') shareFate(gatewayState, order, 'voided');
    if (isTold(activeLies, order, call)) announceChange(gatewayState, order, 'reversal');
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
