import { type ActiveLies, decision } from '../../decision.ts';
import { DAY } from '../../durations.ts';
import { isForMulticurrency, isForSecond } from '../credentials.ts';
import type { GatewayOrder } from '../orders/order.ts';
import { isSatisfiedByMethod } from '../payments/sandbox-cards.ts';

/** What brought a change about. */
export type ChangeOccasion = 'payment' | 'outcome' | 'capture' | 'reversal' | 'authentication' | 'later';

const silentOn = (rule: string, name: string, occasion: ChangeOccasion) =>
  decision({
    rule,
    honest: (_occasion: ChangeOccasion) => true,
    lies: { [`no-callback-${name}`]: (now) => now !== occasion },
  });

const announced = [
  silentOn('GW-CBK-02', 'when-a-pending-order-ends', 'outcome'),
  silentOn('GW-CBK-04', 'for-a-payment', 'payment'),
  silentOn('GW-CBK-05', 'for-a-capture', 'capture'),
  silentOn('GW-CBK-06', 'for-a-reversal', 'reversal'),
  silentOn('GW-CBK-07', 'after-three-ds', 'authentication'),
  silentOn('GW-CBK-08', 'for-a-later-change', 'later'),
];

const silentInSeveralCurrencies = (rule: string, occasion: ChangeOccasion) =>
  decision({
    rule,
    honest: (_occasion: ChangeOccasion, _order: GatewayOrder) => true,
    lies: {
      [`no-callback-for-a-${occasion}-in-several-currencies`]: (now, order) =>
        now !== occasion || !isForMulticurrency(order),
    },
  });

const announcedInSeveralCurrencies = [
  silentInSeveralCurrencies('GW-CBK-04', 'payment'),
  silentInSeveralCurrencies('GW-CBK-05', 'capture'),
  silentInSeveralCurrencies('GW-CBK-06', 'reversal'),
];

const noPaymentIsLost = decision({
  rule: 'GW-CBK-04',
  honest: (_order: GatewayOrder) => true,
  lies: {
    'one-callback-in-ten-lost': ({ id }) => id % 10 !== 5,
    'no-callback-for-a-payment-that-failed': ({ state }) => state !== 'ERROR',
    'no-callback-for-an-authorization-by-form': ({ form, kind }) => form === undefined || kind !== 'AUTH',
    'no-callback-for-an-authorization-that-failed': ({ state, kind }) => state !== 'ERROR' || kind !== 'AUTH',
    'no-callback-for-a-filtered-payment': ({ state }) => state !== 'FILTERED',
    'no-callback-for-a-filtered-authorization': ({ state, kind }) => state !== 'FILTERED' || kind !== 'AUTH',
    'no-callback-for-a-declined-payment-by-form': ({ state, form }) => state !== 'DECLINED' || form === undefined,
    'no-callback-for-a-filtered-payment-by-form': ({ state, form }) => state !== 'FILTERED' || form === undefined,
    'no-callback-for-a-payment-by-form-that-failed': ({ state, form }) => state !== 'ERROR' || form === undefined,
    'no-callback-for-a-declined-verification': ({ state, kind }) =>
      state !== 'DECLINED' || kind !== 'ACCOUNT_VERIFICATION',
    'no-callback-for-a-verification-that-failed': ({ state, kind }) =>
      state !== 'ERROR' || kind !== 'ACCOUNT_VERIFICATION',
    'no-callback-for-a-payment-with-a-frictionless-card': ({ card }) => card?.behaviour.frictionless !== true,
    'no-callback-for-a-payment-with-a-registered-card': ({ card }) => card?.isRegistered !== true,
    'no-callback-for-a-sale-in-several-currencies': (order) => order.kind !== 'SALE' || !isForMulticurrency(order),
    'no-callback-for-an-authorization-for-another-requestor': (order) => order.kind !== 'AUTH' || !isForSecond(order),
    'no-callback-for-an-authorization-in-several-currencies': (order) =>
      order.kind !== 'AUTH' || !isForMulticurrency(order),
    'no-callback-for-a-verification-for-another-requestor': (order) =>
      order.kind !== 'ACCOUNT_VERIFICATION' || !isForSecond(order),
    'no-callback-for-a-verification-in-several-currencies': (order) =>
      order.kind !== 'ACCOUNT_VERIFICATION' || !isForMulticurrency(order),
    'no-callback-for-a-declined-payment-for-another-requestor': (order) =>
      order.state !== 'DECLINED' || !isForSecond(order),
    'no-callback-for-a-filtered-payment-for-another-requestor': (order) =>
      order.state !== 'FILTERED' || !isForSecond(order),
    'no-callback-for-a-failed-authorization-for-another-requestor': (order) =>
      order.state !== 'ERROR' || order.kind !== 'AUTH' || !isForSecond(order),
    'no-callback-for-a-filtered-authorization-for-another-requestor': (order) =>
      order.state !== 'FILTERED' || order.kind !== 'AUTH' || !isForSecond(order),
    'no-callback-for-a-declined-verification-for-another-requestor': (order) =>
      order.state !== 'DECLINED' || order.kind !== 'ACCOUNT_VERIFICATION' || !isForSecond(order),
    'no-callback-for-a-failed-payment-in-several-currencies': (order) =>
      order.state !== 'ERROR' || !isForMulticurrency(order),
    'no-callback-for-a-sale-for-another-requestor': (order) => order.kind !== 'SALE' || !isForSecond(order),
  },
});

