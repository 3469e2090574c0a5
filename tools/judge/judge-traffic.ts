import type { Contract, Rule } from '#contract';
import { isTestable, selectRules } from '#contract';
import { type ClientBreach, RuleNotes } from './client-rule.ts';
import { type ReadTraffic, readTraffic } from './read-traffic.ts';
import { CLIENT_RULES, WITHOUT_BODIES } from './services.ts';
import type { Traffic, TrafficLack } from './traffic.ts';

/** What became of one rule of the client's side. */
export interface ClientVerdict {
  readonly rule: Rule;
  readonly outcome: 'kept' | 'broken' | 'not seen';
  /** Positions of exchanges that kept it. */
  readonly kept: readonly number[];
  readonly breaches: readonly ClientBreach[];
  /** Why it was not judged, where the source is to blame. */
  readonly lacking?: TrafficLack;
}

/** What each lack means, in words. */
export const LACK_WORDS: Readonly<Record<TrafficLack, string>> = {
  bytes: 'The source does not have the bytes of bodies as they were sent.',
  bodies: 'The source does not have the bodies of requests.',
  times: 'The source does not have the times at which things were sent.',
  headers: 'The source does not have all headers.',
  authorization: 'The source does not have the header Authorization.',
  browser: "The source does not see what a customer's browser does.",
  receiver: 'The source does not see what a receiver answers.',
};

/**
 * Holds traffic against every rule that binds a client.
 * @param names rules or areas; none: all
 * @returns one verdict for each rule that can be judged, in the order of ids
 * @throws Trouble (usage) for a name that selects nothing
 */
export function judgeTraffic(contract: Contract, traffic: Traffic, names: readonly string[] = []): ClientVerdict[] {
  const read = readTraffic(contract, traffic);
  const rules = names.length === 0 ? [...contract.clientRules.values()] : selectRules(contract, names, 'client');
  return rules.filter(isTestable).map((rule) => judgeRule(rule, read));
}

function judgeRule(rule: Rule, traffic: ReadTraffic): ClientVerdict {
  const judged = CLIENT_RULES.find(({ id }) => id === rule.id);
  if (judged === undefined) throw new Error(`nothing judges ${rule.id}`);
  // Most rules look at what a request says, or find its order by it.
  const needs = WITHOUT_BODIES.has(rule.id) ? judged.needs : [...judged.needs, 'bodies' as const];
  const lacking = needs.find((need) => traffic.lacks.has(need));
  if (lacking !== undefined) return { rule, outcome: 'not seen', kept: [], breaches: [], lacking };
  const notes = new RuleNotes();
  judged.judge(traffic, notes);
  const outcome = notes.breaches.length > 0 ? 'broken' : notes.kept.size > 0 ? 'kept' : 'not seen';
  return { rule, outcome, kept: [...notes.kept].sort((a, b) => a - b), breaches: notes.breaches };
}
