import type { FindingClauses } from '#evidence';
import type { LackReason } from '#target';

/** What the API got wrong, in words a report can show side by side. Thrown by checks and readers of answers. */
export class PromiseFinding extends Error {
  readonly expected: string;
  readonly actual: string;
  readonly rule: string | undefined;
  /** Id of the exchange that shows it, where one does. */
  readonly exchange: string | undefined;
  /** The sentence that tells it, where it is more than both sides. */
  clauses?: FindingClauses;

  /** @param expected what the document promises; @param actual what came; @param rule which rule, where a check claims several */
  constructor(expected: string, actual: string, rule?: string, exchange?: string) {
    super(`${rule === undefined ? '' : `${rule}: `}expected ${expected}; got ${actual}`);
    this.name = 'PromiseFinding';
    this.expected = expected;
    this.actual = actual;
    this.rule = rule;
    this.exchange = exchange;
  }
}

/** The stage for a check could not be set: what the check is about was never reached, so it says nothing about its rule. */
export class UnarrangedError extends Error {
  /** @param message what was needed and what came instead */
  constructor(message: string) {
    super(message);
    this.name = 'UnarrangedError';
  }
}

/** Whether something was brought about; false where the target does not take what would do so. @throws any other error */
export function isArranged(arranging: Promise<unknown>): Promise<boolean> {
  return arranging.then(
    () => true,
    (error: unknown) => {
      if (error instanceof UnarrangedError) return false;
      throw error;
    },
  );
}

/** The target does not offer what a check turned out to need, or its cap is reached: the check is skipped. */
export class UnofferedError extends Error {
  readonly code: LackReason;

  /** @param code why it is skipped; @param message what is missing, and which lines of the target file would enable it */
  constructor(code: LackReason, message: string) {
    super(message);
    this.name = 'UnofferedError';
    this.code = code;
  }
}

/** What a check is about never came: nothing was there to be judged, which is no pass. */
export class UnseenError extends Error {
  /** @param message what was looked for, and where */
  constructor(message: string) {
    super(message);
    this.name = 'UnseenError';
  }
}

/**
 * What came, where a check needs it to judge anything.
 * @param value what an answer shows; null counts as nothing
 * @param what what it is, with its article, e.g. `the payment_type of a transaction`
 * @throws UnseenError when it shows nothing
 */
export function requireSeen<T>(value: T | null | undefined, what: string): T {
  if (value === undefined || value === null) throw new UnseenError(`${what} was not shown`);
  return value;
}

/**
 * A list that came, where a check looks at each of its entries.
 * @param what what it lists, e.g. `balances of the merchant`
 * @throws UnseenError when there is none: a loop over it would judge nothing
 */
export function requireEntries<T>(list: readonly T[], what: string): readonly [T, ...T[]] {
  const [first, ...others] = list;
  if (first === undefined) throw new UnseenError(`there were no ${what}`);
  return [first, ...others];
}

/**
 * What a target file says, where a check needs it said.
 * @param line the line's path in the file, e.g. `gateway.wire.provider`
 * @throws Unoffered when it does not say
 */
export function requireTargetLine<T>(value: T | undefined, line: string): T {
  if (value === undefined)
    throw new UnofferedError('capability', `the target file has no ${line}, which would enable it`);
  return value;
}

/** No answer came that HTTP would call one: refused, reset, cut short, too slow, too big. */
export class NoAnswerError extends Error {
  /** Whether nothing of an answer had come, so that a request without effects may be sent again. */
  readonly connection: boolean;

  /** @param message what happened, naming the address */
  constructor(message: string, { connection = false }: { readonly connection?: boolean } = {}) {
    super(message);
    this.name = 'NoAnswerError';
    this.connection = connection;
  }
}
