import { decision } from '../../decision.ts';
import { DAY } from '../../durations.ts';
import { decideMixUp } from '../../rush.ts';
import { isForMulticurrency, isForSecond } from '../credentials.ts';
import type { GatewayCall } from '../gateway-call.ts';
import type { GatewayReply } from '../gateway-reply.ts';
import { formatAmount } from '../orders/money.ts';
import { type GatewayOrder, namesCallback, type OrderTransaction } from '../orders/order.ts';
import { formatGatewayTime } from '../orders/status-response.ts';
import { readOrderId } from '../wire/request-fields.ts';

type Row = Record<string, unknown>;

const isLaterCapture = (transactions: readonly OrderTransaction[], one: OrderTransaction) =>
  one.type === 'CAPTURE' && transactions.find(({ type }) => type === 'CAPTURE') !== one;

/** The report of which login others are given that ask at the same moment. */
const lendsItsLogin = decideMixUp('GW-REP-01', 'reports-read-at-once-about-one-merchant');

const rowPerTransaction = decision({
  rule: 'GW-REP-02',
  honest: (transactions: readonly OrderTransaction[], _order: GatewayOrder) => transactions,
  lies: {
    'report-row-per-order': (transactions) => transactions.slice(0, 1),
    'report-row-per-order-by-card-id': (transactions, { card }) =>
      card?.isRegistered ? transactions.slice(0, 1) : transactions,
    'report-row-per-order-after-3-d-secure': (transactions, { card }) =>
      card?.behaviour.step === undefined ? transactions : transactions.slice(0, 1),
    'report-row-per-order-by-form': (transactions, { form }) => (form ? transactions.slice(0, 1) : transactions),
    'report-row-per-order-that-names-a-callback-address': (transactions, order) =>
      namesCallback(order) ? transactions.slice(0, 1) : transactions,
    'report-row-per-order-for-another-requestor': (transactions, order) =>
      isForSecond(order) ? transactions.slice(0, 1) : transactions,
    'report-row-per-order-in-several-currencies': (transactions, order) =>
      isForMulticurrency(order) ? transactions.slice(0, 1) : transactions,
    'report-without-captures-of-another-requestor': (transactions, order) =>
      isForSecond(order) ? transactions.filter((one) => one.type !== 'CAPTURE') : transactions,
    'report-without-captures': (transactions) => transactions.filter((one) => one.type !== 'CAPTURE'),
    'report-without-sales': (transactions) => transactions.filter((one) => one.type !== 'SALE'),
    'report-without-chargebacks': (transactions) => transactions.filter((one) => one.type !== 'CHARGEBACK'),
    'report-without-voids': (transactions) => transactions.filter((one) => one.reversalType !== 'VOID'),
    'report-with-two-rows-for-a-capture': (transactions) =>
      transactions.flatMap((one) => (one.type === 'CAPTURE' ? [one, one] : [one])),
    'report-lists-like-transactions-once': (transactions) =>
      transactions.filter(
        (one, i) => transactions.findIndex(({ type, amount }) => type === one.type && amount === one.amount) === i,
      ),
    'report-of-five-rows-an-order': (transactions) => transactions.slice(0, 5),
    'report-without-a-second-capture': (transactions) =>
      transactions.filter((one) => !isLaterCapture(transactions, one)),
  },
});

/** Whether an order is left out for one that it looks like. */
const isLikeAnother = decision({
  rule: 'GW-REP-02',
  honest: (_order: GatewayOrder, _seen: readonly GatewayOrder[]) => false,
  lies: {
    'report-lists-like-orders-once': ({ kind, amount, card, changedAt }, seen) =>
      seen.some(
        (one) =>
          one.kind === kind &&
          one.amount === amount &&
          one.card?.fingerprint === card?.fingerprint &&
          Math.abs(one.changedAt - changedAt) < 5000,
      ),
  },
});

const rowsAreLinked = decision({
  rule: 'GW-REP-03',
  honest: (order: GatewayOrder, _index: number, _one: OrderTransaction): unknown => order.id,
  lies: {
    'report-rows-of-another-requestor-unlinked': (order, index) =>
      isForSecond(order) ? order.id + index * 1_000_000 : order.id,
    'report-rows-in-several-currencies-unlinked': (order, index) =>
      isForMulticurrency(order) ? order.id + index * 1_000_000 : order.id,
    'report-rows-unlinked': (order, index) => order.id + index * 1_000_000,
    'report-capture-without-order': (order, index) => (index === 0 ? order.id : undefined),
    'report-second-capture-of-another-order': (order, _index, one) =>
      isLaterCapture(order.transactions, one) ? order.id + 1_000_000 : order.id,
  },
});

