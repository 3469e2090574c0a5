import type { Consequence } from '#contract';

/** What a client may do to itself and others when a service has a bad day, the gravest first: its name, and the harm. */
export const CLIENT_DEEDS = {
  'paid twice': 'money',
  'lost an order': 'money',
  'took too much': 'money',
  'acted unpaid': 'money',
  'trusted a callback': 'outcome',
  'left a message': 'outcome',
  'asked too fast': 'service',
} as const satisfies Readonly<Record<string, Consequence['harm']>>;

/** Name of a deed. */
export type ClientDeedName = keyof typeof CLIENT_DEEDS;

/** Rules of one service that a client breaks by each deed. */
export type DeedRules = Partial<Readonly<Record<ClientDeedName, readonly string[]>>>;
