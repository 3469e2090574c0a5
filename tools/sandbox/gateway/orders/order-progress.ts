import { decision } from '../../decision.ts';
import { DAY } from '../../durations.ts';
import { announcesChange, type ChangeOccasion } from '../callbacks/announced-changes.ts';
import { isForSecond } from '../credentials.ts';
import type { GatewayState } from '../gateway-state.ts';
import type { IssuerBehaviour } from '../payments/sandbox-cards.ts';
import { createAuthenticationStep } from '../three-ds/authentication-step.ts';
import { challengeHtml, methodHtml } from '../wire/html-pages.ts';
import { type AuthenticationStep, type GatewayOrder, isPending, type OrderState, sumTransactions } from './order.ts';
import { bookedAmount, decideEnding, holdDays, mayAskForThreeDS, pendingStateEnds } from './order-outcome.ts';

/** Seconds of the sandbox's clock that a non-final state lasts. */
const PENDING = 3;
/** Seconds after which an unanswered 3-D Secure step counts as failed. */
const STEP_TIMEOUT = 900;
const STEPS = { method: 'THREEDS_METHOD', pareq: 'PAREQ', challenge: 'CREQ' } as const;

/** Whether a step that nobody reports on fails in the end. */
const silenceFails = decision({
  rule: 'GW-TDS-07',
  honest: (_step: AuthenticationStep['name'], _order: GatewayOrder) => true,
  lies: {
    'unreported-method-for-another-requestor-approved': (step, order) =>
      step !== 'THREEDS_METHOD' || !isForSecond(order),
    'unreported-method-of-an-authorization-approved': (step, { kind }) => step !== 'THREEDS_METHOD' || kind !== 'AUTH',
    'unreported-method-of-a-verification-approved': (step, { kind }) =>
      step !== 'THREEDS_METHOD' || kind !== 'ACCOUNT_VERIFICATION',
    'unreported-method-approved-in-the-end': (step) => step !== 'THREEDS_METHOD',
  },
});

/** Days after which an order is approved all the same whose step nobody reported on; honestly, never. */
const silenceIsForgiven = decision({
  rule: 'GW-TDS-07',
  honest: (_step: AuthenticationStep['name']): number | undefined => undefined,
  lies: { 'unreported-method-approved-after-days': (step) => (step === 'THREEDS_METHOD' ? 4 : undefined) },
});

/** Whether receivers are told of an end that an order has not come to. */
const tellsEndEarly = decision({
  rule: 'GW-CBK-03',
  honest: (_occasion: 'payment' | 'reversal') => false,
  lies: {
    'callback-says-the-end-of-a-payment-before-it-comes': (occasion) => occasion === 'payment',
    'callback-says-the-end-of-a-reversal-before-it-comes': (occasion) => occasion === 'reversal',
  },
});

/** What a payment is listed as. */
const opensAs = decision({
  rule: 'GW-ATH-02',
  honest: ({ kind }: GatewayOrder, _behaviour: IssuerBehaviour) => kind,
  lies: {
    'authorization-by-form-with-3-d-secure-is-a-sale': ({ kind, form }, { step }) =>
      kind === 'AUTH' && form !== undefined && step !== undefined ? 'SALE' : kind,
  },
});

/** What becomes in the end of an authorization that nobody captured. */
const lapsing = decision({
  rule: 'GW-ATH-02',
  honest: (): 'nothing' | 'books it' | 'captures it' => 'nothing',
  lies: {
    'authorization-charged-when-it-lapses': () => 'books it',
    'authorization-captured-when-it-lapses': () => 'captures it',
  },
});

