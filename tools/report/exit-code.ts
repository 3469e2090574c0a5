import { EXIT } from '#trouble';
import type { Run } from './types.ts';

/** The exit code a run ends with: 1 when a promise is broken, 3 when the run cannot tell, 0 when everything judged is kept. */
export function exitCode(run: Run): number {
  return { broken: EXIT.broken, incomplete: EXIT.incomplete, kept: EXIT.kept }[run.verdict];
}
