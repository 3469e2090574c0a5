import type { Api } from '#apis';
import type { SampleList } from './service-offer.ts';
import { type SandboxAddresses, type SandboxCredentials, SERVICE_LIST } from './services.ts';

/** What a developer needs to use a sandbox that runs. */
export interface SandboxUsage {
  /** By service. */
  readonly credentials: Readonly<Record<string, object>>;
  readonly samples: readonly SampleList[];
  /** Public keys (PEM) of those who sign, by consumer key; made when asked for. */
  publicKeys(): ReadonlyMap<string, string>;
  /** First requests, as command lines. */
  readonly tryLines: readonly string[];
  /** Path of the authority's certificate, where the services speak TLS. */
  readonly authority: string | undefined;
  /** Variables that say where it is and how to be let in, for a shell or a process. */
  readonly environment: Readonly<Record<string, string>>;
}

/** A sandbox that runs, as far as who uses it has to know it. */
export interface UsableSandbox {
  readonly addresses: SandboxAddresses;
  readonly credentials: SandboxCredentials;
  /** PEM, of the authority to trust; absent: it speaks plain HTTP. */
  readonly authority?: string | undefined;
}

/**
 * Says what a developer needs to use a sandbox.
 * @param save puts a credential that is a file of its own there and gives its path
 */
export function describeUsage(
  { addresses, credentials, authority }: UsableSandbox,
  save: (file: string, text: string) => string,
): SandboxUsage {
  const trusted = authority && save('sandbox-authority.pem', authority);
  const shown: Record<string, object> = Object.fromEntries(
    SERVICE_LIST.map(([name, offer]) => [name, offer.printCredentials?.(credentials[name], save) ?? credentials[name]]),
  );
  const tryLine = ([name, offer]: (typeof SERVICE_LIST)[number]) => offer.tryLine(addresses, credentials[name as Api]);
  return {
    credentials: shown,
    publicKeys: () => new Map(SERVICE_LIST.flatMap(([name, offer]) => offer.publicKeys?.(credentials[name]) ?? [])),
    samples: SERVICE_LIST.flatMap(([, { samples }]) => samples ?? []),
    tryLines: SERVICE_LIST.map(tryLine).map((line) =>
      trusted === undefined ? line : line.replace(/^curl /, `curl --cacert ${trusted} `),
    ),
    authority: trusted,
    environment: {
      ...Object.fromEntries(Object.entries(addresses).map(([name, address]) => [variable(name, 'url'), address])),
      ...Object.fromEntries(Object.entries(shown).flatMap(([name, one]) => flatten([name], one))),
      ...(trusted === undefined ? {} : { [variable('authority')]: trusted, NODE_EXTRA_CA_CERTS: trusted }),
    },
  };
}

/** Every text and number below a value, each as a variable by the names that lead to it. */
function flatten(path: readonly string[], value: unknown): [string, string][] {
  if (typeof value === 'object' && value !== null)
    return Object.entries(value).flatMap(([name, inner]) => flatten([...path, name], inner));
  return [[variable(...path), String(value)]];
}

/** `ASSAY_GATEWAY_MAIN_CONSUMER_KEY` of `gateway`, `main`, `consumerKey`. */
function variable(...path: string[]): string {
  return ['assay', ...path].map((part) => part.replace(/(?<=[a-z0-9])(?=[A-Z])/g, '_').toUpperCase()).join('_');
}
