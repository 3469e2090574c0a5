/**
 * @module contract
 * Takes the two specs; gives one frozen Contract: rules, holes, readings, operations and compiled validators, and the judgement of
 * a response against them. Splits the documents into clauses for the ledger. Anyone above may import it; it imports only `#trouble` and `#json-pointer`.
 */
export { CLAUSE_HASH_DIGITS, type Clause, hashClause, normalizeClause, splitClauses } from './clause.ts';
export { judgeEvent, judgeResponse, type WireMessage } from './judge.ts';
export {
  type ClauseClaim,
  type ClauseLedger,
  type ClauseTally,
  claimedShare,
  keepLedger,
  type LostClause,
  type PartlyCovered,
  tallyRegister,
} from './ledger.ts';
export { isLieHeard } from './lie-hearers.ts';
export { type LoadedContract, loadContract, projectContract } from './load-contract.ts';
export { type HoleObservation, observeHoles } from './observe-holes.ts';
export { partLies } from './own-lies.ts';
export { parseCached } from './parse-cache.ts';
export { publishDescription } from './published-description.ts';
export { requestPathPattern } from './request-path.ts';
export { selectRules } from './rule-selection.ts';
export { reachSchemas, SUBSCHEMA_KEYWORDS } from './schema-reach.ts';
export { type SchemaMember, schemaMembers } from './schema-steps.ts';
export { locatePointer, readSpec, SPEC_FILES, type SpecFile } from './spec-file.ts';
export { isTestable } from './spec-register.ts';
export { type TracedMessage, touchedSchemas, traceEvent, traceExchange } from './trace.ts';
export * from './types.ts';
export { readYaml, type YamlFile } from './yaml-file.ts';
export { type LocatedYaml, parseLocatedYaml } from './yaml-lines.ts';
