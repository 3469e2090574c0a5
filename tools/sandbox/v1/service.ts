import type { Service, World } from '../world.ts';

/** The account, transfer, document and webhook API. */
export function v1Service(_world: World): Service {
  return { serve() {}, control() {}, reset() {} };
}