/** Whether the last transaction came days after the first. */
const isLate = ({ transactions: all }: GatewayOrder, days = 1) =>
  (all.at(-1)?.created ?? 0) - (all[0]?.created ?? 0) > days * DAY;

const countOf = ({ transactions }: GatewayOrder, type: 'CAPTURE' | 'REVERSAL') =>
  transactions.filter((one) => one.type === type).length;

const noCaptureIsLost = decision({
  rule: 'GW-CBK-05',
  honest: (_occasion: ChangeOccasion, _order: GatewayOrder) => true,
  lies: {
    'no-callback-for-a-capture-by-form': (occasion, { form }) => occasion !== 'capture' || form === undefined,
    'no-callback-for-a-capture-after-3-d-secure': (occasion, { card }) =>
      occasion !== 'capture' || card?.behaviour.step === undefined,
    'no-callback-for-a-capture-for-another-requestor': (occasion, order) =>
      occasion !== 'capture' || !isForSecond(order),
    'no-callback-for-a-capture-on-a-registered-card': (occasion, { card }) =>
      occasion !== 'capture' || card?.isRegistered !== true,
    'no-callback-for-a-capture-after-a-pareq': (occasion, { card }) =>
      occasion !== 'capture' || card?.behaviour.step !== 'pareq',
    'no-callback-for-a-capture-a-day-later': (occasion, order) => occasion !== 'capture' || !isLate(order),
    'no-callback-for-a-capture-four-days-later': (occasion, order) => occasion !== 'capture' || !isLate(order, 4),
    'no-callback-for-a-capture-a-day-later-for-another-requestor': (occasion, order) =>
      occasion !== 'capture' || !isLate(order) || !isForSecond(order),
    'no-callback-for-a-capture-after-a-refused-one': (occasion, { isCaptureRefused }) =>
      occasion !== 'capture' || isCaptureRefused !== true,
    'no-callback-for-a-second-capture': (occasion, order) => occasion !== 'capture' || countOf(order, 'CAPTURE') < 2,
  },
});

const isVoid = ({ transactions }: GatewayOrder) => transactions.at(-1)?.reversalType === 'VOID';

