/** What was done to the service since the check began, in noun phrases: `an authorization of 12.34 EUR`. */
let deeds: string[] = [];
/** The sum of money that was measured last, and the value that a check compares. */
let measure: MeasuredMoney | undefined;

/** A sum of money that a check read off the service. */
export interface MeasuredMoney {
  /** What became of the money, as a participle: `captured`. */
  readonly became: string;
  /** ISO 4217. */
  readonly currency: string;
  readonly count: number;
  /** Minor units. */
  readonly sum: number;
}

/** Forgets what earlier checks of this process did and measured. */
export function startStory(): void {
  deeds = [];
  measure = undefined;
}

/** Notes what a check did to the service, for the sentence that a finding is told in. */
export function noteDeed(deed: string): void {
  deeds.push(deed);
}

/** Notes a sum of money as a check is given it. */
export function noteMeasure(measured: MeasuredMoney): void {
  measure = measured;
}

/** What was done so far, the earliest first, the same again said once; of many the last three, which are nearest to a finding. */
export function tellDeeds(): readonly string[] {
  const told: { deed: string; times: number }[] = [];
  for (const deed of deeds) {
    const last = told.at(-1);
    if (last?.deed === deed) last.times += 1;
    else told.push({ deed, times: 1 });
  }
  return told.slice(-3).map(({ deed, times }) => (times === 1 ? deed : `${deed} (${times} times)`));
}

/** The sum of money that a compared value is, when it is the one measured last: whole, or its amount alone. */
export function measureOf(actual: unknown): MeasuredMoney | undefined {
  if (measure === undefined) return undefined;
  if (typeof actual === 'number') return actual === measure.sum ? measure : undefined;
  const { count, sum } = (actual ?? {}) as { count?: unknown; sum?: unknown };
  return count === measure.count && sum === measure.sum ? measure : undefined;
}

/** An amount of minor units as people write it: `12.34 EUR`, by the decimals of ISO 4217. */
export function writeMoney(minor: number, currency: string): string {
  return `${(minor / 10 ** decimalsOf(currency)).toFixed(decimalsOf(currency))} ${currency}`;
}

function decimalsOf(currency: string): number {
  try {
    const style = { style: 'currency', currency } as const;
    return new Intl.NumberFormat('en', style).resolvedOptions().maximumFractionDigits ?? 2;
  } catch {
    return 2;
  }
}
