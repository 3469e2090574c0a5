import { type ActiveLies, decision } from '../../decision.ts';
import type { GatewayChoices } from '../choices.ts';
import { isForMulticurrency, isForSecond } from '../credentials.ts';
import type { IssuerBehaviour } from '../payments/sandbox-cards.ts';
import type { GatewayOrder, OrderState } from './order.ts';

const neverEnds = (state: 'PROCESSING' | 'UNKNOWN' | 'CHAIN_STEP', rule: string) =>
  decision({
    rule,
    honest: (_via: OrderState, _order: GatewayOrder) => true,
    lies: {
      [`${state.toLowerCase().replace('_', '-')}-never-ends`]: (via) => via !== state,
      [`${state.toLowerCase().replace('_', '-')}-for-another-requestor-never-ends`]: (via, order) =>
        via !== state || !isForSecond(order),
      [`${state.toLowerCase().replace('_', '-')}-of-an-authorization-for-another-requestor-never-ends`]: (via, order) =>
        via !== state || order.kind !== 'AUTH' || !isForSecond(order),
      [`${state.toLowerCase().replace('_', '-')}-of-an-authorization-never-ends`]: (via, { kind }) =>
        via !== state || kind !== 'AUTH',
      [`${state.toLowerCase().replace('_', '-')}-of-a-verification-never-ends`]: (via, { kind }) =>
        via !== state || kind !== 'ACCOUNT_VERIFICATION',
      ...(state === 'PROCESSING' && {
        'processing-of-a-form-never-ends': (via: OrderState, { form }: GatewayOrder) =>
          via !== state || form === undefined,
      }),
    },
  });

const ends = [
  neverEnds('PROCESSING', 'GW-STA-08'),
  neverEnds('UNKNOWN', 'GW-STA-09'),
  neverEnds('CHAIN_STEP', 'GW-STA-10'),
];

const declineIsSaid = decision({
  rule: 'GW-STA-01',
  honest: (ending: IssuerBehaviour['ending'], _order: GatewayOrder): OrderState => ending,
  lies: {
    'declined-for-another-requestor-approved': (ending, order) =>
      ending === 'DECLINED' && isForSecond(order) ? 'APPROVED' : ending,
    'declined-in-several-currencies-as-error': (ending, order) =>
      ending === 'DECLINED' && isForMulticurrency(order) ? 'ERROR' : ending,
    'declined-as-error': (ending) => (ending === 'DECLINED' ? 'ERROR' : ending),
    'declined-sale-as-filtered': (ending, order) =>
      ending === 'DECLINED' && order.kind === 'SALE' ? 'FILTERED' : ending,
  },
});

/** What is said of an ending that is no decline; under a lie, that it is one. */
const isSaid = (rule: string, state: 'ERROR' | 'FILTERED') => {
  const declined =
    (isMeant: (order: GatewayOrder) => boolean) =>
    (ending: OrderState, order: GatewayOrder): OrderState =>
      ending === state && isMeant(order) ? 'DECLINED' : ending;
  const name = state.toLowerCase();
  return decision({
    rule,
    honest: (ending: OrderState, _order: GatewayOrder): OrderState => ending,
    lies: {
      [`${name}-as-declined`]: declined(() => true),
      [`${name}-for-another-requestor-as-declined`]: declined(isForSecond),
      [`${name}-in-several-currencies-as-declined`]: declined(isForMulticurrency),
    },
  });
};

const failureIsSaid = isSaid('GW-STA-02', 'ERROR');
const filterIsSaid = isSaid('GW-STA-03', 'FILTERED');

const goodCardIsVerified = decision({
  rule: 'GW-VER-02',
  honest: (ending: OrderState, _order: GatewayOrder): OrderState => ending,
  lies: {
    'good-card-not-verified-for-another-requestor': (ending, order) =>
      order.kind === 'ACCOUNT_VERIFICATION' && isForSecond(order) && ending === 'APPROVED' ? 'DECLINED' : ending,
    'good-card-not-verified': (ending, order) =>
      order.kind === 'ACCOUNT_VERIFICATION' && ending === 'APPROVED' ? 'DECLINED' : ending,
  },
});

