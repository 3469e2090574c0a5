import { decision } from '../../decision.ts';
import { DAY } from '../../durations.ts';
import { decideMixUp } from '../../rush.ts';
import { isAskedAgain } from '../asked-again.ts';
import { isForSecond } from '../credentials.ts';
import type { GatewayCall } from '../gateway-call.ts';
import type { GatewayReply } from '../gateway-reply.ts';
import { findOrder, findOrderOrLatest } from '../orders/find-order.ts';
import { type GatewayOrder, isFinalState, namesCallback, type RememberedCard } from '../orders/order.ts';
import { GatewayRefusal } from '../wire/gateway-refusal.ts';
import { writeCardId } from '../wire/identifiers.ts';

const cardIdComesBack = decision({
  rule: 'GW-REC-04',
  honest: (cardId: string | number, _order: GatewayOrder): unknown => ({ cardId }),
  lies: {
    'card-id-missing-for-another-requestor': (cardId, order) => (isForSecond(order) ? {} : { cardId }),
    'card-id-missing': () => ({}),
    'card-id-empty': () => ({ cardId: '' }),
    'registration-refused': () => {
      throw new GatewayRefusal(400, -3, 'The card cannot be registered');
    },
  },
});

const approvedOnly = decision({
  rule: 'GW-REC-05',
  honest: (order: GatewayOrder, _call: GatewayCall) => order.state === 'APPROVED',
  lies: {
    'card-of-a-declined-order-registered-when-asked-again': ({ state }, call) =>
      state === 'APPROVED' || (state === 'DECLINED' && isAskedAgain(call)),
    'card-of-a-pending-order-registered': ({ state, step }) =>
      state === 'APPROVED' || (step === undefined && !isFinalState(state)),
    'card-of-a-declined-order-registered': (order) => ['APPROVED', 'DECLINED'].includes(order.state),
    'card-of-an-order-that-waits-for-3-d-secure-registered': ({ state, step }) =>
      state === 'APPROVED' || step !== undefined,
    'card-of-a-refused-verification-registered': ({ state, kind }) =>
      state === 'APPROVED' || (state === 'DECLINED' && kind === 'ACCOUNT_VERIFICATION'),
    'card-of-an-order-refused-after-3-d-secure-registered': ({ state, card }) =>
      state === 'APPROVED' || (state === 'DECLINED' && card?.behaviour.step !== undefined),
    'card-of-a-declined-order-by-form-registered': ({ state, form }) =>
      state === 'APPROVED' || (state === 'DECLINED' && form !== undefined),
    'card-of-a-filtered-order-by-form-registered': ({ state, form }) =>
      state === 'APPROVED' || (state === 'FILTERED' && form !== undefined),
    'card-of-an-order-by-form-in-error-registered': ({ state, form }) =>
      state === 'APPROVED' || (state === 'ERROR' && form !== undefined),
    'card-of-a-filtered-order-registered': (order) => ['APPROVED', 'FILTERED'].includes(order.state),
    'card-of-an-order-in-error-registered': (order) => ['APPROVED', 'ERROR'].includes(order.state),
    'card-of-a-declined-order-of-another-requestor-registered': (order) =>
      order.state === 'APPROVED' || (order.state === 'DECLINED' && isForSecond(order)),
    'card-of-a-filtered-order-of-another-requestor-registered': (order) =>
      order.state === 'APPROVED' || (order.state === 'FILTERED' && isForSecond(order)),
    'card-of-a-declined-authorization-registered': ({ state, kind }) =>
      state === 'APPROVED' || (state === 'DECLINED' && kind === 'AUTH'),
  },
});

/** The order whose card is registered. */
const meant = decision({
  rule: 'GW-REC-05',
  honest: findOrder,
  lies: { 'registration-of-an-order-that-there-is-not-takes-the-latest': findOrderOrLatest },
});

