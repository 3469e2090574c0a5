import { EXIT_CODES } from '#trouble';
import type { RunResult } from './types.ts';

/** The exit code a run ends with: 1 when a promise is broken, 3 when the run cannot tell, 0 when everything judged is kept. */
export function exitCode(run: RunResult): number {
  return { broken: EXIT_CODES.broken, incomplete: EXIT_CODES.incomplete, kept: EXIT_CODES.kept }[run.verdict];
}
