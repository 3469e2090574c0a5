import type { ExchangeAsSent } from '#evidence';

/** An exchange of a client, either way, as far as its source knows it. */
export interface TrafficExchange extends Omit<ExchangeAsSent, 'violations'> {
  /** When it was sent by the caller's own clock, where `at` is of a clock that can be moved. */
  readonly wallTime?: number;
}

/**
 * What a source cannot tell: the very bytes of bodies, real times, headers, the header Authorization, what a customer's browser did, what
 * a receiver answered. A rule that needs it is *not seen*.
 */
export type TrafficLack = 'bytes' | 'times' | 'headers' | 'authorization' | 'browser' | 'receiver';

/** A session of a client's own tests, in which its service told one lie. */
export interface TrafficSession {
  readonly name: string;
  readonly lie: {
    readonly name: string;
    /** Whether the documents permit it. */
    readonly isGentle: boolean;
    /** What happens, for a reader. */
    readonly does: string;
  };
  /** Whether it showed in anything that the service sent; undefined where that cannot be told. */
  readonly isMet: boolean | undefined;
  /** Position of its first exchange. */
  readonly from: number;
}

/** Everything that a client was seen to send and to be sent, in order. */
export interface Traffic {
  readonly exchanges: readonly TrafficExchange[];
  readonly lacks: ReadonlySet<TrafficLack>;
  /** Whether it was watched from the first to the last: what did not come by then does not come. */
  readonly isWhole: boolean;
  /** Public keys of signers, PEM, by consumer key. */
  readonly publicKeys: ReadonlyMap<string, string>;
  /** In their order; absent: the service was not told to lie by sessions. */
  readonly sessions?: readonly TrafficSession[];
}
