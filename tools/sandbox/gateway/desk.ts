import type { World } from '../world.ts';
import { Balances } from './balances.ts';
import { Callbacks } from './callbacks.ts';
import type { Order } from './order.ts';
import { Orders } from './orders.ts';
import { showOrder } from './show-order.ts';

/** Everything the gateway remembers between two resets. */
export interface Desk {
  readonly world: World;
  readonly orders: Orders;
  readonly balances: Balances;
  readonly callbacks: Callbacks;
  /** The merchant that a requestor works for. */
  merchantOf(requestor: number): string;
}

/** A desk without any order. */
export function openDesk(world: World): Desk {
  const { merchant, secondMerchant, second } = world.credentials.gateway;
  const desk: Desk = {
    world,
    orders: new Orders(),
    balances: new Balances(
      world.clock,
      [merchant.login, secondMerchant.login],
      world.choices.gateway.bufferHold === 'deducted',
    ),
    callbacks: new Callbacks(world, (order: Order) => showOrder(desk, order, { in: 'callback' })),
    merchantOf: (requestor) => (requestor === second.id ? secondMerchant.login : merchant.login),
  };
  return desk;
}
