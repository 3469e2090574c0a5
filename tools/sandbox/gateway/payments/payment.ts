import { decision } from '../../decision.ts';
import { decideMixUp } from '../../rush.ts';
import { isForSecond } from '../credentials.ts';
import type { GatewayCall } from '../gateway-call.ts';
import type { GatewayReply } from '../gateway-reply.ts';
import { parseAmount } from '../orders/money.ts';
import { openOrder, requireBodyPart } from '../orders/open-order.ts';
import { type GatewayOrder, isFinalState, isPending, namesCallback, type OrderKind } from '../orders/order.ts';
import { beginPayment, finishPayment, moveOrder } from '../orders/order-progress.ts';
import { behaviourOf, orderAnswered, paymentMixUps } from '../orders/orders-at-once.ts';
import { othersOnCard } from '../orders/orders-beside.ts';
import { buildStatusResponse } from '../orders/status-response.ts';
import { GatewayRefusal } from '../wire/gateway-refusal.ts';
import { readPayingCard } from './paying-card.ts';
import { findSandboxCard } from './sandbox-cards.ts';

const declineIsAnAnswer = decision({
  rule: 'GW-STA-01',
  honest: (_order: GatewayOrder) => true,
  lies: {
    'declined-as-400': (order) => order.state !== 'DECLINED',
    'declined-order-that-names-a-callback-address-as-400': (order) =>
      order.state !== 'DECLINED' || !namesCallback(order),
    'declined-authorization-as-400': ({ kind, state }) => !(kind === 'AUTH' && state === 'DECLINED'),
    'declined-authorization-of-another-requestor-as-400': (order) =>
      !(order.kind === 'AUTH' && order.state === 'DECLINED' && isForSecond(order)),
    'declined-sale-of-another-requestor-as-400': (order) => !(order.state === 'DECLINED' && isForSecond(order)),
    'declined-verification-as-400': ({ kind, state }) => !(kind === 'ACCOUNT_VERIFICATION' && state === 'DECLINED'),
  },
});

const failureIsAnAnswer = decision({
  rule: 'GW-STA-02',
  honest: (_order: GatewayOrder) => true,
  lies: {
    'error-as-500': (order) => order.state !== 'ERROR',
    'error-of-an-order-that-names-a-callback-address-as-500': (order) =>
      order.state !== 'ERROR' || !namesCallback(order),
    'error-of-an-authorization-as-500': ({ kind, state }) => !(kind === 'AUTH' && state === 'ERROR'),
    'error-of-an-authorization-of-another-requestor-as-500': (order) =>
      !(order.kind === 'AUTH' && order.state === 'ERROR' && isForSecond(order)),
    'error-of-a-sale-of-another-requestor-as-500': (order) => !(order.state === 'ERROR' && isForSecond(order)),
    'error-of-a-verification-as-500': ({ kind, state }) => !(kind === 'ACCOUNT_VERIFICATION' && state === 'ERROR'),
  },
});

const filterIsAnAnswer = decision({
  rule: 'GW-STA-03',
  honest: (_order: GatewayOrder) => true,
  lies: {
    'filtered-as-400': (order) => order.state !== 'FILTERED',
    'filtered-authorization-as-400': ({ kind, state }) => !(kind === 'AUTH' && state === 'FILTERED'),
    'filtered-authorization-of-another-requestor-as-400': (order) =>
      !(order.kind === 'AUTH' && order.state === 'FILTERED' && isForSecond(order)),
    'filtered-sale-of-another-requestor-as-400': (order) => !(order.state === 'FILTERED' && isForSecond(order)),
    'filtered-verification-as-400': ({ kind, state }) => !(kind === 'ACCOUNT_VERIFICATION' && state === 'FILTERED'),
  },
});

const pendingIsAnAnswer = decision({
  rule: 'GW-GEN-04',
  honest: (_order: GatewayOrder) => true,
  lies: {
    'pending-sale-as-500': (order) => !isPending(order),
    'pending-authorization-as-500': (order) => !(isPending(order) && order.kind === 'AUTH'),
    'pending-verification-as-500': (order) => !(isPending(order) && order.kind === 'ACCOUNT_VERIFICATION'),
    'pending-sale-of-another-requestor-as-500': (order) => !(isPending(order) && isForSecond(order)),
  },
});

