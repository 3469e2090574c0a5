import type { Api } from '#apis';
import type { Target } from '#target';
import { NoAnswerError } from './failures.ts';
import { CLIENT_SERVICES } from './services.ts';
import { Transport } from './transport.ts';

/** How fast a service answers, and what it announces. */
export interface ServicePace {
  readonly api: Api;
  /** Requests a minute that it announces; absent: none. */
  readonly limit?: number;
  /** Median of the times that its answers took. */
  readonly milliseconds: number;
}

/** Requests that are sent to each service, one after the other; a connection is open from the second on. */
const PROBES = 3;

/**
 * Asks each service of a target something that needs no rights, to see how fast it answers and which rate limit it announces. One that does
 * not answer counts as slow as it may be.
 */
export async function measurePace(target: Target): Promise<readonly ServicePace[]> {
  const transport = new Transport(target);
  try {
    return await Promise.all(
      CLIENT_SERVICES.flatMap(({ api, probe }) => {
        const address = target[api]?.address;
        return address === undefined
          ? []
          : [probeService(transport, api, { ...probe, url: address + probe.path }, target)];
      }),
    );
  } finally {
    await transport.close();
  }
}

async function probeService(
  transport: Transport,
  api: Api,
  { method, url }: { readonly method: string; readonly url: string },
  { manners }: Target,
): Promise<ServicePace> {
  const times: number[] = [];
  let limit: number | undefined;
  try {
    for (let i = 0; i < PROBES; i += 1) {
      const began = performance.now();
      const { headers } = await transport.send({ method, url, headers: [['accept', 'application/json']] });
      times.push(performance.now() - began);
      const announced = Number(headers.get('x-ratelimit-limit') ?? Number.NaN);
      if (announced > 0) limit = announced;
    }
  } catch (error) {
    if (!(error instanceof NoAnswerError)) throw error;
    times.push(manners.timeout * 1000);
  }
  const milliseconds = times.sort((one, other) => one - other)[Math.floor(times.length / 2)]!;
  return { api, milliseconds, ...(limit === undefined ? {} : { limit }) };
}
