import type { Api } from '#apis';

/** One side of an exchange, redacted. */
interface LoggedMessage {
  readonly headers: readonly (readonly [string, string])[];
  readonly body?: string;
}

/** An exchange as the log keeps it: redacted by whoever keeps the log. */
export interface LoggedExchange {
  /** Counted from 1. */
  readonly number: number;
  readonly api: Api;
  /** `request`: somebody asked the sandbox; else the name of a message that the sandbox sent to a receiver. */
  readonly message: string;
  /** ISO 8601, UTC, on the sandbox's clock. */
  readonly at: string;
  /** Milliseconds. */
  readonly duration: number;
  readonly request: LoggedMessage & { readonly method: string; readonly url: string };
  readonly response?: LoggedMessage & { readonly status: number };
  /** Why there is no answer, or why nothing more is shown. */
  readonly failure?: string;
}

/** What was exchanged lately. */
export interface ExchangeLog {
  /** Exchanges with a higher number, oldest first; of very many the latest only. */
  since(number: number): readonly LoggedExchange[];
}