const pendingStatus = decision({
  rule: 'GW-GEN-03',
  honest: (_order: GatewayOrder) => 200,
  lies: {
    'pending-sale-answered-202': (order) => (isFinalState(order.state) ? 200 : 202),
    'pending-order-that-names-a-callback-address-answered-202': (order) =>
      isPending(order) && namesCallback(order) ? 202 : 200,
    'pending-authorization-answered-202': (order) => (isPending(order) && order.kind === 'AUTH' ? 202 : 200),
    'pending-verification-answered-202': (order) =>
      isPending(order) && order.kind === 'ACCOUNT_VERIFICATION' ? 202 : 200,
    'pending-sale-of-another-requestor-answered-202': (order) => (isPending(order) && isForSecond(order) ? 202 : 200),
  },
});

/** Whether a payment under an id that an order of its requestor has already is answered as any other. */
const usedIdIsTaken = decision({
  rule: 'GW-GEN-03',
  honest: (_isUsed: () => boolean) => true,
  lies: { 'payment-under-a-used-id-answered-409': (isUsed) => !isUsed() },
});

/** The order that a payment by a registered card is answered with: honestly, its own. */
const answeredWith = decision({
  rule: 'GW-REC-01',
  honest: (order: GatewayOrder, _call: GatewayCall) => order,
  lies: {
    'payment-of-an-amount-by-card-id-answered-with-the-one-before': (order, { gatewayState }) =>
      (order.card?.isRegistered
        ? othersOnCard(gatewayState, order).find(
            (one) => one.card?.isRegistered && one.kind === order.kind && one.amount === order.amount,
          )
        : undefined) ?? order,
  },
});

/** The same of one by raw card data. */
const answeredWithoutId = decision({
  rule: 'GW-STS-03',
  honest: (order: GatewayOrder, _call: GatewayCall) => order,
  lies: {
    'payment-of-an-amount-soon-after-another-on-its-card-answered-with-that': (order, { gatewayState }) =>
      (order.card?.isRegistered
        ? undefined
        : othersOnCard(gatewayState, order).find(
            (one) =>
              one.kind === order.kind &&
              one.amount === order.amount &&
              gatewayState.world.clock.now() - one.changedAt < 2000,
          )) ?? order,
  },
});

/** How many milliseconds a payment goes on in which nobody is told of others. */
const drownsOthers = decideMixUp('GW-CBK-04', 'one-of-two-payments-at-once-untold');

const decideUndone = (rule: string, lie: string) =>
  decision({ rule, honest: () => true, lies: { [`${lie}-refused-and-carried-out`]: () => false } });

/** Whether a payment that is refused for what its body lacks is left undone, by operation and part. */
const isUndoneWithout = {
  sale: {
    order: decideUndone('GW-SAL-05', 'sale-without-order'),
    browser: decideUndone('GW-SAL-06', 'sale-without-browser'),
  },
  accountVerification: {
    order: decideUndone('GW-VER-07', 'verification-without-order'),
    browser: decideUndone('GW-VER-07', 'verification-without-browser'),
  },
};

/** sale, auth, account-verification: one payment with a card. */
export function answerPayment(kind: OrderKind): (call: GatewayCall) => GatewayReply {
  return (call) => {
    const { activeLies, operation, body } = call;
    for (const part of kind === 'AUTH' ? (['order'] as const) : (['browser', 'order'] as const))
      try {
        requireBodyPart(call, part);
      } catch (problem) {
        const undone =
          operation === 'sale' || operation === 'accountVerification' ? isUndoneWithout[operation] : undefined;
        if (undone?.[part](activeLies) === false) pay({ ...call, body: { order: { orderAmount: 1 }, ...body } }, kind);
        throw problem;
      }
    return pay(call, kind);
  };
}

