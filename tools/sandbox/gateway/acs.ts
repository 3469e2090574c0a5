import type { FastifyInstance } from 'fastify';
import { decision } from '../decision.ts';
import type { Desk } from './desk.ts';
import { webAddress } from './fields.ts';
import { returnAddress } from './form.ts';
import { writeAmount } from './money.ts';
import type { Order } from './order.ts';
import { acsPage, button, lastPage, methodPage } from './pages.ts';
import { conclude, refuseAuthentication } from './progress.ts';
import { formFields, sendPage } from './web.ts';

const cresGoesBack = decision({
  rule: 'GW-TDS-09',
  honest: (order: Order) => order.urls.cres,
  lies: {
    'cres-posted-to-the-result-address': (order) => order.urls.result ?? `${order.origin}/acs/nowhere`,
    'cres-kept-by-the-acs': (order) => `${order.origin}/acs/nowhere`,
  },
});

const paresGoesBack = decision({
  rule: 'GW-TDS-12',
  honest: (address: string | undefined, _order: Order) => address,
  lies: {
    'pares-kept-by-the-acs': (_address, order) => `${order.origin}/acs/nowhere`,
    'pares-posted-to-the-server-root': (address) => address && new URL('/', address).href,
  },
});

/** The issuer's side of 3-D Secure, as a customer's browser meets it. */
export function serveAcs(app: FastifyInstance, desk: () => Desk): void {
  app.get<{ Params: { token: string } }>('/acs/method/:token', (request, reply) => {
    const order = desk().orders.byToken(request.params.token);
    return order === undefined
      ? sendPage(reply, lastPage('Not found', 'There is no such 3DS method.'), 404)
      : sendPage(reply, methodPage(request.params.token));
  });
  app.post('/acs/method/:token', (request, reply) =>
    sendPage(reply, methodPage((request.params as { token: string }).token)),
  );

  app.post('/acs/challenge', (request, reply) => {
    const fields = formFields(request);
    const order = waitingFor(desk(), tokenIn(fields.get('creq') ?? ''), fields.get('creq'));
    if (order === undefined) return unknown(reply);
    const session = fields.get('threeDSSessionData');
    const back = cresGoesBack(desk().world.faults, order) ?? order.urls.result;
    return confirm(reply, order, back, (answer) => ({
      cres: answer,
      ...(session !== null && { threeDSSessionData: session }),
    }));
  });

  app.post('/acs/pareq', (request, reply) => {
    const fields = formFields(request);
    const message = Buffer.from(fields.get('PaReq') ?? '', 'base64').toString();
    const order = waitingFor(desk(), /Message id="([^"]+)"/.exec(message)?.[1] ?? '', fields.get('PaReq'));
    if (order === undefined) return unknown(reply);
    const back = paresGoesBack(desk().world.faults, webAddress(fields.get('TermUrl')), order);
    return confirm(reply, order, back, (answer) => ({ PaRes: answer, MD: fields.get('MD') ?? '' }));
  });

  // Where the gateway itself leads the customer, e.g. after the hosted form: the answer stays within it.
  app.get<{ Params: { token: string } }>('/acs/hosted/:token', (request, reply) => {
    const order = desk().orders.byToken(request.params.token);
    if (order?.step?.token !== request.params.token) return unknown(reply);
    const back = `${order.origin}/acs/hosted/${request.params.token}`;
    return confirm(reply, order, back, (answer) => ({ answer }));
  });
  app.post<{ Params: { token: string } }>('/acs/hosted/:token', (request, reply) => {
    const order = desk().orders.byToken(request.params.token);
    if (order?.step?.token !== request.params.token) return unknown(reply);
    const answer = formFields(request).get('answer');
    if (answer === order.step.answers.authenticated) conclude(desk(), order, order.card!.behaviour, 'authentication');
    else if (answer === order.step.answers.refused)
      refuseAuthentication(desk(), order, 'The cardholder was not authenticated');
    else return unknown(reply);
    return returnAddress(reply, order.urls.result);
  });
  app.post('/acs/nowhere', (_request, reply) => sendPage(reply, lastPage('Thank you', 'You can close this page.')));
}

type Replying = Parameters<typeof sendPage>[0];

function confirm(
  reply: Replying,
  order: Order,
  back: string | undefined,
  values: (answer: string) => Record<string, string>,
) {
  if (back === undefined)
    return sendPage(reply, lastPage('No way back', 'The shop gave no address to return the answer to.'), 400);
  const { authenticated, refused } = order.step!.answers;
  const amount = `${writeAmount(order.amount, order.currency)} ${order.currency}`;
  return sendPage(
    reply,
    acsPage(
      amount,
      button(back, values(authenticated), 'Confirm', 'approve'),
      button(back, values(refused), 'Refuse', 'refuse'),
    ),
  );
}

function unknown(reply: Replying) {
  return sendPage(reply, lastPage('Not found', 'No payment waits for this confirmation.'), 404);
}

function waitingFor(desk: Desk, token: string, message: string | null): Order | undefined {
  const order = desk.orders.byToken(token);
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
