import type { FastifyInstance, FastifyReply } from 'fastify';
import { decision } from '../../decision.ts';
import { decideMixUp } from '../../rush.ts';
import { isForMulticurrency, isForSecond } from '../credentials.ts';
import type { GatewayCall } from '../gateway-call.ts';
import type { GatewayReply } from '../gateway-reply.ts';
import type { GatewayState } from '../gateway-state.ts';
import { formatAmount } from '../orders/money.ts';
import { openOrder, requireBodyPart } from '../orders/open-order.ts';
import { type GatewayOrder, namesCallback, type OrderKind, type RememberedCard } from '../orders/order.ts';
import { announceRedirect, beginPayment, finishPayment } from '../orders/order-progress.ts';
import { buildStatusResponse } from '../orders/status-response.ts';
import { GatewayRefusal } from '../wire/gateway-refusal.ts';
import { closingPage, linkingPage, paymentForm, returningPage } from '../wire/html-pages.ts';
import { inSmallLetters, unescaped, withoutQuery, withoutRepeats } from '../wire/web-addresses.ts';
import { readFormFields, sendHtmlPage } from '../wire/web-requests.ts';
import { readCardData } from './paying-card.ts';
import type { IssuerBehaviour } from './sandbox-cards.ts';

/** Seconds of the sandbox's clock after which an untouched form lapses. */
const FORM_LASTS = 3600;
const CANCELLED = 'Cancelled by the customer';

const leadsOn = decision({
  rule: 'GW-FRM-02',
  honest: (_kind: OrderKind, _call: GatewayCall) => true,
  lies: {
    'sale-form-of-several-currencies-leads-nowhere': (kind, call) => kind !== 'SALE' || !isForMulticurrency(call),
    'sale-form-leads-nowhere': (kind) => kind !== 'SALE',
    'sale-form-of-another-requestor-leads-nowhere': (kind, call) => kind !== 'SALE' || !isForSecond(call),
  },
});

/** Whether a form that was paid is closed. */
const isPaidOnce = decision({
  rule: 'GW-SAL-02',
  honest: (_order: GatewayOrder) => true,
  lies: { 'form-that-is-sent-again-charges-again': ({ kind, error }) => kind !== 'SALE' || error !== undefined },
});

/** Whether a form by which something was authorized is closed. */
const isAuthorizedOnce = decision({
  rule: 'GW-ATH-02',
  honest: (_order: GatewayOrder) => true,
  lies: {
    'authorization-form-that-is-sent-again-authorizes-again': ({ kind, state }) =>
      kind !== 'AUTH' || state !== 'APPROVED',
  },
});

const asksForCard = decision({
  rule: 'GW-FRM-03',
  honest: (): 'form' | 'no fields' | 'no page' => 'form',
  lies: { 'form-without-card-fields': () => 'no fields', 'form-page-missing': () => 'no page' },
});

const paidGoesBack = decision({
  rule: 'GW-FRM-05',
  honest: (order: GatewayOrder, _gatewayState: GatewayState) => order.urls.result,
  lies: {
    'paid-customer-stays': () => undefined,
    'paid-customer-sent-to-the-address-in-small-letters': (order) => inSmallLetters(order.urls.result),
    'paid-customer-sent-to-the-address-without-repeated-names': (order) => withoutRepeats(order.urls.result),
    'paid-customer-sent-to-the-address-unescaped': (order) => unescaped(order.urls.result),
    'paid-customer-sent-without-the-query': (order) => withoutQuery(order.urls.result),
    'paid-customer-of-an-authorization-sent-without-the-query': ({ kind, urls }) =>
      kind === 'AUTH' ? withoutQuery(urls.result) : urls.result,
    'paid-customer-sent-to-the-address-of-the-latest-form': (order, { orders }) =>
      (latestOpen(orders, order) ?? order).urls.result,
    'paid-customer-sent-to-the-gateway': (order) => `${order.origin}/acs/nowhere`,
    'paid-customer-of-another-requestor-sent-without-the-query': (order) =>
      isForSecond(order) ? withoutQuery(order.urls.result) : order.urls.result,
    'paid-customer-of-another-requestor-stays': (order) => (isForSecond(order) ? undefined : order.urls.result),
  },
});

