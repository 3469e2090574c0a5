import type { SampleList } from './service-offer.ts';
import { SERVICE_LIST } from './services.ts';
import type { Sandbox } from './start-sandbox.ts';

/** What a developer needs to use a sandbox that runs. */
export interface SandboxUsage {
  /** By service. */
  readonly credentials: Readonly<Record<string, object>>;
  readonly samples: readonly SampleList[];
  /** Public keys (PEM) of those who sign, by consumer key; made when asked for. */
  publicKeys(): ReadonlyMap<string, string>;
  /** First requests, as command lines. */
  readonly tryLines: readonly string[];
}

/**
 * Says what a developer needs to use a sandbox.
 * @param save puts a credential that is a file of its own there and gives its path
 */
export function describeUsage(
  { addresses, credentials }: Sandbox,
  save: (file: string, text: string) => string,
): SandboxUsage {
  return {
    credentials: Object.fromEntries(
      SERVICE_LIST.map(([name, offer]) => [
        name,
        offer.printCredentials?.(credentials[name], save) ?? credentials[name],
      ]),
    ),
    publicKeys: () => new Map(SERVICE_LIST.flatMap(([name, offer]) => offer.publicKeys?.(credentials[name]) ?? [])),
    samples: SERVICE_LIST.flatMap(([, { samples }]) => samples ?? []),
    tryLines: SERVICE_LIST.map(([name, offer]) => offer.tryLine(addresses, credentials[name])),
  };
}
