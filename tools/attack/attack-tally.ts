/** What one kind of attack came to. */
export interface AttackTally {
  readonly kind: string;
  readonly tries: number;
  /** Tries that got through, each by its name; empty when everything held. */
  readonly survivors: readonly string[];
  readonly seconds: number;
  /** Most memory that the process held, in MiB, above what it held before. */
  readonly megabytes: number;
  /** The try that took longest, and how long, in seconds. */
  readonly worst?: { readonly name: string; readonly seconds: number } | undefined;
}

/** One try: undefined when it was held off, else what got through. */
export interface AttackTry {
  readonly name: string;
  readonly run: () => Promise<string | undefined> | string | undefined;
}

const MIB = 1024 * 1024;

/** How much a kind of attack may take, whatever it finds. */
export interface AttackBounds {
  /** For one try. */
  readonly seconds: number;
  /** For the kind. */
  readonly megabytes: number;
}

/** Makes every try of a kind, one after the other; one that takes too long or too much memory got through as well. */
export async function tallyAttack(
  kind: string,
  tries: readonly AttackTry[],
  bounds: AttackBounds,
): Promise<AttackTally> {
  const survivors: string[] = [];
  const began = performance.now();
  const before = process.memoryUsage().rss;
  let peak = before;
  const look = setInterval(() => {
    peak = Math.max(peak, process.memoryUsage().rss);
  }, 50);
  let worst: AttackTally['worst'];
  for (const { name, run } of tries) {
    const started = performance.now();
    let through: string | undefined;
    try {
      through = await run();
    } catch (error) {
      through = `an error of ours: ${String(error).split('\n')[0]}`;
    }
    peak = Math.max(peak, process.memoryUsage().rss);
    const seconds = (performance.now() - started) / 1000;
    if (worst === undefined || seconds > worst.seconds) worst = { name, seconds };
    if (through === undefined && seconds > bounds.seconds) through = `took ${Math.round(seconds)} s`;
    if (through !== undefined) survivors.push(`${name}: ${through}`);
  }
  clearInterval(look);
  const megabytes = Math.round((peak - before) / MIB);
  if (megabytes > bounds.megabytes) survivors.push(`memory: ${megabytes} MiB held`);
  return { kind, tries: tries.length, survivors, seconds: (performance.now() - began) / 1000, megabytes, worst };
}

/** Every n-th of a list, so that a sample is the same each time. */
export function sampleOf<T>(all: readonly T[], every: number): T[] {
  return all.filter((_, index) => index % every === 0);
}
