import type { FastifyInstance, FastifyReply } from 'fastify';
import { decision } from '../decision.ts';
import type { Call, Reply } from './call.ts';
import type { Desk } from './desk.ts';
import { writeAmount } from './money.ts';
import { needPart, openOrder } from './open-order.ts';
import type { Kind, Order } from './order.ts';
import { lastPage, paymentForm } from './pages.ts';
import { readCard } from './paying-card.ts';
import { begin, settle } from './progress.ts';
import { Refusal } from './refusal.ts';
import { showOrder } from './show-order.ts';
import { formFields, sendPage } from './web.ts';

/** Seconds of the sandbox's clock after which an untouched form lapses. */
const FORM_LASTS = 3600;

const leadsOn = decision({
  rule: 'GW-FRM-02',
  honest: (_kind: Kind) => true,
  lies: { 'sale-form-leads-nowhere': (kind) => kind !== 'SALE' },
});

const asksForCard = decision({
  rule: 'GW-FRM-03',
  honest: (): 'form' | 'no fields' | 'no page' => 'form',
  lies: { 'form-without-card-fields': () => 'no fields', 'form-page-missing': () => 'no page' },
});

const paidGoesBack = decision({
  rule: 'GW-FRM-05',
  honest: (order: Order) => order.urls.result,
  lies: {
    'paid-customer-stays': () => undefined,
    'paid-customer-sent-to-the-gateway': (order) => `${order.origin}/acs/nowhere`,
  },
});

const cancelledGoesBack = decision({
  rule: 'GW-FRM-06',
  honest: (order: Order) => order.urls.cancel ?? order.urls.result,
  lies: {
    'cancelled-customer-stays': () => undefined,
    'cancelled-customer-sent-to-the-gateway': (order) => `${order.origin}/acs/nowhere`,
  },
});

const outcomeIsKept = decision({
  rule: 'GW-FRM-07',
  honest: () => true,
  lies: { 'form-outcome-never-in-status': () => false },
});

/** sale-form, auth-form: the customer is sent to a page of the gateway. */
export function startForm(kind: 'SALE' | 'AUTH'): (call: Call) => Reply {
  return (call) => {
    const { desk } = call;
    for (const part of ['order', 'customer', 'browser'] as const) needPart(call, part);
    const order = openOrder(call, kind);
    const token = desk.orders.issueToken(desk.world, order);
    order.form = token;
    const action = `${order.origin}/form/${token}`;
    if (leadsOn(desk.world.faults, kind)) {
      if (kind === 'SALE') order.redirect = action;
      else
        order.html = paymentForm({
          action,
          amount: amountOf(order),
          withCard: asksForCard(desk.world.faults) !== 'no fields',
        });
    }
    desk.world.clock.after(FORM_LASTS, () => {
      if (order.transactions.length === 0) abandon(desk, order, 'The payment form was not filled in');
    });
    return { status: 200, body: showOrder(desk, order, { in: call.operation }) };
  };
}

/** The hosted payment form itself. */
export function serveForm(app: FastifyInstance, desk: () => Desk): void {
  app.get<{ Params: { token: string } }>('/form/:token', (request, reply) => {
    const order = open(desk(), request.params.token);
    return order === undefined ? gone(reply) : show(desk(), reply, order);
  });
  app.post<{ Params: { token: string } }>('/form/:token', (request, reply) => {
    const order = open(desk(), request.params.token);
    if (order === undefined) return gone(reply);
    const fields = formFields(request);
    const { faults, clock } = desk().world;
    if (fields.get('action') === 'cancel') {
      abandon(desk(), order, 'Cancelled by the customer');
      return returnAddress(reply, cancelledGoesBack(faults, order));
    }
    try {
      order.card = readCard(Object.fromEntries(fields), clock.now());
    } catch (problem) {
      if (problem instanceof Refusal)
        return show(desk(), reply, order, PROBLEMS[String((problem.more['invalidParams'] as string[])[0])]);
      throw problem;
    }
    order.typed = fields.get('cardNumber')?.replace(/[ -]/g, '');
    order.redirect = undefined;
    order.html = undefined;
    if (!outcomeIsKept(faults)) {
      order.transactions.push({ type: order.kind, status: 'PROCESSING', amount: order.amount, created: clock.now() });
      return returnAddress(reply, paidGoesBack(faults, order));
    }
    // The gateway runs the 3DS method by itself; the customer only sees a challenge.
    const { step, ...behaviour } = order.card.behaviour;
    const quiet = step === undefined || (step === 'method' && behaviour.afterMethod === 'frictionless');
    begin(desk(), order, quiet ? behaviour : { ...behaviour, step: step === 'pareq' ? 'pareq' : 'challenge' });
    return returnAddress(reply, order.step === undefined ? paidGoesBack(faults, order) : order.redirect);
  });
}

/** Sends the customer to an address, or says good-bye where there is none. */
export function returnAddress(reply: FastifyReply, address: string | undefined): FastifyReply {
  if (address === undefined) return sendPage(reply, lastPage('Thank you', 'You can close this page.'));
  return reply.code(303).header('location', new URL(address).href).send();
}

const PROBLEMS: Readonly<Record<string, string>> = {
  cardNumber: 'Please check the card number.',
  expireMonth: 'Please check the month: 1 to 12.',
  expireYear: 'Please check the year: four digits.',
  cvv2: 'Please check the code: three or four digits.',
};

function show(desk: Desk, reply: FastifyReply, order: Order, problem?: string): FastifyReply {
  const shown = asksForCard(desk.world.faults);
  if (shown === 'no page') return gone(reply);
  const action = `${order.origin}/form/${order.form}`;
  const form = {
    action,
    amount: amountOf(order),
    withCard: shown === 'form',
    ...(problem !== undefined && { problem }),
  };
  return sendPage(reply, paymentForm(form), problem === undefined ? 200 : 422);
}

function abandon(desk: Desk, order: Order, message: string): void {
  order.redirect = undefined;
  order.html = undefined;
  order.error = { code: 117, message };
  order.transactions.push({
    type: order.kind,
    status: 'PROCESSING',
    amount: order.amount,
    created: desk.world.clock.now(),
  });
  settle(desk, order, 'DECLINED', 'payment');
}

function open(desk: Desk, token: string): Order | undefined {
  const order = desk.orders.byToken(token);
  return order?.form === token && order.transactions.length === 0 ? order : undefined;
}

function gone(reply: FastifyReply): FastifyReply {
  return sendPage(reply, lastPage('Nothing to pay', 'This payment form does not exist or was already used.'), 404);
}

function amountOf(order: Order): string {
  return `${writeAmount(order.amount, order.currency)} ${order.currency}`;
}
