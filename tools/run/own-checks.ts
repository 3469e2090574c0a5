import { projectContract } from '#contract';
import { ownFolder } from '#folders';
import type { RunnerProject } from './check-runner.ts';
import { listOwnChecks } from './claiming-checks.ts';

/** Whose checks are asked for. @param ids of rules; none: all */
export function projectsOf(ids: readonly string[]): RunnerProject[] {
  if (ownFolder('checks') === undefined) return ['checks'];
  const { own } = projectContract();
  const isAsked = (isOwn: boolean) => ids.length === 0 || ids.some((id) => own.rules.has(id) === isOwn);
  return [...(isAsked(false) ? ['checks' as const] : []), ...(isAsked(true) ? ['own' as const] : [])];
}

/**
 * Has the workspace's own checks loaded before anything is asked of a target, where a selection needs them.
 * @throws Trouble (usage) for one that cannot be loaded, or claims no rule or a wrong one
 */
export function demandOwnChecks(ids: readonly string[]): void {
  if (projectsOf(ids).includes('own')) listOwnChecks();
}
