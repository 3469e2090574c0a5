import { decision } from '../../decision.ts';
import { decideMixUp } from '../../rush.ts';
import { isForSecond } from '../credentials.ts';
import type { GatewayCall } from '../gateway-call.ts';
import type { GatewayReply } from '../gateway-reply.ts';
import { findKnownOrder, findLatestOrder, findOrder } from '../orders/find-order.ts';
import { type AuthenticationStep, type GatewayOrder, namesCallback, type OrderKind } from '../orders/order.ts';
import {
  bookIncoming,
  concludePayment,
  leaveAuthenticationStep,
  moveOrder,
  refuseAuthentication,
  startAuthenticationStep,
} from '../orders/order-progress.ts';
import { shareFate } from '../orders/orders-beside.ts';
import { buildStatusResponse } from '../orders/status-response.ts';
import { isSatisfiedByMethod } from '../payments/sandbox-cards.ts';
import { GatewayRefusal, refuseParameter } from '../wire/gateway-refusal.ts';
import { isJsonObject, type JsonObject, readFieldText } from '../wire/request-fields.ts';
import { readWebAddress } from '../wire/web-addresses.ts';
import { serverTransactionIdOf } from './authentication-step.ts';

/** What a report on the 3DS method must hold. */
export const METHOD_FIELDS = ['orderSystemId', 'browser', 'threeDSServerTransID', 'cresUrl', 'threeDSCompInd'] as const;

const reportIsWhole = decision({
  rule: 'GW-TDS-20',
  honest: (_missing: string, _kind: OrderKind | undefined, _call: GatewayCall) => true,
  lies: {
    ...Object.fromEntries(
      METHOD_FIELDS.map((field) => [
        `method-without-${field.toLowerCase()}-accepted`,
        (missing: string) => missing !== field,
      ]),
    ),
    'method-of-an-authorization-without-cresurl-accepted': (missing, kind) => missing !== 'cresUrl' || kind !== 'AUTH',
    'method-of-a-verification-without-cresurl-accepted': (missing, kind) =>
      missing !== 'cresUrl' || kind !== 'ACCOUNT_VERIFICATION',
    'method-for-another-requestor-without-cresurl-accepted': (missing, _kind, call) =>
      missing !== 'cresUrl' || !isForSecond(call),
    'method-that-did-not-complete-without-cresurl-accepted': (missing, _kind, call) =>
      missing !== 'cresUrl' || call.body['threeDSCompInd'] !== 'N',
    'method-that-could-not-run-without-cresurl-accepted': (missing, _kind, call) =>
      missing !== 'cresUrl' || call.body['threeDSCompInd'] !== 'U',
  },
});

/** Whether a report that is refused for what it lacks is left out of account. */
const refusedReportIsNothing = decision({
  rule: 'GW-TDS-20',
  honest: () => true,
  lies: { 'method-report-that-lacks-a-field-refused-and-carried-out': () => false },
});

type Going = 'goes on' | 'stalls' | 'is an error' | 'is declined';
const going = (rule: string, indicator: 'Y' | 'N' | 'U') =>
  decision({
    rule,
    honest: (_reported: unknown, _order: GatewayOrder, _call: GatewayCall): Going => 'goes on',
    lies: {
      [`method-${indicator.toLowerCase()}-for-another-requestor-is-declined`]: (reported, _order, call) =>
        reported === indicator && isForSecond(call) ? 'is declined' : 'goes on',
      [`method-${indicator.toLowerCase()}-of-an-authorization-is-declined`]: (reported, { kind }) =>
        reported === indicator && kind === 'AUTH' ? 'is declined' : 'goes on',
      [`method-${indicator.toLowerCase()}-of-a-verification-is-declined`]: (reported, { kind }) =>
        reported === indicator && kind === 'ACCOUNT_VERIFICATION' ? 'is declined' : 'goes on',
      [`method-${indicator.toLowerCase()}-stalls`]: (reported) => (reported === indicator ? 'stalls' : 'goes on'),
      [`method-${indicator.toLowerCase()}-is-an-error`]: (reported) =>
        reported === indicator ? 'is an error' : 'goes on',
      [`method-${indicator.toLowerCase()}-is-declined`]: (reported) =>
        reported === indicator ? 'is declined' : 'goes on',
    },
  });

