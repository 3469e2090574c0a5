import type { Rush } from '../rush.ts';
import type { SignedBefore } from './access/oauth-verification.ts';
import type { BalanceBook } from './balances/balance-book.ts';
import type { CallbackSender } from './callbacks/callback-sender.ts';
import type { GatewayWorld } from './gateway-world.ts';
import type { GatewayOrder } from './orders/order.ts';
import type { OrderBook } from './orders/order-book.ts';

/** Everything the gateway remembers between two resets. */
export interface GatewayState {
  readonly world: GatewayWorld;
  readonly orders: OrderBook;
  readonly balances: BalanceBook;
  readonly callbacks: CallbackSender;
  /** Cards whose history was looked up, by their first and last digits. */
  readonly scored: Set<string>;
  /** Timestamps of signed transfers. */
  readonly signedAt: Set<string>;
  /** What was seen of signed transfers. */
  readonly signedBefore: SignedBefore;
  /** Requests and Authorization headers that were refused; kept under lies alone. */
  readonly refused: Set<string>;
  /** Order whose payment form was shown last, and the card that was entered on one last. */
  readonly lastForm: { order?: GatewayOrder; card?: GatewayOrder['card'] };
  readonly rush: Rush;
  /** How many of the next requests fail. */
  faults: number;
  /** Milliseconds since it began to remember. */
  age(): number;
  /** The merchant that a requestor works for. */
  merchantOf(requestor: number): string;
}
