/** The rule that an error is about, where a check said so. */
const attributed = new WeakMap<object, string>();
let current: string | undefined;

/**
 * Does a part of a check that is about one of the rules it claims: what fails in it is charged to that rule alone.
 * @param rule id of a rule that the check claims
 * @throws what the body throws
 */
export function attributeTo<T>(rule: string, body: () => T): T {
  const before = current;
  current = rule;
  try {
    return body();
  } catch (error) {
    // The innermost word counts.
    if (typeof error === 'object' && error !== null && !attributed.has(error)) attributed.set(error, rule);
    throw error;
  } finally {
    current = before;
  }
}

/** The rule that is named for what is done right now. */
export function currentAttribution(): string | undefined {
  return current;
}

/** The rule that {@link attributeTo} named for an error; undefined where none did. */
export function attributedRule(error: object): string | undefined {
  return attributed.get(error);
}
