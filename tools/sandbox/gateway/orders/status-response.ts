import { decision } from '../../decision.ts';
import type { GatewayState } from '../gateway-state.ts';
import { serverTransactionIdOf } from '../three-ds/authentication-step.ts';
import { buildThreeDSAuth } from '../three-ds/three-ds-auth.ts';
import { writeCardHash } from '../wire/identifiers.ts';
import { formatAmount } from './money.ts';
import { type GatewayOrder, isFinalState, type OrderTransaction, type RememberedCard } from './order.ts';
import { chooseShownState, keepStatusPromises, type StatusBody, type StatusDestination } from './status-promises.ts';

const latestOf = ({ orders }: GatewayState, order: GatewayOrder) => orders.of(order.requestor).at(-1) ?? order;

/** The order whose transactions are listed. */
const listedOrder = decision({
  rule: 'GW-STR-01',
  honest: (order: GatewayOrder, _showing: StatusDestination, _gatewayState: GatewayState) => order,
  lies: {
    'answer-to-a-capture-lists-the-latest-order': (order, showing, gatewayState) =>
      showing.in === 'capture' ? latestOf(gatewayState, order) : order,
    'answer-to-a-reversal-lists-the-latest-order': (order, showing, gatewayState) =>
      showing.in === 'reversal' ? latestOf(gatewayState, order) : order,
  },
});

/**
 * The StatusResponse about an order, as it stands now; absent fields are left out.
 * @param showing where it goes, and the refusal if it answers a refused operation
 */
export function buildStatusResponse(
  gatewayState: GatewayState,
  order: GatewayOrder,
  showing: StatusDestination,
): unknown {
  const activeLies = gatewayState.world.activeLies;
  const { card, error } = order;
  const seen = seesNothingUnderWay(gatewayState, order) ? { ...order, state: 'APPROVED' as const } : order;
  const refused = showing.refused;
  const failure = refused ?? error;
  const last = order.transactions.at(-1);
  const listed = listedOrder(activeLies, order, showing, gatewayState);
  const body: StatusBody = {
    correlationId: gatewayState.orders.correlate(gatewayState.world, order, showing),
    orderSystemId: order.id,
    orderMerchantId: order.merchantOrderId,
    orderState: refused?.state ?? chooseShownState(activeLies, seen, showing, gatewayState.world.clock.now()),
    transactionType: last?.type ?? order.kind,
    orderAmount: formatAmount(order.amount, order.currency),
    orderCurrencyCode: order.currency,
    transactions: listed.transactions.map((one) => showTransaction(one, listed.currency)),
  };
  if (order.step !== undefined) {
    const { choices } = gatewayState.world;
    body['threeDSAuth'] = buildThreeDSAuth(activeLies, order, order.step, choices);
    if (choices.serverTransactionId === 'one beside it' && order.step.name === 'THREEDS_METHOD')
      body['threeDSServer'] = serverTransactionIdOf(order.step);
  }
  if (order.html !== undefined) body['outputHtml'] = order.html;
  if (order.redirect !== undefined) body['outputRedirectToUrl'] = order.redirect;
  body['statusCreatedTimestamp'] = order.changedAt;
  if (card !== undefined) {
    body['cardFirstDigits'] = card.first;
    body['cardLastDigits'] = card.last;
    body['cardType'] = card.scheme;
    if (card.holder !== undefined) body['cardHolderName'] = card.holder;
    body['cardExpiryMonth'] = card.month;
    body['cardExpiryYear'] = card.year;
    body['cardHashId'] = writeCardHash(gatewayState.world.choices, card.fingerprint);
    if (card.issuer !== undefined) body['cardIssuerName'] = card.issuer;
    if (order.step === undefined && last !== undefined) Object.assign(body, upstreamMembers(gatewayState, order, card));
  }
  if (failure !== undefined) {
    body['errorCode'] = failure.code;
    body['errorMessage'] = failure.message;
  }
  if (activeLies.size === 0) return body;
  return keepStatusPromises(activeLies, order, body, showing);
}

/** Whether an order that was approved keeps that state while what follows is under way. */
function seesNothingUnderWay({ world }: GatewayState, { state, transactions }: GatewayOrder): boolean {
  const { stateMeanwhile, entriesListed } = world.choices;
  const isFollowed = transactions.length > 1 && transactions[0]!.status === 'APPROVED';
  return stateMeanwhile === 'kept' && entriesListed === 'all' && state === 'PROCESSING' && isFollowed;
}

/** Who a payment was handed on to: members of real answers, after what the document names. */
function upstreamMembers({ world }: GatewayState, order: GatewayOrder, { scheme }: RememberedCard): StatusBody {
  return {
    orderUpstreamId: `up-${order.id}`,
    orderUpstreamDescriptor: `SANDBOX*${order.merchant}`.toUpperCase(),
    merchantId: order.merchant === world.credentials.secondMerchant.login ? 7002 : 7001,
    merchantName: order.merchant,
    cardPaymentNetworkName: scheme,
    cardPaymentNetworkReference: `net-${order.id}`,
    ...(isFinalState(order.state) && {
      cardPaymentNetworkResponseCode: String(order.error?.code ?? 0).padStart(3, '0'),
      cardPaymentNetworkResponseMessage: order.error?.message ?? 'Approved',
    }),
  };
}

function showTransaction(one: OrderTransaction, currency: string): StatusBody {
  return {
    type: one.type,
    ...(one.reversalType && { reversalType: one.reversalType }),
    status: one.status,
    amount: formatAmount(one.amount, currency),
    createdSystemTimestamp: formatGatewayTime(one.created),
  };
}

/** A moment as the gateway writes it: `2026.03.12 19:20:39 +0000`. */
export function formatGatewayTime(moment: number): string {
  return `${new Date(moment).toISOString().slice(0, 19).replaceAll('-', '.').replace('T', ' ')} +0000`;
}