const noReversalIsLost = decision({
  rule: 'GW-CBK-06',
  honest: (_occasion: ChangeOccasion, _order: GatewayOrder) => true,
  lies: {
    'no-callback-for-a-reversal-by-form': (occasion, { form }) => occasion !== 'reversal' || form === undefined,
    'no-callback-for-a-reversal-after-3-d-secure': (occasion, { card }) =>
      occasion !== 'reversal' || card?.behaviour.step === undefined,
    'no-callback-for-a-reversal-for-another-requestor': (occasion, order) =>
      occasion !== 'reversal' || !isForSecond(order),
    'no-callback-for-a-reversal-of-a-sale-by-form': (occasion, { kind, form }) =>
      occasion !== 'reversal' || kind !== 'SALE' || form === undefined,
    'no-callback-for-a-reversal-of-a-sale-after-3-d-secure': (occasion, { kind, card }) =>
      occasion !== 'reversal' || kind !== 'SALE' || card?.behaviour.step === undefined,
    'no-callback-for-a-reversal-of-a-sale-on-a-registered-card': (occasion, { kind, card }) =>
      occasion !== 'reversal' || kind !== 'SALE' || card?.isRegistered !== true,
    'no-callback-for-a-reversal-of-a-sale-for-another-requestor': (occasion, order) =>
      occasion !== 'reversal' || order.kind !== 'SALE' || !isForSecond(order),
    'no-callback-for-a-reversal-of-a-sale-in-several-currencies': (occasion, order) =>
      occasion !== 'reversal' || order.kind !== 'SALE' || !isForMulticurrency(order),
    'no-callback-for-a-void-on-a-registered-card': (occasion, order) =>
      occasion !== 'reversal' || !isVoid(order) || order.card?.isRegistered !== true,
    'no-callback-for-a-reversal-of-a-captured-authorization': (occasion, order) =>
      occasion !== 'reversal' || order.kind !== 'AUTH' || isVoid(order),
    'no-callback-for-a-reversal-a-day-later': (occasion, order) => occasion !== 'reversal' || !isLate(order),
    'no-callback-for-a-reversal-of-an-authorization-days-later': (occasion, order) =>
      occasion !== 'reversal' || order.kind !== 'AUTH' || !isLate(order, 3),
    'no-callback-for-a-third-reversal': (occasion, order) => occasion !== 'reversal' || countOf(order, 'REVERSAL') < 3,
    'no-callback-for-a-third-reversal-for-another-requestor': (occasion, order) =>
      occasion !== 'reversal' || countOf(order, 'REVERSAL') < 3 || !isForSecond(order),
    'no-callback-for-a-reversal-a-day-later-in-several-currencies': (occasion, order) =>
      occasion !== 'reversal' || !isLate(order) || !isForMulticurrency(order),
    'no-callback-for-a-reversal-after-a-pareq': (occasion, { card }) =>
      occasion !== 'reversal' || card?.behaviour.step !== 'pareq',
    'no-callback-for-a-void-for-another-requestor': (occasion, order) =>
      occasion !== 'reversal' || !isVoid(order) || !isForSecond(order),
    'no-callback-for-a-void-in-several-currencies': (occasion, order) =>
      occasion !== 'reversal' || !isVoid(order) || !isForMulticurrency(order),
    'no-callback-for-a-reversal-after-a-refused-one': (occasion, { isReversalRefused }) =>
      occasion !== 'reversal' || isReversalRefused !== true,
    'no-callback-for-a-void-after-a-refused-capture': (occasion, order) =>
      occasion !== 'reversal' || !isVoid(order) || order.isCaptureRefused !== true,
    'no-callback-for-a-void': (occasion, order) => occasion !== 'reversal' || !isVoid(order),
    'no-callback-for-a-reversal-like-one-before': (occasion, { transactions: all }) =>
      occasion !== 'reversal' ||
      !all.slice(0, -1).some(({ type, amount }) => type === 'REVERSAL' && amount === all.at(-1)!.amount),
    'no-callback-for-a-refund-that-took-time': (occasion, { card }) =>
      occasion !== 'reversal' || card?.behaviour.via === undefined,
  },
});