/** Starts a payment: the issuer asks for 3-D Secure or decides. */
export function beginPayment(gatewayState: GatewayState, order: GatewayOrder, behaviour: IssuerBehaviour): void {
  order.transactions.push({
    type: opensAs(gatewayState.world.activeLies, order, behaviour),
    status: 'PROCESSING',
    amount: order.amount,
    created: gatewayState.world.clock.now(),
  });
  const { stepAfter, frictionless } = gatewayState.world.choices;
  // On its own form the gateway runs the method by itself.
  const isMethodFirst = behaviour.frictionless && frictionless === 'after the method' && order.form === undefined;
  const step = isMethodFirst ? 'method' : behaviour.step;
  if (step !== undefined && mayAskForThreeDS(order, gatewayState.world.choices)) {
    const name = STEPS[step];
    if (stepAfter === 0 || order.kind === 'SALE' || order.form !== undefined)
      startAuthenticationStep(gatewayState, order, name);
    else gatewayState.world.clock.after(stepAfter, () => startAuthenticationStep(gatewayState, order, name));
  } else concludePayment(gatewayState, order, behaviour, 'payment');
}

/** Puts an order into a 3-D Secure step, with the only answers to it that will count. */
export function startAuthenticationStep(
  gatewayState: GatewayState,
  order: GatewayOrder,
  name: AuthenticationStep['name'],
): void {
  const token = gatewayState.orders.issueToken(gatewayState.world, order);
  const step = createAuthenticationStep(name, token);
  order.step = step;
  order.state = 'PROCESSING';
  order.changedAt = gatewayState.world.clock.now();
  order.html = undefined;
  order.redirect = undefined;
  if (name === 'PAREQ' || order.form !== undefined) order.redirect = hostedStepAddress(order, step);
  else lead(gatewayState, order, name, step);
  announceRedirect(gatewayState, order);
  gatewayState.world.clock.after(STEP_TIMEOUT, () => {
    if (order.step !== step) return;
    const approve = () => concludePayment(gatewayState, order, order.card!.behaviour, 'authentication');
    const { activeLies, clock } = gatewayState.world;
    if (!silenceFails(activeLies, name, order)) return approve();
    refuseAuthentication(gatewayState, order, '3-D Secure was not completed in time');
    const days = silenceIsForgiven(activeLies, name);
    if (days !== undefined) clock.after((days * DAY) / 1000, approve);
  });
}

/** Says where a customer goes for a step, by a page, an address or both. */
function lead(
  gatewayState: GatewayState,
  order: GatewayOrder,
  name: 'THREEDS_METHOD' | 'CREQ',
  step: AuthenticationStep,
): void {
  const { stepShownBy } = gatewayState.world.choices;
  const shownBy = stepShownBy === 'as asked' ? (order.wantsRedirect ? 'redirect' : 'html') : stepShownBy;
  if (shownBy !== 'html') order.redirect = hostedStepAddress(order, step);
  if (shownBy === 'redirect') return;
  order.html =
    name === 'CREQ'
      ? challengeHtml(`${order.origin}/acs/challenge`, step.message)
      : methodHtml(`${order.origin}/acs/method/${step.token}`);
}

/** Where the gateway itself leads the customer through a step, and takes the answer. */
export function hostedStepAddress({ origin }: GatewayOrder, { token }: AuthenticationStep): string {
  return `${origin}/acs/hosted/${token}`;
}

/** Tells whoever wants to know that there is an address to send the customer to. */
export function announceRedirect(gatewayState: GatewayState, order: GatewayOrder): void {
  const { redirectWebhook } = order.urls;
  if (order.redirect === undefined || redirectWebhook === undefined) return;
  if (gatewayState.world.choices.redirectCall === 'sent') gatewayState.callbacks.tell(order, redirectWebhook);
}

/** Ends the 3-D Secure step unsuccessfully; the payment is declined. */
export function refuseAuthentication(gatewayState: GatewayState, order: GatewayOrder, message: string): void {
  leaveAuthenticationStep(order);
  order.error = { code: 113, message };
  finishPayment(gatewayState, order, 'DECLINED', 'authentication');
}

/** When an authorization lapses that comes after another on its card. */
const lapsesApart = decision({
  rule: 'GW-ATH-03',
  honest: (own: number, _order: GatewayOrder, _gatewayState: GatewayState) => own,
  lies: {
    'second-authorization-on-a-card-lapses-with-the-first': (own, order, { orders, world }) => {
      const now = world.clock.now();
      const isBefore = ({ id, card, heldUntil = 0 }: GatewayOrder) =>
        id !== order.id && heldUntil > now && card?.fingerprint === order.card?.fingerprint;
      return [...orders.all()].find(isBefore)?.heldUntil ?? own;
    },
  },
});

