import type { Contract } from '#contract';
import type { UpgradeRegister } from './register.ts';

/** What stands in no description and yet rests on clauses: rules that bind a client, and a workspace's own rules and contexts. */
export function registerOfOwnRules({ rules, clientRules, contexts, own }: Contract): UpgradeRegister {
  return {
    rules: [...[...own.rules].map((id) => rules.get(id)!), ...clientRules.values()].filter(
      ({ retired }) => retired === undefined,
    ),
    holes: [],
    contexts: contexts
      .filter(({ document }) => own.documents.has(document))
      .map((one) => ({ id: one.why, text: '', level: 'should', at: '', source: [one] })),
    removals: [],
  };
}
