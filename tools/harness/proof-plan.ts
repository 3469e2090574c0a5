import { isLieHeard } from '#contract';
import { checkId } from '#evidence';
import type { Sandbox } from '#sandbox';
import type { CheckAnnotations } from './check-annotations.ts';
import type { ProofStep } from './settings.ts';

/**
 * The steps of a proof that a check is run for, once each.
 * @param full whether lies are told to every check of the service
 */
export function stepsOfCheck(plan: readonly ProofStep[], full: boolean, check: CheckAnnotations): ProofStep[] {
  const { rules: claimed, file = '', title } = check;
  const id = checkId(file, title);
  return plan.filter(({ rule, checks }) => {
    const isAsked = checks?.includes(id);
    return rule === undefined ? isAsked === true : isAsked !== false && isLieHeard(rule, claimed, full);
  });
}

/** Lets a sandbox tell one untruth of a plan. */
export function tellUntruth(sandbox: Sandbox | undefined, plan: readonly ProofStep[], name: string): void {
  const wire = plan.find((step) => step.name === name)?.wire;
  if (wire === undefined) sandbox?.tellLies([name]);
  else sandbox?.mutate(wire);
}