/** Whether a payment that is under way ends only when somebody has asked for it. */
const endsWhenAsked = decision({
  rule: 'GW-CBK-02',
  honest: () => false,
  lies: { 'pending-order-ends-only-once-asked-about': () => true },
});

/** Lets the issuer decide, at once or after some seconds in a state that is not final. */
export function concludePayment(
  gatewayState: GatewayState,
  order: GatewayOrder,
  behaviour: IssuerBehaviour,
  occasion: ChangeOccasion,
): void {
  const { activeLies, clock, choices } = gatewayState.world;
  const { hold, outcomeAfter, pendingAs } = choices;
  leaveAuthenticationStep(order);
  const ending = decideEnding(activeLies, behaviour, order, choices);
  order.error = (ending === 'DECLINED' ? behaviour.reason : undefined) ?? REASONS[ending];
  if (order.kind === 'AUTH' && ending === 'APPROVED') {
    const own = clock.now() + holdDays(activeLies, behaviour, order, hold) * DAY;
    order.heldUntil = lapsesApart(activeLies, own, order, gatewayState);
    if (choices.releases === 'listed')
      clock.after((order.heldUntil - clock.now()) / 1000, () => listRelease(gatewayState, order));
    const lapse = lapsing(activeLies);
    if (lapse !== 'nothing')
      clock.after((order.heldUntil - clock.now()) / 1000, () => {
        bookIncoming(gatewayState, order, order.amount);
        const { amount } = order;
        if (lapse === 'captures it')
          order.transactions.push({ type: 'CAPTURE', status: 'APPROVED', amount, created: clock.now() });
      });
  }
  const via = behaviour.via ?? (outcomeAfter > 0 ? pendingAs : undefined);
  if (via === undefined) {
    finishPayment(gatewayState, order, ending, occasion);
    return;
  }
  const error = order.error;
  order.error = undefined;
  moveOrder(gatewayState, order, via);
  announceEarly(gatewayState, order, ending, 'payment');
  if (choices.callbackWhilePending === 'sent') announceChange(gatewayState, order, 'outcome');
  if (!pendingStateEnds(activeLies, via, order)) return;
  const end = () => {
    if (order.state !== via) return;
    if (endsWhenAsked(activeLies) && order.polls === 0) {
      clock.after(1, end);
      return;
    }
    order.error = error;
    finishPayment(gatewayState, order, ending, 'outcome');
  };
  if (behaviour.via === undefined) clock.after(outcomeAfter, end);
  else if (choices.pendingEnds === 'time') clock.after(PENDING, end);
  else order.end = end;
}

/** Lists what is no longer blocked and was not charged, once. */
export function listRelease({ world }: GatewayState, order: GatewayOrder): void {
  const amount = order.amount - sumTransactions(order, 'CAPTURE');
  const isOver = order.voided || amount <= 0 || order.transactions.some(({ type }) => type === 'RELEASE');
  if (isOver || world.choices.releases === 'not listed') return;
  const created = world.clock.now();
  order.transactions.push({ type: 'RELEASE', reversalType: 'VOID', status: 'APPROVED', amount, created });
}

/** Whether what was reserved for a transfer is free again when it is over. */
const reservationEnds = decision({
  rule: 'GW-BAL-16',
  honest: (_state: OrderState, _isBesideAnother: () => boolean) => true,
  lies: {
    'transfer-that-is-over-stays-in-processing': () => false,
    'transfer-that-is-over-before-another-stays-in-processing': (_state, isBesideAnother) => !isBesideAnother(),
    'transfer-that-failed-stays-in-processing': (state) => state === 'APPROVED',
  },
});

/** Whether a transfer that is over has taken its money. */
const transferIsPaid = decision({
  rule: 'GW-BAL-05',
  honest: (state: OrderState) => state === 'APPROVED',
  lies: { 'transfer-that-failed-debited': () => true },
});