const noLaterChangeIsLost = decision({
  rule: 'GW-CBK-08',
  honest: (_occasion: ChangeOccasion, _order: GatewayOrder) => true,
  lies: {
    'no-callback-for-a-later-change-for-another-requestor': (occasion, order) =>
      occasion !== 'later' || !isForSecond(order),
    'no-callback-for-a-later-change-after-two-months': (occasion, { transactions: all, changedAt }) =>
      occasion !== 'later' || changedAt - (all[0]?.created ?? changedAt) < 60 * DAY,
    'no-callback-for-a-later-change-after-a-second-capture': (occasion, order) =>
      occasion !== 'later' || countOf(order, 'CAPTURE') < 2,
    'no-callback-for-a-second-later-change': (occasion, { changes }) => occasion !== 'later' || (changes ?? 0) < 2,
    'no-callback-for-a-later-change-in-several-currencies': (occasion, order) =>
      occasion !== 'later' || !isForMulticurrency(order),
    'no-callback-for-a-later-change-after-a-pareq': (occasion, { card }) =>
      occasion !== 'later' || card?.behaviour.step !== 'pareq',
    'no-callback-for-a-later-change-after-a-refund': (occasion, order) =>
      occasion !== 'later' || countOf(order, 'REVERSAL') === 0,
    'no-callback-for-a-later-change-of-an-authorization': (occasion, { kind }) =>
      occasion !== 'later' || kind !== 'AUTH',
    'no-callback-for-a-later-change-by-form': (occasion, { form }) => occasion !== 'later' || form === undefined,
    'no-callback-for-a-later-change-on-a-registered-card': (occasion, { card }) =>
      occasion !== 'later' || card?.isRegistered !== true,
    'no-callback-for-a-later-change-after-3-d-secure': (occasion, { card }) =>
      occasion !== 'later' || card?.behaviour.step === undefined,
  },
});

const noAuthenticationIsLost = decision({
  rule: 'GW-CBK-07',
  honest: (_occasion: ChangeOccasion, _order: GatewayOrder) => true,
  lies: {
    'no-callback-after-three-ds-for-another-requestor': (occasion, order) =>
      occasion !== 'authentication' || !isForSecond(order),
    'no-callback-after-three-ds-of-an-authorization': (occasion, { kind }) =>
      occasion !== 'authentication' || kind !== 'AUTH',
    'no-callback-after-a-challenge-of-an-authorization': (occasion, { kind, card }) =>
      occasion !== 'authentication' || kind !== 'AUTH' || card?.behaviour.step === 'pareq',
    'no-callback-after-a-pareq-of-a-sale': (occasion, { kind, card }) =>
      occasion !== 'authentication' || kind !== 'SALE' || card?.behaviour.step !== 'pareq',
    'no-callback-after-three-ds-of-a-verification': (occasion, { kind }) =>
      occasion !== 'authentication' || kind !== 'ACCOUNT_VERIFICATION',
    'no-callback-after-a-method-that-ends-a-payment': (occasion, { card }) =>
      occasion !== 'authentication' || card === undefined || !isSatisfiedByMethod(card.behaviour),
    'no-callback-after-a-method-that-ends-an-authorization': (occasion, { kind, card }) =>
      occasion !== 'authentication' || kind !== 'AUTH' || card === undefined || !isSatisfiedByMethod(card.behaviour),
    'no-callback-after-a-challenge-that-follows-a-method': (occasion, { card }) =>
      occasion !== 'authentication' || card?.behaviour.step !== 'method' || isSatisfiedByMethod(card.behaviour),
    'no-callback-after-a-step-that-was-not-passed': (occasion, { state }) =>
      occasion !== 'authentication' || state === 'APPROVED',
    'no-callback-after-a-step-that-was-not-passed-for-another-requestor': (occasion, order) =>
      occasion !== 'authentication' || order.state === 'APPROVED' || !isForSecond(order),
    'no-callback-after-a-pareq-that-was-not-passed': (occasion, { state, card }) =>
      occasion !== 'authentication' || state === 'APPROVED' || card?.behaviour.step !== 'pareq',
    'no-callback-after-a-pareq-of-an-authorization-that-was-not-passed': (occasion, { state, kind, card }) =>
      occasion !== 'authentication' || state === 'APPROVED' || kind !== 'AUTH' || card?.behaviour.step !== 'pareq',
    'no-callback-after-a-pareq-of-a-verification-that-was-not-passed': (occasion, { state, kind, card }) =>
      occasion !== 'authentication' ||
      state === 'APPROVED' ||
      kind !== 'ACCOUNT_VERIFICATION' ||
      card?.behaviour.step !== 'pareq',
    'no-callback-after-a-challenge-of-an-authorization-that-follows-a-method': (occasion, { kind, card }) =>
      occasion !== 'authentication' ||
      kind !== 'AUTH' ||
      card?.behaviour.step !== 'method' ||
      isSatisfiedByMethod(card.behaviour),
    'no-callback-after-a-step-of-an-authorization-that-was-not-passed': (occasion, { state, kind }) =>
      occasion !== 'authentication' || state === 'APPROVED' || kind !== 'AUTH',
    'no-callback-after-a-step-of-a-verification-that-was-not-passed': (occasion, { state, kind }) =>
      occasion !== 'authentication' || state === 'APPROVED' || kind !== 'ACCOUNT_VERIFICATION',
  },
});