const badCardIsNotVerified = decision({
  rule: 'GW-VER-03',
  honest: (ending: OrderState, _order: GatewayOrder): OrderState => ending,
  lies: {
    'inactive-card-verified-for-another-requestor': (ending, order) =>
      order.kind === 'ACCOUNT_VERIFICATION' && isForSecond(order) && ending === 'DECLINED' ? 'APPROVED' : ending,
    'inactive-card-verified': (ending, order) =>
      order.kind === 'ACCOUNT_VERIFICATION' && ending === 'DECLINED' ? 'APPROVED' : ending,
  },
});

const verificationMovesNothing = decision({
  rule: 'GW-VER-04',
  honest: (_order: GatewayOrder) => 0,
  lies: {
    'verification-takes-a-cent': () => -1,
    'verification-books-its-amount': () => 100,
    'verification-for-another-requestor-books-its-amount': (order) => (isForSecond(order) ? 100 : 0),
    'verification-in-several-currencies-books-its-amount': (order) => (isForMulticurrency(order) ? 100 : 0),
    'verification-after-a-wait-books-its-amount': ({ card }) => (card?.behaviour.via === undefined ? 0 : 100),
    'verification-by-card-id-books-its-amount': ({ card }) => (card?.isRegistered === true ? 100 : 0),
    'verification-after-3-d-secure-books-its-amount': ({ card }) => (card?.behaviour.step === undefined ? 0 : 100),
  },
});

const refusedVerificationMovesNothing = decision({
  rule: 'GW-VER-04',
  honest: (_order: GatewayOrder, _state: OrderState) => 0,
  lies: {
    'refused-verification-costs-a-fee': ({ kind }) => (kind === 'ACCOUNT_VERIFICATION' ? -25 : 0),
    'filtered-verification-costs-a-fee': ({ kind }, state) =>
      kind === 'ACCOUNT_VERIFICATION' && state === 'FILTERED' ? -25 : 0,
    'failed-verification-costs-a-fee': ({ kind }, state) =>
      kind === 'ACCOUNT_VERIFICATION' && state === 'ERROR' ? -25 : 0,
    'verification-not-authenticated-costs-a-fee': ({ kind, card }) =>
      kind === 'ACCOUNT_VERIFICATION' && card?.behaviour.step !== undefined ? -25 : 0,
  },
});

const authorizationMovesNothing = decision({
  rule: 'GW-ATH-02',
  honest: (_order: GatewayOrder) => 0,
  lies: {
    'authorization-charges': ({ amount }) => amount,
    'authorization-for-another-requestor-charges': (order) => (isForSecond(order) ? order.amount : 0),
    'authorization-in-several-currencies-charges': (order) => (isForMulticurrency(order) ? order.amount : 0),
    'authorization-by-card-id-charges': ({ amount, card }) => (card?.isRegistered ? amount : 0),
    'authorization-by-form-charges': ({ amount, form }) => (form === undefined ? 0 : amount),
    'authorization-after-a-challenge-charges': ({ amount, card }) =>
      card?.behaviour.step === 'challenge' ? amount : 0,
    'authorization-after-a-pareq-charges': ({ amount, card }) => (card?.behaviour.step === 'pareq' ? amount : 0),
    'authorization-after-a-method-and-a-challenge-charges': ({ amount, card }) =>
      card?.behaviour.step === 'method' ? amount : 0,
    'authorization-without-a-challenge-charges': ({ amount, card }) => (card?.behaviour.frictionless ? amount : 0),
    'authorization-that-was-pending-charges': ({ amount, card }) => (card?.behaviour.via === undefined ? 0 : amount),
  },
});

