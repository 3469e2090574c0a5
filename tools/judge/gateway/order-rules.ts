import { type ClientRule, trafficRule } from '../client-rule.ts';
import { membersOf, type ReadExchange } from '../read-traffic.ts';
import { FINAL_ORDER_STATES, lastState, type OrderEvent, type OrderTrace, traceOrders } from './order-traces.ts';

/** Milliseconds below which two questions are not seconds apart. */
const TIGHT = 1000;

const isFinal = (state: string | undefined): boolean => state !== undefined && FINAL_ORDER_STATES.includes(state);

/** Whether an answer leaves the next step to the customer. */
function waitsForCustomer({ answer }: ReadExchange): boolean {
  const body = membersOf(answer);
  return ['threeDSAuth', 'outputHtml', 'outputRedirectToUrl'].some((name) => name in body);
}

/** Whether a callback of an order was sent and no receiver took any of that state. */
export function isCallbackLost({ events }: OrderTrace): boolean {
  const sent = events.filter(({ kind }) => kind === 'called back');
  return sent.some(({ isTaken, state }) => !isTaken && !sent.some((other) => other.isTaken && other.state === state));
}

/** How a caller follows an order. */
export const orderRules: readonly ClientRule[] = [
  trafficRule(
    'GW-COR-01',
    (traffic, notes) => {
      for (const { events } of traceOrders(traffic))
        for (const [before, after] of pairs(events)) {
          if (before.kind !== 'asked' || after.kind !== 'asked' || before.state === undefined || isFinal(before.state))
            continue;
          // Who asks because a callback came has a reason to; it may ask before it answers the callback.
          const { at } = after.one.exchange;
          if (
            events.some(
              ({ kind, one }) =>
                kind === 'called back' && one.exchange.at >= before.one.exchange.at && one.exchange.at <= at,
            )
          )
            continue;
          const gap = at - before.one.endedAt;
          notes.take(after.one, gap >= TIGHT || `${Math.max(0, Math.round(gap))} ms after the last answer`);
        }
    },
    ['times'],
  ),
  trafficRule('GW-COR-02', (traffic, notes) => {
    for (const order of traceOrders(traffic)) {
      const open = order.events.find(({ kind, state }) => kind === 'paid' && state !== undefined && !isFinal(state));
      if (open === undefined || waitsForCustomer(open.one) || isCallbackLost(order)) continue;
      const isFollowed = order.events.some(({ kind, one }) => one.index > open.one.index && kind !== 'paid');
      if (isFinal(lastState(order))) notes.keep(open.one);
      else if (traffic.isWhole && !isFollowed)
        notes.break(open.one, `left in ${open.state}: not asked for, no callback taken`);
    }
  }),
  trafficRule('GW-COR-03', (traffic, notes) => {
    for (const order of traceOrders(traffic)) {
      const back = order.events.find(({ kind }) => kind === 'returned');
      if (back === undefined) continue;
      const isLearned = order.events.some(
        ({ kind, one, isTaken, state }) =>
          (kind === 'asked' && one.index > back.one.index) || (kind === 'called back' && isTaken && isFinal(state)),
      );
      if (isLearned) notes.keep(back.one);
      else if (traffic.isWhole && !isCallbackLost(order))
        notes.break(back.one, 'the customer came back, and the outcome was neither asked for nor called back');
    }
  }),
  trafficRule('GW-COR-04', (traffic, notes) => {
    for (const { events } of traceOrders(traffic))
      for (const { one, state, isTaken, kind } of events) {
        if (kind !== 'called back' || !isTaken || !isFinal(state)) continue;
        const isConfirmed = events.some(
          (other) => other.kind === 'asked' && (other.one.index > one.index || other.state === state),
        );
        if (isConfirmed) notes.keep(one);
        else if (traffic.isWhole) notes.break(one, `${state} by callback alone`);
      }
  }),
];

function pairs(events: readonly OrderEvent[]): [OrderEvent, OrderEvent][] {
  return events.slice(1).map((after, i) => [events[i]!, after]);
}
