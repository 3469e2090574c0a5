import { projectContract } from './load-contract.ts';

/**
 * Whether a lie about a rule is told to a check that claims these rules: to those that claim it, or, in a full proof, to every check of its
 * service, since a lie of one service does not show at the other.
 */
export function isLieHeard(rule: string, claimed: readonly string[], full: boolean): boolean {
  if (!full) return claimed.includes(rule);
  const { rules } = projectContract();
  return claimed.some((one) => rules.get(one)?.api === rules.get(rule)?.api);
}
