import type { Service, World } from '../world.ts';

/** The card payment gateway. */
export function gatewayService(_world: World): Service {
  return { serve() {}, control() {}, reset() {} };
}
