/**
 * Does a part of a check that is about one of the rules it claims: what fails in it is charged to that rule alone.
 * @param rule id of a rule that the check claims
 * @throws what the body throws, under the rule's name
 */
export function attributeTo<T>(rule: string, body: () => T): T {
  try {
    return body();
  } catch (error) {
    if (error instanceof Error && !error.message.startsWith(rule)) error.message = `${rule}: ${error.message}`;
    throw error;
  }
}
