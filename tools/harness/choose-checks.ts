import type { Api } from '#apis';
import { HARMS, type Rule } from '#contract';
import { RATE_WINDOW } from '#evidence';
import type { CheckCost, PlannedPace, RunPlan } from './run-plan.ts';

/** A check as it is planned. */
export interface PlannedCheck {
  readonly id: string;
  readonly rules: readonly string[];
  /** The service it asks; absent of a law, which asks none. */
  readonly api?: Api | undefined;
}

/** Requests of a check that nobody has run yet, by the average of a whole run; seconds of one that asks nothing. */
const THUMB = { requests: 5, seconds: 0.2 };
/** Part of the time that is planned with: the rest is for what takes longer than it did. */
const PLANNED = 0.8;
/** What a check will cost: what it did, else by rule of thumb. */
export function costOf(
  { id, api }: PlannedCheck,
  { costs, paces }: Pick<RunPlan, 'costs' | 'paces'>,
): Required<CheckCost> {
  const { requests = api === undefined ? 0 : THUMB.requests, seconds } = costs[id] ?? {};
  const { milliseconds = 0 } = paces.find((pace) => pace.api === api) ?? {};
  return { requests, seconds: seconds ?? THUMB.seconds + (requests * milliseconds) / 1000 };
}

/**
 * How long checks will take together.
 * @returns seconds: as long as the longest of what holds them up, which is the workers, the lanes of a service, or its rate limit
 */
export function predictSeconds(checks: readonly PlannedCheck[], plan: CostPlan): number {
  return new Load(plan).plus(checks).seconds;
}

/** What of a plan says how long checks take. */
type CostPlan = Pick<RunPlan, 'costs' | 'paces' | 'workers'>;

interface ServiceLoad {
  readonly requests: number;
  readonly seconds: number;
}

/** What checks cost together, service by service. */
class Load {
  readonly #plan: CostPlan;
  readonly #services: ReadonlyMap<Api | undefined, ServiceLoad>;
  readonly #longest: number;

  constructor(plan: CostPlan, services: ReadonlyMap<Api | undefined, ServiceLoad> = new Map(), longest = 0) {
    this.#plan = plan;
    this.#services = services;
    this.#longest = longest;
  }

  plus(checks: readonly PlannedCheck[]): Load {
    const services = new Map(this.#services);
    let longest = this.#longest;
    for (const check of checks) {
      const cost = costOf(check, this.#plan);
      const { requests = 0, seconds = 0 } = services.get(check.api) ?? {};
      services.set(check.api, { requests: requests + cost.requests, seconds: seconds + cost.seconds });
      longest = Math.max(longest, cost.seconds);
    }
    return new Load(this.#plan, services, longest);
  }

  get seconds(): number {
    const all = [...this.#services.values()].reduce((sum, { seconds }) => sum + seconds, 0);
    return Math.max(
      this.#longest,
      all / this.#plan.workers,
      ...this.#plan.paces.flatMap((pace) => this.#secondsAt(pace)),
    );
  }

  #secondsAt({ api, lanes, limit }: PlannedPace): number[] {
    const { requests = 0, seconds = 0 } = this.#services.get(api) ?? {};
    const windows = limit === undefined ? 0 : Math.floor(Math.max(0, requests - 1) / Math.max(1, limit - 5));
    return [seconds / Math.max(1, lanes), windows * RATE_WINDOW];
  }
}

/**
 * Chooses the most telling checks that fit into a time. A rule is judged when all its checks ran, so rules are chosen, each with its checks:
 * first what must be kept and costs money when it is not, then by the harm that a broken rule does, then what should be kept; among equals
 * the one whose checks cost the least, so that most rules come of a request.
 * @param rules of the register, by id
 * @returns ids of the chosen checks; what asks nothing is always chosen
 */
export function chooseChecks(
  checks: readonly PlannedCheck[],
  rules: ReadonlyMap<string, Pick<Rule, 'level' | 'consequence'>>,
  plan: CostPlan & { readonly within: number },
): ReadonlySet<string> {
  const most = plan.within * PLANNED;
  const isFree = (check: PlannedCheck) => check.api === undefined || costOf(check, plan).requests === 0;
  const chosen = new Map(checks.filter(isFree).map((check) => [check.id, check]));
  let load = new Load(plan).plus([...chosen.values()]);
  const claiming = new Map<string, PlannedCheck[]>();
  for (const check of checks) for (const id of check.rules) claiming.set(id, [...(claiming.get(id) ?? []), check]);
  const price = (id: string) =>
    claiming.get(id)!.reduce((sum, check) => sum + (chosen.has(check.id) ? 0 : costOf(check, plan).requests), 0);
  let waiting = [...claiming.keys()];
  while (waiting.length > 0) {
    const prices = new Map(waiting.map((id) => [id, price(id)]));
    const [first, ...others] = waiting.sort(
      (one, other) =>
        rankOf(rules.get(one)) - rankOf(rules.get(other)) ||
        prices.get(one)! - prices.get(other)! ||
        (one < other ? -1 : 1),
    );
    waiting = others;
    const added = claiming.get(first!)!.filter(({ id }) => !chosen.has(id));
    const more = load.plus(added);
    if (more.seconds > most) continue;
    load = more;
    for (const check of added) chosen.set(check.id, check);
  }
  return new Set(chosen.keys());
}

/** How soon a rule is chosen: the lower the sooner. */
function rankOf(rule: Pick<Rule, 'level' | 'consequence'> | undefined): number {
  const harm = rule?.consequence === undefined ? HARMS.length : HARMS.indexOf(rule.consequence.harm);
  return (rule?.level === 'must' ? 0 : HARMS.length + 1) + harm;
}
