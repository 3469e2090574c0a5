import type { FastifyInstance } from 'fastify';
import type { Desk } from './desk.ts';
import { webAddress } from './fields.ts';
import { systemIdFrom } from './names.ts';
import { capturedOf, type Order, STATES, type State, sumOf } from './order.ts';
import { announce } from './progress.ts';
import { showOrder } from './show-order.ts';

/** The gateway's part of the control plane: later states, chargebacks, callback addresses, deliveries. */
export function steerGateway(app: FastifyInstance, desk: () => Desk): void {
  const named = (id: string) => desk().orders.byId(Number(systemIdFrom(desk().world.choices.gateway, id)));
  app.post<{ Params: { id: string }; Body: { state?: unknown } | undefined }>(
    '/gateway/orders/:id/state',
    (request, reply) => {
      const order = named(request.params.id);
      const state = request.body?.state as State;
      if (order === undefined) return reply.code(404).send({ message: 'no such order' });
      if (!STATES.includes(state)) return reply.code(400).send({ message: `state is one of ${STATES.join(', ')}` });
      return later(desk(), order, () => {
        order.state = state;
      });
    },
  );
  app.post<{ Params: { id: string } }>('/gateway/orders/:id/chargeback', (request, reply) => {
    const order = named(request.params.id);
    if (order === undefined) return reply.code(404).send({ message: 'no such order' });
    const amount = capturedOf(order) - sumOf(order, 'REVERSAL');
    if (amount <= 0 || order.chargedBack) return reply.code(400).send({ message: 'nothing to charge back' });
    return later(desk(), order, () => {
      order.transactions.push({ type: 'CHARGEBACK', status: 'APPROVED', amount, created: desk().world.clock.now() });
      order.chargedBack = true;
      order.state = 'DECLINED';
      desk().balances.debit(order.merchant, order.currency, amount);
    });
  });
  app.post<{ Body: { requestorId?: unknown; url?: unknown } | undefined }>('/gateway/callback', (request, reply) => {
    const requestor = Number(request.body?.requestorId);
    const url = webAddress(request.body?.url);
    if (!Number.isInteger(requestor)) return reply.code(400).send({ message: 'requestorId must be an integer' });
    if (request.body?.url === null) desk().callbacks.registered.delete(requestor);
    else if (url === undefined) return reply.code(400).send({ message: 'url must be an http(s) address, or null' });
    else desk().callbacks.registered.set(requestor, url);
    return { requestorId: requestor, url: url ?? null };
  });
  app.get('/gateway/deliveries', () => desk().callbacks.deliveries);
}

function later(desk: Desk, order: Order, change: () => void): unknown {
  change();
  order.stamped = desk.world.clock.now();
  announce(desk, order, 'later');
  return showOrder(desk, order, { in: 'callback' });
}
