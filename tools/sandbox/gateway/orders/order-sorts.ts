import { isForMulticurrency, isForSecond } from '../credentials.ts';
import { type GatewayOrder, isFinalState, namesCallback, sumTransactions } from './order.ts';
import type { OrderIdentifier } from './orders-at-once.ts';

/** Sorts of orders that lies are told about alone, as their names call them. */
export const ORDER_SORTS = {
  'any-order': () => true,
  sale: ({ kind }) => kind === 'SALE',
  authorization: ({ kind }) => kind === 'AUTH',
  verification: ({ kind }) => kind === 'ACCOUNT_VERIFICATION',
  form: ({ form }) => form !== undefined,
  'open-form': ({ form, state }) => form !== undefined && !isFinalState(state),
  'paid-form': ({ form, state }) => form !== undefined && state === 'APPROVED',
  'payment-with-a-registered-card': ({ card }) => card?.isRegistered === true,
  'payment-after-3-d-secure': ({ card }) => card?.behaviour.step !== undefined,
  'payment-after-a-pareq': ({ card }) => card?.behaviour.step === 'pareq',
  'declined-payment': ({ state, transactions }) => state === 'DECLINED' && transactions.length === 1,
  'captured-order': ({ transactions }) => transactions.some(({ type }) => type === 'CAPTURE'),
  'partly-captured-authorization': (order) => isBelow(sumTransactions(order, 'CAPTURE'), order.amount),
  'sale-taken-back': ({ kind, transactions }) =>
    kind === 'SALE' && transactions.some(({ type }) => type === 'REVERSAL'),
  'voided-authorization': ({ voided }) => voided,
  'charged-back-order': ({ chargedBack }) => chargedBack,
  'sale-taken-back-in-full': (order) => order.kind === 'SALE' && sumTransactions(order, 'REVERSAL') === order.amount,
  'order-asked-for-early': ({ askedEarly }, by) => by !== undefined && askedEarly?.has(by) === true,
  'order-of-the-second-requestor': (order) => isForSecond(order),
  'order-of-a-multi-currency-requestor': (order) => isForMulticurrency(order),
  'order-that-names-a-callback-address': (order) => namesCallback(order),
  'order-that-names-no-callback-address': (order) => !namesCallback(order),
} satisfies Readonly<Record<string, (order: GatewayOrder, by?: OrderIdentifier) => boolean>>;

const isBelow = (part: number, whole: number) => part > 0 && part < whole;

/** A sort of orders, as the name of a lie calls it. */
export type OrderSort = keyof typeof ORDER_SORTS;

/** Tells whether a lie spares an order that is asked for by an identifier. */
type Spares = (by: OrderIdentifier | undefined, order: GatewayOrder) => boolean;

/**
 * Lies about each of some sorts of orders: where they are asked for by one identifier alone, or by whichever.
 * @param fault what is wrong with them, as the names of the lies say it
 * @param identifiers absent: one lie a sort, whichever identifier it is
 */
export function faultOfSorts(
  fault: string,
  sorts: readonly OrderSort[],
  identifiers?: readonly OrderIdentifier[],
): Readonly<Record<string, Spares>> {
  const lies = (identifiers ?? [undefined]).flatMap((alone) =>
    sorts.map((sort): [string, Spares] => [
      `${sort}-${fault}${alone === undefined ? '' : `-by-${alone.replace(' ', '-')}`}`,
      (by, order) => (alone !== undefined && by !== alone) || !ORDER_SORTS[sort](order, by),
    ]),
  );
  return Object.fromEntries(lies);
}
