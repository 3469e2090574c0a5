import { stripVTControlCharacters } from 'node:util';
import { ApiReply } from '#client';
import { currentAttribution } from './attribution.ts';
import { noteConclusion } from './conclusions.ts';
import { describeValueDifference, writeValue } from './value-difference.ts';

/** An expectation that was not met, as it was said. */
export interface MatcherFailure {
  readonly matcher: string;
  /** Whether it was said with `not`. */
  readonly isNot: boolean;
  readonly actual: unknown;
  readonly args: readonly unknown[];
  /** What was said beside it, as in `expect(reply, 'GW-CAP-03')`. */
  readonly about: string | undefined;
  /** What a matcher of ours says of both sides. */
  readonly sides: { readonly expected: string; readonly actual: string } | undefined;
}

/** A failed expectation as words for a report. */
export interface DescribedMatcher {
  readonly expected: string;
  readonly actual: string;
  /** The exchange whose answer was judged, where it was an answer. */
  readonly exchange?: string;
}

const failures = new WeakMap<object, MatcherFailure>();

/** What is known of an error that an expectation threw; undefined for any other error. */
export function matcherFailureOf(error: unknown): MatcherFailure | undefined {
  return typeof error === 'object' && error !== null ? failures.get(error) : undefined;
}

/** An expectation's matchers, each of which leaves on record what it was asked when it fails. */
export function watchMatchers<T extends object>(
  matchers: T,
  said: Pick<MatcherFailure, 'actual' | 'about'>,
  isNot = false,
): T {
  return new Proxy(matchers, {
    get(target, key) {
      const member = (target as Record<string | symbol, unknown>)[key];
      if (typeof member === 'object' && member !== null)
        return watchMatchers(member, said, key === 'not' ? !isNot : isNot);
      if (typeof member !== 'function') return member;
      return (...args: unknown[]) => {
        noteConclusion(said.about ?? currentAttribution());
        const note = (error: unknown): never => {
          if (error instanceof Error && ('matcherResult' in error || (!isNot && isOfOtherKind(error)))) {
            const sides = 'matcherResult' in error ? sidesOf(error.matcherResult) : undefined;
            failures.set(error, { matcher: String(key), isNot, args, ...said, sides });
          }
          throw error;
        };
        try {
          const result: unknown = member.apply(target, args);
          return result instanceof Promise ? result.catch(note) : result;
        } catch (error) {
          return note(error);
        }
      };
    },
  });
}

/** Whether a matcher could not look at what came, a number where it wants text or nothing at all: then it is not what was to come either. */
function isOfOtherKind({ message }: Error): boolean {
  return /Matcher error.*received\S* value must/s.test(stripVTControlCharacters(message));
}

function sidesOf(result: unknown): MatcherFailure['sides'] {
  const { sides } = result as { sides?: MatcherFailure['sides'] };
  return sides;
}

/** Says of each matcher what it asks for. Those that compare whole values are told by what differs, below. */
const WORDS: Readonly<Record<string, (args: readonly string[]) => string>> = {
  toContain: ([one]) => `${one} among them`,
  toContainEqual: ([one]) => `${one} among them`,
  toMatch: ([one]) => `a text like ${one}`,
  toHaveLength: ([one]) => `${one} entries`,
  toHaveProperty: ([name, value]) => `a member ${name}${value === undefined ? '' : ` of ${value}`}`,
  toBeGreaterThan: ([one]) => `more than ${one}`,
  toBeGreaterThanOrEqual: ([one]) => `at least ${one}`,
  toBeLessThan: ([one]) => `less than ${one}`,
  toBeLessThanOrEqual: ([one]) => `at most ${one}`,
  toBeDefined: () => 'something',
  toBeUndefined: () => 'nothing',
  toBeNull: () => 'null',
  toBeTruthy: () => 'something true',
  toBeFalsy: () => 'nothing true',
  toBeInstanceOf: ([one]) => `a ${one}`,
  toThrow: ([one]) => (one === undefined ? 'a refusal' : `a refusal that says ${one}`),
};

/**
 * Says in words what a failed expectation asked for and what it met.
 * @param write is given every text before it is cut
 */
export function describeMatcher(failure: MatcherFailure, write: (text: string) => string): DescribedMatcher {
  const { matcher, isNot, actual, args, sides } = failure;
  const { expected, actual: came } = sides ?? sidesInWords(failure, write);
  const met = matcher === 'toHaveLength' ? `${(actual as { length?: number } | undefined)?.length} entries` : came;
  return {
    expected: isNot ? `anything but ${expected}` : expected,
    actual: isNot && sides === undefined && args.length > 0 && expected === came ? 'just that' : write(met),
    ...(actual instanceof ApiReply && actual.exchange !== '' ? { exchange: actual.exchange } : {}),
  };
}

function sidesInWords(
  { matcher, isNot, actual, args }: MatcherFailure,
  write: (text: string) => string,
): { expected: string; actual: string } {
  const words = WORDS[matcher];
  if (words !== undefined)
    return { expected: words(args.map((one) => writeValue(one, write))), actual: writeValue(actual, write) };
  if (/^to(?:Be|Equal|StrictEqual|MatchObject)$/.test(matcher) && !isNot)
    return describeValueDifference(args[0], actual, { subset: matcher === 'toMatchObject', write });
  return {
    expected: args.map((one) => writeValue(one, write)).join(', ') || matcher,
    actual: writeValue(actual, write),
  };
}
