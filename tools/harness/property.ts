import type { TestInfo } from '@playwright/test';
import fc from 'fast-check';
import { PromiseFinding, UnarrangedError } from '#client';
import type { TriedPropertyLine } from '#evidence';
import { nameFile } from '#folders';
import { attributedRule } from './attribution.ts';
import { annotateCheck, readCheckAnnotations } from './check-annotations.ts';
import { startStory } from './check-story.ts';
import { PropertyMarathon } from './marathon.ts';
import { describeMatcher, matcherFailureOf } from './matcher-failure.ts';
import { tellMatcher } from './matcher-sentence.ts';
import { readSettings } from './settings.ts';

/** How to run a property. */
export interface PropertyOptions<Drawn = unknown> {
  readonly runs: number;
  /** Works a case through for the record, step by step. */
  readonly explain?: (drawn: Drawn) => readonly PropertyStep[];
  /** Path to one case, from an earlier record; default `ASSAY_PATH`. */
  readonly path?: string;
}

/** A step on the way of a drawn case, and what it gave. */
export interface PropertyStep {
  readonly name: string;
  readonly value: string;
}

/** Characters of the example that is kept of a property, and how many cases it is chosen among. */
const EXAMPLE = 160;
const CHOSEN_AMONG = 40;

/** Cases that are tried in one go. */
const MOST_AT_ONCE = 5000;
/** Longest that a timer takes, in milliseconds. */
const LONGEST = 2 ** 31 - 1;

/** A property that was tried, and what broke it. */
export interface TriedProperty {
  readonly seed: number;
  readonly runs: number;
  /** The way to the failing case, for `ASSAY_PATH`. */
  readonly path?: string;
  /** The failing case, as small as it could be made. */
  readonly case?: string;
  /** What the failing case threw, or returned `false` for. */
  readonly broke?: { readonly cause: unknown };
}

/** How to see one case again: `ASSAY_PATH` holds its path and, for a sequence of steps, which of them were taken: `<path>@<steps>`. */
function again(path = process.env.ASSAY_PATH): { path?: string; replayPath?: string } {
  const [whole, steps] = path?.split('@') ?? [];
  return { ...(whole ? { path: whole } : {}), ...(steps ? { replayPath: steps } : {}) };
}

/** Option of `fc.commands` that lets a sequence be seen again. */
export function replayOptions(): { replayPath?: string } {
  const { replayPath } = again();
  return replayPath === undefined ? {} : { replayPath };
}

/**
 * Tries a property with the seed of the run and puts seed, number of runs and, when it fails, path and shrunk case on the record.
 * `ASSAY_RUNS` says how often instead. In a proof, which looks at nothing but the failure, no case is shrunk.
 * @throws UnarrangedError when there was no time for a single case
 */
export async function tryProperty<Drawn extends unknown[]>(
  info: TestInfo,
  name: string,
  property: fc.IRawProperty<Drawn>,
  manner: PropertyOptions<Drawn>,
): Promise<TriedProperty> {
  const { proof, marathon, ...settings } = readSettings();
  const { ASSAY_RUNS } = process.env;
  const { path } = again(manner.path);
  const runs = Number(ASSAY_RUNS ?? manner.runs);
  if (ASSAY_RUNS !== undefined) info.setTimeout(Math.min(info.timeout + runs * 2000, LONGEST));
  const began = performance.now();
  const cases = new ExampleChoice<Drawn>(proof === undefined);
  const told = tellingEachCase(property, cases);
  const outcome =
    marathon === undefined || path !== undefined
      ? await tryOnce()
      : await runMarathon(told, openMarathon(), info.timeout);
  const { result, seed } = outcome;
  const found = result.counterexample?.map((one) => fc.stringify(one)).join(', ');
  // fast-check writes the steps of a sequence as a comment behind it, and nowhere else.
  const [comment = '', steps] = /\s*\/\*replayPath="([^"]*)"\*\//.exec(found ?? '') ?? [];
  const shrunk = found?.replace(comment, '');
  const way = `${result.counterexamplePath ?? ''}${steps === undefined ? '' : `@${steps}`}`;
  const tried = {
    seed,
    runs: outcome.tried,
    ...(way === '' ? {} : { path: way }),
    ...(shrunk === undefined ? {} : { case: shrunk }),
  };
  const duration = Math.round(performance.now() - began);
  const example = cases.describe(manner.explain);
  info.annotations.push(annotateCheck('property', JSON.stringify({ name, ...tried, duration, ...example })));
  if (!result.failed || (result.counterexample === null && result.numRuns > 0)) return tried;
  if (result.counterexample === null) throw new UnarrangedError(`no time to try whether ${name}`);
  return { ...tried, broke: { cause: result.errorInstance } };

  async function tryOnce() {
    const { seed } = settings;
    // The same cases in one go would be held in memory until the last of them.
    for (let tried = 0; ; ) {
      const result = await fc.check(told, {
        seed,
        numRuns: Math.min(runs - tried, MOST_AT_ONCE),
        endOnFailure: proof !== undefined,
        // No case that is tried after this, to shrink a failure, may cost the check its time.
        skipAllAfterTimeLimit: info.timeout * 0.6,
        ...(tried === 0 ? {} : { path: String(tried) }),
        ...(path === undefined ? {} : { path }),
      });
      tried += result.numRuns;
      if (result.failed || result.numRuns === 0 || tried >= runs || path !== undefined) return { result, seed, tried };
    }
  }

  function openMarathon() {
    const { file = nameFile(info.file) } = readCheckAnnotations(info);
    const place = [file, info.title, name];
    const goal = { seed: settings.seed, goal: runs, milliseconds: marathon!.milliseconds };
    return new PropertyMarathon(marathon!.folder, place, goal);
  }
}

