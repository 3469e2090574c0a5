import type { Target } from '#target';
import type { TakenBackObject } from './client-service.ts';
import { openRunState } from './run-state.ts';
import { CLIENT_SERVICES } from './services.ts';
import { Transport } from './transport.ts';

/**
 * Takes back what a run left at a target; what is in order already is left alone. Never throws: what cannot be taken back is returned
 * with the reason.
 */
export async function takeBackObjects(target: Target, folder?: string): Promise<TakenBackObject[]> {
  const { createdObjects } = openRunState(target, folder);
  if (createdObjects.list().length === 0) return [];
  const transport = new Transport(target);
  const returned: TakenBackObject[] = [];
  try {
    for (const { takeBack } of CLIENT_SERVICES)
      if (takeBack !== undefined) returned.push(...(await takeBack(target, createdObjects, transport)));
    return returned;
  } finally {
    createdObjects.clear();
    await transport.close();
  }
}
