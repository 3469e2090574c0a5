import { randomBytes } from 'node:crypto';
import { decision } from '../decision.ts';
import { isAnnounced, type Occasion } from './announcements.ts';
import type { Behaviour } from './cards.ts';
import type { Desk } from './desk.ts';
import { type Order, type State, type Step, sumOf } from './order.ts';
import { challengeHtml, methodHtml } from './pages.ts';

/** Seconds of the sandbox's clock that a non-final state lasts. */
const PENDING = 3;
/** Seconds after which an unanswered 3-D Secure step counts as failed. */
const STEP_TIMEOUT = 900;
const DAY = 86_400_000;

const neverEnds = (state: 'PROCESSING' | 'UNKNOWN' | 'CHAIN_STEP', rule: string) =>
  decision({
    rule,
    honest: (_via: State) => true,
    lies: { [`${state.toLowerCase().replace('_', '-')}-never-ends`]: (via) => via !== state },
  });

const ends = [
  neverEnds('PROCESSING', 'GW-STA-08'),
  neverEnds('UNKNOWN', 'GW-STA-09'),
  neverEnds('CHAIN_STEP', 'GW-STA-10'),
];

const declineIsSaid = decision({
  rule: 'GW-STA-01',
  honest: (ending: Behaviour['ending'], _order: Order): State => ending,
  lies: {
    'declined-as-error': (ending) => (ending === 'DECLINED' ? 'ERROR' : ending),
    'declined-sale-as-filtered': (ending, order) =>
      ending === 'DECLINED' && order.kind === 'SALE' ? 'FILTERED' : ending,
  },
});

const failureIsSaid = decision({
  rule: 'GW-STA-02',
  honest: (ending: State): State => ending,
  lies: { 'error-as-declined': (ending) => (ending === 'ERROR' ? 'DECLINED' : ending) },
});

const filterIsSaid = decision({
  rule: 'GW-STA-03',
  honest: (ending: State): State => ending,
  lies: { 'filtered-as-declined': (ending) => (ending === 'FILTERED' ? 'DECLINED' : ending) },
});

const goodCardIsVerified = decision({
  rule: 'GW-VER-02',
  honest: (ending: State, _order: Order): State => ending,
  lies: {
    'good-card-not-verified': (ending, order) =>
      order.kind === 'ACCOUNT_VERIFICATION' && ending === 'APPROVED' ? 'DECLINED' : ending,
  },
});

const badCardIsNotVerified = decision({
  rule: 'GW-VER-03',
  honest: (ending: State, _order: Order): State => ending,
  lies: {
    'declined-card-verified': (ending, order) =>
      order.kind === 'ACCOUNT_VERIFICATION' && ending === 'DECLINED' ? 'APPROVED' : ending,
  },
});

const verificationMovesNothing = decision({
  rule: 'GW-VER-04',
  honest: () => 0,
  lies: { 'verification-takes-a-cent': () => -1, 'verification-books-its-amount': () => 100 },
});

const authorizationMovesNothing = decision({
  rule: 'GW-ATH-02',
  honest: (_amount: number) => 0,
  lies: { 'authorization-charges': (amount) => amount },
});

const declineMovesNothing = decision({
  rule: 'GW-BAL-05',
  honest: (_amount: number) => 0,
  lies: { 'declined-payment-booked': (amount) => amount, 'declined-payment-costs-a-fee': () => -25 },
});

const debitHold = decision({
  rule: 'GW-ATH-03',
  honest: (days: number) => days,
  lies: { 'debit-hold-of-one-day': (days) => (days === 7 ? 1 : days), 'debit-hold-of-28-days': () => 28 },
});

const creditHold = decision({
  rule: 'GW-ATH-04',
  honest: (days: number) => days,
  lies: { 'credit-hold-of-7-days': () => 7, 'credit-hold-of-90-days': (days) => (days === 28 ? 90 : days) },
});

const verificationAsksForThreeDS = decision({
  rule: 'GW-VER-06',
  honest: (_order: Order) => true,
  lies: { 'verification-skips-three-ds': (order) => order.kind !== 'ACCOUNT_VERIFICATION' },
});

