import type { FastifyInstance } from 'fastify';
import { decision } from '../../decision.ts';
import { isForSecond } from '../credentials.ts';
import type { GatewayState } from '../gateway-state.ts';
import { formatAmount } from '../orders/money.ts';
import type { GatewayOrder } from '../orders/order.ts';
import {
  concludePayment,
  hostedStepAddress,
  refuseAuthentication,
  startAuthenticationStep,
} from '../orders/order-progress.ts';
import { redirectCustomer, returnCustomer } from '../payments/hosted-form.ts';
import { isSatisfiedByMethod } from '../payments/sandbox-cards.ts';
import {
  acsPage,
  closingPage,
  hostedMethodPage,
  METHOD_RAN,
  methodPage,
  renderPostButton,
} from '../wire/html-pages.ts';
import { inSmallLetters, readWebAddress, unescaped, withoutQuery } from '../wire/web-addresses.ts';
import { readFormFields, sendHtmlPage } from '../wire/web-requests.ts';

const cresGoesBack = decision({
  rule: 'GW-TDS-09',
  honest: (order: GatewayOrder, _gatewayState: GatewayState) => order.urls.cres,
  lies: {
    'cres-posted-to-the-result-address': (order) => order.urls.result ?? `${order.origin}/acs/nowhere`,
    'cres-posted-to-the-address-in-small-letters': (order) => inSmallLetters(order.urls.cres),
    'cres-posted-to-the-address-unescaped': (order) => unescaped(order.urls.cres),
    'cres-posted-without-the-query': (order) => withoutQuery(order.urls.cres),
    'cres-of-an-authorization-posted-without-the-query': ({ kind, urls }) =>
      kind === 'AUTH' ? withoutQuery(urls.cres) : urls.cres,
    'cres-of-a-verification-posted-without-the-query': ({ kind, urls }) =>
      kind === 'ACCOUNT_VERIFICATION' ? withoutQuery(urls.cres) : urls.cres,
    'cres-after-the-method-posted-without-the-query': ({ card, urls }) =>
      card?.behaviour.step === 'method' ? withoutQuery(urls.cres) : urls.cres,
    'cres-of-another-requestor-kept-by-the-acs': (order) =>
      isForSecond(order) ? `${order.origin}/acs/nowhere` : order.urls.cres,
    'cres-kept-by-the-acs': (order) => `${order.origin}/acs/nowhere`,
    'cres-posted-to-the-latest-address': (_order, { orders }) =>
      [...orders.all()].findLast(({ urls }) => urls.cres !== undefined)?.urls.cres,
  },
});

const paresGoesBack = decision({
  rule: 'GW-TDS-12',
  honest: (address: string | undefined, _order: GatewayOrder) => address,
  lies: {
    'pares-of-another-requestor-kept-by-the-acs': (address, order) =>
      isForSecond(order) ? `${order.origin}/acs/nowhere` : address,
    'pares-kept-by-the-acs': (_address, order) => `${order.origin}/acs/nowhere`,
    'pares-posted-to-the-address-in-small-letters': (address) => inSmallLetters(address),
    'pares-posted-to-the-address-unescaped': (address) => unescaped(address),
    'pares-posted-without-the-query': (address) => withoutQuery(address),
    'pares-of-an-authorization-posted-without-the-query': (address, { kind }) =>
      kind === 'AUTH' ? withoutQuery(address) : address,
    'pares-of-a-verification-posted-without-the-query': (address, { kind }) =>
      kind === 'ACCOUNT_VERIFICATION' ? withoutQuery(address) : address,
    'pares-posted-to-the-server-root': (address) => address && new URL('/', address).href,
  },
});

