import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { replaceFile } from '#kept-files';

/** Where one property stands in a marathon, and which of its cases are worth a look first; the content of one file. */
export interface PropertyProgress {
  readonly name: string;
  /** The seed that cases are drawn from, and the first one that was not tried. */
  readonly seed: number;
  readonly next: number;
  readonly cases: readonly InterestingCase[];
}

/** A case that is tried before any other: by the seed and its number, so nothing of it is written down. */
export interface InterestingCase {
  readonly seed: number;
  /** How many cases are drawn before it: the path that fast-check takes. */
  readonly nth: number;
  /** It broke the property once, or is of a kind that is seldom drawn. */
  readonly why: 'failed' | 'rare';
}

/** A stretch of cases that is tried in one go. */
export interface CaseStretch {
  readonly seed: number;
  readonly from: number;
  readonly count: number;
  readonly isKept: boolean;
}

/** At most so many rare cases are kept of a property, and none before so many cases were seen: everything is rare at first. */
const MOST_RARE = 20;
const FIRST_SEEN = 1000;
/** A kind is rare that was drawn once, or less often than once in so many cases. */
const SELDOM = 2000;
const STRETCH = { first: 100, most: 5000, milliseconds: 1000 } as const;

/**
 * Takes one property through as many cases as are asked for, over as many runs as that takes: kept cases first, then from where the
 * last run with this seed stopped. Its file is written after each stretch, so that a run that is shot loses one.
 */
export class PropertyMarathon {
  readonly #file: string;
  readonly #name: string;
  readonly #seed: number;
  readonly #goal: number;
  readonly #until: number;
  #progress: PropertyProgress;
  readonly #kinds = new Map<string, { count: number; nth: number }>();
  #seen = 0;

  /**
   * @param folder where the files of all properties lie
   * @param place file and title of the check, and what the property says
   * @param milliseconds how long it may take; absent: until the goal is reached
   */
  constructor(folder: string, place: readonly string[], { seed, goal, milliseconds }: MarathonGoal) {
    this.#name = place.join(' > ');
    this.#file = join(folder, `${createHash('sha256').update(this.#name).digest('hex').slice(0, 12)}.json`);
    this.#seed = seed;
    this.#goal = goal;
    this.#until = milliseconds === undefined ? Number.POSITIVE_INFINITY : performance.now() + milliseconds;
    mkdirSync(folder, { recursive: true });
    const before = readProgress(this.#file);
    this.#progress = {
      name: this.#name,
      seed,
      next: before?.seed === seed ? before.next : 0,
      cases: before?.cases ?? [],
    };
  }

  /** Kept cases, then stretch after stretch until the goal is reached or the time is up; one of those at least. */
  *stretches(): Generator<CaseStretch> {
    for (const { seed, nth } of this.#progress.cases) yield { seed, from: nth, count: 1, isKept: true };
    const { first, most, milliseconds } = STRETCH;
    // One that has come to its goal is held for its first cases again: a check must not pass without any.
    let from = this.#progress.next < this.#goal ? this.#progress.next : 0;
    const end = from === 0 && this.#progress.next > 0 ? Math.min(first, this.#goal) : this.#goal;
    for (let count: number = first; from < end; ) {
      const began = performance.now();
      const own = Math.min(count, end - from);
      yield { seed: this.#seed, from, count: own, isKept: false };
      from += own;
      this.#keep({ next: Math.max(this.#progress.next, from) });
      if (performance.now() > this.#until) return;
      if (performance.now() - began < milliseconds) count = Math.min(2 * count, most);
    }
  }

  /** Notes what kind of case was drawn; called for each, in order. */
  see(nth: number, text: string): void {
    const kind = kindOf(text);
    const known = this.#kinds.get(kind);
    this.#seen += 1;
    if (known === undefined) this.#kinds.set(kind, { count: 1, nth });
    else known.count += 1;
  }

  /** Keeps a case that broke the property; it is tried first from then on. */
  keepFailure(seed: number, nth: number): void {
    this.#keep({ cases: joinCases([{ seed, nth, why: 'failed' }], this.#progress.cases) });
  }

  /** Keeps the rare ones of the cases that were seen. */
  finish(): void {
    if (this.#seen < FIRST_SEEN) return;
    const rare = [...this.#kinds.values()]
      .filter(({ count }) => count === 1 || count * SELDOM < this.#seen)
      .sort((a, b) => a.count - b.count || a.nth - b.nth)
      .map(({ nth }): InterestingCase => ({ seed: this.#seed, nth, why: 'rare' }));
    this.#keep({ cases: joinCases(this.#progress.cases, rare) });
  }

  #keep(change: Partial<PropertyProgress>): void {
    this.#progress = { ...this.#progress, ...change };
    replaceFile(this.#file, `${JSON.stringify(this.#progress, null, 1)}\n`);
  }
}

/** What a marathon is after. */
export interface MarathonGoal {
  readonly seed: number;
  /** Cases of each property, over all runs with this seed. */
  readonly goal: number;
  readonly milliseconds: number | undefined;
}

/** Each case once, failed ones first and all of them, rare ones up to a number. */
function joinCases(...lists: readonly (readonly InterestingCase[])[]): InterestingCase[] {
  const all = [
    ...new Map(
      lists
        .flat()
        .map((one) => [`${one.seed} ${one.nth}`, one] as const)
        .reverse(),
    ).values(),
  ];
  const of = (why: InterestingCase['why']) => all.filter((one) => one.why === why).reverse();
  return [...of('failed'), ...of('rare').slice(0, MOST_RARE)];
}

/** The kind of a case: how long it is written, and of what letters. */
function kindOf(text: string): string {
  const kinds = [
    /[a-z]/,
    /[A-Z]/,
    /\d/,
    /[-._~]/,
    /[!*'()]/,
    /%/,
    /[+&=?#/]/,
    /\s/,
    /\\u|\\x/,
    /[\u0080-\uffff]/,
    /[\u{10000}-\u{10ffff}]/u,
  ];
  return `${Math.ceil(Math.log2(text.length + 1))} ${kinds.map((kind) => Number(kind.test(text))).join('')}`;
}

/** What a file says; one that is damaged or not there says nothing. */
function readProgress(file: string): PropertyProgress | undefined {
  try {
    const { name, seed, next, cases } = JSON.parse(readFileSync(file, 'utf8')) as PropertyProgress;
    return Number.isInteger(next) && Array.isArray(cases) ? { name, seed, next, cases } : undefined;
  } catch {
    return undefined;
  }
}
