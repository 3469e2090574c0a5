import type { TrafficExchange } from '../traffic.ts';

/** An exchange as a recording has it: of which service, and which way, is found out later unless the recording says so. */
export interface RecordedExchange
  extends Pick<TrafficExchange, 'duration' | 'request' | 'response' | 'failure'>,
    Partial<Pick<TrafficExchange, 'api' | 'direction' | 'operation'>> {
  /** Milliseconds since the epoch, where it is known. */
  readonly at: number | undefined;
}