const goings = [going('GW-TDS-03', 'Y'), going('GW-TDS-04', 'N'), going('GW-TDS-05', 'U')];

const challengeFollows = decision({
  rule: 'GW-TDS-06',
  honest: (_reported: unknown, _order: GatewayOrder, _call: GatewayCall) => true,
  lies: {
    'method-n-of-an-authorization-skips-the-challenge': (reported, { kind }) => reported !== 'N' || kind !== 'AUTH',
    'method-n-for-another-requestor-skips-the-challenge': (reported, _order, call) =>
      reported !== 'N' || !isForSecond(call),
    'method-n-skips-the-challenge': (reported) => reported !== 'N',
    'method-u-skips-the-challenge': (reported) => reported !== 'U',
  },
});

const indicatorIsKnown = decision({
  rule: 'GW-TDS-25',
  honest: (indicator: unknown, _call: GatewayCall) => indicator === 'Y' || indicator === 'N' || indicator === 'U',
  lies: {
    'completion-indicator-taken-that-begins-with-one': (indicator) => 'YNU'.includes(String(indicator)[0] ?? ''),
    'any-completion-indicator-taken': () => true,
    'completion-indicator-x-taken-for-another-requestor': (indicator, call) =>
      indicator === 'Y' || indicator === 'N' || indicator === 'U' || isForSecond(call),
  },
});

/** The same of one that is refused for what it says. */
const refusedIndicatorIsNothing = decision({
  rule: 'GW-TDS-25',
  honest: () => true,
  lies: { 'method-report-of-another-indicator-refused-and-carried-out': () => false },
});

/** How many milliseconds a report on a method goes on in which others are taken for it. */
const takesOthers = decideMixUp('GW-TDS-04', 'methods-reported-on-at-once-go-on-for-one-order');

/** 3ds/method: the caller reports how the 3DS method went; the payment goes on in any case. */
export function answerMethodReport(call: GatewayCall): GatewayReply {
  const { body, gatewayState, activeLies } = call;
  const kind = readFieldText(body['orderSystemId']) === undefined ? undefined : findKnownOrder(call)?.kind;
  for (const field of METHOD_FIELDS) {
    const there = field === 'browser' ? isJsonObject(body[field]) : readFieldText(body[field]) !== undefined;
    if (there || !reportIsWhole(activeLies, field, kind, call)) continue;
    const found = kind === undefined || refusedReportIsNothing(activeLies) ? undefined : findKnownOrder(call);
    if (found?.step?.name === 'THREEDS_METHOD') startAuthenticationStep(gatewayState, found, 'CREQ');
    throw refuseParameter(field);
  }
  const indicator = body['threeDSCompInd'] ?? 'Y';
  if (!indicatorIsKnown(activeLies, indicator, call)) {
    const found = kind === undefined || refusedIndicatorIsNothing(activeLies) ? undefined : findKnownOrder(call);
    if (found?.step?.name === 'THREEDS_METHOD') startAuthenticationStep(gatewayState, found, 'CREQ');
    throw refuseParameter('threeDSCompInd');
  }
  const order = readFieldText(body['orderSystemId']) === undefined ? findLatestOrder(call) : findOrder(call);
  const step = waiting(call, order, 'THREEDS_METHOD').step!;
  const { value: reported, lasts } = gatewayState.rush.lend(activeLies, 'method', takesOthers, order);
  if (reported !== order)
    return { status: 200, body: buildStatusResponse(gatewayState, reported, { in: 'threeDSMethod' }), after: lasts };
  const { serverTransactionId } = gatewayState.world.choices;
  const named = readFieldText(body['threeDSServerTransID']);
  if (serverTransactionId !== 'the one of the method' && named !== undefined && named !== serverTransactionIdOf(step))
    throw refuseParameter('threeDSServerTransID');
  order.urls.cres = readWebAddress(body['cresUrl']) ?? order.urls.cres;
  const now =
    goings.map((decided) => decided(activeLies, indicator, order, call)).find((one) => one !== 'goes on') ?? 'goes on';
  if (now === 'is an error') throw new GatewayRefusal(400, -3, 'The 3DS method did not complete');
  const behaviour = order.card!.behaviour;
  if (now === 'is declined') refuseAuthentication(gatewayState, order, 'The 3DS method did not complete');
  else if (now === 'goes on') {
    const quiet = indicator === 'Y' && isSatisfiedByMethod(behaviour);
    if (quiet || (indicator !== 'Y' && !challengeFollows(activeLies, indicator, order, call)))
      concludePayment(gatewayState, order, behaviour, 'authentication');
    else startAuthenticationStep(gatewayState, order, 'CREQ');
  }
  return { status: 200, body: buildStatusResponse(gatewayState, order, { in: 'threeDSMethod' }), after: lasts };
}