/** The issuer's side of 3-D Secure, as a customer's browser meets it. */
export function serveAcsPages(app: FastifyInstance, gatewayState: () => GatewayState): void {
  app.get<{ Params: { token: string } }>('/acs/method/:token', (request, reply) => {
    const order = gatewayState().orders.byToken(request.params.token);
    return order === undefined
      ? sendHtmlPage(reply, closingPage('Not found', 'There is no such 3DS method.'), 404)
      : sendHtmlPage(reply, methodPage(request.params.token));
  });
  app.post('/acs/method/:token', (request, reply) =>
    sendHtmlPage(reply, methodPage((request.params as { token: string }).token)),
  );

  app.post('/acs/challenge', (request, reply) => {
    const fields = readFormFields(request);
    const order = waitingFor(gatewayState(), tokenIn(fields.get('creq') ?? ''), fields.get('creq'));
    if (order === undefined) return unknown(reply);
    const session = fields.get('threeDSSessionData');
    const back = cresGoesBack(gatewayState().world.activeLies, order, gatewayState()) ?? order.urls.result;
    return confirm(reply, order, back, (answer) => ({
      cres: answer,
      ...(session !== null && { threeDSSessionData: session }),
    }));
  });

  app.post('/acs/pareq', (request, reply) => {
    const fields = readFormFields(request);
    const message = Buffer.from(fields.get('PaReq') ?? '', 'base64').toString();
    const order = waitingFor(gatewayState(), /Message id="([^"]+)"/.exec(message)?.[1] ?? '', fields.get('PaReq'));
    if (order === undefined) return unknown(reply);
    const back = paresGoesBack(gatewayState().world.activeLies, readWebAddress(fields.get('TermUrl')), order);
    return confirm(reply, order, back, (answer) => ({ PaRes: answer, MD: fields.get('MD') ?? '' }));
  });

  // Where the gateway itself leads the customer, e.g. after the hosted form: the answer stays within it.
  app.get<{ Params: { token: string } }>('/acs/hosted/:token', (request, reply) => {
    const order = gatewayState().orders.byToken(request.params.token);
    if (order?.step?.token !== request.params.token) return unknown(reply);
    const back = hostedStepAddress(order, order.step);
    if (order.step.name === 'THREEDS_METHOD')
      return sendHtmlPage(reply, hostedMethodPage(`${order.origin}/acs/method/${order.step.token}`, back));
    return confirm(reply, order, back, (answer) => ({ answer }));
  });
  app.post<{ Params: { token: string } }>('/acs/hosted/:token', (request, reply) => {
    const order = gatewayState().orders.byToken(request.params.token);
    if (order?.step?.token !== request.params.token) return unknown(reply);
    const answer = readFormFields(request).get('answer');
    const { activeLies } = gatewayState().world;
    if (order.step.name === 'THREEDS_METHOD') {
      if (answer !== METHOD_RAN) return unknown(reply);
      const { behaviour } = order.card!;
      if (isSatisfiedByMethod(behaviour)) concludePayment(gatewayState(), order, behaviour, 'authentication');
      else startAuthenticationStep(gatewayState(), order, 'CREQ');
      if (order.step !== undefined) return redirectCustomer(reply, hostedStepAddress(order, order.step));
    } else if (answer === order.step.answers.authenticated) {
      if (hostedOutcomeIsKept(activeLies, order))
        concludePayment(gatewayState(), order, order.card!.behaviour, 'authentication');
    } else if (answer === order.step.answers.refused && hostedRefusalCounts(activeLies, order)) {
      if (hostedRefusalIsTold(activeLies, order))
        refuseAuthentication(gatewayState(), order, 'The cardholder was not authenticated');
    } else if (answer === order.step.answers.refused)
      concludePayment(gatewayState(), order, order.card!.behaviour, 'authentication');
    else return unknown(reply);
    return returnCustomer(gatewayState(), reply, order, authenticatedGoesBack(activeLies, order));
  });
  app.post('/acs/nowhere', (_request, reply) =>
    sendHtmlPage(reply, closingPage('Thank you', 'You can close this page.')),
  );
}

/** Whether the customer of a form who did not pass is taken at their word. */
const hostedRefusalCounts = decision({
  rule: 'GW-TDS-26',
  honest: (_order: GatewayOrder) => true,
  lies: {
    'failed-challenge-on-an-authorization-form-approved': ({ form, kind }) => form === undefined || kind !== 'AUTH',
    'failed-challenge-on-a-form-of-another-requestor-approved': (order) =>
      order.form === undefined || !isForSecond(order),
    'failed-challenge-on-a-form-approved': ({ form, kind }) => form === undefined || kind !== 'SALE',
    'failed-pareq-on-a-form-approved': ({ form, step }) => form === undefined || step?.name !== 'PAREQ',
  },
});

/** Whether anything comes of a payment on a form whose customer passed. */
const hostedOutcomeIsKept = decision({
  rule: 'GW-FRM-07',
  honest: (_order: GatewayOrder) => true,
  lies: {
    'form-after-3-d-secure-has-no-outcome': ({ form }) => form === undefined,
    'authorization-form-after-3-d-secure-has-no-outcome': ({ form, kind }) => form === undefined || kind !== 'AUTH',
  },
});

/** Whether anything comes of a payment on a form whose customer did not pass. */
const hostedRefusalIsTold = decision({
  rule: 'GW-FRM-07',
  honest: (_order: GatewayOrder) => true,
  lies: { 'form-after-failed-3-d-secure-has-no-outcome': ({ form }) => form === undefined },
});

/** Where the customer of a form goes after 3-D Secure. */
const authenticatedGoesBack = decision({
  rule: 'GW-FRM-05',
  honest: (order: GatewayOrder) => order.urls.result,
  lies: {
    'customer-of-an-authorization-form-stays-after-3-d-secure': (order) =>
      order.kind === 'AUTH' && order.form !== undefined ? undefined : order.urls.result,
    'customer-of-a-form-stays-after-3-d-secure': (order) => (order.form === undefined ? order.urls.result : undefined),
  },
});

type Replying = Parameters<typeof sendHtmlPage>[0];

function confirm(
  reply: Replying,
  order: GatewayOrder,
  back: string | undefined,
  values: (answer: string) => Record<string, string>,
) {
  if (back === undefined)
    return sendHtmlPage(reply, closingPage('No way back', 'The shop gave no address to return the answer to.'), 400);
  const { authenticated, refused } = order.step!.answers;
  const amount = `${formatAmount(order.amount, order.currency)} ${order.currency}`;
  return sendHtmlPage(
    reply,
    acsPage(
      amount,
      renderPostButton(back, values(authenticated), 'Confirm', 'approve'),
      renderPostButton(back, values(refused), 'Refuse', 'refuse'),
    ),
  );
}

function unknown(reply: Replying) {
  return sendHtmlPage(reply, closingPage('Not found', 'No payment waits for this confirmation.'), 404);
}

function waitingFor(gatewayState: GatewayState, token: string, message: string | null): GatewayOrder | undefined {
  const order = gatewayState.orders.byToken(token);
  return order?.step?.token === token && order.step.message === message ? order : undefined;
}

function tokenIn(creq: string): string {
  try {
    const told = JSON.parse(Buffer.from(creq, 'base64url').toString()) as { threeDSServerTransID?: unknown };
    return String(told.threeDSServerTransID);
  } catch {
    return '';
  }
}
