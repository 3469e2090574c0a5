import { type ClientRule, trafficRule } from '../client-rule.ts';
import { isGiven, membersOf } from '../read-traffic.ts';
import { isCallbackLost } from './order-rules.ts';
import { FAILED_ORDER_STATES, learned, type OrderEvent, type OrderTrace, traceOrders } from './order-traces.ts';

const PAYMENTS = ['sale', 'auth'];

/** What a caller does with money. */
export const gatewayMoneyRules: readonly ClientRule[] = [
  trafficRule('GW-CMY-01', (traffic, notes) => {
    for (const order of traceOrders(traffic)) {
      const payments = order.events.filter(({ kind, operation }) => kind === 'paid' && PAYMENTS.includes(operation!));
      payments.forEach((payment, i) => {
        const before = payments[i - 1];
        notes.take(
          payment.one,
          before === undefined ||
            isKnownFailed(order, before, payment) ||
            'paid again, and the first may have gone through',
        );
      });
    }
  }),
  trafficRule('GW-CMY-02', (traffic, notes) => {
    for (const { events } of traceOrders(traffic)) {
      if (!events.some(({ kind }) => kind === 'paid')) continue;
      for (const { kind, one } of events) {
        if (kind !== 'captured') continue;
        const isApproved = learned(events, one.index).some(({ state }) => state === 'APPROVED');
        notes.take(one, isApproved || 'captured, and never seen APPROVED');
      }
    }
  }),
  trafficRule('GW-CMY-03', (traffic, notes) => {
    for (const order of traceOrders(traffic)) {
      const lost = order.events.find(({ kind, isTaken }) => kind === 'called back' && !isTaken);
      if (lost === undefined) continue;
      const isAsked = order.events.some(({ kind, one }) => kind === 'asked' && one.index > lost.one.index);
      if (isAsked || !isCallbackLost(order)) notes.keep(lost.one);
      else if (traffic.isWhole) notes.break(lost.one, `a callback with ${lost.state} was not taken, and nobody asked`);
    }
  }),
  trafficRule('GW-CMY-04', (traffic, notes) => {
    for (const { events } of traceOrders(traffic)) {
      const authorized = amountAsked(events, 'auth');
      let taken = 0;
      for (const event of events) {
        if (event.kind !== 'captured' || authorized === undefined) continue;
        const asked = amountOf(membersOf(event.one.body)['captureAmount']);
        if (asked === undefined) continue;
        notes.take(event.one, taken + asked <= authorized || 'more than was authorized');
        if (hasGoneThrough(event)) taken += asked;
      }
    }
  }),
  trafficRule('GW-CMY-06', (traffic, notes) => {
    for (const order of traceOrders(traffic)) {
      const unanswered = order.events.find(({ kind, operation, one }) => {
        const { response } = one.exchange;
        return kind === 'paid' && PAYMENTS.includes(operation!) && (response === undefined || response.status >= 500);
      });
      if (unanswered === undefined) continue;
      const isFollowed = order.events.some(
        ({ kind, one, state, isTaken }) =>
          (kind === 'called back' && isTaken) ||
          (one.index > unanswered.one.index && (kind === 'asked' || state !== undefined)),
      );
      if (isFollowed) notes.keep(unanswered.one);
      else if (traffic.isWhole && !isCallbackLost(order))
        notes.break(unanswered.one, 'no answer came, or a 500, and nobody asked what became of it');
    }
  }),
  trafficRule('GW-CMY-05', (traffic, notes) => {
    for (const { events } of traceOrders(traffic)) {
      const captured = capturedAmount(events);
      let taken = 0;
      for (const event of events) {
        if (event.kind !== 'reversed' || captured === undefined) continue;
        const asked = amountOf(membersOf(event.one.body)['reversalAmount']) ?? captured - taken;
        notes.take(event.one, (asked > 0 && taken + asked <= captured) || 'more than was captured');
        if (hasGoneThrough(event)) taken += asked;
      }
    }
  }),
];

/** Whether a client could know, when it paid again, that the payment before had come to nothing. */
function isKnownFailed({ events }: OrderTrace, before: OrderEvent, again: OrderEvent): boolean {
  const status = before.one.exchange.response?.status;
  // What was refused was not accepted.
  if (status === 400 || status === 401) return true;
  const since = events.filter(({ one }) => one.index >= before.one.index && one.index < again.one.index);
  const last = learned(since).at(-1);
  if (last?.state !== undefined && FAILED_ORDER_STATES.includes(last.state)) return true;
  // Asked for and not there.
  return since.some(({ kind, one }) => {
    const { errorCode } = membersOf(one.answer);
    return kind === 'asked' && (one.exchange.response?.status === 400 || isGiven(errorCode)) && status !== 200;
  });
}

/** Ten-thousandths of the major unit, so that sums are exact; undefined for what is no amount. */
function amountOf(value: unknown): number | undefined {
  const text = String(value ?? '');
  return /^\d{1,11}(?:\.\d{1,4})?$/.test(text) ? Math.round(Number(text) * 10_000) : undefined;
}

function amountAsked(events: readonly OrderEvent[], operation: string): number | undefined {
  const payment = events.find((event) => event.kind === 'paid' && event.operation === operation);
  return amountOf(membersOf(membersOf(payment?.one.body)['order'])['orderAmount']);
}

/** What was captured of an order: by a sale at once, else by captures; undefined where nothing was, or it is not known. */
function capturedAmount(events: readonly OrderEvent[]): number | undefined {
  const sale = amountAsked(events, 'sale');
  if (sale !== undefined) return sale;
  const captures = events.filter((event) => event.kind === 'captured' && hasGoneThrough(event));
  const amounts = captures.map(
    ({ one }) => amountOf(membersOf(one.body)['captureAmount']) ?? amountAsked(events, 'auth'),
  );
  if (amounts.length === 0 || amounts.includes(undefined)) return undefined;
  return amounts.reduce<number>((sum, amount) => sum + amount!, 0);
}

/** Whether nothing is said against it. */
function hasGoneThrough({ state, one }: OrderEvent): boolean {
  return one.exchange.response?.status === 200 && !FAILED_ORDER_STATES.includes(state ?? '');
}