/** Tries a property stretch by stretch, until one breaks it or no more is asked for. @param timeout of the check, in milliseconds */
async function runMarathon<Drawn extends unknown[]>(
  property: fc.IRawProperty<Drawn>,
  marathon: PropertyMarathon,
  timeout: number,
) {
  let tried = 0;
  let last: { result: fc.RunDetails<Drawn>; seed: number; tried: number } | undefined;
  for (const { seed, from, count, isKept } of marathon.stretches()) {
    let nth = from;
    const seeing = tellingEach(property, (drawn) => {
      if (!isKept) marathon.see(nth, drawn.map((one) => fc.stringify(one)).join());
      nth += 1;
    });
    const result = await fc.check(seeing, {
      seed,
      path: String(from),
      numRuns: count,
      skipAllAfterTimeLimit: timeout * 0.6,
    });
    tried += result.numRuns;
    last = { result, seed, tried };
    if (!result.failed) continue;
    // What it was shrunk to is found again from it.
    const [first] = result.counterexamplePath?.split(':') ?? [];
    if (first !== undefined) marathon.keepFailure(seed, Number(first));
    break;
  }
  marathon.finish();
  return last!;
}

/** The property, with what is told of a failure beginning anew at every case. */
function tellingEachCase<Drawn>(property: fc.IRawProperty<Drawn>, cases: ExampleChoice<Drawn>): fc.IRawProperty<Drawn> {
  return tellingEach(property, (drawn) => {
    startStory();
    cases.consider(drawn);
  });
}

/** The property, with somebody who hears of each case before it is tried. */
function tellingEach<Drawn>(property: fc.IRawProperty<Drawn>, hear: (drawn: Drawn) => void): fc.IRawProperty<Drawn> {
  return new Proxy(property, {
    get: (own, key) => {
      if (key !== 'run') return Reflect.get(own, key, own);
      return (drawn: Drawn) => {
        hear(drawn);
        return own.run(drawn);
      };
    },
  });
}

/** The case that shows most among the first ones: of letters that a reader knows, and the longest that still can be read. */
class ExampleChoice<Drawn> {
  #left: number;
  #best: { drawn: Drawn; text: string; isPlain: boolean } | undefined;

  constructor(isWanted: boolean) {
    this.#left = isWanted ? CHOSEN_AMONG : 0;
  }

  consider(drawn: Drawn): void {
    if (this.#left === 0) return;
    this.#left -= 1;
    const text = (drawn as readonly unknown[]).map((one) => fc.stringify(one)).join(', ');
    const isPlain = /^[ -~]*$/.test(text) && !/\\[ux]/.test(text);
    const best = this.#best;
    const isBetter =
      best === undefined ||
      (isPlain !== best.isPlain ? isPlain : text.length > best.text.length && text.length <= EXAMPLE);
    if (isBetter) this.#best = { drawn, text, isPlain };
  }

  /** The example for the record; of a sequence its steps, without what fast-check writes behind them. */
  describe(explain?: (drawn: Drawn) => readonly PropertyStep[]): { example?: TriedPropertyLine['example'] } {
    if (this.#best === undefined) return {};
    const { drawn, text } = this.#best;
    const shown = text.replace(/\s*\/\*replayPath="[^"]*"\*\//, '');
    const cut = shown.length > 4 * EXAMPLE ? `${shown.slice(0, 4 * EXAMPLE)}…` : shown;
    return { example: { case: cut, ...(explain && { steps: explain(drawn) }) } };
  }
}

/**
 * As {@link tryProperty}, for what a check claims of the API.
 * @throws PromiseFinding with the shrunk case when the API breaks the property; what stopped the arrangement as it is
 */
export async function assertProperty<Drawn extends unknown[]>(
  info: TestInfo,
  name: string,
  property: fc.IRawProperty<Drawn>,
  manner: PropertyOptions<Drawn>,
): Promise<void> {
  const { seed, path = '', case: shrunk, broke } = await tryProperty(info, name, property, manner);
  if (broke === undefined) return;
  const { cause } = broke;
  const where = `(seed ${seed}, path ${path}, case ${shrunk})`;
  if (cause instanceof PromiseFinding)
    throw new PromiseFinding(cause.expected, `${cause.actual} ${where}`, cause.rule, cause.exchange);
  const failure = matcherFailureOf(cause);
  if (failure !== undefined) {
    // Secrets are taken out where the finding is written down, before anything is cut.
    const described = describeMatcher(failure, (text) => text);
    const { expected, actual, exchange } = described;
    const rule = attributedRule(cause as object) ?? failure.about;
    const finding = new PromiseFinding(`${name}: ${expected}`, `${actual} ${where}`, rule, exchange);
    const {
      should = `it should have held that ${name}`,
      did = 'it did not',
      ...told
    } = tellMatcher(failure, described);
    finding.clauses = { ...told, should, did: `${did} (seed ${seed}, path ${path} give the case back: ${shrunk})` };
    throw finding;
  }
  if (cause instanceof Error) throw cause;
  throw new PromiseFinding(name, `a case that breaks it ${where}`);
}
