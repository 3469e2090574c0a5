import { type Encounter, errorEncounter } from '../encounter.ts';
import type { ReadExchange } from '../read-traffic.ts';

const deliveries = (all: readonly ReadExchange[]) => all.filter(({ exchange }) => exchange.api === 'v1');

/** What a client of the v1 service can meet. */
export const V1_ENCOUNTERS: readonly Encounter[] = [
  errorEncounter('v1', 400, 'lie v1-invalid-answered-400'),
  errorEncounter('v1', 401, 'leave the token out'),
  errorEncounter('v1', 403, 'use the unprivileged token'),
  errorEncounter('v1', 404, 'read what is not there'),
  errorEncounter('v1', 422, 'leave out what a transfer needs'),
  errorEncounter('v1', 429, 'ask 501 times within a minute'),
  errorEncounter('v1', 500, 'stop the sandbox between two requests'),
  {
    group: 'flow',
    name: 'an answer to a transfer that never came',
    bring: 'stop the sandbox between two requests',
    find: ({ asked }) =>
      asked.filter(({ operation, exchange }) => operation === 'createTransaction' && exchange.failure !== undefined),
  },
  {
    group: 'flow',
    name: 'a delivery',
    bring: 'configure a webhook, then make a transfer',
    find: ({ messages }) => deliveries(messages),
  },
  {
    group: 'flow',
    name: 'the same delivery again',
    bring: 'answer a delivery with 500 once',
    find: ({ messages }) => {
      const seen = new Set<string>();
      return deliveries(messages).filter(({ text }) => seen.size === seen.add(text.replace(/"attempt":\d+/, '')).size);
    },
  },
];
