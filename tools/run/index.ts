/**
 * @module run
 * What makes a run: a target and a selection in, a run folder with journal, page and signature out; also the plays that proofs and
 * variations consist of. The command line imports it.
 */
export { type ClaimingCheck, checksClaiming } from './claiming-checks.ts';
export { type PlayRequest, PROJECT_FOLDER, playChecks, playRehearsal } from './play-checks.ts';
export { proveLies } from './prove-lies.ts';
export { type MutantOptions, proveMutants } from './prove-mutants.ts';
export { proveVariations, readVariation, type VariationResult, variationTarget } from './prove-variations.ts';
export { linesReading } from './reading-checks.ts';
export { createRunLine } from './run-line.ts';
export { type RunOptions, runSuite } from './run-suite.ts';
export { suiteHash } from './suite-hash.ts';
export { signerForTarget } from './target-signer.ts';
export { isDay, readChangeWaivers, readWaivers, WAIVERS_FILE } from './waiver-file.ts';
