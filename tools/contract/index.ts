/**
 * @module contract
 * Takes the two specs; gives one frozen Contract: rules, holes, readings, operations and compiled validators, and the judgement of
 * a response against them. Splits the documents into clauses for the ledger. Anyone above may import it; it imports only `#trouble`.
 */
export { type Clause, clauses, fingerprint, normalize } from './clause.ts';
export { judge, judgeEvent, type Received } from './judge.ts';
export {
  type Claim,
  keepLedger,
  type Ledger,
  type Lost,
  type PartlyCovered,
  share,
  type Tally,
  tallyRegister,
} from './ledger.ts';
export { contract, type Loaded, loadContract } from './load.ts';
export { type Observation, observe } from './observe.ts';
export { isTestable } from './register.ts';
export { at, locate, point, readSpec, SPECS, type SpecFile, unpoint } from './spec-file.ts';
export { type Traced, touched, trace, traceEvent } from './trace.ts';
export * from './types.ts';
