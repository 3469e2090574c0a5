import { isAnnounced, type Occasion } from './announcements.ts';
import type { Behaviour } from './cards.ts';
import type { Desk } from './desk.ts';
import { newStep } from './new-step.ts';
import { type Order, type State, type Step, sumOf } from './order.ts';
import { bookedBy, endingOf, givesWay, holdDays, mayAskForThreeDS } from './outcome.ts';
import { challengeHtml, methodHtml } from './pages.ts';

/** Seconds of the sandbox's clock that a non-final state lasts. */
const PENDING = 3;
/** Seconds after which an unanswered 3-D Secure step counts as failed. */
const STEP_TIMEOUT = 900;
const DAY = 86_400_000;
const STEPS = { method: 'THREEDS_METHOD', pareq: 'PAREQ', challenge: 'CREQ' } as const;

/** Starts a payment: the issuer asks for 3-D Secure or decides. */
export function begin(desk: Desk, order: Order, behaviour: Behaviour): void {
  order.transactions.push({
    type: order.kind,
    status: 'PROCESSING',
    amount: order.amount,
    created: desk.world.clock.now(),
  });
  const { stepAfter } = desk.world.choices.gateway;
  if (behaviour.step !== undefined && mayAskForThreeDS(desk.world.faults, order)) {
    const name = STEPS[behaviour.step];
    if (stepAfter === 0 || order.kind === 'SALE' || order.form !== undefined) waitIn(desk, order, name);
    else desk.world.clock.after(stepAfter, () => waitIn(desk, order, name));
  } else conclude(desk, order, behaviour, 'payment');
}

/** Puts an order into a 3-D Secure step, with the only answers to it that will count. */
export function waitIn(desk: Desk, order: Order, name: Step['name']): void {
  const token = desk.orders.issueToken(desk.world, order);
  const step = newStep(name, token);
  order.step = step;
  order.state = 'PROCESSING';
  order.stamped = desk.world.clock.now();
  order.html = undefined;
  order.redirect = undefined;
  if (name === 'PAREQ' || order.form !== undefined) order.redirect = `${order.origin}/acs/hosted/${token}`;
  else lead(desk, order, name, step);
  desk.world.clock.after(STEP_TIMEOUT, () => {
    if (order.step === step) refuseAuthentication(desk, order, '3-D Secure was not completed in time');
  });
}

/** Says where a customer goes for a step, by a page, an address or both. */
function lead(desk: Desk, order: Order, name: 'THREEDS_METHOD' | 'CREQ', { token, message }: Step): void {
  const { stepShownBy } = desk.world.choices.gateway;
  const challenge = name === 'CREQ';
  const address = challenge ? `${order.origin}/acs/hosted/${token}` : `${order.origin}/acs/method/${token}`;
  if (stepShownBy !== 'html') order.redirect = address;
  if (stepShownBy === 'redirect') return;
  order.html = challenge ? challengeHtml(`${order.origin}/acs/challenge`, message) : methodHtml(address);
}

/** Ends the 3-D Secure step unsuccessfully; the payment is declined. */
export function refuseAuthentication(desk: Desk, order: Order, message: string): void {
  leaveStep(order);
  order.error = { code: 113, message };
  settle(desk, order, 'DECLINED', 'authentication');
}

/** Lets the issuer decide, at once or after some seconds in a state that is not final. */
export function conclude(desk: Desk, order: Order, behaviour: Behaviour, occasion: Occasion): void {
  const { faults, clock, choices } = desk.world;
  const { hold, outcomeAfter, pendingAs } = choices.gateway;
  leaveStep(order);
  const ending = endingOf(faults, behaviour, order);
  order.error = REASONS[ending];
  if (order.kind === 'AUTH' && ending === 'APPROVED') {
    order.heldUntil = clock.now() + holdDays(faults, behaviour, hold) * DAY;
  }
  const via = behaviour.via ?? (outcomeAfter > 0 ? pendingAs : undefined);
  if (via === undefined) {
    settle(desk, order, ending, occasion);
    return;
  }
  const error = order.error;
  order.error = undefined;
  move(desk, order, via);
  if (choices.gateway.callbackWhilePending === 'sent') announce(desk, order, 'outcome');
  if (!givesWay(faults, via)) return;
  clock.after(behaviour.via === undefined ? outcomeAfter : PENDING, () => {
    if (order.state !== via) return;
    order.error = error;
    settle(desk, order, ending, 'outcome');
  });
}

/** Ends the opening transaction of an order and books what it moved. */
export function settle(desk: Desk, order: Order, state: State, occasion: Occasion): void {
  const { faults } = desk.world;
  move(desk, order, state);
  const { merchant, currency, amount } = order;
  if (order.kind === 'TRANSFER') desk.balances.release(merchant, currency, amount, state === 'APPROVED');
  else {
    const sum = bookedBy(faults, order, state);
    if (sum > 0) book(desk, order, sum);
    else if (sum < 0) desk.balances.debit(merchant, currency, -sum);
  }
  announce(desk, order, occasion);
}

/** Puts an incoming payment on its merchant's balance, as soon as the service does that and less what it costs. */
export function book(desk: Desk, { merchant, currency }: Order, sum: number): void {
  const { bookedAfter, fee } = desk.world.choices.gateway;
  const credit = () => desk.balances.credit(merchant, currency, fee === 'none' ? sum : sum - Math.floor(sum / 50));
  if (bookedAfter === 0) credit();
  else desk.world.clock.after(bookedAfter, credit);
}

/** Sets the state of an order and of its opening transaction. */
export function move(desk: Desk, order: Order, state: State): void {
  order.state = state;
  order.stamped = desk.world.clock.now();
  const opening = order.transactions[0];
  if (opening !== undefined) opening.status = state;
}

/** Sends the callback about a change, as documented for what brought it about. */
export function announce(desk: Desk, order: Order, occasion: Occasion): void {
  if (isAnnounced(desk.world.faults, occasion)) desk.callbacks.announce(order);
}

/** What is still blocked on the card and can be captured. */
export function capturable(desk: Desk, order: Order): number {
  const held = order.heldUntil !== undefined && desk.world.clock.now() < order.heldUntil && !order.voided;
  return held ? order.amount - sumOf(order, 'CAPTURE') : 0;
}

function leaveStep(order: Order): void {
  order.step = undefined;
  order.html = undefined;
  order.redirect = undefined;
}

const REASONS: Readonly<Record<string, { code: number; message: string }>> = {
  DECLINED: { code: 105, message: 'Declined by the issuer' },
  ERROR: { code: 196, message: 'The payment could not be processed' },
  FILTERED: { code: 301, message: 'Stopped by a filter of the requestor' },
};