const cresRequestIsWhole = decision({
  rule: 'GW-TDS-21',
  honest: (_missing: 'order' | 'value') => true,
  lies: {
    'cres-without-order-accepted': (missing) => missing !== 'order',
    'cres-without-value-accepted': (missing) => missing !== 'value',
  },
});

const paresRequestIsWhole = decision({
  rule: 'GW-TDS-22',
  honest: (_missing: 'order' | 'value') => true,
  lies: {
    'pares-without-order-accepted': (missing) => missing !== 'order',
    'pares-without-value-accepted': (missing) => missing !== 'value',
  },
});

const endFollows = decision({
  rule: 'GW-TDS-23',
  honest: (_order: GatewayOrder): Outcome => 'counts',
  lies: {
    'authenticated-payment-never-ends': (): Outcome => 'never comes',
    'authenticated-authorization-never-ends': ({ kind }) => (kind === 'AUTH' ? 'never comes' : 'counts'),
    'authenticated-authorization-for-another-requestor-never-ends': (order) =>
      order.kind === 'AUTH' && isForSecond(order) ? 'never comes' : 'counts',
    'authenticated-order-that-names-a-callback-address-never-ends': (order) =>
      namesCallback(order) ? 'never comes' : 'counts',
    'authenticated-verification-never-ends': ({ kind }) => (kind === 'ACCOUNT_VERIFICATION' ? 'never comes' : 'counts'),
  },
});

type Outcome = 'counts' | 'fails' | 'is not shown' | 'is shown of another order' | 'never comes';

const passedChallengeCounts = decision({
  rule: 'GW-TDS-10',
  honest: (_order: GatewayOrder, _call: GatewayCall): Outcome => 'counts',
  lies: {
    'passed-challenge-for-another-requestor-declined': (_order, call) => (isForSecond(call) ? 'fails' : 'counts'),
    'passed-challenge-of-a-verification-declined': ({ kind }) => (kind === 'ACCOUNT_VERIFICATION' ? 'fails' : 'counts'),
    'passed-challenge-of-an-order-that-names-a-callback-address-declined': (order) =>
      namesCallback(order) ? 'fails' : 'counts',
    'passed-challenge-of-an-authorization-declined': ({ kind }) => (kind === 'AUTH' ? 'fails' : 'counts'),
    'passed-challenge-declined': (): Outcome => 'fails',
    'passed-challenge-answered-with-the-challenge': (): Outcome => 'is not shown',
    'passed-challenge-answered-with-that-of-another-order': (): Outcome => 'is shown of another order',
  },
});