const numberStaysBehind = decision({
  rule: 'GW-FRM-04',
  honest: (address: string | undefined, _order: GatewayOrder) => address,
  lies: {
    'form-card-number-in-return-address': (address, order) => address && `${address}?card=${order.typed}`,
  },
});

const cancelledGoesBack = decision({
  rule: 'GW-FRM-06',
  honest: (order: GatewayOrder) => order.urls.cancel ?? order.urls.result,
  lies: {
    'cancelled-customer-stays': () => undefined,
    'cancelled-customer-of-another-requestor-stays': (order) =>
      isForSecond(order) ? undefined : (order.urls.cancel ?? order.urls.result),
    'cancelled-customer-of-an-authorization-of-another-requestor-stays': (order) =>
      order.kind === 'AUTH' && isForSecond(order) ? undefined : (order.urls.cancel ?? order.urls.result),
    'cancelled-customer-of-another-requestor-sent-without-the-query': (order) => {
      const address = order.urls.cancel ?? order.urls.result;
      return isForSecond(order) ? withoutQuery(address) : address;
    },
    'cancelled-customer-of-an-authorization-stays': (order) =>
      order.kind === 'AUTH' ? undefined : (order.urls.cancel ?? order.urls.result),
    'cancelled-customer-sent-to-the-address-unescaped': (order) => unescaped(order.urls.cancel ?? order.urls.result),
    'cancelled-customer-sent-without-the-query': (order) => withoutQuery(order.urls.cancel ?? order.urls.result),
    'cancelled-customer-of-an-authorization-sent-without-the-query': ({ kind, urls }) =>
      kind === 'AUTH' ? withoutQuery(urls.cancel ?? urls.result) : (urls.cancel ?? urls.result),
    'cancelled-customer-sent-to-the-gateway': (order) => `${order.origin}/acs/nowhere`,
  },
});

const outcomeIsKept = decision({
  rule: 'GW-FRM-07',
  honest: (_order: GatewayOrder) => true,
  lies: {
    'form-outcome-never-in-status': () => false,
    'form-outcome-for-another-requestor-never-in-status': (order) => !isForSecond(order),
    'form-outcome-of-an-order-that-names-a-callback-address-never-in-status': (order) => !namesCallback(order),
    'form-outcome-in-several-currencies-never-in-status': (order) => !isForMulticurrency(order),
  },
});

/** What the issuer makes of a card that was entered on a form. */
const issuerDecides = decision({
  rule: 'GW-FRM-07',
  honest: ({ ending }: IssuerBehaviour, _order: GatewayOrder) => ending,
  lies: {
    'declined-authorization-form-approved': ({ ending }, { kind }) =>
      kind === 'AUTH' && ending === 'DECLINED' ? 'APPROVED' : ending,
    'form-in-error-approved': ({ ending }) => (ending === 'ERROR' ? 'APPROVED' : ending),
    'authorization-form-in-error-declined': ({ ending }, { kind }) =>
      kind === 'AUTH' && ending === 'ERROR' ? 'DECLINED' : ending,
    'filtered-form-approved': ({ ending }, { kind }) =>
      kind === 'SALE' && ending === 'FILTERED' ? 'APPROVED' : ending,
    'filtered-authorization-form-declined': ({ ending }, { kind }) =>
      kind === 'AUTH' && ending === 'FILTERED' ? 'DECLINED' : ending,
  },
});

/** Whether a form takes a card however long ago it was started. */
const lateCardCounts = decision({
  rule: 'GW-FRM-07',
  honest: (_minutes: number, _order: GatewayOrder) => true,
  lies: {
    'form-filled-in-late-has-no-outcome': (minutes) => minutes < 10,
    'authorization-form-filled-in-late-has-no-outcome': (minutes, { kind }) => kind !== 'AUTH' || minutes < 10,
  },
});