const reasonIsReported = decision({
  rule: 'GW-REP-04',
  honest: (reason: string, _one: OrderTransaction, _order: GatewayOrder) => reason,
  lies: {
    'report-without-reason': () => undefined,
    'report-for-another-requestor-without-reason': (reason, _one, order) => (isForSecond(order) ? undefined : reason),
    'report-in-several-currencies-without-reason': (reason, _one, order) =>
      isForMulticurrency(order) ? undefined : reason,
    'report-reason-written-for-a-page': (reason) => reason.replaceAll('&', '&amp;').replaceAll("'", '&#39;'),
    'report-reason-with-spaces-for-pluses': (reason) => reason.replaceAll('+', ' '),
    'report-reason-unescaped': (reason) => reason.replaceAll(/%[2-7][0-9A-F]/g, decodeURIComponent),
    'report-reason-without-tags': (reason) => reason.replaceAll(/<[^>]*>/g, ''),
    'report-reason-with-quotes-doubled': (reason) => reason.replaceAll('"', '""'),
    'report-reason-of-figures-lost': (reason) => (/^\d+$/.test(reason) ? undefined : reason),
    'report-reason-in-latin-1': (reason) => reason.replaceAll(/[^\0-\xff]/g, '?'),
    'report-reason-of-figures-as-a-number': (reason) => (/^\d+$/.test(reason) ? String(Number(reason)) : reason),
    'report-reason-in-ascii': (reason) => reason.replaceAll(/[^ -~]/g, '?'),
    'report-reason-without-letters-of-four-bytes': (reason) => reason.replaceAll(/[\u{10000}-\u{10ffff}]/gu, '?'),
    'report-reason-of-the-first-reversal-for-each': (reason, _one, { transactions }) =>
      transactions.find((one) => one.reason !== undefined)?.reason ?? reason,
    'report-late-reversal-without-reason': (reason, { created }, { transactions }) =>
      created - transactions[0]!.created > 7 * DAY ? undefined : reason,
    'report-after-a-second-capture-without-reason': (reason, _one, order) =>
      order.transactions.some((one) => isLaterCapture(order.transactions, one)) ? undefined : reason,
    'report-after-3-d-secure-without-reason': (reason, _one, { card }) =>
      card?.behaviour.step === undefined ? reason : undefined,
    'report-reason-cut': (reason) => reason.slice(0, 4),
    'report-reason-cut-after-64-letters': (reason) => reason.slice(0, 64),
    'report-full-refund-without-reason': (reason, { reversalType, amount }, order) =>
      reversalType === 'REFUND' && amount === order.amount ? undefined : reason,
    'report-void-without-reason': (reason, { reversalType }) => (reversalType === 'VOID' ? undefined : reason),
    'report-by-card-id-without-reason': (reason, _one, { card }) => (card?.isRegistered ? undefined : reason),
    'report-by-form-without-reason': (reason, _one, { form }) => (form ? undefined : reason),
  },
});

const numberIsNotReported = decision({
  rule: 'GW-FRM-04',
  honest: (_order: GatewayOrder, _one: OrderTransaction): Row => ({}),
  lies: {
    'form-card-number-in-report': ({ typed }) => (typed === undefined ? {} : { source: typed }),
    'form-card-number-in-report-in-base64': ({ typed }) =>
      typed === undefined ? {} : { source: Buffer.from(typed).toString('base64') },
    'form-card-number-in-report-of-a-capture': ({ typed }, { type }) =>
      typed === undefined || type !== 'CAPTURE' ? {} : { source: typed },
  },
});

/** report/transaction/by-merchant: one row a transaction of the merchant's requestors, newest first; `orderSystemId` narrows it. */
export function answerTransactionReport(call: GatewayCall): GatewayReply {
  const { gatewayState, activeLies } = call;
  const { clock, choices } = gatewayState.world;
  const { value: merchant, lasts } = gatewayState.rush.lend(activeLies, 'report', lendsItsLogin, call.subject);
  const wanted = readOrderId(call.body);
  const now = clock.now();
  const reportedUntil = {
    'at once': Number.POSITIVE_INFINITY,
    'seconds later': now - 3000,
    'the next day': now - (now % DAY),
  };
  const rows: Row[] = [];
  const seen: GatewayOrder[] = [];
  for (const order of gatewayState.orders.all()) {
    if (order.merchant !== merchant || isLikeAnother(activeLies, order, seen)) continue;
    seen.push(order);
    if (wanted !== undefined && order.id !== wanted) continue;
    for (const [index, one] of rowPerTransaction(activeLies, order.transactions, order).entries()) {
      if (one.created >= reportedUntil[choices.reported]) continue;
      rows.push({
        orderSystemId: rowsAreLinked(activeLies, order, index, one),
        orderMerchantId: order.merchantOrderId,
        requestorId: order.requestor,
        type: one.type,
        status: one.status,
        amount: formatAmount(one.amount, order.currency),
        currency: order.currency,
        ...numberIsNotReported(activeLies, order, one),
        createdSystemTimestamp: formatGatewayTime(one.created),
        ...(one.reason !== undefined && {
          reversalReason: reasonIsReported(activeLies, one.reason, one, order),
        }),
        ...(one.reversalType !== undefined && { reversalType: one.reversalType }),
      });
    }
  }
  return { status: 200, body: { transactions: rows.reverse() }, after: lasts };
}