const untouchedPaResCounts = decision({
  rule: 'GW-TDS-13',
  honest: (_order: GatewayOrder, _call: GatewayCall): Outcome => 'counts',
  lies: {
    'untouched-pares-for-another-requestor-declined': (_order, call) => (isForSecond(call) ? 'fails' : 'counts'),
    'untouched-pares-of-an-authorization-of-another-requestor-declined': ({ kind }, call) =>
      kind === 'AUTH' && isForSecond(call) ? 'fails' : 'counts',
    'untouched-pares-of-a-verification-declined': ({ kind }) => (kind === 'ACCOUNT_VERIFICATION' ? 'fails' : 'counts'),
    'untouched-pares-of-an-authorization-declined': ({ kind }) => (kind === 'AUTH' ? 'fails' : 'counts'),
    'untouched-pares-declined': (): Outcome => 'fails',
    'untouched-pares-answered-with-the-pareq': (): Outcome => 'is not shown',
    'untouched-pares-answered-with-the-pareq-of-another-order': (): Outcome => 'is shown of another order',
  },
});

const paresIsSealed = decision({
  rule: 'GW-TDS-14',
  honest: (sent: string, issued: string, _order: GatewayOrder) => sent === issued,
  lies: {
    'altered-pares-accepted-for-another-requestor': (sent, issued, order) => isForSecond(order) || sent === issued,
    'altered-pares-accepted-for-an-authorization': (sent, issued, { kind }) => kind === 'AUTH' || sent === issued,
    'altered-pares-accepted-for-a-verification': (sent, issued, { kind }) =>
      kind === 'ACCOUNT_VERIFICATION' || sent === issued,
    'altered-pares-accepted': () => true,
    'pares-checked-by-its-beginning': (sent, issued) => sent.slice(0, 16) === issued.slice(0, 16),
    'pares-checked-without-its-end': (sent, issued) => sent.slice(0, -4) === issued.slice(0, -4),
    'pares-checked-without-case': (sent, issued) => sent.toLowerCase() === issued.toLowerCase(),
    'longer-pares-accepted': (sent, issued) => sent.startsWith(issued),
  },
});

/** Whether the answer of an issuer that was not satisfied fails the payment. */
const refusalFails = decision({
  rule: 'GW-TDS-26',
  honest: (_step: AuthenticationStep['name'], _order: GatewayOrder, _isOwn: boolean) => true,
  lies: {
    'failed-challenge-for-another-requestor-approved': (step, order) => step !== 'CREQ' || !isForSecond(order),
    'failed-pareq-for-another-requestor-approved': (step, order) => step !== 'PAREQ' || !isForSecond(order),
    'failed-challenge-approves-an-authorization': (step, { kind }) => step !== 'CREQ' || kind !== 'AUTH',
    'failed-pareq-approves-an-authorization': (step, { kind }) => step !== 'PAREQ' || kind !== 'AUTH',
    'failed-challenge-verifies': (step, { kind }) => step !== 'CREQ' || kind !== 'ACCOUNT_VERIFICATION',
    'failed-challenge-after-the-method-approved': (step, { card }) =>
      step !== 'CREQ' || card?.behaviour.step !== 'method',
    'pares-of-another-order-verifies': (step, { kind }, isOwn) =>
      step !== 'PAREQ' || isOwn || kind !== 'ACCOUNT_VERIFICATION',
    'cres-of-another-order-verifies': (step, { kind }, isOwn) =>
      step !== 'CREQ' || isOwn || kind !== 'ACCOUNT_VERIFICATION',
    'pares-of-another-order-taken-for-another-requestor': (step, order, isOwn) =>
      step !== 'PAREQ' || isOwn || !isForSecond(order),
    'cres-of-another-order-taken-for-another-requestor': (step, order, isOwn) =>
      step !== 'CREQ' || isOwn || !isForSecond(order),
    'pares-of-another-order-taken': (step, _order, isOwn) => step !== 'PAREQ' || isOwn,
    'cres-of-another-order-taken': (step, _order, isOwn) => step !== 'CREQ' || isOwn,
    'failed-challenge-approved': (step) => step !== 'CREQ',
    'failed-pareq-approved': (step) => step !== 'PAREQ',
  },
});

