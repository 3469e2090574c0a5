import { readFileSync } from 'node:fs';
import type { Api } from '#apis';

/** What a check cost when it was last run. */
export interface CheckCost {
  /** Requests to services. */
  readonly requests: number;
  /** Absent where it was run at another target: then it goes by how fast this one answers. */
  readonly seconds?: number;
}

/** How a service is asked: by how many checks at the same time, how fast it answers, and the requests a minute that it announces. */
export interface PlannedPace {
  readonly api: Api;
  readonly lanes: number;
  readonly milliseconds: number;
  readonly limit?: number;
}

/** What a run knows of its checks before the first one. */
export interface RunPlan {
  readonly workers: number;
  readonly paces: readonly PlannedPace[];
  /** By id of the check. */
  readonly costs: Readonly<Record<string, CheckCost>>;
  /** Ids of checks that ended before this run was continued. */
  readonly ended: readonly string[];
  /** Exchanges on record of checks that began and did not end, by id. */
  readonly recorded: Readonly<Record<string, number>>;
  /** What may be spent at the target: calls, and what is paid in all in major units. */
  readonly money?: { readonly calls: number; readonly total: number };
  /** Seconds that the checks may take. */
  readonly within?: number;
}

/** Reads the plan of this process's run; undefined where there is none. */
export function readRunPlan(env: Readonly<Record<string, string | undefined>> = process.env): RunPlan | undefined {
  return env.ASSAY_PLAN === undefined ? undefined : (JSON.parse(readFileSync(env.ASSAY_PLAN, 'utf8')) as RunPlan);
}
