import type { CommonFixtures } from './fixture-types.ts';

/**
 * Sends calls of two kinds at the same moment, two of each and in turn.
 * @returns the answers to each kind
 */
export async function mixCalls<Answer>(
  together: CommonFixtures['together'],
  one: () => Promise<Answer>,
  other: () => Promise<Answer>,
): Promise<{ readonly ones: readonly Answer[]; readonly others: readonly Answer[] }> {
  const [first, second, third, fourth] = await together([one, other, one, other]);
  return { ones: [first!, third!], others: [second!, fourth!] };
}