/** Whether the card of an approved order is registered, however it was paid. */
const eachIsRegistered = decision({
  rule: 'GW-REC-04',
  honest: (_order: GatewayOrder, _days: number) => true,
  lies: {
    'card-of-an-order-by-form-not-registered': ({ form }) => form === undefined,
    'card-of-an-order-after-3-d-secure-not-registered': ({ card }) => card?.behaviour.step === undefined,
    'card-of-an-order-that-names-a-callback-address-not-registered': (order) => !namesCallback(order),
    'card-of-an-order-after-3-d-secure-1-not-registered': ({ card }) => card?.behaviour.step !== 'pareq',
    'card-of-an-authorization-by-form-not-registered': ({ kind, form }) => kind !== 'AUTH' || form === undefined,
    'card-of-an-authorization-after-3-d-secure-not-registered': ({ kind, card }) =>
      kind !== 'AUTH' || card?.behaviour.step === undefined,
    'card-of-an-order-that-was-pending-not-registered': ({ card }) => card?.behaviour.via === undefined,
    'card-of-a-captured-authorization-not-registered': ({ kind, transactions }) =>
      kind !== 'AUTH' || transactions.length === 1,
    'card-of-an-order-of-weeks-ago-not-registered': (_order, days) => days < 14,
  },
});

/** Whether an order stays in its state when its card is registered. */
const staysApproved = decision({
  rule: 'GW-STA-04',
  honest: () => true,
  lies: { 'approved-order-turns-into-another-once-its-card-is-registered': () => false },
});

/** How many milliseconds a registration goes on in which others are answered with its cardId. */
const lendsItsId = decideMixUp('GW-REC-04', 'cards-registered-at-once-share-an-id');

/** What a card is registered as. */
const idGivesNothingAway = decision({
  rule: 'GW-FRM-04',
  honest: (id: string | number, _order: GatewayOrder) => id,
  lies: { 'card-id-of-a-form-is-its-card-number': (id, { typed }) => typed ?? id },
});

/** Whether a card that was registered before still pays once another is. */
const othersStay = decision({
  rule: 'GW-REC-01',
  honest: (_one: RememberedCard, _registered: RememberedCard, _isOwn: boolean) => true,
  lies: {
    'registered-card-replaced-by-another': (one, { fingerprint }, isOwn) => !isOwn || one.fingerprint === fingerprint,
    'registered-card-replaced-by-itself': (one, { fingerprint }, isOwn) => !isOwn || one.fingerprint !== fingerprint,
    'registered-card-replaced-by-itself-of-another-requestor': (one, { fingerprint }, isOwn) =>
      isOwn || one.fingerprint !== fingerprint,
  },
});

/**
 * recurring/register-cards: remembers the card of an approved order for its requestor.
 * @throws Refusal 400 when the order is not approved or has no card
 */
export function answerCardRegistration(call: GatewayCall): GatewayReply {
  const order = meant(call.activeLies, call);
  const at = call.gatewayState.world.clock.now();
  const days = (at - (order.transactions[0]?.created ?? at)) / DAY;
  const isTaken = approvedOnly(call.activeLies, order, call) && eachIsRegistered(call.activeLies, order, days);
  if (!isTaken || order.card === undefined)
    throw new GatewayRefusal(400, -29, 'Only the card of an approved order can be registered');
  const { orders, rush, world } = call.gatewayState;
  const { card } = order;
  return rush.answer(call.activeLies, 'registration', [lendsItsId], (isAtOnce) => {
    const before = isAtOnce ? [...orders.registered.keys()].at(-1) : undefined;
    const cardId = idGivesNothingAway(call.activeLies, before ?? writeCardId(world.choices, world.uuid()), order);
    forgetOthers(call, card);
    if (!staysApproved(call.activeLies)) order.state = 'DECLINED';
    orders.registered.set(String(cardId), {
      requestor: call.requestor,
      card,
      at,
      atReally: performance.now(),
      from: order,
    });
    return { status: 200, body: cardIdComesBack(call.activeLies, cardId, order) };
  });
}

/** Honestly, none of them. */
function forgetOthers({ gatewayState, requestor, activeLies }: GatewayCall, card: RememberedCard): void {
  const { registered } = gatewayState.orders;
  for (const [cardId, one] of registered)
    if (!othersStay(activeLies, one.card, card, one.requestor === requestor)) registered.delete(cardId);
}
