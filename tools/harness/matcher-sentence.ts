import { ApiReply } from '#client';
import type { FindingClauses } from '#evidence';
import { type MeasuredMoney, measureOf, tellDeeds, writeMoney } from './check-story.ts';
import type { DescribedMatcher, MatcherFailure } from './matcher-failure.ts';

/** How far a sum may go, by the matcher that compares numbers. */
const BOUNDS: Readonly<Record<string, string>> = {
  toBe: '',
  toEqual: '',
  toBeLessThanOrEqual: 'no more than ',
  toBeLessThan: 'less than ',
  toBeGreaterThanOrEqual: 'at least ',
  toBeGreaterThan: 'more than ',
};

/**
 * The clauses of the sentence that tells a failed expectation to somebody who does not know the code: money as money, an answer as the
 * answer to what was asked, anything else by both sides as they are described.
 */
export function tellMatcher(failure: MatcherFailure, described: DescribedMatcher): FindingClauses {
  const after = tellDeeds();
  const { actual, isNot } = failure;
  const money = measureOf(actual);
  const told =
    (money && !isNot ? tellMoney(failure, money) : undefined) ??
    (actual instanceof ApiReply ? tellReply(actual, described) : undefined) ??
    (typeof actual === 'boolean' ? {} : tellSides(described.expected, described.actual));
  return { ...(after.length === 0 ? {} : { after }), ...told };
}

/** The clauses for what is described by both sides alone. */
export function tellFinding(expected: string, actual: string): FindingClauses {
  const after = tellDeeds();
  return { ...(after.length === 0 ? {} : { after }), ...tellSides(expected, actual) };
}

function tellSides(expected: string, actual: string): FindingClauses {
  return { should: `the promise calls for ${expected}`, did: `what came was ${actual}` };
}

function tellReply({ operation }: ApiReply, { expected, actual }: DescribedMatcher): FindingClauses {
  const answer = operation === undefined ? 'the answer' : `the answer to ${operation}`;
  return { should: `${answer} should have been ${expected}`, did: `it was ${actual}` };
}

function tellMoney({ matcher, args }: MatcherFailure, measured: MeasuredMoney): FindingClauses | undefined {
  const { became, currency, count, sum } = measured;
  const [wanted] = args as [number | { count?: number; sum?: number } | undefined];
  const bound = BOUNDS[matcher];
  const amount = typeof wanted === 'object' ? wanted.sum : wanted;
  if (bound === undefined || typeof amount !== 'number') return undefined;
  const times = typeof wanted === 'object' ? wanted.count : undefined;
  const should =
    amount === 0 && bound === ''
      ? `nothing should have been ${became}`
      : `${bound}${writeMoney(amount, currency)} should have been ${became}${inParts(times, count)}`;
  const did =
    sum === 0 && count === 0
      ? `the service ${became} nothing`
      : `the service ${became} ${writeMoney(sum, currency)}${inParts(count, times)}`;
  return { should, did };
}

/** In how many transactions, where that is what differs. */
function inParts(count: number | undefined, other: number | undefined): string {
  if (count === undefined || other === undefined || count === other) return '';
  return ` in ${count === 1 ? 'one transaction' : `${count} transactions`}`;
}
