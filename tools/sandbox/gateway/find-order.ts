import type { Call } from './call.ts';
import { orderId, text } from './fields.ts';
import type { Order } from './order.ts';
import { invalid, Refusal } from './refusal.ts';

/**
 * The order that a request is about: by system id, else by the caller's own id. Only orders of the requestor are found.
 * @throws Refusal 400 when none is named, or none is found
 */
export function findOrder(call: Call): Order {
  const { orders } = call.desk;
  const id = orderId(call.body);
  const own = text(call.body['orderMerchantId']);
  if (id === undefined && own === undefined) throw invalid('orderSystemId');
  const order = id === undefined ? orders.byMerchantId(own!, call.requestor) : orders.byId(id, call.requestor);
  if (order === undefined) throw notFound();
  return order;
}

/** What a request without system id would be about, if it were taken: the named or else the latest order. */
export function findWithoutSystemId(call: Call): Order {
  const { orders } = call.desk;
  const own = text(call.body['orderMerchantId']);
  const order = own === undefined ? latest(call) : orders.byMerchantId(own, call.requestor);
  if (order === undefined) throw notFound();
  return order;
}

function latest(call: Call): Order | undefined {
  return [...call.desk.orders.all()].findLast((one) => one.requestor === call.requestor);
}

function notFound(): Refusal {
  return new Refusal(400, -27, 'Order not found', { invalidParams: ['orderSystemId'] });
}
