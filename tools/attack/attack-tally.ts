import { readFileSync, writeFileSync } from 'node:fs';

/** What one kind of attack came to. */
export interface AttackTally {
  readonly kind: string;
  readonly tries: number;
  /** Tries that got through, each by its name; empty when everything held. */
  readonly survivors: readonly string[];
  readonly seconds: number;
  /** Most memory that this process held, in MiB, above what it held before. */
  readonly megabytes: number;
  /** The try that took longest, in seconds, and the one during which most memory was held. */
  readonly longest?: { readonly name: string; readonly seconds: number } | undefined;
  readonly heaviest?: { readonly name: string; readonly megabytes: number } | undefined;
}

/** One try: undefined when it was held off, else what got through. */
export interface AttackTry {
  readonly name: string;
  readonly run: () => Promise<string | undefined> | string | undefined;
}

/** How much a kind of attack may take, whatever it finds. */
export interface AttackBounds {
  /** Seconds for one try, waiting included. */
  readonly seconds: number;
  /** Seconds of work of this process for one try, the same on a machine that is busy with others. */
  readonly work: number;
  /** For the kind. */
  readonly megabytes: number;
}

const MIB = 1024 * 1024;

/**
 * Makes every try of a kind, one after the other; one that takes too long or too much memory got through as well.
 * @param say told of each that got through, as it does
 */
export async function tallyAttack(
  kind: string,
  tries: readonly AttackTry[],
  bounds: AttackBounds,
  say: (text: string) => void,
): Promise<AttackTally> {
  const survivors: string[] = [];
  const began = performance.now();
  takeMemoryPeak();
  const before = process.memoryUsage().rss;
  let longest: AttackTally['longest'];
  let heaviest: AttackTally['heaviest'];
  for (const { name, run } of tries) {
    const started = performance.now();
    const worked = process.cpuUsage();
    let through: string | undefined;
    try {
      through = await run();
    } catch (error) {
      through = `an error of ours: ${String(error).split('\n')[0]}`;
    }
    const seconds = (performance.now() - started) / 1000;
    const { user, system } = process.cpuUsage(worked);
    const megabytes = Math.max(0, Math.round((takeMemoryPeak() - before) / MIB));
    if (longest === undefined || seconds > longest.seconds) longest = { name, seconds };
    if (heaviest === undefined || megabytes > heaviest.megabytes) heaviest = { name, megabytes };
    const work = (user + system) / 1e6;
    if (seconds > bounds.seconds) through ??= `took ${Math.round(seconds)} s`;
    if (work > bounds.work) through ??= `kept this process busy for ${Math.round(work)} s`;
    if (through === undefined) continue;
    survivors.push(`${name}: ${through}`);
    say(`  got through: ${name}: ${through}`);
  }
  const megabytes = heaviest?.megabytes ?? 0;
  if (megabytes > bounds.megabytes) survivors.push(`memory: ${megabytes} MiB held at ${heaviest?.name}`);
  const seconds = (performance.now() - began) / 1000;
  return { kind, tries: tries.length, survivors, seconds, megabytes, longest, heaviest };
}

/** Most memory that this process held since the last call, in bytes, also while it was too busy to look; without Linux what it holds now. */
export function takeMemoryPeak(): number {
  try {
    const peak = /^VmHWM:\s+(\d+) kB/m.exec(readFileSync('/proc/self/status', 'utf8'))?.[1];
    writeFileSync('/proc/self/clear_refs', '5');
    return Number(peak) * 1024;
  } catch {
    return process.memoryUsage().rss;
  }
}

/** Every n-th of a list, so that a sample is the same each time. */
export function sampleOf<T>(all: readonly T[], every: number): T[] {
  return all.filter((_, index) => index % every === 0);
}
