/**
 * @module proof
 * Takes the journal of a run in which the sandbox told every lie in turn; gives what each lie came to: caught by which checks, or
 * missed. Imports contract, evidence and report, and of the sandbox only its list of lies; run imports it.
 */
export {
  type DeclaredCollateral,
  declarationsFor,
  matchDeclarations,
} from './collateral.ts';
export { readCollateral } from './collateral-file.ts';
export { type ContractMutant, enumerateMutants } from './enumerate-mutants.ts';
export {
  countProof,
  joinHonest,
  judgeLies,
  listDishonest,
  proofHolds,
  rulesWithoutLie,
  toldLies,
} from './judge-lies.ts';
export {
  MetPlaces,
  type MutantResult,
  type MutantRound,
  type RulesAbout,
  readRound,
  rulesAbout,
  scoreMutants,
} from './judge-mutants.ts';
export { keepMutants, type MutantGround, readKeptMutants } from './keep-mutants.ts';
export {
  copyProof,
  type FinishedProof,
  keepProof,
  readAcceptedProof,
  readKeptProof,
  rulesByProof,
} from './keep-proof.ts';
export { type KnownLie, listKnownLies } from './known-lies.ts';
export { describeShare, type FinishedShare, mergeShares, type WorkShare } from './merge-shares.ts';
export { nameDifference, orderShares, type ShareKind } from './order-shares.ts';
export { mutantPattern, type PermittedMutants, permissionFor, readPermittedMutants } from './permitted-mutants.ts';
export { type LieQuery, type PickedLies, pickLies } from './pick-lies.ts';
export { listIdleClaims, type PlannedPlays, planPlays, planRest } from './plan-plays.ts';
export { type RuleSeals, sealRules } from './rule-seals.ts';
export { takeShare } from './take-share.ts';
export type * from './types.ts';
