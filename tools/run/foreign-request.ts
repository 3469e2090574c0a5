import type { Target } from '#target';

/** A request that somebody else sends with the same credentials. */
export interface ForeignRequest {
  readonly url: string;
  readonly token: string;
  readonly body: unknown;
}

/** What colleagues send to a service of a target beside a run; nothing where the target does not have it. */
export type ForeignRequestList = (target: Target) => readonly ForeignRequest[];