/** Starts a payment: the issuer asks for 3-D Secure or decides. */
export function begin(desk: Desk, order: Order, behaviour: Behaviour): void {
  order.transactions.push({
    type: order.kind,
    status: 'PROCESSING',
    amount: order.amount,
    created: desk.world.clock.now(),
  });
  if (behaviour.step !== undefined && verificationAsksForThreeDS(desk.world.faults, order))
    waitIn(desk, order, behaviour.step === 'method' ? 'THREEDS_METHOD' : behaviour.step === 'pareq' ? 'PAREQ' : 'CREQ');
  else conclude(desk, order, behaviour, 'payment');
}

/** Puts an order into a 3-D Secure step, with the only answers to it that will count. */
export function waitIn(desk: Desk, order: Order, name: Step['name']): void {
  const token = desk.orders.issueToken(desk.world, order);
  const message =
    name === 'PAREQ'
      ? Buffer.from(`<ThreeDSecure><Message id="${token}"><PAReq/></Message></ThreeDSecure>`).toString('base64')
      : Buffer.from(
          JSON.stringify({
            messageType: 'CReq',
            messageVersion: '2.2.0',
            threeDSServerTransID: token,
            challengeWindowSize: '05',
          }),
        ).toString('base64url');
  const answer = (status: 'Y' | 'N') =>
    name === 'PAREQ'
      ? Buffer.from(`<PARes id="${token}" status="${status}">${randomBytes(48).toString('base64')}</PARes>`).toString(
          'base64',
        )
      : Buffer.from(
          JSON.stringify({
            messageType: 'CRes',
            threeDSServerTransID: token,
            transStatus: status,
            seal: randomBytes(24).toString('base64'),
          }),
        ).toString('base64url');
  const step: Step = { name, token, message, answers: { authenticated: answer('Y'), refused: answer('N') } };
  order.step = step;
  order.state = 'PROCESSING';
  order.stamped = desk.world.clock.now();
  order.html = undefined;
  order.redirect = undefined;
  if (name === 'PAREQ' || order.form !== undefined) order.redirect = `${order.origin}/acs/hosted/${token}`;
  else if (name === 'CREQ') order.html = challengeHtml(`${order.origin}/acs/challenge`, message);
  else order.html = methodHtml(`${order.origin}/acs/method/${token}`);
  desk.world.clock.after(STEP_TIMEOUT, () => {
    if (order.step === step) refuseAuthentication(desk, order, '3-D Secure was not completed in time');
  });
}

/** Ends the 3-D Secure step unsuccessfully; the payment is declined. */
export function refuseAuthentication(desk: Desk, order: Order, message: string): void {
  leaveStep(order);
  order.error = { code: 113, message };
  settle(desk, order, 'DECLINED', 'authentication');
}

/** Lets the issuer decide, at once or after some seconds in a state that is not final. */
export function conclude(desk: Desk, order: Order, behaviour: Behaviour, occasion: Occasion): void {
  const { faults, clock } = desk.world;
  leaveStep(order);
  let ending: State = declineIsSaid(faults, behaviour.ending, order);
  ending = filterIsSaid(faults, failureIsSaid(faults, ending));
  ending = badCardIsNotVerified(faults, goodCardIsVerified(faults, ending, order), order);
  order.error = REASONS[ending];
  if (order.kind === 'AUTH' && ending === 'APPROVED') {
    const days = creditHold(faults, debitHold(faults, behaviour.holdDays));
    order.heldUntil = clock.now() + days * DAY;
  }
  const { via } = behaviour;
  if (via === undefined) {
    settle(desk, order, ending, occasion);
    return;
  }
  const error = order.error;
  order.error = undefined;
  move(desk, order, via);
  if (!ends.every((end) => end(faults, via))) return;
  clock.after(PENDING, () => {
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
  const book = (sum: number) => {
    if (sum > 0) desk.balances.credit(merchant, currency, sum);
    else if (sum < 0) desk.balances.debit(merchant, currency, -sum);
  };
  if (order.kind === 'TRANSFER') desk.balances.release(merchant, currency, amount, state === 'APPROVED');
  else if (state !== 'APPROVED') book(declineMovesNothing(faults, amount));
  else if (order.kind === 'SALE') book(amount);
  else if (order.kind === 'AUTH') book(authorizationMovesNothing(faults, amount));
  else book(verificationMovesNothing(faults));
  announce(desk, order, occasion);
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
