import { compareContents, compareWords } from './contents.ts';
import { compareElement, headersOf } from './parameters.ts';
import { type ComparisonScope, noteDifference, tellDifference } from './scope.ts';
import { entriesAt, type SpecSource, stableText } from './source.ts';

/** Compares the answers of an operation, status by status; a range or `default` stands in for the statuses it covers. */
export function compareAnswers(scope: ComparisonScope, operations: readonly [string, string]): void {
  const [a, b] = [statuses(scope.old, operations[0]), statuses(scope.new, operations[1])];
  const compared = new Set<string>();
  const compare = (one: string, other: string, status: string) => {
    compared.add(`${one} ${other}`);
    compareAnswer({ ...scope, status }, [a.get(one)!, b.get(other)!]);
  };
  for (const status of a.keys()) {
    if (b.has(status)) compare(status, status, status);
    else lostStatus({ ...scope, status }, status, a, b, compare);
  }
  for (const status of b.keys()) if (!a.has(status)) newStatus({ ...scope, status }, status, a, b, compare);
}

type Statuses = ReadonlyMap<string, string>;
type Compare = (one: string, other: string, status: string) => void;

function lostStatus(scope: ComparisonScope, status: string, a: Statuses, b: Statuses, compare: Compare): void {
  const named = { subject: `status ${status}`, place: 'status' };
  const at = [a.get(status), undefined] as const;
  const within = [...b.keys()].filter((other) => covers(status, other) && !a.has(other));
  const around = covering(status, b);
  if (around !== undefined) {
    compare(status, around, status);
    if (!a.has(around) && around !== 'default')
      tellDifference(
        scope,
        'answered',
        'status-range-widened',
        named,
        `Instead of status ${status} any of ${around} may come.`,
        [status, around],
        [at[0], b.get(around)],
      );
  } else if (within.length > 0) {
    tellDifference(
      scope,
      'answered',
      'status-range-narrowed',
      named,
      `Instead of any of ${status}, only ${within.join(', ')} may come.`,
      [status, within],
      at,
    );
  } else
    tellDifference(
      scope,
      'answered',
      isSuccess(status) ? 'success-status-removed' : 'error-status-removed',
      named,
      'There is no {} any more.',
      [status, undefined],
      at,
    );
}

function newStatus(scope: ComparisonScope, status: string, a: Statuses, b: Statuses, compare: Compare): void {
  const named = { subject: `status ${status}`, place: 'status' };
  const around = covering(status, a);
  if (around !== undefined) compare(around, status, status);
  else if (![...a.keys()].some((other) => covers(status, other) && !b.has(other)))
    tellDifference(
      scope,
      'answered',
      isSuccess(status) ? 'success-status-added' : 'error-status-added',
      named,
      'There is a {}.',
      [undefined, status],
      [undefined, b.get(status)],
    );
}

/** Whether a range or `default` (for failures) holds a status. */
const covers = (range: string, status: string) =>
  range !== status &&
  ((/^[1-5]XX$/.test(range) && range[0] === status[0] && status !== 'DEFAULT') ||
    (range === 'default' && !isSuccess(status)));

const covering = (status: string, among: Statuses) =>
  [`${status[0]}XX`, 'default'].find((range) => among.has(range) && covers(range, status));

const isSuccess = (status: string) => /^[123]/.test(status);

function statuses(source: SpecSource, operation: string): Map<string, string> {
  return new Map(
    entriesAt(source, `${operation}/responses`).map(([name, at]) => [
      /^\dxx$/i.test(name) ? name.toUpperCase() : name,
      source.find(at).pointer,
    ]),
  );
}

function compareAnswer(scope: ComparisonScope, at: readonly [string, string]): void {
  compareWords(scope, at, { subject: `status ${scope.status}`, place: 'status#' });
  compareHeaders(scope, at);
  const [a, b] = [entriesAt(scope.old, `${at[0]}/content`), entriesAt(scope.new, `${at[1]}/content`)];
  const named = { subject: 'the body', place: 'body' };
  const names = (list: typeof a) => list.map(([name]) => name).sort();
  if (a.length > 0 && b.length === 0)
    tellDifference(scope, 'answered', 'body-removed', named, 'There is no body any more.', [names(a), []], at);
  else if (a.length === 0 && b.length > 0)
    tellDifference(scope, 'answered', 'optional-body-added', named, 'There is a body.', [[], names(b)], at);
  else compareContents(scope, 'answered', at);
  const links = [scope.old.at(`${at[0]}/links`), scope.new.at(`${at[1]}/links`)] as const;
  if (stableText(links[0] ?? {}) !== stableText(links[1] ?? {}))
    noteDifference(
      scope,
      'links-changed',
      { subject: `status ${scope.status}`, place: 'links' },
      'The links of {} are different.',
      links,
      [`${at[0]}/links`, `${at[1]}/links`],
    );
}

function compareHeaders(scope: ComparisonScope, at: readonly [string, string]): void {
  const [a, b] = [headersOf(scope.old, at[0]), headersOf(scope.new, at[1])];
  for (const key of new Set([...a.keys(), ...b.keys()])) {
    const [one, other] = [a.get(key), b.get(key)];
    const named = { subject: `header ${(one ?? other)!.name}`, place: `header ${key}` };
    // Whether it comes is said per answer, so the answers are the spots: a shared header is not the cause.
    const ends = [one && `${at[0]}/headers`, other && `${at[1]}/headers`] as const;
    if (!one) {
      const kind = other?.required ? 'required-header-added' : 'optional-header-added';
      tellDifference(
        scope,
        'answered',
        kind,
        named,
        `There is a ${other?.required ? 'required' : 'optional'} {}.`,
        [undefined, key],
        ends,
      );
    } else if (!other) {
      const kind = one.required ? 'required-header-removed' : 'optional-header-removed';
      tellDifference(
        scope,
        'answered',
        kind,
        named,
        `There is no {} any more; it was ${one.required ? 'required' : 'optional'}.`,
        [key, undefined],
        ends,
      );
    } else {
      const spots = [one.pointer, other.pointer] as const;
      if (!one.required && other.required)
        tellDifference(scope, 'answered', 'header-became-required', named, '{} must be there.', [false, true], spots);
      if (one.required && !other.required)
        tellDifference(scope, 'answered', 'header-became-optional', named, '{} may be left out.', [true, false], spots);
      compareElement(scope, 'answered', spots, named);
    }
  }
}
