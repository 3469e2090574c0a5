import type { AskedRequest, ReadExchange, ReadTraffic } from './read-traffic.ts';
import type { TrafficLack } from './traffic.ts';

/** One way in which a client broke a rule. */
export interface ClientBreach {
  /** Position of the exchange that shows it. */
  readonly index: number;
  /** What was seen; no value of it. */
  readonly actual: string;
}

/** Notes of one rule over the whole of some traffic. */
export class RuleNotes {
  /** Positions of exchanges that kept it. */
  readonly kept = new Set<number>();
  readonly breaches: ClientBreach[] = [];

  /** What was seen keeps the rule. */
  keep({ index }: Pick<ReadExchange, 'index'>): void {
    this.kept.add(index);
  }

  /** What was seen breaks the rule. */
  break({ index }: Pick<ReadExchange, 'index'>, actual: string): void {
    this.breaches.push({ index, actual });
  }

  /** What was seen keeps the rule (`true`), breaks it (in words) or has nothing to do with it. */
  take(one: Pick<ReadExchange, 'index'>, seen: RuleSight): void {
    if (seen === true) this.keep(one);
    else if (seen !== undefined) this.break(one, seen);
  }
}

/** `true`: kept; a text: broken, and how; undefined: not about the rule. */
export type RuleSight = true | string | undefined;

/** How one rule of the client's side is judged. */
export interface ClientRule {
  readonly id: string;
  /** What a source must be able to tell. */
  readonly needs: readonly TrafficLack[];
  judge(traffic: ReadTraffic, notes: RuleNotes): void;
}

/** A rule about single requests for some operations. */
export function requestRule(
  id: string,
  operations: readonly string[] | ((request: AskedRequest) => boolean),
  look: (request: AskedRequest) => RuleSight,
  needs: readonly TrafficLack[] = [],
): ClientRule {
  const isMeant =
    typeof operations === 'function'
      ? operations
      : ({ operation }: AskedRequest): boolean => operations.includes(operation);
  return {
    id,
    needs,
    judge: ({ asked }, notes) => {
      for (const one of asked) if (isMeant(one)) notes.take(one, look(one));
    },
  };
}

/** A rule about a sequence. */
export function trafficRule(id: string, judge: ClientRule['judge'], needs: readonly TrafficLack[] = []): ClientRule {
  return { id, needs, judge };
}
