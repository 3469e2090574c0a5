import { decision } from '../../decision.ts';
import { DAY } from '../../durations.ts';
import { isLike } from '../../sql-pattern.ts';
import { isAskedAgain } from '../asked-again.ts';
import { isForMulticurrency, isForSecond } from '../credentials.ts';
import { type GatewayCall, isByMerchantId } from '../gateway-call.ts';
import { GatewayRefusal, refuseParameter } from '../wire/gateway-refusal.ts';
import { readFieldText, readOrderId } from '../wire/request-fields.ts';
import { findLatestOrder, latestOrder } from './find-order.ts';
import type { GatewayOrder } from './order.ts';
import { faultOfSorts } from './order-sorts.ts';
import type { OrderIdentifier } from './orders-at-once.ts';

/** Whether an order is found by an identifier that it has. */
const leadsTo = (
  rule: string,
  by: OrderIdentifier,
  more: Readonly<Record<string, (by: OrderIdentifier, order: GatewayOrder, call: GatewayCall) => boolean>> = {},
) => {
  const suffix = `unknown-by-${by.replace(' ', '-')}`;
  return decision({
    rule,
    honest: (_by: OrderIdentifier, _order: GatewayOrder, _call: GatewayCall) => true,
    lies: {
      ...faultOfSorts(
        'unknown',
        [
          'any-order',
          'verification',
          'open-form',
          'paid-form',
          'payment-with-a-registered-card',
          'payment-after-3-d-secure',
          'declined-payment',
          'captured-order',
          'voided-authorization',
          'sale-taken-back-in-full',
          'order-of-the-second-requestor',
          'order-of-a-multi-currency-requestor',
        ],
        [by],
      ),
      [`order-before-a-hundred-others-${suffix}`]: (_by, order, { gatewayState }) =>
        !gatewayState.orders.isLongAgo(order),
      [`order-of-a-day-before-${suffix}`]: (_by, { changedAt }, { gatewayState }) =>
        gatewayState.world.clock.now() - changedAt <= DAY,
      [`order-asked-for-again-${suffix}`]: (_by, _order, call) => !isAskedAgain(call),
      ...more,
    },
  });
};

/** Lies about orders under ids that are written so: they were kept in another way. */
const unknownAsWritten = Object.fromEntries(
  Object.entries({
    'of-more-than-50-letters': /^.{51}/,
    'with-letters-beyond-ascii': /[^ -~]/,
    'with-signs-of-addresses': /[%+]/,
    'with-a-zero-in-front': /^0\d+$/,
  }).map(([written, pattern]) => [
    `order-under-an-id-${written}-unknown-by-merchant-id`,
    (_by: OrderIdentifier, { merchantOrderId }: GatewayOrder) => !pattern.test(merchantOrderId),
  ]),
);

const leads = {
  'system id': leadsTo('GW-STS-02', 'system id'),
  'merchant id': leadsTo('GW-STS-03', 'merchant id', unknownAsWritten),
  'correlation id': leadsTo('GW-STS-04', 'correlation id'),
} as const;

const findsBySystemId = decision({
  rule: 'GW-STS-02',
  honest: bySystemId,
  lies: {
    'status-off-by-one-order': (id, call) => bySystemId(id - 1, call) ?? bySystemId(id + 1, call),
    'paid-form-shown-as-the-latest-order-by-system-id': (id, call) => latestForPaidForm(bySystemId(id, call), call),
    'authorization-on-a-form-shown-as-the-latest-order-by-system-id': (id, call) => {
      const order = bySystemId(id, call);
      return order?.kind === 'AUTH' ? latestForPaidForm(order, call) : order;
    },
  },
});

