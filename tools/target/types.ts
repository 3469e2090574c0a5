import type { APIS } from '#apis';

/** A JSON value of a request template, with `${name}` placeholders. */
export type RequestTemplate =
  | string
  | number
  | boolean
  | null
  | readonly unknown[]
  | { readonly [key: string]: unknown };

/** An HTTP request that steers the target (advance its clock, set a later state). */
export interface ControlRequest {
  readonly method: string;
  readonly url: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: RequestTemplate;
  /** `now` only: pointer to the time in the answer, as ISO 8601 or Unix seconds or milliseconds. */
  readonly read?: string;
  /** `advance` only: the clocks it moves; absent: unknown. */
  readonly moves?: readonly MovedClock[];
}

/** A clock of a service: dates and states of records, messages and their repetition, windows of limits. */
export type MovedClock = 'records' | 'deliveries' | 'limits';

/** How connections are made. */
export interface ConnectionSettings {
  /** PEM of authorities trusted besides the usual ones. */
  readonly ca?: string;
  /** PEM of our certificate, its key, and the passphrase of that key. */
  readonly certificate?: string;
  readonly key?: string;
  readonly passphrase?: string;
  /** Address of an HTTP proxy; loopback addresses are called without it. */
  readonly proxy?: string;
  /** Another IP address of this machine, by which a service sees another caller. */
  readonly secondAddress?: string;
}

/** Control actions of the server itself. */
const COMMON_CONTROLS = ['now', 'advance'] as const;

/** A control action that a target file may describe. */
export type ControlName = (typeof COMMON_CONTROLS)[number] | (typeof APIS)[number]['controls'][number];

/** What the suite knows about a server whatever its services are. */
export interface CommonTarget {
  readonly name: string;
  readonly kind: 'embedded' | 'mock' | 'sandbox' | 'production';
  readonly file: string;
  readonly sha256: string;
  readonly connection: ConnectionSettings;
  readonly control: Readonly<Partial<Record<ControlName, ControlRequest>>>;
  readonly callback?: {
    readonly listen: string;
    readonly port?: number;
    readonly public?: string;
    /** The public address is set for the requestor in a console, so that requests need not name it. */
    readonly registered?: boolean;
  };
  /** Hosts (name or name:port) that a customer's browser may visit besides those of the addresses. */
  readonly pages: readonly string[];
  readonly manners: TargetManners;
  /** Every secret the file resolved, for the redactor. */
  readonly secrets: readonly string[];
}

/** How the suite behaves towards the target. Times in seconds. */
export interface TargetManners {
  readonly pollGap: number;
  readonly pollLimit: number;
  readonly timeout: number;
  /** How long a customer waits for a page to come up or to lead on. */
  readonly patience: number;
  /** How long a message, or the next attempt to deliver it, may take in real time. */
  readonly delivery: number;
  /** Whether the rate limit may be exhausted on purpose. */
  readonly exhaust: boolean;
  /** How many checks may ask it at the same time. */
  readonly parallel: number;
  readonly money: { readonly calls: number; readonly total: number };
}
