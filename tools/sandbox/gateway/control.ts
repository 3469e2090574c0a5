import type { FastifyInstance } from 'fastify';
import type { GatewayState } from './gateway-state.ts';
import { capturedAmount, type GatewayOrder, ORDER_STATES, type OrderState, sumTransactions } from './orders/order.ts';
import { announceChange } from './orders/order-progress.ts';
import { shareFate } from './orders/orders-beside.ts';
import { buildStatusResponse } from './orders/status-response.ts';
import { parseSystemId } from './wire/identifiers.ts';
import { readWebAddress } from './wire/web-addresses.ts';

/** The gateway's part of the control plane: later states, chargebacks, callback addresses, faults, deliveries. */
export function serveGatewayControl(app: FastifyInstance, gatewayState: () => GatewayState): void {
  const named = (id: string) => gatewayState().orders.byId(Number(parseSystemId(gatewayState().world.choices, id)));
  app.post<{ Params: { id: string }; Body: { state?: unknown } | undefined }>(
    '/gateway/orders/:id/state',
    { config: { does: 'moves an order to another state, as issuers do later', takes: '{"state":"DECLINED"}' } },
    (request, reply) => {
      const order = named(request.params.id);
      const state = request.body?.state as OrderState;
      if (order === undefined) return reply.code(404).send({ message: 'no such order' });
      if (!ORDER_STATES.includes(state))
        return reply.code(400).send({ message: `state is one of ${ORDER_STATES.join(', ')}` });
      return later(gatewayState(), order, () => {
        order.state = state;
      });
    },
  );
  const finishing = { config: { does: 'ends a payment that waits for it' } };
  app.post<{ Params: { id: string } }>('/gateway/orders/:id/finish', finishing, (request, reply) => {
    const order = named(request.params.id);
    if (order === undefined) return reply.code(404).send({ message: 'no such order' });
    order.end?.();
    return { state: order.state };
  });
  const chargingBack = { config: { does: 'charges back what was captured' } };
  app.post<{ Params: { id: string } }>('/gateway/orders/:id/chargeback', chargingBack, (request, reply) => {
    const order = named(request.params.id);
    if (order === undefined) return reply.code(404).send({ message: 'no such order' });
    const amount = capturedAmount(order) - sumTransactions(order, 'REVERSAL');
    if (amount <= 0 || order.chargedBack) return reply.code(400).send({ message: 'nothing to charge back' });
    return later(gatewayState(), order, () => {
      order.transactions.push({
        type: 'CHARGEBACK',
        status: 'APPROVED',
        amount,
        created: gatewayState().world.clock.now(),
      });
      order.chargedBack = true;
      order.state = 'DECLINED';
      gatewayState().balances.debit(order.merchant, order.currency, amount);
      shareFate(gatewayState(), order, 'charged back');
    });
  });
  const registering = {
    config: {
      does: 'registers the callback address of a requestor; null takes it back',
      takes: '{"requestorId":1001,"url":"http://127.0.0.1:3000/callback"}',
    },
  };
  type Registration = { Body: { requestorId?: unknown; url?: unknown } | undefined };
  app.post<Registration>('/gateway/callback', registering, (request, reply) => {
    const requestor = Number(request.body?.requestorId);
    const url = readWebAddress(request.body?.url);
    if (!Number.isInteger(requestor)) return reply.code(400).send({ message: 'requestorId must be an integer' });
    if (request.body?.url === null) gatewayState().callbacks.registered.delete(requestor);
    else if (url === undefined) return reply.code(400).send({ message: 'url must be an http(s) address, or null' });
    else gatewayState().callbacks.registered.set(requestor, url);
    return { requestorId: requestor, url: url ?? null };
  });
  const failing = { config: { does: 'fails the next request' } };
  app.post('/gateway/fault', failing, () => {
    const { world, faults } = gatewayState();
    // What is put off until a requestor asks is not forgotten meanwhile.
    const left = world.choices.failureMeets === 'the next' ? 1 : faults + 1;
    gatewayState().faults = left;
    return { failing: left };
  });
  const listing = { config: { does: 'lists the callbacks that were sent, and what became of each' } };
  app.get('/gateway/deliveries', listing, () => gatewayState().callbacks.deliveries);
}

function later(gatewayState: GatewayState, order: GatewayOrder, change: () => void): unknown {
  change();
  order.changes = (order.changes ?? 0) + 1;
  order.changedAt = gatewayState.world.clock.now();
  announceChange(gatewayState, order, 'later');
  return buildStatusResponse(gatewayState, order, { in: 'callback' });
}
