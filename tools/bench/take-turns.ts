import type { BenchFigure, BenchGoal } from './bench-figure.ts';

/** Somebody who takes turns: times in milliseconds are taken by the clock, unless the turn says its value itself. */
export interface TurnTaker {
  readonly name: string;
  /** Does the work once; gives the value of the turn where it is no time. */
  readonly turn: () => unknown;
  /** How often the work is done in one turn, so that a turn is long enough for the clock; default 1. */
  readonly times?: number;
}

/** What is measured, and what is wanted of it. */
export interface TurnPlan {
  readonly id: string;
  readonly title: string;
  readonly unit: BenchFigure['unit'];
  readonly rounds: number;
  /** Rounds that do not count, in which code is still being compiled; default 1. */
  readonly warmUp?: number;
  /** Goals on the ratio to a contestant, or on the first one's best turn where none is named. */
  readonly goals?: readonly (BenchGoal & { readonly to?: string })[];
  /** Whether each turn gives its value instead of being timed. */
  readonly isGiven?: boolean;
  /** Whether of what it gives more is better. */
  readonly isRate?: boolean;
  readonly missing?: readonly string[];
}

const FACTOR: Partial<Record<BenchFigure['unit'], number>> = { µs: 1000, ms: 1, s: 1 / 1000 };

/**
 * Measures contestants side by side: short turns, one after the other, round by round, each round beginning with another one, so that
 * what else the machine does meets all of them. Of each the best turn counts in a ratio, being the one that was disturbed least.
 */
export async function takeTurns(takers: readonly TurnTaker[], plan: TurnPlan): Promise<BenchFigure> {
  const { rounds, warmUp = 1, unit, isRate = false, isGiven = isRate } = plan;
  const values = takers.map((): number[] => []);
  for (let round = 0; round < rounds + warmUp; round += 1)
    for (let place = 0; place < takers.length; place += 1) {
      const index = (place + round) % takers.length;
      const value = isGiven ? Number(await takers[index]!.turn()) : await time(takers[index]!, FACTOR[unit] ?? 1);
      if (round >= warmUp) values[index]!.push(value);
    }
  const best = (list: readonly number[]) => (isRate ? Math.max(...list) : Math.min(...list));
  const contestants = takers.map(({ name }, i) => ({
    name,
    median: middleOf(values[i]!),
    best: best(values[i]!),
    turns: rounds,
  }));
  const ratios = takers.slice(1).map(({ name }, i) => ({
    to: name,
    value: contestants[0]!.best / contestants[i + 1]!.best,
  }));
  const { id, title, missing } = plan;
  return {
    id,
    title,
    unit,
    contestants,
    ratios,
    goals: (plan.goals ?? []).flatMap((goal) => {
      const value = goal.to === undefined ? contestants[0]!.best : ratios.find(({ to }) => to === goal.to)?.value;
      return value === undefined ? [] : [judgeGoal(goal, value)];
    }),
    ...(missing === undefined || missing.length === 0 ? {} : { missing }),
  };
}

/** A goal with the value that it is held against, and whether it is reached. */
export function judgeGoal<Goal extends BenchGoal>(
  goal: Goal,
  value: number,
): Goal & { value: number; isReached: boolean } {
  const { atMost = Number.POSITIVE_INFINITY, atLeast = Number.NEGATIVE_INFINITY } = goal;
  return { ...goal, value, isReached: value <= atMost && value >= atLeast };
}

/** The middle one of some values; of an even number the upper of the two. */
export function middleOf(values: readonly number[]): number {
  return [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN;
}

async function time({ turn, times = 1 }: TurnTaker, factor: number): Promise<number> {
  const began = performance.now();
  for (let count = 0; count < times; count += 1) {
    const under = turn();
    if (under instanceof Promise) await under;
  }
  return ((performance.now() - began) / times) * factor;
}
