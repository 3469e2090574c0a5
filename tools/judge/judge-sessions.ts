import type { Contract } from '#contract';
import { CLIENT_DEEDS, type ClientDeedName } from './client-deed.ts';
import type { ClientVerdict } from './judge-traffic.ts';
import { readTraffic } from './read-traffic.ts';
import { DEED_RULES, MATTER_STARTS } from './services.ts';
import type { Traffic, TrafficSession } from './traffic.ts';

/** Whether a client did one thing during a session. */
export interface SessionDeed {
  readonly deed: ClientDeedName;
  readonly harm: (typeof CLIENT_DEEDS)[ClientDeedName];
  /** `fail` and `warn`: it did, against a must or a should; `pass`: it could have and did not; `unseen`: nothing was about it. */
  readonly verdict: 'fail' | 'warn' | 'pass' | 'unseen';
  /** Rules that it broke by that. */
  readonly rules: readonly string[];
  /** Position of the first exchange that shows it. */
  readonly index?: number;
}

/** What a client did in one session. */
export interface SessionResult {
  readonly session: TrafficSession;
  readonly exchanges: number;
  readonly deeds: readonly SessionDeed[];
  /** Rules that it broke otherwise. */
  readonly others: readonly string[];
}

/**
 * Says in which session each exchange counts: that in which the order began that it belongs to, since what is done about an order may come when
 * the next session has begun.
 */
export function locateSessions(contract: Contract, traffic: Traffic): (index: number) => TrafficSession | undefined {
  const { sessions = [] } = traffic;
  if (sessions.length === 0) return () => undefined;
  const read = readTraffic(contract, traffic);
  const starts = MATTER_STARTS.map((list) => list(read));
  return (index) => {
    const start = starts.map((known) => known.get(index)).find((known) => known !== undefined) ?? index;
    return sessions.findLast(({ from }) => from <= start);
  };
}

/** What a client did in each session in which it sent or was sent anything, deed by deed. */
export function judgeSessions(
  contract: Contract,
  traffic: Traffic,
  verdicts: readonly ClientVerdict[],
): SessionResult[] {
  const sessionAt = locateSessions(contract, traffic);
  const owners = traffic.exchanges.map((_, index) => sessionAt(index));
  return (traffic.sessions ?? []).flatMap((session): SessionResult[] => {
    const exchanges = owners.filter((owner) => owner === session).length;
    if (exchanges === 0) return [];
    const own = verdicts.map(({ rule, kept, breaches }) => ({
      rule,
      isKept: kept.some((index) => owners[index] === session),
      breaches: breaches.filter(({ index }) => owners[index] === session),
    }));
    const deeds = (Object.keys(CLIENT_DEEDS) as ClientDeedName[]).map((deed): SessionDeed => {
      const about = own.filter(({ rule }) => deedOf(rule.id) === deed);
      const broken = about.filter(({ breaches }) => breaches.length > 0);
      const verdict = broken.some(({ rule }) => rule.level === 'must')
        ? 'fail'
        : broken.length > 0
          ? 'warn'
          : about.some(({ isKept }) => isKept)
            ? 'pass'
            : 'unseen';
      const first = Math.min(...broken.flatMap(({ breaches }) => breaches.map(({ index }) => index)));
      const shown = broken.length === 0 ? {} : { index: first };
      return { deed, harm: CLIENT_DEEDS[deed], verdict, rules: broken.map(({ rule }) => rule.id), ...shown };
    });
    const others = own.filter(({ rule, breaches }) => breaches.length > 0 && deedOf(rule.id) === undefined);
    return [{ session, exchanges, deeds, others: others.map(({ rule }) => rule.id) }];
  });
}

function deedOf(rule: string): ClientDeedName | undefined {
  return (Object.keys(CLIENT_DEEDS) as ClientDeedName[]).find((deed) =>
    DEED_RULES.some((table) => table[deed]?.includes(rule)),
  );
}
