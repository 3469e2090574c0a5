import type { ClientParts } from './client-parts.ts';

/** What a service is tried with. */
export interface TrialKit extends ClientParts {
  /** Does one thing and adds what it says; what does not work is added as a failure of that line. */
  attempt(line: string, action: () => Promise<string>): Promise<void>;
  /** Notes how many polls brought the outcome of a payment. */
  notePolls(polls: number): void;
}

/** Calls once what a target file names of a service: cards, control actions. */
export type ServiceTrial = (kit: TrialKit) => Promise<void>;
