import type { RunPlan } from '#harness';
import type { TargetManners } from '#target';
import type { TurnPlan } from './plan-turns.ts';
import type { ReopenedRun } from './reopen-run.ts';

/** What a plan is made of. */
export interface PlanParts {
  /** Absent where each worker has a sandbox of its own. */
  readonly turns: TurnPlan | undefined;
  readonly workers: number;
  readonly money: TargetManners['money'] | undefined;
  /** Asked for only where there is a plan. */
  readonly costs: () => RunPlan['costs'];
  readonly reopened: ReopenedRun | undefined;
  /** Whether other machines run the other shards: all have to reckon alike, and so with nothing that one of them has seen. */
  readonly isShard: boolean;
  /** Seconds. */
  readonly within: number | undefined;
}

/** The plan of a run; undefined for one that simply plays all its checks at sandboxes of its own. */
export function planRun({ turns, workers, money, costs, reopened, isShard, within }: PlanParts): RunPlan | undefined {
  if (turns === undefined && reopened === undefined && within === undefined) return undefined;
  return {
    workers,
    paces: (turns?.paces ?? []).map((pace) => ({ ...pace, lanes: turns!.turns.lanes[pace.api] ?? 1 })),
    costs: { ...(isShard ? {} : costs()), ...reopened?.costs },
    ended: reopened?.ended ?? [],
    recorded: reopened?.recorded ?? {},
    ...(money === undefined ? {} : { money }),
    ...(within === undefined ? {} : { within }),
  };
}
