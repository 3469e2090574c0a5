import type { Verdict } from '#evidence';
import type { RunResult } from './types.ts';

/** Verdicts that say something about the service; the others say that nothing was found out. */
const JUDGED = ['pass', 'warn', 'fail', 'waived'] as const satisfies readonly Verdict[];

/** Whether a verdict says something about the service. */
export function isJudged(verdict: Verdict): boolean {
  return (JUDGED as readonly Verdict[]).includes(verdict);
}

/** How many rules a run says something about the service for. */
export function countJudged({ counts }: Pick<RunResult, 'counts'>): number {
  return JUDGED.reduce((sum, verdict) => sum + counts.rules[verdict], 0);
}
