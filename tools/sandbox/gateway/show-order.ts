import type { Desk } from './desk.ts';
import { writeAmount } from './money.ts';
import type { Order, Transaction } from './order.ts';
import { type Body, keepPromises, type Showing, stateFor } from './order-promises.ts';
import { showThreeDS } from './show-three-ds.ts';

/**
 * The StatusResponse about an order, as it stands now; absent fields are left out.
 * @param showing where it goes, and the refusal if it answers a refused operation
 */
export function showOrder(desk: Desk, order: Order, showing: Showing): unknown {
  const faults = desk.world.faults;
  const { card, error } = order;
  const refused = showing.refused;
  const failure = refused ?? error;
  const last = order.transactions.at(-1);
  const body: Body = {
    correlationId: desk.orders.correlate(desk.world, order),
    orderSystemId: order.id,
    orderMerchantId: order.merchantOrderId,
    orderState: refused?.state ?? stateFor(faults, order, showing),
    transactionType: last?.type ?? order.kind,
    orderAmount: writeAmount(order.amount, order.currency),
    orderCurrencyCode: order.currency,
    transactions: order.transactions.map((one) => showTransaction(one, order.currency)),
  };
  if (order.step !== undefined) body['threeDSAuth'] = showThreeDS(faults, order, order.step);
  if (order.html !== undefined) body['outputHtml'] = order.html;
  if (order.redirect !== undefined) body['outputRedirectToUrl'] = order.redirect;
  body['statusCreatedTimestamp'] = order.stamped;
  if (card !== undefined) {
    body['cardFirstDigits'] = card.first;
    body['cardLastDigits'] = card.last;
    body['cardType'] = card.scheme;
    if (card.holder !== undefined) body['cardHolderName'] = card.holder;
    body['cardExpiryMonth'] = card.month;
    body['cardExpiryYear'] = card.year;
    body['cardHashId'] = card.fingerprint;
    if (card.issuer !== undefined) body['cardIssuerName'] = card.issuer;
  }
  if (failure !== undefined) {
    body['errorCode'] = failure.code;
    body['errorMessage'] = failure.message;
  }
  if (faults.size === 0) return body;
  return keepPromises(faults, order, body, showing);
}

function showTransaction(one: Transaction, currency: string): Body {
  return {
    type: one.type,
    ...(one.reversalType && { reversalType: one.reversalType }),
    status: one.status,
    amount: writeAmount(one.amount, currency),
    createdSystemTimestamp: stamp(one.created),
  };
}

/** A moment as the gateway writes it: `2026.03.12 19:20:39 +0000`. */
export function stamp(moment: number): string {
  return `${new Date(moment).toISOString().slice(0, 19).replaceAll('-', '.').replace('T', ' ')} +0000`;
}