/** Whether a form is over once its customer has cancelled. */
const cancelledIsOver = decision({
  rule: 'GW-FRM-07',
  honest: (_order: GatewayOrder) => true,
  lies: {
    'cancelled-form-can-still-be-paid': ({ error }) => error?.message !== CANCELLED,
    'cancelled-authorization-form-can-still-be-paid': ({ kind, error }) =>
      kind !== 'AUTH' || error?.message !== CANCELLED,
  },
});

/** Order that is paid by a form. */
const ownOrder = decision({
  rule: 'GW-FRM-07',
  honest: (order: GatewayOrder, _gatewayState: GatewayState) => order,
  lies: {
    'form-pays-for-the-latest-order': (order, { orders }) => latestOpen(orders, order) ?? order,
    'form-pays-for-the-one-shown-last': (order, { lastForm }) =>
      lastForm.order?.transactions.length === 0 ? lastForm.order : order,
    'authorization-form-pays-for-the-latest-order': (order, { orders }) =>
      order.kind === 'AUTH' ? (latestOpen(orders, order) ?? order) : order,
  },
});

/** How many milliseconds a payment on a form goes on in which others are paid by the same card. */
const sharesItsCard = decision({
  rule: 'GW-FRM-07',
  honest: () => 0,
  // Longer than what a program does at once: a browser may be slower than another.
  lies: { 'forms-paid-at-once-paid-by-one-card': () => 3000 },
});

/** Whether the other forms of a requestor are left open where one is cancelled. */
const isCancelledAlone = decision({
  rule: 'GW-FRM-07',
  honest: () => true,
  lies: { 'cancelled-form-cancels-the-others-of-its-requestor': () => false },
});

/** State of a payment that its customer cancels. */
const cancelledState = decision({
  rule: 'GW-FRM-07',
  honest: (_order: GatewayOrder): 'DECLINED' | 'APPROVED' => 'DECLINED',
  lies: {
    'cancelled-form-approved': ({ kind }) => (kind === 'SALE' ? 'APPROVED' : 'DECLINED'),
    'cancelled-authorization-form-approved': ({ kind }) => (kind === 'AUTH' ? 'APPROVED' : 'DECLINED'),
  },
});

/** Where the customer of a form goes. */
const ownForm = decision({
  rule: 'GW-STR-05',
  honest: (own: string, _call: GatewayCall) => own,
  lies: { 'form-leads-to-the-form-before': (own, call) => formBefore(call) ?? own },
});

/** How many milliseconds the start of a form goes on in which others lead to it. */
const mixesOthers = decideMixUp('GW-FRM-02', 'forms-started-at-once-lead-to-one-of-them');

/** sale-form, auth-form: the customer is sent to a page of the gateway. */
export function answerFormRequest(kind: 'SALE' | 'AUTH'): (call: GatewayCall) => GatewayReply {
  return (call) => {
    const { gatewayState } = call;
    if (gatewayState.world.choices.hostedForms === 'not enabled')
      throw new GatewayRefusal(400, -40, 'Hosted forms are not enabled for this requestor');
    for (const part of ['order', 'customer', 'browser'] as const) requireBodyPart(call, part);
    return gatewayState.rush.answer(call.activeLies, 'form', [mixesOthers], (isAtOnce) =>
      startForm(kind, call, isAtOnce),
    );
  };
}

