import type { CheckLine } from '#evidence';
import type { Lie } from '#sandbox';

/** A check of the honest run, and what it claims. */
export type HonestCheck = Pick<CheckLine, 'id' | 'file' | 'title' | 'rules' | 'outcome'>;

/** What became of one lie. */
export interface LieResult extends Lie {
  /** Ids of the checks of its rule that turned red. */
  readonly by: readonly string[];
  /** What was found, in words, by the first of them. */
  readonly found?: string;
  /** Other rules that turned red with it. */
  readonly collateral: readonly string[];
  /** Those of them that a check turned red which does not claim the rule of the lie; only a full proof asks such checks. */
  readonly apart: readonly string[];
  /** Checks of its rule that stayed green, were skipped or broke. */
  readonly quiet: readonly { readonly check: string; readonly outcome: string; readonly reason?: string }[];
}

/** A check that claims a rule, is green without a lie, and turns red at none about that rule. */
export interface IdleClaim extends Pick<HonestCheck, 'id' | 'file' | 'title'> {
  readonly rule: string;
}

/** A red rule that a lie about another one does not account for. */
export interface UndeclaredCollateral {
  readonly lie: string;
  readonly rule: string;
  readonly red: string;
}

/** A proof: every lie told until a check of its rule caught it, every claim of a check until a lie turned it red. */
export interface ProofResult {
  readonly format: 'assay.proof/1';
  readonly finishedAt: string;
  readonly specs: readonly { readonly api: string; readonly sha256: string }[];
  readonly full: boolean;
  /** Rules in question that can be tested. */
  readonly rules: readonly string[];
  readonly lies: readonly LieResult[];
  /** Rules in question that the honest sandbox did not keep: the proof is worth nothing for them. */
  readonly dishonest: readonly string[];
  /** Claims of checks that no lie about the rule turned red, of rules about which every lie was told. */
  readonly idle: readonly IdleClaim[];
  /** Reds beside the rule of the lie that nothing accounts for. */
  readonly undeclared: readonly UndeclaredCollateral[];
}

/** The proof in numbers. */
export interface ProofNumbers {
  readonly rules: number;
  readonly proven: number;
  readonly lies: number;
  readonly caught: number;
  /** Checks that claim a rule, on average. */
  readonly checksPerRule: number;
  /** Share of red rules that are the lied one, 0 to 1. */
  readonly precision: number;
}
