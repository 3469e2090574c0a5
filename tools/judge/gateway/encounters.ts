import { type Encounter, errorEncounter } from '../encounter.ts';
import { isGiven, membersOf, type ReadExchange } from '../read-traffic.ts';
import { type OrderEvent, type OrderTrace, traceOrders } from './order-traces.ts';

/** A state that an answer or a callback showed. */
function stateEncounter(name: string, bring: string): Encounter {
  return {
    group: 'state',
    name,
    bring,
    find: (traffic) =>
      traceOrders(traffic).flatMap(({ events }) => events.filter(({ state }) => state === name).map(({ one }) => one)),
  };
}

/** A step of 3-D Secure that an answer or a callback asked for. */
function stepEncounter(name: string, bring: string): Encounter {
  const asks = ({ exchange, body, answer }: ReadExchange) =>
    membersOf(membersOf(exchange.direction === 'in' ? body : answer)['threeDSAuth'])['threeDSAuthStep'] === name;
  return { group: 'step', name, bring, find: ({ all }) => all.filter(asks) };
}

/** Something that happened to an order as a whole. */
function flowEncounter(name: string, bring: string, pick: (order: OrderTrace) => readonly OrderEvent[]): Encounter {
  return {
    group: 'flow',
    name,
    bring,
    find: (traffic) => traceOrders(traffic).flatMap((order) => pick(order).map(({ one }) => one)),
  };
}

const code = (one: ReadExchange) => membersOf(one.answer)['errorCode'];

/** What a client of the gateway can meet. */
export const GATEWAY_ENCOUNTERS: readonly Encounter[] = [
  stateEncounter('APPROVED', 'test card approved'),
  stateEncounter('DECLINED', 'test card declined'),
  stateEncounter('ERROR', 'test card error'),
  stateEncounter('FILTERED', 'test card filtered'),
  stateEncounter('PROCESSING', 'test card pending'),
  stateEncounter('UNKNOWN', 'test card unknown'),
  stateEncounter('CHAIN_STEP', 'test card chain'),
  stepEncounter('THREEDS_METHOD', 'test card method'),
  stepEncounter('CREQ', 'test card challenge'),
  stepEncounter('PAREQ', 'test card pareq'),
  errorEncounter('gateway', 400, 'leave out what a request needs'),
  errorEncounter('gateway', 401, 'use a token of another requestor', '401, token not found', (one) => code(one) === -7),
  errorEncounter(
    'gateway',
    401,
    'use the requestor with a list of addresses',
    '401, address',
    (one) => code(one) === -20,
  ),
  errorEncounter('gateway', 500, 'lie sale-answers-500'),
  flowEncounter('an answer that never came', 'stop the sandbox between two requests', ({ events }) =>
    events.filter(
      ({ kind, one }) => kind !== 'called back' && kind !== 'returned' && one.exchange.failure !== undefined,
    ),
  ),
  flowEncounter('non-final, then final', 'test card pending, then ask for the status', ({ events }) => {
    const open = events.findIndex(
      ({ state }) => state === 'PROCESSING' || state === 'UNKNOWN' || state === 'CHAIN_STEP',
    );
    return open < 0
      ? []
      : events
          .slice(open)
          .filter(({ state }) => state === 'APPROVED' || state === 'DECLINED')
          .slice(0, 1);
  }),
  flowEncounter('an order that stays non-final', 'lie processing-never-ends', ({ events }) => {
    const asked = events.filter(({ kind }) => kind === 'asked');
    return asked.length >= 3 && asked.every(({ state }) => state === 'PROCESSING') ? asked.slice(-1) : [];
  }),
  flowEncounter('a callback', 'name a webhookUrl, test card pending', ({ events }) =>
    events.filter(({ kind }) => kind === 'called back'),
  ),
  flowEncounter('the same callback again', 'answer a callback with 500 once', ({ events }) => {
    const calls = events.filter(({ kind }) => kind === 'called back');
    // What has happened to the order tells a repetition from the news of a later operation.
    const news = ({ one, state }: OrderEvent) => JSON.stringify([state, membersOf(one.body)['transactions']]);
    return calls.filter((call, i) => calls.slice(0, i).some((before) => news(before) === news(call)));
  }),
  flowEncounter('a later change', 'control call chargeback', ({ events }) => {
    const first = events.findIndex(({ state }) => state === 'APPROVED');
    return first < 0
      ? []
      : events.slice(first).filter(({ kind, state }) => kind === 'called back' && state === 'DECLINED');
  }),
  flowEncounter("the customer's return", 'pay on the hosted form', ({ events }) =>
    events.filter(({ kind }) => kind === 'returned'),
  ),
  flowEncounter('a capture in part', 'capture less than was authorized', ({ events }) =>
    events.filter(({ kind, one }) => kind === 'captured' && isGiven(membersOf(one.body)['captureAmount'])),
  ),
  flowEncounter('a reversal in part', 'reverse less than was paid', ({ events }) =>
    events.filter(({ kind, one }) => kind === 'reversed' && isGiven(membersOf(one.body)['reversalAmount'])),
  ),
];