const declineMovesNothing = decision({
  rule: 'GW-BAL-05',
  honest: (_amount: number, _state: OrderState, _order: GatewayOrder) => 0,
  lies: {
    'declined-payment-booked': (amount) => amount,
    'declined-payment-costs-a-fee': () => -25,
    'declined-payment-of-a-multi-currency-requestor-booked': (amount, state, order) =>
      state === 'DECLINED' && isForMulticurrency(order) ? amount : 0,
    'declined-payment-for-another-requestor-booked': (amount, state, order) =>
      state === 'DECLINED' && order.kind === 'SALE' && isForSecond(order) ? amount : 0,
    'declined-authorization-for-another-requestor-costs-a-fee': (_amount, state, order) =>
      state === 'DECLINED' && order.kind === 'AUTH' && isForSecond(order) ? -25 : 0,
    'filtered-payment-for-another-requestor-booked': (amount, state, order) =>
      state === 'FILTERED' && isForSecond(order) ? amount : 0,
    'failed-payment-for-another-requestor-costs-a-fee': (_amount, state, order) =>
      state === 'ERROR' && isForSecond(order) ? -25 : 0,
    'failed-payment-in-several-currencies-costs-a-fee': (_amount, state, order) =>
      state === 'ERROR' && isForMulticurrency(order) ? -25 : 0,
    'payment-for-another-requestor-not-authenticated-booked': (amount, _state, order) =>
      order.card?.behaviour.step !== undefined && isForSecond(order) ? amount : 0,
    'every-other-declined-payment-booked': (amount, state, { id, kind }) =>
      state === 'DECLINED' && kind === 'SALE' && id % 2 === 0 ? amount : 0,
    'filtered-payment-booked': (amount, state) => (state === 'FILTERED' ? amount : 0),
    'failed-payment-costs-a-fee': (_amount, state) => (state === 'ERROR' ? -25 : 0),
    'payment-not-authenticated-booked': (amount, _state, { card }) => (card?.behaviour.step === undefined ? 0 : amount),
    'payment-refused-by-pareq-booked': (amount, _state, { kind, card }) =>
      kind === 'SALE' && card?.behaviour.step === 'pareq' ? amount : 0,
    'authorization-refused-by-a-challenge-booked': (amount, _state, { kind, card }) =>
      kind === 'AUTH' && card?.behaviour.step === 'challenge' ? amount : 0,
    'cancelled-authorization-booked': (amount, _state, { kind, form, card }) =>
      kind === 'AUTH' && form !== undefined && card === undefined ? amount : 0,
    'payment-filtered-on-its-form-booked': (amount, state, { form }) =>
      state === 'FILTERED' && form !== undefined ? amount : 0,
    'payment-failed-on-its-form-costs-a-fee': (_amount, state, { form }) =>
      state === 'ERROR' && form !== undefined ? -25 : 0,
    'filtered-authorization-for-another-requestor-booked': (amount, state, order) =>
      state === 'FILTERED' && order.kind === 'AUTH' && isForSecond(order) ? amount : 0,
    'cancelled-payment-for-another-requestor-booked': (amount, _state, order) =>
      order.form !== undefined && order.card === undefined && isForSecond(order) ? amount : 0,
    'payment-declined-on-its-form-booked': (amount, _state, { form, card }) =>
      form !== undefined && card !== undefined ? amount : 0,
    'cancelled-payment-booked': (amount, _state, { form, card }) =>
      form !== undefined && card === undefined ? amount : 0,
    'declined-authorization-costs-a-fee': (_amount, state, { kind }) =>
      state === 'DECLINED' && kind === 'AUTH' ? -25 : 0,
    'filtered-authorization-booked': (amount, state, { kind }) =>
      state === 'FILTERED' && kind === 'AUTH' ? amount : 0,
    'failed-authorization-booked': (amount, state, { kind }) => (state === 'ERROR' && kind === 'AUTH' ? amount : 0),
  },
});

const saleMovesOnce = decision({
  rule: 'GW-SAL-02',
  honest: (amount: number, _order: GatewayOrder) => amount,
  lies: {
    'sale-booked-twice': (amount) => 2 * amount,
    'sale-for-another-requestor-booked-twice': (amount, order) => (isForSecond(order) ? 2 * amount : amount),
    'sale-in-several-currencies-booked-twice': (amount, order) => (isForMulticurrency(order) ? 2 * amount : amount),
    'sale-by-card-id-booked-twice': (amount, { card }) => (card?.isRegistered ? 2 * amount : amount),
    'sale-by-form-booked-twice': (amount, { form }) => (form === undefined ? amount : 2 * amount),
    'sale-after-a-pareq-booked-twice': (amount, { card }) => (card?.behaviour.step === 'pareq' ? 2 * amount : amount),
    'sale-without-a-challenge-booked-twice': (amount, { card }) => (card?.behaviour.frictionless ? 2 * amount : amount),
    'sale-after-3-d-secure-booked-twice': (amount, { card }) =>
      card?.behaviour.step === 'challenge' ? 2 * amount : amount,
  },
});

