/** One contestant of a measurement. */
export interface BenchContestant {
  readonly name: string;
  /** Of all turns, the middle one. */
  readonly median: number;
  /** The turn that other work on the machine disturbed least: the smallest time, or the largest rate. */
  readonly best: number;
  readonly turns: number;
}

/** What a figure has to keep to. */
export interface BenchGoal {
  readonly text: string;
  readonly atMost?: number;
  readonly atLeast?: number;
}

/** One thing that was measured, contestants side by side; what is compared with other results is the ratio, never a time. */
export interface BenchFigure {
  /** Stable name, by which results are compared. */
  readonly id: string;
  readonly title: string;
  readonly unit: 'µs' | 'ms' | 's' | 'MB' | 'a second' | 'cases';
  readonly contestants: readonly BenchContestant[];
  /** The best turn of the first contestant over that of each other; empty where there is one contestant alone. */
  readonly ratios: readonly { readonly to: string; readonly value: number }[];
  /** Goals on a ratio, or, of a contestant alone, on its best turn. */
  readonly goals: readonly (BenchGoal & {
    readonly to?: string;
    readonly value: number;
    readonly isReached: boolean;
  })[];
  /** What could not be measured here, and why. */
  readonly missing?: readonly string[];
}

/** How time and memory grow with the size of the work. */
export interface GrowthFigure {
  readonly id: string;
  readonly title: string;
  /** What there is 1, 10 and 100 times as much of. */
  readonly what: string;
  readonly points: readonly GrowthPoint[];
  /** Exponent of the last tenfold step: 1 is as much longer as there is more. */
  readonly exponent: number;
  /** The same fitted over all sizes; what takes long at every size keeps it low. */
  readonly fitted: number;
  readonly goals: readonly (BenchGoal & { readonly value: number; readonly isReached: boolean })[];
}

/** One size of the work. */
export interface GrowthPoint {
  readonly size: number;
  /** Seconds of processor, the best of the turns. */
  readonly seconds: number;
  /** Most megabytes that the process held; absent where several sizes share a process. */
  readonly memory?: number;
}

/** Everything one call of the bench found. */
export interface BenchResult {
  readonly format: 'assay.bench/1';
  readonly measuredAt: string;
  readonly machine: { readonly node: string; readonly cores: number; readonly processor: string };
  /** Whether sizes were tiny: then nothing of it says anything about speed. */
  readonly isTrial: boolean;
  readonly figures: readonly BenchFigure[];
  readonly growth: readonly GrowthFigure[];
}

/** How thoroughly a part measures. */
export interface BenchSize {
  /** Tiny sizes, to see that everything works. */
  readonly isTrial: boolean;
  /** Rivals from the registry that could be had, by package: the folder whose `node_modules` holds them; absent: none. */
  readonly rivals: string | undefined;
  /** Also what takes many minutes. */
  readonly isWhole: boolean;
}

/** What one part of the bench gives. */
export interface BenchPart {
  readonly figures?: readonly BenchFigure[];
  readonly growth?: readonly GrowthFigure[];
}
