import type { Contract, Rule } from '#contract';
import { suggestWord, Trouble } from '#trouble';

/**
 * The rules named by ids, areas (`GW-CAP`) or APIs (`GW`, `OA`, `V1`).
 * @param side whom the rules bind: the services, as a rule, or those who use them
 * @throws Trouble (usage) for a name that selects nothing, with the nearest
 */
export function selectRules(
  contract: Contract,
  names: readonly string[],
  side: 'service' | 'client' = 'service',
): Rule[] {
  const [rules, areas] =
    side === 'service' ? [contract.rules, contract.areas] : [contract.clientRules, contract.clientAreas];
  const found = new Set<Rule>();
  for (const name of names) {
    const upper = name.toUpperCase();
    const hits = [...rules.values()].filter(
      ({ id, area }) => id === upper || area === upper || id.startsWith(`${upper}-`),
    );
    if (hits.length === 0) {
      const known = [...rules.keys(), ...areas.keys()];
      throw new Trouble('usage', `no rule or area is called ${name}`, {
        fix: suggestWord(upper, known) || 'assay rules lists them',
      });
    }
    for (const rule of hits) found.add(rule);
  }
  return [...found];
}
