import type { DeedRules } from '../client-deed.ts';
import type { ReadTraffic } from '../read-traffic.ts';
import { traceOrders } from './order-traces.ts';

/** What each deed is at the gateway. */
export const GATEWAY_DEED_RULES: DeedRules = {
  'paid twice': ['GW-CMY-01'],
  'lost an order': ['GW-COR-02', 'GW-CMY-03', 'GW-CMY-06'],
  'took too much': ['GW-CMY-04', 'GW-CMY-05'],
  'acted unpaid': ['GW-CMY-02', 'GW-COR-03'],
  'trusted a callback': ['GW-COR-04'],
  'asked too fast': ['GW-COR-01', 'GW-CTK-05'],
};

/** Where the order began that an exchange belongs to, by the position of the exchange. */
export function listOrderStarts(traffic: ReadTraffic): ReadonlyMap<number, number> {
  return new Map(
    traceOrders(traffic).flatMap(({ events }) => events.map(({ one }) => [one.index, events[0]!.one.index] as const)),
  );
}
