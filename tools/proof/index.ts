/**
 * @module proof
 * Takes the journal of a run in which the sandbox told every lie in turn; gives what each lie came to: caught by which checks, or
 * missed. Imports contract, evidence and report, and of the sandbox only its list of lies; run imports it.
 */
export {
  type DeclaredCollateral,
  declarationsFor,
  matchDeclarations,
  type UndeclaredCollateral,
} from './collateral.ts';
export { readCollateral } from './collateral-file.ts';
export { countProof, judgeLies, proofHolds, rulesWithoutLie } from './judge-lies.ts';
export { copyProof, type FinishedProof, keepProof, readProvenBaseline } from './keep-proof.ts';
export { type LieQuery, type PickedLies, pickLies } from './pick-lies.ts';
export type * from './types.ts';