function startForm(kind: 'SALE' | 'AUTH', call: GatewayCall, isAtOnce: boolean): GatewayReply {
  const { gatewayState } = call;
  const order = openOrder(call, kind);
  const token = gatewayState.orders.issueToken(gatewayState.world, order);
  order.form = token;
  const action = `${order.origin}/form/${token}`;
  if (leadsOn(gatewayState.world.activeLies, kind, call)) {
    const own = isAtOnce ? (formBefore(call) ?? action) : action;
    if (kind === 'SALE' || order.wantsRedirect) order.redirect = ownForm(gatewayState.world.activeLies, own, call);
    else
      order.html = paymentForm(
        { action, amount: amountOf(order), withCard: asksForCard(gatewayState.world.activeLies) !== 'no fields' },
        gatewayState.world.choices,
      );
  }
  announceRedirect(gatewayState, order);
  gatewayState.world.clock.after(FORM_LASTS, () => {
    if (order.transactions.length === 0) abandon(gatewayState, order, 'The payment form was not filled in');
  });
  return { status: 200, body: buildStatusResponse(gatewayState, order, { in: call.operation }) };
}

/** The hosted payment form itself. */
export function serveHostedForm(app: FastifyInstance, gatewayState: () => GatewayState): void {
  app.get<{ Params: { token: string } }>('/form/:token', (request, reply) => {
    const state = gatewayState();
    const order = open(state, request.params.token);
    if (order === undefined) return gone(reply);
    state.lastForm.order = order;
    return show(state, reply, order);
  });
  app.post<{ Params: { token: string } }>('/form/:token', (request, reply) => {
    const state = gatewayState();
    const { lastForm, rush, world } = state;
    const { activeLies, clock } = world;
    const opened = open(state, request.params.token);
    if (opened === undefined) return gone(reply);
    if (opened.transactions.length > 0) {
      const { amount, kind: type } = opened;
      const created = clock.now();
      opened.transactions.push({ type, status: 'APPROVED', amount, created });
      return returnCustomer(state, reply, opened, opened.urls.result);
    }
    const order = ownOrder(activeLies, opened, state);
    const fields = readFormFields(request);
    if (fields.get('action') === 'cancel') {
      abandon(state, order, CANCELLED);
      return returnCustomer(state, reply, order, cancelledGoesBack(activeLies, order));
    }
    if (world.choices.formPages === 'two' && !fields.has('cvv2'))
      return show(state, reply, order, undefined, carried(fields));
    let card: RememberedCard;
    try {
      card = readCardData(Object.fromEntries(fields), world);
    } catch (problem) {
      if (problem instanceof GatewayRefusal)
        return show(
          state,
          reply,
          order,
          PROBLEMS[String((problem.more['invalidParams'] as string[])[0])] ?? problem.message,
        );
      throw problem;
    }
    if (rush.begin(activeLies, 'payment on a form', sharesItsCard).isAtOnce) card = lastForm.card ?? card;
    lastForm.card = card;
    order.card = card;
    if (world.choices.formDeclines !== 'leads back' && card.behaviour.ending === 'DECLINED')
      return show(state, reply, order, 'This card was declined. Please try another one.');
    order.typed = fields.get('cardNumber')?.replace(/[ -]/g, '');
    order.redirect = undefined;
    order.html = undefined;
    const minutes = (clock.now() - order.changedAt) / 60_000;
    if (!(outcomeIsKept(activeLies, order) && lateCardCounts(activeLies, minutes, order))) {
      order.transactions.push({ type: order.kind, status: 'PROCESSING', amount: order.amount, created: clock.now() });
      return returnCustomer(state, reply, order, paidGoesBack(activeLies, order, state));
    }
    // The gateway runs the 3DS method by itself; the customer only sees a challenge.
    const ending = issuerDecides(activeLies, card.behaviour, order);
    order.card = { ...card, behaviour: { ...card.behaviour, ending } };
    const { step, ...behaviour } = order.card.behaviour;
    const quiet = step === undefined || (step === 'method' && behaviour.afterMethod === 'frictionless');
    beginPayment(state, order, quiet ? behaviour : { ...behaviour, step: step === 'pareq' ? 'pareq' : 'challenge' });
    if (order.step !== undefined) return redirectCustomer(reply, order.redirect);
    const back = numberStaysBehind(activeLies, paidGoesBack(activeLies, order, state), order);
    return returnCustomer(state, reply, order, back);
  });
}

