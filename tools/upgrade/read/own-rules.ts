import type { Contract } from '#contract';
import type { UpgradeRegister } from './register.ts';

/** What a workspace's own rules and contexts add to the registers of the descriptions; nothing where it has none. */
export function registerOfOwnRules({ rules, contexts, own }: Contract): UpgradeRegister {
  return {
    rules: [...own.rules].map((id) => rules.get(id)!).filter(({ retired }) => retired === undefined),
    holes: [],
    contexts: contexts
      .filter(({ document }) => own.documents.has(document))
      .map((one) => ({ id: one.why, text: '', level: 'should', at: '', source: [one] })),
    removals: [],
  };
}
