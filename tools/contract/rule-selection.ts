import type { Contract, Rule } from '#contract';
import { suggestWord, Trouble } from '#trouble';

/**
 * The rules named by ids, areas (`GW-CAP`) or APIs (`GW`, `OA`, `V1`).
 * @throws Trouble (usage) for a name that selects nothing, with the nearest
 */
export function selectRules(contract: Contract, names: readonly string[]): Rule[] {
  const found = new Set<Rule>();
  for (const name of names) {
    const upper = name.toUpperCase();
    const hits = [...contract.rules.values()].filter(
      ({ id, area }) => id === upper || area === upper || id.startsWith(`${upper}-`),
    );
    if (hits.length === 0) {
      const known = [...contract.rules.keys(), ...contract.areas.keys()];
      throw new Trouble('usage', `no rule or area is called ${name}`, {
        fix: suggestWord(upper, known) || 'assay rules lists them',
      });
    }
    for (const rule of hits) found.add(rule);
  }
  return [...found];
}
