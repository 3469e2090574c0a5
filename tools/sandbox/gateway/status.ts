import { decision } from '../decision.ts';
import type { Call, Reply } from './call.ts';
import { orderId, text } from './fields.ts';
import { correlationAs } from './names.ts';
import { isFinal, type Order } from './order.ts';
import { invalid, Refusal } from './refusal.ts';
import { showOrder } from './show-order.ts';

const findsBySystemId = decision({
  rule: 'GW-STS-02',
  honest: (id: number, call: Call) => call.desk.orders.byId(id, call.requestor),
  lies: {
    'status-ignores-system-id': () => undefined,
    'status-off-by-one-order': (id, call) =>
      call.desk.orders.byId(id - 1, call.requestor) ?? call.desk.orders.byId(id + 1, call.requestor),
  },
});

const findsByMerchantId = decision({
  rule: 'GW-STS-03',
  honest: (id: string, call: Call, currency: string | undefined) =>
    call.desk.orders.byMerchantId(id, call.requestor, currency),
  lies: {
    'status-ignores-merchant-id': () => undefined,
    'status-of-the-latest-order': (_id, call) =>
      [...call.desk.orders.all()].findLast((one) => one.requestor === call.requestor),
  },
});

const findsByCorrelation = decision({
  rule: 'GW-STS-04',
  honest: (id: string, call: Call) => call.desk.orders.byCorrelation(id, call.requestor),
  lies: {
    'status-ignores-correlation-id': () => undefined,
    'status-correlates-the-first-order': (_id, call) =>
      [...call.desk.orders.all()].find((one) => one.requestor === call.requestor),
  },
});

const takesCurrency = decision({
  rule: 'GW-STS-05',
  honest: (code: string | undefined) => code,
  lies: {
    'status-refuses-currency-code': (code) => {
      if (code !== undefined) throw invalid('orderCurrencyCode');
      return code;
    },
  },
});

const pendingIsAnAnswer = decision({
  rule: 'GW-GEN-04',
  honest: (_order: Order) => true,
  lies: { 'pending-status-as-400': (order) => isFinal(order.state) || order.step !== undefined },
});

/** status: the order as it is now, found by any one of three identifiers. */
export function status(call: Call): Reply {
  const { desk, faults, body } = call;
  const id = orderId(body);
  const own = text(body['orderMerchantId']);
  const correlation = text(body['byCorrelationId']);
  const currency = takesCurrency(faults, text(body['orderCurrencyCode']));
  let order: Order | undefined;
  if (id !== undefined) order = findsBySystemId(faults, id, call);
  else if (own !== undefined) order = findsByMerchantId(faults, own, call, multicurrency(call) ? currency : undefined);
  else if (correlation !== undefined) order = findsByCorrelation(faults, correlation, call);
  else throw invalid('orderSystemId', 'one of orderSystemId, orderMerchantId and byCorrelationId is needed');
  const { unknownOrder: unknown, statusCurrency } = desk.world.choices.gateway;
  if (statusCurrency === 'needed' && multicurrency(call) && currency === undefined) throw invalid('orderCurrencyCode');
  if (order === undefined && unknown === '400') throw new Refusal(400, -27, 'Order not found');
  if (order === undefined) return { status: 200, body: unknownOrder(call, unknown) };
  if (!pendingIsAnAnswer(faults, order)) throw new Refusal(400, 197, 'The payment is not final');
  order.polls += 1;
  return { status: 200, body: showOrder(desk, order, { in: 'status' }) };
}

function multicurrency(call: Call): boolean {
  return call.requestor === call.desk.world.credentials.gateway.multicurrency.id;
}

function unknownOrder(call: Call, orderState: string): unknown {
  const own = text(call.body['orderMerchantId']);
  return {
    correlationId: correlationAs(call.desk.world.choices.gateway, call.desk.world.uuid()),
    ...(own !== undefined && { orderMerchantId: own }),
    orderState,
    transactions: [],
    statusCreatedTimestamp: call.desk.world.clock.now(),
    errorCode: -27,
    errorMessage: 'Order not found',
  };
}
