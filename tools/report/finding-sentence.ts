import type { CheckLine, ExchangeLine, Failure, FindingClauses } from '#evidence';
import type { ExchangeHead } from './journal-index.ts';

/** What of a failure a sentence is made of. */
type FailureWords = Pick<Failure, 'message' | 'expected' | 'actual' | 'clauses'>;

/**
 * Tells a failure of a check in one sentence: after what was done, what should have come of it and what did. What was not compared but
 * only held or not is told by the title of the check.
 */
export function writeFailureSentence({ title }: Pick<CheckLine, 'title'>, failure: FailureWords): string {
  const { message, expected, actual, clauses } = failure;
  const told = clauses ?? sidesOf(expected, actual);
  if (told === undefined) return asSentence(message);
  const should = told.should ?? `it should have held that the service ${title}`;
  return asSentence(`${introduce(told.after)}${should}; ${told.did ?? 'it did not'}`);
}

/** Tells in one sentence where an answer breaks the contract. */
export function writeViolationSentence(
  { operation, direction }: Pick<ExchangeHead, 'operation' | 'direction'>,
  { where, expected, actual }: ExchangeLine['violations'][number],
): string {
  const message = direction === 'in' ? 'message' : 'answer to';
  const place = `${where === '' ? 'the body' : where.replace(/^header: /, 'the header ').replace(/^status$/, 'the status')}`;
  return asSentence(
    `in ${operation === undefined ? 'an answer' : `the ${message} ${operation}`} the contract calls for ${expected} at ${place}; what came was ${actual}`,
  );
}

function sidesOf(expected: string | undefined, actual: string | undefined): FindingClauses | undefined {
  if (expected === undefined || actual === undefined) return undefined;
  return { should: `the promise calls for ${expected}`, did: `what came was ${actual}` };
}

function introduce(after: readonly string[] | undefined): string {
  if (after === undefined || after.length === 0) return '';
  return `after ${[after.slice(0, -1).join(', '), after.at(-1)].filter(Boolean).join(' and ')}, `;
}

function asSentence(text: string): string {
  const trimmed = text.trim().replace(/[.;,]$/, '');
  return `${trimmed.charAt(0).toUpperCase()}${trimmed.slice(1)}.`;
}