/** Whether what is sent answers the step that is due. */
const isAnswered = decision({
  rule: 'GW-TDS-26',
  honest: (due: AuthenticationStep['name'], answered: AuthenticationStep['name']) => due === answered,
  lies: {
    'cres-answers-a-method': (due, answered) => due === answered || (due === 'THREEDS_METHOD' && answered === 'CREQ'),
    'cres-answers-a-pareq': (due, answered) => due === answered || (due === 'PAREQ' && answered === 'CREQ'),
    'pares-answers-a-challenge': (due, answered) => due === answered || (due === 'CREQ' && answered === 'PAREQ'),
  },
});

/** Whether a letter that its issuer did not write is taken for one that says yes. */
const issuerIsAsked = decision({
  rule: 'GW-TDS-26',
  honest: (_letter: string, _step: AuthenticationStep) => true,
  lies: {
    'cres-that-cannot-be-read-approved': (letter, { name }) =>
      name !== 'CREQ' || Buffer.from(letter, 'base64url').toString().startsWith('{'),
    'pares-that-cannot-be-read-approved': (letter, { name }) =>
      name !== 'PAREQ' || Buffer.from(letter, 'base64').toString().includes('<'),
  },
});

/** Whether an order that was declined is left so by what belongs to 3-D Secure. */
const declineIsLeft = decision({
  rule: 'GW-STA-05',
  honest: (_answered: AuthenticationStep['name']) => true,
  lies: {
    'declined-order-approved-by-an-answer-of-nobody': (answered) => answered === 'THREEDS_METHOD',
    'declined-order-approved-by-a-report-on-a-method': (answered) => answered !== 'THREEDS_METHOD',
  },
});

/** Whether a payment whose cardholder did not pass stays declined when the same answer comes again. */
const refusalLasts = decision({
  rule: 'GW-TDS-26',
  honest: (_step: AuthenticationStep['name']) => true,
  lies: {
    'failed-challenge-approved-when-it-comes-again': (step) => step !== 'CREQ',
    'failed-pareq-approved-when-it-comes-again': (step) => step !== 'PAREQ',
  },
});

/** Whether an authorization is left as it is by an answer of the issuer that comes again. */
const holdIsKept = decision({
  rule: 'GW-CAP-03',
  honest: () => true,
  lies: { 'authorization-undone-when-the-answer-of-the-issuer-comes-again': () => false },
});

/** The same of a verification. */
const verificationIsKept = decision({
  rule: 'GW-REC-04',
  honest: () => true,
  lies: { 'verification-undone-when-the-answer-of-the-issuer-comes-again': () => false },
});

/** What an answer of the issuer that comes again does to the payment. */
const countsOnce = decision({
  rule: 'GW-SAL-02',
  honest: (): 'nothing' | 'charges it' | 'undoes it' => 'nothing',
  lies: {
    'sale-charged-again-when-the-answer-comes-again': () => 'charges it',
    'sale-undone-when-the-answer-comes-again': () => 'undoes it',
  },
});

/** How the answer to a refusal of the issuer is given. */
const refusalIsTaken = (rule: string, name: 'cres' | 'pares') =>
  decision({
    rule,
    honest: (_order: GatewayOrder) => true,
    lies: {
      [`refused-${name}-answered-400`]: ({ kind }) => kind !== 'SALE',
      [`refused-${name}-of-an-authorization-answered-400`]: ({ kind }) => kind !== 'AUTH',
      [`refused-${name}-of-a-verification-answered-400`]: ({ kind }) => kind !== 'ACCOUNT_VERIFICATION',
    },
  });
const refusedCResIsTaken = refusalIsTaken('GW-TDS-08', 'cres');
const refusedPaResIsTaken = refusalIsTaken('GW-TDS-11', 'pares');

