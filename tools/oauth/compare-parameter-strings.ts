import type { DifferenceCause } from './difference-causes.ts';
import { type EncodedPairs, SIGNING_MISTAKES, type SigningMistake } from './signing-mistakes.ts';
import type { ParameterPair, SigningSteps, StepName } from './types.ts';
import { byNameThenValue } from './write-parameter-string.ts';

/** Where two parameter strings part, and why. */
export interface StepMismatch {
  readonly step: StepName;
  readonly cause: DifferenceCause;
  readonly also: readonly DifferenceCause[];
  readonly expected: string;
  readonly actual: string;
}

/**
 * Why a parameter string departs from ours: the smallest set of known mistakes that explains it in full, or else the first
 * parameter that differs (RFC 5849 section 3.4.1.3).
 */
export function compareParameterStrings(steps: SigningSteps, theirs: string): StepMismatch {
  const mine = split(steps.parameterString);
  const other = split(theirs);
  const [expected, actual] = firstDifference(mine, other);
  if (same(sorted(mine), sorted(other)))
    return { step: 'parameterString', cause: 'parameter-order', also: [], expected, actual };
  const sides: PairSides = { ours: mine, theirs: other };
  const guilty = smallestExplanation(
    suspects(sides, steps),
    sides,
    (mistake, before) => mend(mistake, before, steps),
    ({ ours, theirs }) => ours.length === theirs.length && same(sorted(ours), sorted(theirs)),
  );
  if (!guilty) return singleOut(sorted(mine), sorted(other));
  const [cause, ...also] = guilty.map((mistake) => mistake.cause);
  if (!same(other, sorted(other))) also.push('parameter-order');
  if (cause !== 'query-not-folded-in') return { step: 'parameterString', cause: cause!, also, expected, actual };
  return { step: 'query', cause, also, ...onlyIn(mine, other) };
}

interface PairSides {
  readonly ours: EncodedPairs;
  readonly theirs: EncodedPairs;
}

/** The mistakes that would make any difference here; trying sets of all of them takes long. */
function suspects(sides: PairSides, steps: SigningSteps): SigningMistake[] {
  return SIGNING_MISTAKES.filter((mistake) => mend(mistake, sides, steps) !== undefined);
}

function mend(
  { ours: make, theirs: undo }: SigningMistake,
  sides: PairSides,
  steps: SigningSteps,
): PairSides | undefined {
  const ours = make?.(sides.ours, steps) ?? sides.ours;
  const theirs = undo?.(sides.theirs) ?? sides.theirs;
  return same(ours, sides.ours) && same(theirs, sides.theirs) ? undefined : { ours, theirs };
}

/**
 * The smallest set of at most three mistakes that makes two sides equal, the earlier ones first.
 * @param undo undoes one mistake; undefined when that changes nothing: with it a set gives what was tried without it
 */
export function smallestExplanation<Mistake, Sides>(
  mistakes: readonly Mistake[],
  sides: Sides,
  undo: (mistake: Mistake, sides: Sides) => Sides | undefined,
  isMended: (sides: Sides) => boolean,
): readonly Mistake[] | undefined {
  let tried: { chosen: readonly Mistake[]; sides: Sides; next: number }[] = [{ chosen: [], sides, next: 0 }];
  for (let size = 1; size <= 3; size += 1) {
    const larger: typeof tried = [];
    for (const { chosen, sides: before, next } of tried) {
      for (let at = next; at < mistakes.length; at += 1) {
        const after = undo(mistakes[at]!, before);
        if (after === undefined) continue;
        const set = [...chosen, mistakes[at]!];
        if (isMended(after)) return set;
        larger.push({ chosen: set, sides: after, next: at + 1 });
      }
    }
    tried = larger;
  }
  return undefined;
}

function singleOut(mine: EncodedPairs, other: EncodedPairs): StepMismatch {
  const { expected, actual } = onlyIn(mine, other);
  const [missing, added] = [expected.split('&')[0]!, actual.split('&')[0]!];
  if (!missing) return { step: 'parameters', cause: 'parameter-added', also: [], expected: '', actual: added };
  const name = missing.slice(0, missing.indexOf('='));
  const changed = other
    .filter(([each]) => each === name)
    .map(join)
    .find((pair) => actual.split('&').includes(pair));
  if (changed === undefined)
    return { step: 'parameters', cause: 'parameter-missing', also: [], expected: missing, actual: '' };
  return { step: 'parameters', cause: 'parameter-changed', also: [], expected: missing, actual: changed };
}

function onlyIn(mine: EncodedPairs, other: EncodedPairs): { expected: string; actual: string } {
  const lacking = (from: EncodedPairs, pairs: EncodedPairs) => {
    const left = pairs.map(join);
    return from
      .map(join)
      .filter((pair) => left.indexOf(pair) < 0 || !left.splice(left.indexOf(pair), 1))
      .join('&');
  };
  return { expected: lacking(mine, other), actual: lacking(other, mine) };
}

function firstDifference(mine: EncodedPairs, other: EncodedPairs): [string, string] {
  const [ours, theirs] = [mine.map(join), other.map(join)];
  const at = ours.findIndex((pair, index) => pair !== theirs[index]);
  return at < 0 ? ['', theirs[ours.length] ?? ''] : [ours[at]!, theirs[at] ?? ''];
}

function split(parameterString: string): ParameterPair[] {
  if (parameterString === '') return [];
  return parameterString.split('&').map((piece): ParameterPair => {
    const cut = piece.indexOf('=');
    return cut < 0 ? [piece, ''] : [piece.slice(0, cut), piece.slice(cut + 1)];
  });
}

function sorted(pairs: EncodedPairs): ParameterPair[] {
  return [...pairs].sort(byNameThenValue);
}

function same(mine: EncodedPairs, other: EncodedPairs): boolean {
  return (
    mine.length === other.length && mine.every(([name, value], at) => name === other[at]![0] && value === other[at]![1])
  );
}

function join([name, value]: ParameterPair): string {
  return `${name}=${value}`;
}
