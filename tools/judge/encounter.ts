import type { ReadExchange, ReadTraffic } from './read-traffic.ts';

/** Something that a client can meet, and how it can be made to. */
export interface Encounter {
  readonly group: 'state' | 'step' | 'error' | 'flow';
  readonly name: string;
  /** What brings it about at the sandbox: a test card or a lie by its name, or what to do. */
  readonly bring: string;
  /** Exchanges in which it was met. */
  find(traffic: ReadTraffic): readonly ReadExchange[];
}

/** A status that an operation of a service answered. */
export function errorEncounter(
  api: ReadExchange['exchange']['api'],
  status: number,
  bring: string,
  name = String(status),
  fits: (one: ReadExchange) => boolean = () => true,
): Encounter {
  const find = ({ all }: ReadTraffic) =>
    all.filter(
      (one) =>
        one.exchange.api === api &&
        one.exchange.direction === 'out' &&
        one.exchange.response?.status === status &&
        fits(one),
    );
  return { group: 'error', name, bring, find };
}
