import type { ActiveLies } from '../../decision.ts';
import { decideMixUp } from '../../rush.ts';
import type { IssuerBehaviour } from '../payments/sandbox-cards.ts';
import type { GatewayOrder } from './order.ts';

/** How many milliseconds a payment goes on in which others are shown as it later, by the identifier that they are asked for by. */
const mixesUp = {
  'system id': decideMixUp('GW-STS-02', 'payments-made-at-once-shown-as-one-by-system-id'),
  'merchant id': decideMixUp('GW-STS-03', 'payments-made-at-once-shown-as-one-by-merchant-id'),
  'correlation id': decideMixUp('GW-STS-04', 'payments-made-at-once-shown-as-one-by-correlation-id'),
} as const;

/** What an order is found by when its status is asked for. */
export type OrderIdentifier = keyof typeof mixesUp;

/** The same in which others are answered with its system id. */
const lendsItsId = decideMixUp('GW-STS-02', 'payments-made-at-once-answered-with-one-system-id');

/** The same of authorizations alone. */
const lendsItsIdToHolds = decideMixUp('GW-STS-02', 'authorizations-made-at-once-answered-with-one-system-id');

/** The same in which callbacks about others list its transactions. */
const lendsItsCallback = decideMixUp('GW-CBK-03', 'callbacks-about-payments-at-once-list-one-of-them');

/** The same in which callbacks about others go to its address. */
const lendsItsAddress = decideMixUp('GW-CBK-09', 'callbacks-about-payments-at-once-go-to-one-address');

/** The same in which others, of another requestor, are shown as it where they are asked for by their merchant id. */
const mixesUpRequestors = decideMixUp('GW-STS-03', 'payments-of-two-requestors-at-once-shown-as-one');

/** The same in which others end as its card says. */
const lendsItsEnd = decideMixUp('GW-STA-01', 'payment-ends-as-the-card-of-another-at-once-says');

/** The same of verifications alone. */
const lendsItsEndToVerifications = decideMixUp('GW-VER-03', 'verification-ends-as-the-card-of-another-at-once-says');

/** What payments at once may come to; honestly, nothing. */
export const paymentMixUps = [
  ...Object.values(mixesUp),
  lendsItsId,
  lendsItsCallback,
  lendsItsAddress,
  mixesUpRequestors,
  lendsItsEnd,
  lendsItsIdToHolds,
  lendsItsEndToVerifications,
];

/** How the issuer of a payment's card behaves. */
export function behaviourOf(
  activeLies: ActiveLies,
  { besides, kind }: GatewayOrder,
  own: IssuerBehaviour,
): IssuerBehaviour {
  const isLent =
    lendsItsEnd(activeLies) > 0 || (kind === 'ACCOUNT_VERIFICATION' && lendsItsEndToVerifications(activeLies) > 0);
  return (isLent ? besides?.card?.behaviour : undefined) ?? own;
}

/** The order that an identifier leads to: honestly, the one that has it. */
export function orderFoundBy(activeLies: ActiveLies, by: OrderIdentifier, order: GatewayOrder): GatewayOrder {
  const { besides } = order;
  const isOfAnother = by === 'merchant id' && besides?.requestor !== order.requestor;
  const isMixedUp = mixesUp[by](activeLies) > 0 || (isOfAnother && mixesUpRequestors(activeLies) > 0);
  return (isMixedUp ? besides : undefined) ?? order;
}

/** An order as its payment is answered. */
export function orderAnswered(activeLies: ActiveLies, order: GatewayOrder): GatewayOrder {
  const { besides, kind } = order;
  const isLent = lendsItsId(activeLies) > 0 || (kind === 'AUTH' && lendsItsIdToHolds(activeLies) > 0);
  return besides === undefined || !isLent ? order : { ...order, id: besides.id };
}

/** The order to whose address callbacks about an order go: honestly, the same. */
export function orderAddressed(activeLies: ActiveLies, order: GatewayOrder): GatewayOrder {
  return (lendsItsAddress(activeLies) > 0 ? order.besides : undefined) ?? order;
}

/** An order as a callback tells of it. */
export function orderTold(activeLies: ActiveLies, order: GatewayOrder): GatewayOrder {
  const { besides } = order;
  if (besides === undefined || lendsItsCallback(activeLies) === 0) return order;
  return { ...order, transactions: besides.transactions };
}
