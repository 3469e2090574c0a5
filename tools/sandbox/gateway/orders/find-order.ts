import type { GatewayCall } from '../gateway-call.ts';
import { GatewayRefusal, refuseParameter } from '../wire/gateway-refusal.ts';
import { readFieldText, readOrderId } from '../wire/request-fields.ts';
import type { GatewayOrder } from './order.ts';

/**
 * The order that a request is about: by system id, else by the caller's own id. Only orders of the requestor are found.
 * @throws Refusal 400 when none is named, or none is found
 */
export function findOrder(call: GatewayCall): GatewayOrder {
  const order = findKnownOrder(call);
  if (order === undefined) throw notFound();
  return order;
}

/** As {@link findOrder}; undefined where no order is found. */
export function findKnownOrder(call: GatewayCall): GatewayOrder | undefined {
  const { orders, world } = call.gatewayState;
  const id = readOrderId(call.body);
  const own = readFieldText(call.body['orderMerchantId']);
  if (id === undefined && own === undefined) throw refuseParameter('orderSystemId');
  const { bothIds } = world.choices;
  const hasBoth = id !== undefined && own !== undefined;
  if (hasBoth && bothIds === 'refused') throw refuseParameter('orderMerchantId');
  return id === undefined || (hasBoth && bothIds === 'own id')
    ? orders.byMerchantId(own!, call.requestor)
    : orders.byId(id, call.requestor);
}

/** As {@link findOrder}; the latest order of the requestor in place of an unknown one. Only lies find so. */
export function findOrderOrLatest(call: GatewayCall): GatewayOrder {
  return findKnownOrder(call) ?? latestOrder(call);
}

/** A call whose system id is what 32 bits hold of it; only lies read one so. */
export function inBits(call: GatewayCall): GatewayCall {
  const id = readOrderId(call.body);
  return id === undefined ? call : { ...call, body: { ...call.body, orderSystemId: id % 2 ** 32 } };
}

/** What a request without system id would be about, if it were taken: the named or else the latest order. */
export function findLatestOrder(call: GatewayCall): GatewayOrder {
  const own = readFieldText(call.body['orderMerchantId']);
  if (own === undefined) return latestOrder(call);
  const order = call.gatewayState.orders.byMerchantId(own, call.requestor);
  if (order === undefined) throw notFound();
  return order;
}

/** The latest order of a requestor, whatever the request names; only lies look for it. @throws Refusal 400 when it has none */
export function latestOrder({ gatewayState, requestor }: GatewayCall): GatewayOrder {
  const order = gatewayState.orders.of(requestor).at(-1);
  if (order === undefined) throw notFound();
  return order;
}

function notFound(): GatewayRefusal {
  return new GatewayRefusal(400, -27, 'Order not found', { invalidParams: ['orderSystemId'] });
}
