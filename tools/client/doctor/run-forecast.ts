import { APIS } from '#apis';
import { type Contract, isTestable, type TargetNeed } from '#contract';
import { type Line, RATE_WINDOW } from '#evidence';
import { describeLack, type Target } from '#target';
import { movesMoney } from '../spend-cap.ts';

/** What a run would do. */
export interface RunForecast {
  readonly rules: number;
  readonly runs: number;
  /** What is missing, how many rules that skips, and what would enable it; the most first. */
  readonly skipped: readonly { readonly need: string; readonly rules: number; readonly text: string }[];
  readonly calls: number;
  /** Calls that move money, and about how much in major units. */
  readonly money: { readonly calls: number; readonly total: number };
  readonly minutes: number;
  /** Whether calls were counted by a run that was made, and not by a rule of thumb. */
  readonly counted: boolean;
  /** Seconds from a payment to its outcome; undefined where nobody has looked. */
  readonly outcome: number | undefined;
}

/** Calls for a rule, as a whole run of the embedded target makes them; where the limit of a service is used up, for that as well. */
export const CALLS_A_RULE = { calls: 35, money: 9, exhaustion: 500 };
const AMOUNT = 10;

/**
 * How many rules a target lets be checked, and what that will cost.
 * @param journal lines of an earlier run of any target, to count calls by; empty: by rule of thumb
 * @param pace milliseconds of an answer, on average
 * @param polls of a payment until its outcome, where it was tried
 */
export function forecastRun(
  contract: Contract,
  target: Target,
  circumstances: {
    readonly browser: boolean;
    readonly pace: number;
    readonly polls?: number | undefined;
    readonly journal: Iterable<Line>;
  },
): RunForecast {
  const { browser, pace, polls, journal } = circumstances;
  const has = (need: TargetNeed) => (need === 'browser' ? browser : target.offers.has(need));
  const rules = [...contract.rules.values()].filter(isTestable);
  const skipped = new Map<string, { rules: number; text: string }>();
  const runs = new Set<string>();
  let exhausting = 0;
  for (const { id, api, needs } of rules) {
    const service: TargetNeed = APIS.find(({ name }) => name === api)!.mainNeed;
    const missing = [service, ...needs].find((need) => !has(need));
    if (missing === undefined) {
      runs.add(id);
      if (needs.includes('exhaustion')) exhausting += 1;
    } else {
      const { rules: count = 0 } = skipped.get(missing) ?? {};
      skipped.set(missing, { rules: count + 1, text: describeLack(missing).text });
    }
  }
  const counted = count(journal, runs);
  const used = counted ?? {
    calls: Math.ceil(runs.size * CALLS_A_RULE.calls) + exhausting * CALLS_A_RULE.exhaustion,
    money: Math.ceil(runs.size * CALLS_A_RULE.money),
  };
  const outcome = polls === undefined ? undefined : polls * target.manners.pollGap;
  const waits = target.control.advance === undefined ? used.money * (outcome ?? 0) + exhausting * RATE_WINDOW : 0;
  return {
    rules: rules.length,
    runs: runs.size,
    skipped: [...skipped].map(([need, one]) => ({ need, ...one })).sort((a, b) => b.rules - a.rules),
    calls: used.calls,
    money: { calls: used.money, total: used.money * AMOUNT },
    minutes: (used.calls * Math.max(pace, 5)) / 60_000 + waits / 60,
    counted: counted !== undefined,
    outcome,
  };
}

function count(journal: Iterable<Line>, runs: ReadonlySet<string>) {
  const wanted = new Set<string>();
  const exchanges: { check: string; operation: string | undefined }[] = [];
  for (const line of journal) {
    if (line.kind === 'check' && line.outcome !== 'skipped' && line.rules.some((id) => runs.has(id)))
      wanted.add(line.id);
    if (line.kind === 'exchange' && line.direction === 'out')
      exchanges.push({ check: line.check, operation: line.operation });
  }
  const made = exchanges.filter(({ check }) => wanted.has(check));
  // A run of a few rules says nothing about a run of all.
  if (wanted.size < runs.size / 2) return undefined;
  return {
    calls: made.length,
    money: made.filter(({ operation }) => movesMoney(operation)).length,
  };
}
