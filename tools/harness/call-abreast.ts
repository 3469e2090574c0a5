/**
 * Makes calls that do not hang on one another, so many at the same time.
 * @param most of what a target's manners allow, where nothing else is asked of its service meanwhile
 * @returns what they came to, in the order of the calls
 * @throws what the first that fails throws, when those under way have ended
 */
export async function callAbreast<Answer>(
  calls: readonly (() => Promise<Answer>)[],
  most: number,
): Promise<readonly Answer[]> {
  const answers: Answer[] = [];
  const waiting = calls.entries();
  const failures: unknown[] = [];
  const goOn = async () => {
    for (const [i, call] of waiting) {
      if (failures.length > 0) return;
      try {
        answers[i] = await call();
      } catch (failure) {
        failures.push(failure);
      }
    }
  };
  await Promise.all(Array.from({ length: Math.max(1, Math.min(most, calls.length)) }, goOn));
  if (failures.length > 0) throw failures[0];
  return answers;
}
