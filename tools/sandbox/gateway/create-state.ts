import { Rush } from '../rush.ts';
import { BalanceBook } from './balances/balance-book.ts';
import { CallbackSender } from './callbacks/callback-sender.ts';
import type { GatewayState } from './gateway-state.ts';
import type { GatewayWorld } from './gateway-world.ts';
import type { GatewayOrder } from './orders/order.ts';
import { OrderBook } from './orders/order-book.ts';
import { orderTold } from './orders/orders-at-once.ts';
import { buildStatusResponse } from './orders/status-response.ts';

/** A state without any order. */
export function createGatewayState(world: GatewayWorld): GatewayState {
  const { merchant, secondMerchant, second } = world.credentials;
  const began = world.clock.now();
  const gatewayState: GatewayState = {
    world,
    orders: new OrderBook(),
    balances: new BalanceBook(
      world.clock,
      [merchant.login, secondMerchant.login],
      world.choices.bufferHold === 'deducted',
    ),
    callbacks: new CallbackSender(world, (order: GatewayOrder) =>
      buildStatusResponse(gatewayState, orderTold(world.activeLies, order), { in: 'callback' }),
    ),
    scored: new Set(),
    signedAt: new Set(),
    signedBefore: { right: new Set(), nonces: new Set() },
    refused: new Set(),
    lastForm: {},
    rush: new Rush(),
    faults: 0,
    age: () => world.clock.now() - began,
    merchantOf: (requestor) => (requestor === second.id ? secondMerchant.login : merchant.login),
  };
  return gatewayState;
}
