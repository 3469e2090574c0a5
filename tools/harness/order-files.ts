import type { Suite, TestCase } from '@playwright/test/reporter';
import { costOf, type PlannedCheck } from './choose-checks.ts';
import type { RunPlan } from './run-plan.ts';

/** A check, and whether it is alone at its service. */
interface OrderedCheck extends PlannedCheck {
  readonly isAlone?: boolean;
}

/** A check as the runner has it: those that go to the same worker, by a hash. */
interface HashedCheck {
  _workerHash?: string;
}

/** A suite as the runner has it: its entries in the order in which they are started. */
interface OrderedSuite extends Suite {
  readonly _entries?: unknown[];
  /** What runs before or after all tests of a suite, by its kind. */
  readonly _hooks?: { readonly type: string }[];
}

/**
 * Puts the files of checks in the order in which they shall begin: first those of services that announce a limit, for their lanes are the
 * longest way; then the other services; of each the files that take longest; last the laws, which fill whatever time others wait. A check
 * that is alone at its service begins when nobody else asks it, which is at the beginning or at the end: at a service with a limit at the
 * beginning, at another one at the end, so that the rest of each is asked meanwhile. The runner itself knows no order but that of names: a
 * version of it that keeps its suites otherwise leaves them as they are.
 */
export function orderFiles(
  root: Suite,
  checkOf: (test: TestCase) => OrderedCheck,
  plan: Pick<RunPlan, 'costs' | 'paces'>,
): void {
  for (const project of root.suites as OrderedSuite[]) {
    if (!Array.isArray(project._entries)) continue;
    const ranks = new Map(project.suites.map((file) => [file as unknown, rankOf(file.allTests().map(checkOf), plan)]));
    project._entries.sort((one, other) => (ranks.get(other) ?? 0) - (ranks.get(one) ?? 0));
    for (const file of project.suites as OrderedSuite[]) {
      const alone = new Set<unknown>(file.tests.filter((test) => checkOf(test).isAlone));
      const first = isLimited(file.allTests().map(checkOf), plan) ? 1 : -1;
      file._entries?.sort((one, other) => first * (Number(alone.has(other)) - Number(alone.has(one))));
    }
  }
}

/**
 * Has checks that are alone at a service begin one after the other, of whichever files, while the other workers ask another service: else
 * the rest of a file would follow its own, and keep those of the next file waiting until nobody asks the service any more. The runner
 * begins together what goes to the same worker, and makes a worker anew where it changes from the one kind to the other, which few do.
 */
export function gatherAlone(root: Suite, checkOf: (test: TestCase) => OrderedCheck): void {
  for (const test of root.allTests() as (TestCase & HashedCheck)[]) {
    const { isAlone, api } = checkOf(test);
    if (isAlone && test._workerHash !== undefined) test._workerHash += ` alone at ${api}`;
  }
}

/**
 * Deals each file of checks out to the workers in as many parts as there are workers, and not check by check: a worker makes the file's
 * suites anew for each part that it is dealt. The runner does so where something runs before all tests of a file; it is told so here and has
 * nothing to run. Not for checks that make way for others, since a part would hold what any of its checks asks for, nor for those in a drawn
 * order, which is one of parts.
 */
export function dealFiles(root: Suite): void {
  for (const file of root.suites.flatMap(({ suites }) => suites as OrderedSuite[]))
    if (Array.isArray(file._hooks)) file._hooks.push({ type: 'beforeAll' });
}

/** How soon the checks of a file begin: the higher the sooner. */
function rankOf(checks: readonly OrderedCheck[], plan: Pick<RunPlan, 'costs' | 'paces'>): number {
  if (apiOf(checks) === undefined) return -1;
  const isAlone = checks.some((check) => check.isAlone);
  const seconds = checks.reduce((sum, check) => sum + costOf(check, plan).seconds, 0);
  return (isLimited(checks, plan) ? (isAlone ? 2e6 : 1e6) : 0) + seconds;
}

/** The service that the checks of a file ask; undefined of laws. */
const apiOf = (checks: readonly OrderedCheck[]) => checks.find(({ api }) => api !== undefined)?.api;

/** Whether the service that the checks of a file ask announces a limit. */
function isLimited(checks: readonly OrderedCheck[], { paces }: Pick<RunPlan, 'paces'>): boolean {
  return paces.some((pace) => pace.api === apiOf(checks) && pace.limit !== undefined);
}