const findsByMerchantId = decision({
  rule: 'GW-STS-03',
  honest: byMerchantId,
  lies: {
    'status-by-merchant-id-refuses-a-declined-payment': (id, call, currency) => {
      const order = byMerchantId(id, call, currency);
      if (order?.state === 'DECLINED') throw new GatewayRefusal(400, 105, 'Declined by the issuer');
      return order;
    },
    'declined-payment-approved-by-merchant-id': (id, call, currency) => {
      const order = byMerchantId(id, call, currency);
      return order?.state === 'DECLINED' ? { ...order, state: 'APPROVED' as const } : order;
    },
    'status-by-merchant-id-lists-sales-of-others': (id, call, currency) =>
      amongOthers(byMerchantId(id, call, currency), call),
    'status-by-merchant-id-of-any-requestor': (id, call) =>
      [...call.gatewayState.orders.all()].findLast((one) => one.merchantOrderId === id),
    'status-by-merchant-id-in-any-case': (id, call) => latestAlike(call, id, (one) => one.toLowerCase()),
    'status-by-the-first-32-letters-of-a-merchant-id': (id, { gatewayState, requestor }) =>
      gatewayState.orders.of(requestor).find((one) => one.merchantOrderId.slice(0, 32) === id.slice(0, 32)),
    'status-by-merchant-id-compares-numbers': (id, { gatewayState, requestor }) =>
      gatewayState.orders
        .of(requestor)
        .findLast((one) => one.merchantOrderId === id || Number(one.merchantOrderId) === Number(id)),
    'status-by-merchant-id-without-accents': (id, call) =>
      latestAlike(call, id, (one) => one.normalize('NFD').replaceAll(/\p{M}/gu, '')),
    'status-by-merchant-id-finds-ids-that-begin-so': (id, { gatewayState, requestor }) =>
      gatewayState.orders.of(requestor).findLast((one) => one.merchantOrderId.startsWith(id)),
    'status-by-merchant-id-reads-a-pattern': (id, { gatewayState, requestor }) =>
      gatewayState.orders.of(requestor).findLast((one) => isLike(one.merchantOrderId, id)),
    'status-by-merchant-id-takes-letters-of-four-bytes-for-one': (id, call) =>
      latestAlike(call, id, (one) => one.replaceAll(/[\u{10000}-\u{10ffff}]/gu, '?')),
    'status-by-merchant-id-without-signs': (id, call) =>
      latestAlike(call, id, (one) => one.replaceAll(/[^\p{L}\d]/gu, '')),
    'status-by-the-first-50-letters-of-a-merchant-id': (id, call) => latestAlike(call, id, (one) => one.slice(0, 50)),
    'status-of-the-latest-order': (_id, call) => call.gatewayState.orders.of(call.requestor).at(-1),
  },
});

const findsByCorrelation = decision({
  rule: 'GW-STS-04',
  honest: byCorrelation,
  lies: {
    'status-by-correlation-id-lists-sales-of-others': (id, call) => amongOthers(byCorrelation(id, call), call),
    'status-correlates-the-first-order': (_id, call) => call.gatewayState.orders.of(call.requestor)[0],
  },
});

const needsName = decision({
  rule: 'GW-STS-09',
  honest: (_call: GatewayCall): GatewayOrder => {
    throw refuseParameter('orderSystemId', 'one of orderSystemId, orderMerchantId and byCorrelationId is needed');
  },
  lies: {
    'status-without-name-shows-the-latest': findLatestOrder,
    'status-without-name-shows-the-latest-of-another-requestor': (call) => {
      if (!isForSecond(call)) throw refuseParameter('orderSystemId');
      return findLatestOrder(call);
    },
    'status-without-name-shows-the-latest-when-asked-again': (call) => {
      if (!isAskedAgain(call)) throw refuseParameter('orderSystemId');
      return findLatestOrder(call);
    },
  },
});

/** Whether a name that no order has is nothing to go by. */
const namesNothing = decision({
  rule: 'GW-STS-09',
  honest: (_call: GatewayCall): GatewayOrder | undefined => undefined,
  lies: {
    'status-of-an-unknown-correlation-id-shows-the-latest': (call) =>
      readFieldText(call.body['byCorrelationId']) === undefined ? undefined : findLatestOrder(call),
    'status-of-an-unknown-merchant-id-shows-the-latest-of-another-requestor': (call) =>
      isForSecond(call) && readFieldText(call.body['orderMerchantId']) !== undefined ? latestOrder(call) : undefined,
    'status-of-an-unknown-merchant-id-shows-the-latest': (call) =>
      readFieldText(call.body['orderMerchantId']) === undefined ? undefined : latestOrder(call),
    'status-by-a-system-id-read-in-32-bits': ({ body, gatewayState, requestor }) =>
      gatewayState.orders.byId((readOrderId(body) ?? 0) % 2 ** 32, requestor),
    'status-with-an-empty-system-id-shows-the-latest': (call) =>
      call.body['orderSystemId'] === '' ? findLatestOrder(call) : undefined,
  },
});