/** Sends the customer to an address, or says good-bye where there is none. */
export function redirectCustomer(reply: FastifyReply, address: string | undefined): FastifyReply {
  if (address === undefined) return sendHtmlPage(reply, closingPage('Thank you', 'You can close this page.'));
  return reply.code(303).header('location', new URL(address).href).send();
}

/** Sends the customer back to the shop, in the way that this gateway has. */
export function returnCustomer(
  { world }: GatewayState,
  reply: FastifyReply,
  order: GatewayOrder,
  address: string | undefined,
): FastifyReply {
  if (address === undefined || world.choices.customerReturn === 'bare') return redirectCustomer(reply, address);
  if (world.choices.customerReturn === 'a link') return sendHtmlPage(reply, linkingPage(new URL(address).href));
  const fields = { MD: order.merchantOrderId, threeDSSessionData: order.merchantOrderId };
  return sendHtmlPage(reply, returningPage(new URL(address).href, fields));
}

const PROBLEMS: Readonly<Record<string, string>> = {
  cardNumber: 'Please check the card number.',
  expireMonth: 'Please check the month: 1 to 12.',
  cvv2: 'Please check the code: three or four digits.',
};

/** What the first of two pages was sent with, for the second to send along. */
function carried(fields: URLSearchParams): ReadonlyMap<string, string> {
  return new Map([...fields].filter(([name]) => name !== 'action'));
}

function show(
  gatewayState: GatewayState,
  reply: FastifyReply,
  order: GatewayOrder,
  problem?: string,
  entered?: ReadonlyMap<string, string>,
): FastifyReply {
  const shown = asksForCard(gatewayState.world.activeLies);
  if (shown === 'no page') return gone(reply);
  const action = `${order.origin}/form/${order.form}`;
  const form = {
    action,
    amount: amountOf(order),
    withCard: shown === 'form',
    ...(problem !== undefined && { problem }),
    ...(entered !== undefined && { entered }),
  };
  return sendHtmlPage(reply, paymentForm(form, gatewayState.world.choices), problem === undefined ? 200 : 422);
}

function abandon(gatewayState: GatewayState, order: GatewayOrder, message: string): void {
  order.redirect = undefined;
  order.html = undefined;
  order.error = { code: 117, message };
  order.transactions.push({
    type: order.kind,
    status: 'PROCESSING',
    amount: order.amount,
    created: gatewayState.world.clock.now(),
  });
  finishPayment(gatewayState, order, cancelledState(gatewayState.world.activeLies, order), 'payment');
  const other = isCancelledAlone(gatewayState.world.activeLies) ? undefined : latestOpen(gatewayState.orders, order);
  if (other !== undefined) abandon(gatewayState, other, message);
}

function formBefore({ gatewayState, requestor }: GatewayCall): string | undefined {
  return gatewayState.orders
    .of(requestor)
    .findLast(({ redirect, form, transactions }) => redirect && form && transactions.length === 0)?.redirect;
}

function latestOpen(orders: GatewayState['orders'], { requestor, id }: GatewayOrder): GatewayOrder | undefined {
  return orders
    .of(requestor)
    .findLast((one) => one.id !== id && one.form !== undefined && one.transactions.length === 0);
}

function open(gatewayState: GatewayState, token: string): GatewayOrder | undefined {
  const order = gatewayState.orders.byToken(token);
  if (order?.form !== token) return undefined;
  const { activeLies } = gatewayState.world;
  if (!cancelledIsOver(activeLies, order)) {
    order.transactions.length = 0;
    order.error = undefined;
  }
  const isClosed = isPaidOnce(activeLies, order) && isAuthorizedOnce(activeLies, order);
  return order.transactions.length === 0 || !isClosed ? order : undefined;
}

function gone(reply: FastifyReply): FastifyReply {
  return sendHtmlPage(
    reply,
    closingPage('Nothing to pay', 'This payment form does not exist or was already used.'),
    404,
  );
}

function amountOf(order: GatewayOrder): string {
  return `${formatAmount(order.amount, order.currency)} ${order.currency}`;
}
