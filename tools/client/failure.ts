/** What the API got wrong, in words a report can show side by side. Thrown by checks and readers of answers. */
export class Finding extends Error {
  readonly expected: string;
  readonly actual: string;

  /** @param expected what the document promises; @param actual what came */
  constructor(expected: string, actual: string) {
    super(`expected ${expected}; got ${actual}`);
    this.name = 'Finding';
    this.expected = expected;
    this.actual = actual;
  }
}

/** The stage for a check could not be set: what the check is about was never reached, so it says nothing about its rule. */
export class Unarranged extends Error {
  /** @param message what was needed and what came instead */
  constructor(message: string) {
    super(message);
    this.name = 'Unarranged';
  }
}

/** No answer came that HTTP would call one: refused, reset, cut short, too slow, too big. */
export class NoAnswer extends Error {
  /** @param message what happened, naming the address */
  constructor(message: string) {
    super(message);
    this.name = 'NoAnswer';
  }
}