const noEndIsLost = decision({
  rule: 'GW-CBK-02',
  honest: (_occasion: ChangeOccasion, _order: GatewayOrder) => true,
  lies: {
    'no-callback-when-an-unknown-state-ends': (occasion, { card }) =>
      occasion !== 'outcome' || card?.behaviour.via !== 'UNKNOWN',
    'no-callback-when-a-pending-order-for-another-requestor-ends': (occasion, order) =>
      occasion !== 'outcome' || !isForSecond(order),
    'no-callback-when-a-chain-step-ends': (occasion, { card }) =>
      occasion !== 'outcome' || card?.behaviour.via !== 'CHAIN_STEP',
    'no-callback-when-an-unknown-authorization-ends': (occasion, { card, kind }) =>
      occasion !== 'outcome' || kind !== 'AUTH' || card?.behaviour.via !== 'UNKNOWN',
    'no-callback-when-a-form-is-left': (_occasion, { error }) => error?.message.startsWith('Cancelled') !== true,
    'no-callback-when-a-form-of-an-authorization-is-left': (_occasion, { error, kind }) =>
      kind !== 'AUTH' || error?.message.startsWith('Cancelled') !== true,
    'no-callback-when-a-pending-authorization-ends': (occasion, { kind }) => occasion !== 'outcome' || kind !== 'AUTH',
    'no-callback-when-a-pending-verification-ends': (occasion, { kind }) =>
      occasion !== 'outcome' || kind !== 'ACCOUNT_VERIFICATION',
  },
});

/** Whether a change brings a callback; honestly, each does. */
export function announcesChange(activeLies: ActiveLies, occasion: ChangeOccasion, order: GatewayOrder): boolean {
  return (
    noPaymentIsLost(activeLies, order) &&
    noCaptureIsLost(activeLies, occasion, order) &&
    noReversalIsLost(activeLies, occasion, order) &&
    noLaterChangeIsLost(activeLies, occasion, order) &&
    noAuthenticationIsLost(activeLies, occasion, order) &&
    noEndIsLost(activeLies, occasion, order) &&
    announcedInSeveralCurrencies.every((decided) => decided(activeLies, occasion, order)) &&
    announced.every((decided) => decided(activeLies, occasion))
  );
}