function pay(call: GatewayCall, kind: OrderKind): GatewayReply {
  const { card, behaviour } = readPayingCard(call);
  const order = openOrder(call, kind);
  order.card = card;
  const before = answeredWithoutId(call.activeLies, answeredWith(call.activeLies, order, call), call);
  if (before !== order) return answer(call, before);
  const { orders, rush } = call.gatewayState;
  const isLike = (one: GatewayOrder) =>
    one.merchantOrderId === order.merchantOrderId && one.requestor === order.requestor;
  const isUsed = () => [...orders.all()].some((one) => one !== order && isLike(one));
  if (!usedIdIsTaken(call.activeLies, isUsed)) throw new GatewayRefusal(409, 106, 'The order id was used before');
  return rush.answer(call.activeLies, 'payment', [drownsOthers, ...paymentMixUps], (isAtOnce) => {
    if (isAtOnce && drownsOthers(call.activeLies) > 0) order.isUntold = true;
    const besides = isAtOnce ? [...orders.all()].at(-2) : undefined;
    if (besides !== undefined) order.besides = besides;
    beginPayment(call.gatewayState, order, behaviourOf(call.activeLies, order, behaviour));
    order.first = order.state;
    return answer(call, orderAnswered(call.activeLies, order));
  });
}

/** transfer: money goes out; reserved until it is final. */
export function answerTransfer(call: GatewayCall): GatewayReply {
  const { gatewayState } = call;
  const order = openOrder(call, 'TRANSFER');
  order.transactions.push({
    type: 'TRANSFER',
    status: 'PROCESSING',
    amount: order.amount,
    created: gatewayState.world.clock.now(),
  });
  gatewayState.balances.reserve(order.merchant, order.currency, order.amount, 'transfer');
  moveOrder(gatewayState, order, 'PROCESSING');
  const { transferAfter, transferAnswer } = gatewayState.world.choices;
  const { cardNumber } = Object(call.body['card']);
  const ending = findSandboxCard(String(cardNumber))?.script.ending ?? 'APPROVED';
  const end = () => finishPayment(gatewayState, order, ending, 'outcome');
  if (transferAfter === 0) end();
  else gatewayState.world.clock.after(transferAfter, end);
  if (transferAnswer === 'other') return { status: 200, body: { transfer: { number: order.id, result: 'taken' } } };
  return { status: 200, body: buildStatusResponse(gatewayState, order, { in: call.operation }) };
}

function answer(call: GatewayCall, order: GatewayOrder): GatewayReply {
  const { activeLies, gatewayState } = call;
  if (!declineIsAnAnswer(activeLies, order)) throw new GatewayRefusal(400, 105, 'Declined by the issuer');
  if (!failureIsAnAnswer(activeLies, order)) throw new GatewayRefusal(500, 196, 'The payment could not be processed');
  if (!filterIsAnAnswer(activeLies, order)) throw new GatewayRefusal(400, 301, 'Stopped by a filter of the requestor');
  if (!pendingIsAnAnswer(activeLies, order)) throw new GatewayRefusal(500, 197, 'The payment is not final');
  return {
    status: pendingStatus(activeLies, order),
    body: buildStatusResponse(gatewayState, order, { in: call.operation }),
  };
}

const decideTaken = (rule: string, lie: string) => decision({ rule, honest: () => false, lies: { [lie]: () => true } });

/** Whether an amount of zero is read as none. */
const zeroIsNone = {
  captureAmount: decideTaken('GW-CAP-04', 'capture-of-zero-takes-all'),
  reversalAmount: decideTaken('GW-REV-05', 'reversal-of-zero-takes-all'),
};

/** Whether an amount below zero is taken. */
const negativeIsTaken = {
  captureAmount: decideTaken('GW-CAP-05', 'capture-of-less-than-nothing-raises-the-limit'),
  reversalAmount: decideTaken('GW-REV-06', 'reversal-of-less-than-nothing-raises-the-limit'),
};

/** An amount in a request about an order; undefined where there is none, NaN where it is no amount. */
export function readRequestedAmount(
  { body, activeLies }: GatewayCall,
  name: keyof typeof zeroIsNone,
  order: GatewayOrder,
): number | undefined {
  const value = body[name];
  if (value === undefined || value === null || value === '') return undefined;
  const [, below] = /^-(.+)$/.exec(String(value)) ?? [];
  if (below !== undefined && negativeIsTaken[name](activeLies))
    return -(parseAmount(below, order.currency) ?? Number.NaN);
  const amount = parseAmount(value, order.currency) ?? Number.NaN;
  return amount === 0 && zeroIsNone[name](activeLies) ? undefined : amount;
}