/** How many milliseconds an answer of the issuer goes on in which the same one is charged as well. */
const chargesEach = decideMixUp('GW-SAL-02', 'sale-charged-for-each-of-two-answers-at-once');

/** How many milliseconds an answer of an issuer goes on in which others count as passed, too. */
const passesOthers = decideMixUp('GW-TDS-26', 'failed-challenges-answered-at-once-with-a-passed-one-approved');

/** 3ds/cres: the caller forwards what the ACS posted after the challenge. */
export function answerCRes(call: GatewayCall): GatewayReply {
  const { activeLies } = call;
  takeAgain(call, 'CREQ');
  const order = orderOf(call, (missing) => cresRequestIsWhole(activeLies, missing), 'CREQ');
  if (order.step!.name !== 'CREQ') return finish(call, order, true, () => 'counts');
  const value =
    forwarded(call.body, 'cres', () => cresRequestIsWhole(activeLies, 'value')) ?? order.step!.answers.authenticated;
  const { authenticated, refused } = order.step!.answers;
  if (value !== authenticated && value !== refused && !issuerIsAsked(activeLies, value, order.step!))
    return finish(call, order, true, () => 'counts');
  if (value !== authenticated && value !== refused && refusalFails(activeLies, 'CREQ', order, false))
    throw refuseParameter('cres', 'The CRes is not the one that was issued');
  return call.gatewayState.rush.answer(activeLies, 'challenge', [passesOthers], (isAtOnce) => {
    const passed = value === authenticated || isAtOnce || !refusalFails(activeLies, 'CREQ', order, value === refused);
    return finish(call, order, passed, () => passedChallengeCounts(activeLies, order, call));
  });
}

/** 3ds/pares: the caller forwards what the ACS posted after 3-D Secure 1.0.2. */
export function answerPaRes(call: GatewayCall): GatewayReply {
  const { activeLies } = call;
  takeAgain(call, 'PAREQ');
  const order = orderOf(call, (missing) => paresRequestIsWhole(activeLies, missing), 'PAREQ');
  if (order.step!.name !== 'PAREQ') return finish(call, order, true, () => 'counts');
  const value =
    forwarded(call.body, 'pares', () => paresRequestIsWhole(activeLies, 'value')) ?? order.step!.answers.authenticated;
  const { authenticated, refused } = order.step!.answers;
  if (value === refused) return finish(call, order, !refusalFails(activeLies, 'PAREQ', order, true), () => 'counts');
  if (value !== authenticated && !issuerIsAsked(activeLies, value, order.step!))
    return finish(call, order, true, () => 'counts');
  if (isPassedElsewhere(call, order, value) && !refusalFails(activeLies, 'PAREQ', order, false))
    return finish(call, order, true, () => 'counts');
  if (!paresIsSealed(activeLies, value, authenticated, order))
    throw refuseParameter('paRes', 'The signature of the PaRes does not verify');
  return finish(call, order, true, () => untouchedPaResCounts(activeLies, order, call));
}

/** Under a lie, has an answer of the issuer count that comes once more. */
function takeAgain(call: GatewayCall, step: AuthenticationStep['name']): void {
  const { activeLies, body, gatewayState } = call;
  const id = readFieldText(body['orderSystemId']);
  const { isAtOnce } = gatewayState.rush.begin(activeLies, `answer about ${id}`, chargesEach);
  const done = countsOnce(activeLies);
  const lasts = refusalLasts(activeLies, step);
  const keeps = holdIsKept(activeLies);
  const keepsVerified = verificationIsKept(activeLies);
  if (id === undefined || (!isAtOnce && done === 'nothing' && lasts && keeps && keepsVerified)) return;
  const order = findKnownOrder(call);
  if (order === undefined || order.step !== undefined) return;
  const { amount, card, kind, state } = order;
  if (!keeps) {
    order.heldUntil = undefined;
    return;
  }
  if (!lasts && card !== undefined && state === 'DECLINED') {
    concludePayment(gatewayState, order, card.behaviour, 'authentication');
    return;
  }
  if (kind === 'ACCOUNT_VERIFICATION' && state === 'APPROVED' && !keepsVerified) {
    moveOrder(gatewayState, order, 'DECLINED');
    return;
  }
  if (kind !== 'SALE' || state !== 'APPROVED') return;
  if (done === 'undoes it') {
    moveOrder(gatewayState, order, 'DECLINED');
    return;
  }
  const created = gatewayState.world.clock.now();
  order.transactions.push({ type: 'SALE', status: 'APPROVED', amount, created });
  bookIncoming(gatewayState, order, amount);
}