/** Ends the opening transaction of an order and books what it moved. */
export function finishPayment(
  gatewayState: GatewayState,
  order: GatewayOrder,
  state: OrderState,
  occasion: ChangeOccasion,
): void {
  const { activeLies } = gatewayState.world;
  moveOrder(gatewayState, order, state);
  const { merchant, currency, amount } = order;
  if (order.kind === 'TRANSFER') {
    gatewayState.balances.release(merchant, currency, amount, 'transfer', transferIsPaid(activeLies, state));
    const isBesideAnother = () =>
      [...gatewayState.orders.all()].some((one) => one !== order && one.kind === 'TRANSFER' && isPending(one));
    if (!reservationEnds(activeLies, state, isBesideAnother))
      gatewayState.balances.reserve(merchant, currency, amount, 'transfer');
  } else {
    const sum = bookedAmount(activeLies, order, state);
    if (sum > 0) bookIncoming(gatewayState, order, sum + bookedBesides(activeLies, order));
    else if (sum < 0) gatewayState.balances.debit(merchant, currency, -sum);
  }
  announceChange(gatewayState, order, occasion);
}

/** What is booked of a sale besides its amount. */
const bookedBesides = decision({
  rule: 'GW-SAL-02',
  honest: (_order: GatewayOrder) => 0,
  lies: {
    'pending-sale-booked-for-each-status-too': ({ kind, card, polls, amount, state }) =>
      kind === 'SALE' && state === 'APPROVED' && card?.behaviour.via !== undefined ? polls * amount : 0,
  },
});

/** On whose balance a payment is booked. */
const isBookedOn = decision({
  rule: 'GW-SAL-02',
  honest: ({ merchant }: GatewayOrder, _first: string) => merchant,
  lies: { 'payment-for-another-merchant-booked-on-the-first': (_order, first) => first },
});

/** Puts an incoming payment on its merchant's balance, as soon as the service does that and less what it costs. */
export function bookIncoming(gatewayState: GatewayState, order: GatewayOrder, sum: number): void {
  const { currency } = order;
  const merchant = isBookedOn(gatewayState.world.activeLies, order, gatewayState.world.credentials.merchant.login);
  const { bookedAfter, fee } = gatewayState.world.choices;
  const credit = () =>
    gatewayState.balances.credit(merchant, currency, fee === 'none' ? sum : sum - Math.floor(sum / 50));
  if (bookedAfter === 0) credit();
  else gatewayState.world.clock.after(bookedAfter, credit);
}

/** Sets the state of an order and of its opening transaction. */
export function moveOrder(gatewayState: GatewayState, order: GatewayOrder, state: OrderState): void {
  order.state = state;
  order.changedAt = gatewayState.world.clock.now();
  order.changedReally = performance.now();
  const opening = order.transactions[0];
  if (opening !== undefined) opening.status = state;
}

/** Sends the callback about a change, as documented for what brought it about. */
export function announceChange(gatewayState: GatewayState, order: GatewayOrder, occasion: ChangeOccasion): void {
  if (announcesChange(gatewayState.world.activeLies, occasion, order)) gatewayState.callbacks.announce(order);
}

/** Under a lie, sends a callback about the end of an operation that is still under way. */
export function announceEarly(
  gatewayState: GatewayState,
  order: GatewayOrder,
  end: OrderState,
  occasion: 'payment' | 'reversal',
): void {
  if (tellsEndEarly(gatewayState.world.activeLies, occasion)) gatewayState.callbacks.announce({ ...order, state: end });
}

/** What is still blocked on the card and can be captured. */
export function capturableAmount(gatewayState: GatewayState, order: GatewayOrder): number {
  const held = order.heldUntil !== undefined && gatewayState.world.clock.now() < order.heldUntil && !order.voided;
  return held ? order.amount - sumTransactions(order, 'CAPTURE') : 0;
}

/** Shows the 3-D Secure step of an order no more. */
export function leaveAuthenticationStep(order: GatewayOrder): void {
  order.step = undefined;
  order.html = undefined;
  order.redirect = undefined;
}

const REASONS: Readonly<Record<string, { code: number; message: string }>> = {
  DECLINED: { code: 105, message: 'Declined by the issuer' },
  ERROR: { code: 196, message: 'The payment could not be processed' },
  FILTERED: { code: 301, message: 'Stopped by a filter of the requestor' },
};
