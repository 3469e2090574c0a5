import type { Line } from '#evidence';
import type { ChecksOf } from './impact.ts';
import { ImpactFollower, registeredId } from './impact.ts';
import type { SpecPair } from './read/sides.ts';
import { type ReadersOf, weighRemovals, weighStability } from './removals.ts';
import { type BodySearch, BodySearcher } from './replay/search.ts';
import type { ChangeWaiver, JudgedChange } from './result.ts';
import type { ChangeLevel, SpecChange } from './types.ts';

/** Bodies tried for a change that structure cannot settle, and for one that only wants an example. */
const THOROUGH = 1000;
const BRIEF = 200;
/** So many changed bodies are looked in, and for so many changes that structure settles an example is looked for. */
const MOST_BODIES = 60;
const MOST_EXAMPLES = 40;
/** Fewer bodies than this settle nothing. */
const FEWEST = 100;

/** What judging the changes of one pair needs. */
export interface JudgingContext {
  readonly lines: readonly Line[] | undefined;
  readonly checksOf: ChecksOf;
  readonly waivers: readonly ChangeWaiver[];
  readonly today: string;
  readonly seed: number;
  readonly readersOf: ReadersOf;
}

/** The changes of one pair, judged; the searches over whole bodies; and why there were none. */
export interface JudgedPair {
  readonly changes: readonly JudgedChange[];
  readonly searches: readonly BodySearch[];
  readonly unsearched?: string;
  readonly follower: ImpactFollower;
}

/** Settles, follows and excuses each change. */
export function judgeChanges(pair: SpecPair, changes: readonly SpecChange[], court: JudgingContext): JudgedPair {
  const follower = new ImpactFollower(pair, court.lines, court.checksOf);
  let unsearched: string | undefined;
  let examples = 0;
  const attempt = <T>(search: () => T): T | undefined => {
    try {
      return search();
    } catch (error) {
      unsearched ??= (error as Error).message;
      return undefined;
    }
  };
  const searcher = attempt(() => new BodySearcher(pair));
  const judged = changes.map((change): JudgedChange => {
    const wanted =
      registeredId(change) === undefined &&
      (change.level === 'unclear' || (change.level === 'breaking' && examples < MOST_EXAMPLES));
    if (wanted && change.level === 'breaking') examples += 1;
    const bodies = change.level === 'unclear' ? THOROUGH : BRIEF;
    const search = wanted ? attempt(() => searcher?.because(change, { seed: court.seed, bodies })) : undefined;
    const waiver = court.waivers.find(({ fingerprint }) => fingerprint === change.fingerprint);
    return {
      ...change,
      ...(registeredId(change) === undefined ? settle(change.level, search) : { level: change.level }),
      api: pair.api,
      classified: change.level,
      ...(search === undefined ? {} : { search }),
      impact: follower.follow(change),
      ...(waiver === undefined
        ? {}
        : { waiver: { ...waiver, state: court.today <= waiver.until ? 'in force' : 'expired' } as const }),
    };
  });
  const searches = attempt(() => searcher?.all({ seed: court.seed, bodies: BRIEF }, MOST_BODIES)) ?? [];
  const left = (searcher?.bodies ?? 0) - searches.length;
  if (left > 0)
    unsearched ??= `${left} of ${left + searches.length} changed bodies were left out, since there are so many`;
  const { lines, readersOf, today } = court;
  const weighed = weighStability(weighRemovals(judged, { pair, follower, lines, readersOf, today }), pair);
  return { changes: weighed, searches, follower, ...(unsearched === undefined ? {} : { unsearched }) };
}

/** What searching says about a change that structure alone could not place. */
function settle(level: ChangeLevel, search: BodySearch | undefined): Pick<JudgedChange, 'level' | 'settled'> {
  if (level !== 'unclear') return { level };
  if (search?.counterexample)
    return { level: 'breaking', settled: 'Structure could not tell; a body was found on which the two part.' };
  const tried = (search?.bodies ?? 0).toLocaleString('en-US');
  if (search === undefined || search.bodies < FEWEST)
    return { level, settled: `Structure cannot tell, and ${tried} bodies are too few to settle it.` };
  return { level: 'risky', settled: `Structure cannot tell; no counterexample in ${tried} bodies.` };
}
