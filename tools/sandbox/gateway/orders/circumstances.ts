import { DAY } from '../../durations.ts';
import { isAskedAgain } from '../asked-again.ts';
import { isForSecond } from '../credentials.ts';
import { type GatewayCall, isByBothIds, isByMerchantId } from '../gateway-call.ts';
import { type GatewayOrder, isSecondsOld } from './order.ts';
import { ORDER_SORTS } from './order-sorts.ts';

/** What a lie about an operation on an order may be told in alone, as its name calls it: the order, and how it is asked for. */
const CIRCUMSTANCES = {
  'on-a-form': ORDER_SORTS.form,
  'on-a-registered-card': ORDER_SORTS['payment-with-a-registered-card'],
  'on-a-credit-card': ({ card }) => card?.behaviour.holdDays === 28,
  'after-3-d-secure': ORDER_SORTS['payment-after-3-d-secure'],
  'after-a-method-and-a-challenge': ({ card }) => card?.behaviour.step === 'method',
  'after-a-pareq': ORDER_SORTS['payment-after-a-pareq'],
  'without-a-challenge': ({ card }) => card?.behaviour.frictionless === true,
  'later-than-at-once': ({ card }) => card?.behaviour.via !== undefined,
  'after-an-unknown-state': ({ card }) => card?.behaviour.via === 'UNKNOWN',
  'after-a-chain-step': ({ card }) => card?.behaviour.via === 'CHAIN_STEP',
  'for-another-requestor': ORDER_SORTS['order-of-the-second-requestor'],
  'in-several-currencies': ORDER_SORTS['order-of-a-multi-currency-requestor'],
  'with-a-callback-address': ORDER_SORTS['order-that-names-a-callback-address'],
  'without-a-callback-address': ORDER_SORTS['order-that-names-no-callback-address'],
  'by-merchant-id': (_order, call) => isByMerchantId(call),
  'by-both-ids': (_order, call) => isByBothIds(call),
  'by-merchant-id-for-another-requestor': (order, call) => isByMerchantId(call) && isForSecond(order),
  'by-both-ids-for-another-requestor': (order, call) => isByBothIds(call) && isForSecond(order),
  'when-asked-again': (_order, call) => isAskedAgain(call),
  'without-an-amount': (_order, { body }) => namesNoAmount(body),
  'with-an-amount': (_order, { body }) => !namesNoAmount(body),
  'after-seconds': (order) => isSecondsOld(order),
  'after-a-day': (order, call) => isOld(order, call),
  'after-a-month': (order, call) => isOld(order, call, 30),
  'after-a-hundred-orders': (order, { gatewayState }) => gatewayState.orders.isLongAgo(order),
} as const satisfies Readonly<Record<string, (order: GatewayOrder, call: GatewayCall) => boolean>>;

/** A circumstance, as the name of a lie calls it. */
export type Circumstance = keyof typeof CIRCUMSTANCES;

/** The circumstances that every order has: how it was paid, and for whom. */
export const PAID: readonly Circumstance[] = [
  'on-a-form',
  'on-a-registered-card',
  'after-3-d-secure',
  'for-another-requestor',
  'in-several-currencies',
  'with-a-callback-address',
];

/** These, and what names the order in an operation on it. */
export const USUAL: readonly Circumstance[] = [...PAID, 'by-merchant-id', 'by-both-ids'];

/** The circumstances in which payments are of amounts that floats miss: what leads to 3-D Secure may go by the amount. */
export const OF_ANY_AMOUNT: readonly Circumstance[] = USUAL.filter((one) => one !== 'after-3-d-secure');

/** What is decided by a lie, and honestly, by facts of which the last two are the order and the call. */
type Told<Facts extends readonly unknown[], Answer> = Readonly<
  Record<'lie' | 'honest', (...facts: [...Facts, GatewayOrder, GatewayCall]) => Answer>
>;

/**
 * Lies that are each told in one circumstance alone.
 * @param fault what they have in common, which their names begin with
 */
export function toldWhen<Facts extends readonly unknown[], Answer>(
  fault: string,
  circumstances: readonly Circumstance[],
  { lie, honest }: Told<Facts, Answer>,
): Readonly<Record<string, (...facts: [...Facts, GatewayOrder, GatewayCall]) => Answer>> {
  const lies = circumstances.map((circumstance) => [
    `${fault}-${circumstance}`,
    (...facts: [...Facts, GatewayOrder, GatewayCall]) => {
      const [order, call] = facts.slice(-2) as [GatewayOrder, GatewayCall];
      return (CIRCUMSTANCES[circumstance](order, call) ? lie : honest)(...facts);
    },
  ]);
  return Object.fromEntries(lies);
}

/** The same of authorizations alone. */
export function ofAuthorizations<Facts extends readonly unknown[], Answer>({
  lie,
  honest,
}: Told<Facts, Answer>): Told<Facts, Answer> {
  return {
    lie: (...facts) => ((facts.at(-2) as GatewayOrder).kind === 'AUTH' ? lie : honest)(...facts),
    honest,
  };
}

/** Whether an order was made so many days ago or earlier. */
export function isOld({ transactions }: GatewayOrder, { gatewayState }: GatewayCall, days = 1): boolean {
  return gatewayState.world.clock.now() - transactions[0]!.created >= days * DAY;
}

function namesNoAmount(body: GatewayCall['body']): boolean {
  return (body['captureAmount'] ?? body['reversalAmount']) === undefined;
}

/** What payments that were not approved are called, and what tells them. */
const UNAPPROVED = {
  declined: ({ state }) => state === 'DECLINED',
  filtered: ({ state }) => state === 'FILTERED',
  failed: ({ state }) => state === 'ERROR',
  waiting: ({ step }) => step !== undefined,
} as const satisfies Readonly<Record<string, (order: GatewayOrder) => boolean>>;

/** A payment that was not approved, as the names of lies call it: it came to nothing, or waits for 3-D Secure. */
export type Unapproved = keyof typeof UNAPPROVED;

/** Whether an order is such a payment. */
export function isUnapproved(how: Unapproved, order: GatewayOrder): boolean {
  return UNAPPROVED[how](order);
}
