import type { Verdict } from '#evidence';

/**
 * What people read for each verdict of a rule and outcome of a check. A promise can be broken; a check of ours that could not tell is
 * undecided.
 */
const WORDS: Readonly<Record<string, string>> = { unseen: 'not seen', broken: 'undecided' };

/** The word for a verdict, as pages and terminal say it. */
export function verdictWord(verdict: Verdict | string): string {
  return WORDS[verdict] ?? verdict;
}
