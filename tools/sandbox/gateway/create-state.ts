import type { SandboxWorld } from '../world.ts';
import { BalanceBook } from './balances/balance-book.ts';
import { CallbackSender } from './callbacks/callback-sender.ts';
import type { GatewayState } from './gateway-state.ts';
import type { GatewayOrder } from './orders/order.ts';
import { OrderBook } from './orders/order-book.ts';
import { buildStatusResponse } from './orders/status-response.ts';

/** A state without any order. */
export function createGatewayState(world: SandboxWorld): GatewayState {
  const { merchant, secondMerchant, second } = world.credentials.gateway;
  const gatewayState: GatewayState = {
    world,
    orders: new OrderBook(),
    balances: new BalanceBook(
      world.clock,
      [merchant.login, secondMerchant.login],
      world.choices.gateway.bufferHold === 'deducted',
    ),
    callbacks: new CallbackSender(world, (order: GatewayOrder) =>
      buildStatusResponse(gatewayState, order, { in: 'callback' }),
    ),
    merchantOf: (requestor) => (requestor === second.id ? secondMerchant.login : merchant.login),
  };
  return gatewayState;
}
