import type { ExchangeAsSent } from './recorder.ts';

/** An exchange as a watcher on the wire saw it, nothing taken out: whoever is handed it has to redact it before it is written. */
export interface WatchedExchange extends Pick<ExchangeAsSent, 'api' | 'duration'> {
  /** `request`: somebody asked a service; else the name of a message that the service sent to a receiver, or `delivery` for any. */
  readonly message: string;
  /** Milliseconds since the Unix epoch, by the clock of whoever watched; that of a sandbox can be moved. */
  readonly at: number;
  /** The same on the clock of the machine, by which a caller writes its own times, where `at` may be another. */
  readonly wallTime?: number;
  /** As who answers sees it; of a message, as its sender does. */
  readonly request: ExchangeAsSent['request'] & { readonly body: Uint8Array };
  /** Absent when nobody answered; its body unpacked, where it came packed. Of a receiver's answer a sandbox knows the status alone. */
  readonly response?: NonNullable<ExchangeAsSent['response']>;
  readonly failure?: string;
}
