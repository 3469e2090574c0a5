import type { Api } from '#apis';
import { type ServiceTargets, TARGET_SERVICES } from './services.ts';

/** Every address of the services of a target, with its pointer in the file. */
export function listAddresses(target: ServiceTargets): readonly (readonly [pointer: string, address: string])[] {
  return TARGET_SERVICES.flatMap(({ api, listAddresses: list }) =>
    target[api] === undefined ? [] : list(target[api] as never),
  ).flatMap(([pointer, address]) => (address === undefined ? [] : [[pointer, address] as const]));
}

/** The base address of each service that a target has. */
export function baseAddresses(target: ServiceTargets): readonly { readonly api: Api; readonly address: string }[] {
  return TARGET_SERVICES.flatMap(({ api }) => {
    const address = target[api]?.address;
    return address === undefined ? [] : [{ api, address }];
  });
}

/** The base addresses that a user meant. */
export async function completeAddresses(
  given: Readonly<Record<Api, string | undefined>>,
): Promise<Partial<Record<Api, string>>> {
  const found: Partial<Record<Api, string>> = {};
  for (const { api, completeAddress } of TARGET_SERVICES) {
    const address = given[api];
    if (address !== undefined) found[api] = await completeAddress(address);
  }
  return found;
}
