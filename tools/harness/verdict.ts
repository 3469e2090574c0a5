import { stripVTControlCharacters } from 'node:util';
import type { TestInfo } from '@playwright/test';
import { NoAnswerError, PromiseFinding, UnarrangedError, UnofferedError, UnseenError } from '#client';
import { projectContract } from '#contract';
import type { CheckLine, Failure, FindingClauses, Recorder } from '#evidence';
import { attributedRule } from './attribution.ts';
import { describeMatcher, matcherFailureOf } from './matcher-failure.ts';
import { tellFinding, tellMatcher } from './matcher-sentence.ts';

/** A check whose body and fixtures are done. */
export interface FinishedCheck {
  /** Everything thrown, as it was thrown. */
  readonly thrown: readonly unknown[];
  readonly status: TestInfo['status'];
  readonly recorder: Recorder;
  /** Rules that the check claims. */
  readonly claimed: ReadonlySet<string>;
  /** Rules that something was held against; undefined among them where no rule was named. */
  readonly concluded: ReadonlySet<string | undefined>;
}

type Judgement = Pick<CheckLine, 'outcome' | 'failures'> & Partial<Pick<CheckLine, 'reason' | 'unjudged'>>;

/** Lines of a foreign error that say enough. */
const LINES = 3;

/**
 * What became of a check: a failed expectation or a finding is the API's doing, anything else is ours. Violations charged to a rule
 * the check claims are findings; those charged to other rules are left to their own rows.
 */
export function judgeCheck(check: FinishedCheck): Judgement {
  const { thrown, status, recorder, claimed } = check;
  const write = (text: string) => recorder.redact(text);
  const charged = recorder.violations
    .filter(({ rule }) => claimed.has(rule))
    .map(
      ({ rule, expected, actual, where, exchange }): Failure => ({
        message: `the answer breaks its schema at ${where || 'the top'}`,
        expected,
        actual,
        clauses: {
          should: `the promise calls for ${expected} at ${where || 'the top of the answer'}`,
          did: `what came was ${actual}`,
        },
        exchange,
        rule,
      }),
    );
  const failures = [...charged, ...thrown.flatMap((error) => describeFinding(error, claimed, write) ?? [])].map(
    (one) => ({ ...(recorder.count === 0 ? {} : { exchange: `${recorder.check}.${recorder.count}` }), ...one }),
  );
  // What it saw until then is on record; what it would have concluded, nobody knows.
  if (status === 'interrupted') return broken('interrupted', 'the run was ended before the check was');
  if (failures.length > 0) return { outcome: 'fail', failures };
  if (status === 'timedOut') return broken('timeout', 'the check did not end in time');
  const [ours] = thrown;
  if (ours === undefined) return judgePass(check);
  if (ours instanceof UnofferedError)
    return { outcome: 'skipped', reason: { code: ours.code, text: write(ours.message) }, failures: [] };
  if (ours instanceof UnseenError)
    return { outcome: 'skipped', reason: { code: 'unseen', text: write(ours.message) }, failures: [] };
  if (ours instanceof UnarrangedError) return broken('arrange', write(ours.message));
  if (ours instanceof NoAnswerError) return broken('unreachable', write(ours.message));
  return broken('defect', write(stripVTControlCharacters(String(ours)).split('\n').slice(0, LINES).join(' ')));
}

/**
 * A check that nothing stopped. It passes for a rule only when something was held against that rule: an expectation that named it, or
 * one that named none, or the contract itself at the place where the rule stands. A loop over nothing holds nothing.
 */
function judgePass({ recorder, claimed, concluded }: FinishedCheck): Judgement {
  if (recorder.asked > 0 && recorder.answered === 0) return broken('unreachable', 'no request was answered');
  const { rules } = projectContract();
  // What was said beside an expectation may be no rule but words on what it looks at.
  const forAll = [...concluded].some((one) => one === undefined || !rules.has(one));
  const isJudged = (rule: string) => forAll || concluded.has(rule) || recorder.placesMet.has(rules.get(rule)?.at ?? '');
  const unjudged = [...claimed].flatMap((rule): NonNullable<CheckLine['unjudged']>[number][] => {
    if (!isJudged(rule)) return [{ rule, code: 'unseen', text: 'nothing came that could be held against it' }];
    const part = recorder.partsLeftOut.find((one) => one.rule === undefined || one.rule === rule);
    return part === undefined ? [] : [{ rule, code: 'partly', text: part.text }];
  });
  const [first] = unjudged;
  if (first !== undefined && unjudged.length === claimed.size)
    return { outcome: 'skipped', reason: { code: first.code, text: first.text }, failures: [] };
  return { outcome: 'pass', failures: [], ...(unjudged.length === 0 ? {} : { unjudged }) };
}

function broken(code: NonNullable<CheckLine['reason']>['code'], text: string): Judgement {
  return { outcome: 'broken', reason: { code, text } as NonNullable<CheckLine['reason']>, failures: [] };
}

/**
 * What an error says the API got wrong; undefined for an error that is ours. An expectation of a check that claims several rules may
 * say which of them it is about, as in `expect(reply, 'GW-CAP-03')`, and so may a finding: it is charged to that one, else to all.
 * @param write takes secrets out of every text
 */
export function describeFinding(
  error: unknown,
  claimed: ReadonlySet<string>,
  write: (text: string) => string,
): Failure | undefined {
  const named = typeof error === 'object' && error !== null ? attributedRule(error) : undefined;
  const charge = (rule: string | undefined) => {
    const known = [named, rule].find((one) => one !== undefined && claimed.has(one));
    return known === undefined ? {} : { rule: known };
  };
  if (error instanceof PromiseFinding) {
    const [expected, actual] = [write(error.expected), write(error.actual)];
    const { rule, exchange } = error;
    return {
      message: `expected ${expected}; got ${actual}`,
      expected,
      actual,
      clauses: writeClauses(error.clauses ?? tellFinding(expected, actual), write),
      ...(exchange === undefined ? {} : { exchange }),
      ...charge(rule),
    };
  }
  const failure = matcherFailureOf(error);
  // An expectation that was not put through ours, a soft one among them, has its text and no more.
  if (failure === undefined)
    return error instanceof Error && 'matcherResult' in error
      ? { message: write(stripVTControlCharacters(error.message)), ...charge(undefined) }
      : undefined;
  const described = describeMatcher(failure, write);
  const { expected, actual, exchange } = described;
  const { about } = failure;
  const rule = charge(about);
  // What is said beside an expectation is a rule, or words on what it looks at.
  const subject = about === undefined || about === rule.rule ? '' : `${write(about)}: `;
  return {
    message: `${subject}expected ${expected}; got ${actual}`,
    expected: `${subject}${expected}`,
    actual,
    clauses: writeClauses(
      tellMatcher(failure, {
        ...described,
        expected: `${expected}${subject === '' ? '' : ` (${subject.slice(0, -2)})`}`,
      }),
      write,
    ),
    ...(exchange === undefined ? {} : { exchange }),
    ...rule,
  };
}

/** Clauses without secrets. */
function writeClauses({ after, should, did }: FindingClauses, write: (text: string) => string): FindingClauses {
  return {
    ...(after === undefined ? {} : { after: after.map(write) }),
    ...(should === undefined ? {} : { should: write(should) }),
    ...(did === undefined ? {} : { did: write(did) }),
  };
}