const takesCurrency = decision({
  rule: 'GW-STS-05',
  honest: (code: string | undefined, _call: GatewayCall) => code,
  lies: {
    'status-refuses-currency-code-beside-other-ids': (code, call) => {
      if (code !== undefined && isByMerchantId(call)) throw refuseParameter('orderCurrencyCode');
      return code;
    },
    'status-refuses-currency-code': (code) => {
      if (code !== undefined) throw refuseParameter('orderCurrencyCode');
      return code;
    },
  },
});

/** Which order it is that a currency beside another identifier than the system id helps to find. */
const currencyTells = decision({
  rule: 'GW-STS-05',
  honest: (order: GatewayOrder | undefined, _call: GatewayCall) => order,
  lies: {
    'status-with-currency-code-shows-the-first-order': (order, call) =>
      order === undefined || call.body['orderCurrencyCode'] === undefined || !isByMerchantId(call)
        ? order
        : call.gatewayState.orders.of(call.requestor)[0],
  },
});

/** What a status is asked for by, and the order that it leads to, if there is one. */
export interface AskedOrder {
  readonly by: OrderIdentifier;
  readonly order: GatewayOrder | undefined;
  readonly currency: string | undefined;
}

/**
 * Finds the order whose status is asked for, by any one of three identifiers.
 * @throws Refusal 400 where none is named
 */
export function findAskedOrder(call: GatewayCall): AskedOrder {
  const { activeLies, body } = call;
  const id = readOrderId(body);
  const own = readFieldText(body['orderMerchantId']);
  const correlation = readFieldText(body['byCorrelationId']);
  const currency = takesCurrency(activeLies, readFieldText(body['orderCurrencyCode']), call);
  const by = id !== undefined ? 'system id' : own !== undefined ? 'merchant id' : 'correlation id';
  let order: GatewayOrder | undefined;
  if (id !== undefined) order = findsBySystemId(activeLies, id, call);
  else if (own !== undefined)
    order = findsByMerchantId(activeLies, own, call, isForMulticurrency(call) ? currency : undefined);
  else if (correlation !== undefined) order = findsByCorrelation(activeLies, correlation, call);
  else order = (activeLies.size === 0 ? undefined : namesNothing(activeLies, call)) ?? needsName(activeLies, call);
  if (order !== undefined && !leads[by](activeLies, by, order, call)) order = undefined;
  if (order === undefined && activeLies.size > 0) order = namesNothing(activeLies, call);
  return { by, order: currencyTells(activeLies, order, call), currency };
}

function bySystemId(id: number, { gatewayState, requestor }: GatewayCall): GatewayOrder | undefined {
  return gatewayState.orders.byId(id, requestor);
}

function byMerchantId(
  id: string,
  { gatewayState, requestor }: GatewayCall,
  currency: string | undefined,
): GatewayOrder | undefined {
  return gatewayState.orders.byMerchantId(id, requestor, currency);
}

function byCorrelation(id: string, { gatewayState, requestor }: GatewayCall): GatewayOrder | undefined {
  return gatewayState.orders.byCorrelation(id, requestor);
}

/** The latest order of a requestor whose id of the merchant is the same once both were written so. */
function latestAlike({ gatewayState, requestor }: GatewayCall, id: string, write: (id: string) => string) {
  return gatewayState.orders.of(requestor).findLast((one) => write(one.merchantOrderId) === write(id));
}

function isPaidForm({ form, state }: GatewayOrder): boolean {
  return form !== undefined && state === 'APPROVED';
}

function latestForPaidForm(order: GatewayOrder | undefined, call: GatewayCall): GatewayOrder | undefined {
  return order !== undefined && isPaidForm(order) ? latestOrder(call) : order;
}

/** A sale with the transactions of all sales of its requestor. */
function amongOthers(order: GatewayOrder | undefined, call: GatewayCall): GatewayOrder | undefined {
  if (order?.kind !== 'SALE') return order;
  const sales = call.gatewayState.orders.of(order.requestor).filter(({ kind }) => kind === 'SALE');
  return { ...order, transactions: sales.flatMap(({ transactions }) => transactions) };
}
