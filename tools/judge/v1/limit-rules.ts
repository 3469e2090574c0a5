import { type ClientRule, trafficRule } from '../client-rule.ts';
import type { AskedRequest } from '../read-traffic.ts';

const MINUTE = 60_000;
const LIMIT = 500;

const isV1 = ({ known }: AskedRequest): boolean => known.operation.api === 'v1';

/** How a caller keeps to the rate. */
export const limitRules: readonly ClientRule[] = [
  trafficRule(
    'V1-CLM-01',
    ({ asked }, notes) => {
      const mine = asked.filter(isV1).sort((a, b) => a.exchange.at - b.exchange.at);
      let first = 0;
      mine.forEach((one, i) => {
        while (one.exchange.at - mine[first]!.exchange.at >= MINUTE) first += 1;
        const count = i - first + 1;
        // Which minute is counted is not said: what lies within two of them may be right, unless the service says otherwise.
        const isOver = count > 2 * LIMIT || (count > LIMIT && one.exchange.response?.status === 429);
        notes.take(one, !isOver || `request ${count} of a minute`);
      });
    },
    ['times'],
  ),
  trafficRule(
    'V1-CLM-02',
    ({ asked, isWhole }, notes) => {
      const mine = asked.filter(isV1);
      for (const limited of mine.filter(({ exchange }) => exchange.response?.status === 429)) {
        const next = mine.find(({ index, exchange }) => index > limited.index && exchange.at >= limited.endedAt);
        if (next === undefined) {
          if (isWhole) notes.keep(limited);
          continue;
        }
        const pause = next.exchange.at - limited.endedAt;
        notes.take(next, pause >= MINUTE || `${Math.round(pause / 1000)} s after a 429`);
      }
    },
    ['times'],
  ),
];