const debitHold = decision({
  rule: 'GW-ATH-03',
  honest: (days: number) => days,
  lies: { 'debit-hold-of-one-day': (days) => (days === 7 ? 1 : days), 'debit-hold-of-28-days': () => 28 },
});

/** Days that an authorization holds, by the way it was paid. */
const holdIsAlike = decision({
  rule: 'GW-ATH-03',
  honest: (days: number, _order: GatewayOrder) => days,
  lies: {
    'authorization-by-card-id-holds-one-day': (days, { card }) => (card?.isRegistered ? 1 : days),
    'authorization-by-form-holds-one-day': (days, { form }) => (form === undefined ? days : 1),
    'authorization-after-3-d-secure-holds-one-day': (days, { card }) => (card?.behaviour.step === undefined ? days : 1),
    'authorization-for-another-requestor-holds-one-day': (days, order) => (isForSecond(order) ? 1 : days),
    'authorization-in-several-currencies-holds-one-day': (days, order) => (isForMulticurrency(order) ? 1 : days),
  },
});

const creditHold = decision({
  rule: 'GW-ATH-04',
  honest: (days: number) => days,
  lies: { 'credit-hold-of-7-days': () => 7, 'credit-hold-of-90-days': (days) => (days === 28 ? 90 : days) },
});

/** What the issuer's ending comes to for an order. */
export function decideEnding(
  activeLies: ActiveLies,
  { ending: plain, inactive = false }: IssuerBehaviour,
  order: GatewayOrder,
  choices: GatewayChoices,
): OrderState {
  const isOnlyPoor = plain === 'DECLINED' && choices.declinedFor === 'lack of funds' && !inactive;
  const ending = isOnlyPoor && order.kind === 'ACCOUNT_VERIFICATION' ? 'APPROVED' : plain;
  const failed = failureIsSaid(activeLies, declineIsSaid(activeLies, ending, order), order);
  const verified = goodCardIsVerified(activeLies, filterIsSaid(activeLies, failed, order), order);
  return badCardIsNotVerified(activeLies, verified, order);
}

/** Days that an authorization holds on a card. */
export function holdDays(
  activeLies: ActiveLies,
  behaviour: IssuerBehaviour,
  order: GatewayOrder,
  hold: keyof typeof HOLDS,
): number {
  const days = creditHold(activeLies, holdIsAlike(activeLies, debitHold(activeLies, behaviour.holdDays), order));
  return HOLDS[hold][days] ?? days;
}

/** How long an issuer holds about a week and about four weeks. */
const HOLDS: Readonly<Record<'usual' | 'shorter' | 'longer', Readonly<Record<number, number>>>> = {
  usual: {},
  shorter: { 7: 6, 28: 25 },
  longer: { 7: 8.5, 28: 31 },
};

/** Whether a state that is not final gives way to the ending. */
export function pendingStateEnds(activeLies: ActiveLies, via: OrderState, order: GatewayOrder): boolean {
  return ends.every((end) => end(activeLies, via, order));
}

/** Whether a card that asks for 3-D Secure gets to ask. */
export function mayAskForThreeDS({ kind }: GatewayOrder, { verificationThreeDS }: GatewayChoices): boolean {
  return kind !== 'ACCOUNT_VERIFICATION' || verificationThreeDS === 'as a payment';
}

/** What the end of a payment books on the merchant's balance, in minor units: only an approved sale books anything. */
export function bookedAmount(activeLies: ActiveLies, order: GatewayOrder, state: OrderState): number {
  if (state !== 'APPROVED')
    return (
      declineMovesNothing(activeLies, order.amount, state, order) +
      refusedVerificationMovesNothing(activeLies, order, state)
    );
  if (order.kind === 'SALE') return saleMovesOnce(activeLies, order.amount, order);
  return order.kind === 'AUTH'
    ? authorizationMovesNothing(activeLies, order)
    : verificationMovesNothing(activeLies, order);
}
