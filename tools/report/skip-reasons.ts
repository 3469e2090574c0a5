import type { RunResult } from './types.ts';

/** What each code means where rules are counted by it. */
const WORDS: Readonly<Record<string, string>> = {
  unselected: 'not selected',
  untestable: 'not testable from outside',
  capability: 'for something the target file does not offer',
  credentials: 'for want of credentials',
  card: 'for want of a test card',
  browser: 'for want of a browser',
  cost: 'for a cap on money or calls, or a limit that is not to be used up',
  time: 'left out for want of time',
  service: 'of a service the target does not have',
  partly: 'tried in part',
  unseen: 'about what never came',
  unchecked: 'that no check finished for',
};

/** How many rules a run skipped for which reason, most first. */
export function countSkipReasons({ rules }: Pick<RunResult, 'rules'>): { count: number; code: string; why: string }[] {
  const counts = new Map<string, number>();
  for (const { verdict, reason } of rules)
    if (verdict === 'skipped')
      counts.set(reason?.code ?? 'unchecked', (counts.get(reason?.code ?? 'unchecked') ?? 0) + 1);
  return [...counts]
    .sort(([a, one], [b, other]) => other - one || (a < b ? -1 : 1))
    .map(([code, count]) => ({ count, code, why: WORDS[code] ?? code }));
}
