import type { Client } from './client.ts';

/** Looks at one behaviour of a fresh sandbox over the wire and says what it saw. */
export type Probe = (client: Client) => Promise<unknown>;

/** What a probe sees when no lie is told, and under each lie that it sees through. */
export interface Trial {
  readonly probe: Probe;
  readonly honest: unknown;
  readonly lying: Readonly<Record<string, unknown>>;
}

/** A trial, as a list to be spread; none when there is no lie. */
export function trials(probe: Probe, honest: unknown, lying: Trial['lying']): Trial[] {
  return Object.keys(lying).length === 0 ? [] : [{ probe, honest, lying }];
}