/** Whether a PaRes says that the customer of another order was authenticated; only lies look at it. */
function isPassedElsewhere({ activeLies, gatewayState }: GatewayCall, order: GatewayOrder, pares: string): boolean {
  if (activeLies.size === 0) return false;
  const [, token] = /^<PARes id="([^"]*)" status="Y">/.exec(Buffer.from(pares, 'base64').toString()) ?? [];
  const other = token === undefined ? undefined : gatewayState.orders.byToken(token);
  return other !== undefined && other !== order;
}

/** The latest other order of a requestor that waits for a step; only lies look for it. */
function otherWaiting({ gatewayState, requestor }: GatewayCall, order: GatewayOrder): GatewayOrder | undefined {
  return gatewayState.orders.of(requestor).findLast((one) => one !== order && one.step !== undefined);
}

function finish(call: GatewayCall, order: GatewayOrder, passed: boolean, outcome: () => Outcome): GatewayReply {
  const { gatewayState } = call;
  const said = passed ? [outcome(), endFollows(call.activeLies, order)].find((one) => one !== 'counts') : undefined;
  const before = said === 'is not shown' ? buildStatusResponse(gatewayState, order, { in: call.operation }) : undefined;
  if (said === 'never comes') leaveAuthenticationStep(order);
  else if (passed && said !== 'fails') concludePayment(gatewayState, order, order.card!.behaviour, 'authentication');
  else refuseAuthentication(gatewayState, order, 'The cardholder was not authenticated');
  shareFate(gatewayState, order, passed ? 'authenticated' : 'not authenticated');
  const isTaken = call.operation === 'threeDSCRes' ? refusedCResIsTaken : refusedPaResIsTaken;
  if (!passed && !isTaken(call.activeLies, order))
    throw new GatewayRefusal(400, -29, 'The cardholder was not authenticated');
  const shown = said === 'is shown of another order' ? (otherWaiting(call, order) ?? order) : order;
  const body = before ?? buildStatusResponse(gatewayState, shown, { in: call.operation });
  return { status: 200, body, after: chargesEach(call.activeLies) };
}

function orderOf(
  call: GatewayCall,
  needed: (missing: 'order') => boolean,
  name: AuthenticationStep['name'],
): GatewayOrder {
  if (readFieldText(call.body['orderSystemId']) === undefined) {
    if (needed('order')) throw refuseParameter('orderSystemId');
    return waiting(call, findLatestOrder(call), name);
  }
  return waiting(call, findOrder(call), name);
}

/** The value under whatever spelling of its name: the document does not show one. */
function forwarded(body: JsonObject, name: 'cres' | 'pares', needed: () => boolean): string | undefined {
  for (const [key, value] of Object.entries(body))
    if (key.toLowerCase() === name && typeof value === 'string' && value !== '') return value;
  if (needed()) throw refuseParameter(name === 'cres' ? 'cres' : 'paRes');
  return undefined;
}

function waiting({ activeLies }: GatewayCall, order: GatewayOrder, name: AuthenticationStep['name']): GatewayOrder {
  if (order.step === undefined && order.state === 'DECLINED' && !declineIsLeft(activeLies, name))
    order.state = 'APPROVED';
  if (order.step === undefined || !isAnswered(activeLies, order.step.name, name))
    throw new GatewayRefusal(400, -28, `The order does not wait for this 3-D Secure step`);
  return order;
}
