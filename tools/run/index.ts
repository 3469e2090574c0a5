/**
 * @module run
 * What makes a run: a target and a selection in, a run folder with journal, page and signature out; also the plays that proofs and
 * variations consist of. The command line imports it.
 */
import type { WrittenTarget } from '#target';

import type { ClientRunOptions } from './client-run.ts';
import type { ClosedRun } from './stamp-run.ts';

export { type ClaimingCheck, checksClaiming } from './claiming-checks.ts';
export type { ClientRunOptions } from './client-run.ts';
export type { MergedProof } from './merge-proofs.ts';
export { type PlayRequest, playChecks, playRehearsal } from './play-checks.ts';
export type { MutantOptions, ProvenMutants } from './prove-mutants.ts';
export type { VariationResult } from './prove-variations.ts';
export { linesReading } from './reading-checks.ts';
export { createRunLine, describeSuite } from './run-line.ts';
export type { RunOptions } from './run-suite.ts';
export { createSandboxLog, type SandboxLog } from './sandbox-log.ts';
export { hashFiles, suiteHash } from './suite-hash.ts';
export { readyRunner, type WaitingRunner } from './waiting-runner.ts';
export { isDay, readChangeWaivers, readWaivers, WAIVERS_FILE } from './waiver-file.ts';
export type { WorkspaceProfile } from './workspace-profile.ts';

// Loaded when called: what reads files alone does not pay for servers and a browser driver.
export const runSuite: typeof import('./run-suite.ts').runSuite = async (...given) =>
  (await import('./run-suite.ts')).runSuite(...given);
export const proveLies: typeof import('./prove-lies.ts').proveLies = async (...given) =>
  (await import('./prove-lies.ts')).proveLies(...given);
export const proveMutants: typeof import('./prove-mutants.ts').proveMutants = async (...given) =>
  (await import('./prove-mutants.ts')).proveMutants(...given);
export const proveVariations: typeof import('./prove-variations.ts').proveVariations = async (...given) =>
  (await import('./prove-variations.ts')).proveVariations(...given);
export const mergeRuns: typeof import('./merge-runs.ts').mergeRuns = async (...given) =>
  (await import('./merge-runs.ts')).mergeRuns(...given);
export const mergeProofs: typeof import('./merge-proofs.ts').mergeProofs = async (...given) =>
  (await import('./merge-proofs.ts')).mergeProofs(...given);
export const authorityForTarget = async (written: WrittenTarget) =>
  (await import('./target-signer.ts')).authorityForTarget(written);
export const closeRun: typeof import('./stamp-run.ts').closeRun = async (...given) =>
  (await import('./stamp-run.ts')).closeRun(...given);
export const describeClosing = async (closed: ClosedRun, named: boolean): Promise<string> =>
  (await import('./stamp-run.ts')).describeClosing(closed, named);
export const watchRules: typeof import('./watch-rules.ts').watchRules = async () =>
  (await import('./watch-rules.ts')).watchRules();
export const printPage: typeof import('./print-page.ts').printPage = async (...given) =>
  (await import('./print-page.ts')).printPage(...given);
export const readVariation = async (text: string) => (await import('./prove-variations.ts')).readVariation(text);
export const signerForTarget = async (written: WrittenTarget) =>
  (await import('./target-signer.ts')).signerForTarget(written);
export const readWorkspaceProfile = async (name?: string) =>
  (await import('./workspace-profile.ts')).readWorkspaceProfile(name);
export const writeClientRun = async (options: ClientRunOptions): Promise<number> =>
  (await import('./client-run.ts')).writeClientRun(options);
export const reachTarget: typeof import('./reach-target.ts').reachTarget = async (...given) =>
  (await import('./reach-target.ts')).reachTarget(...given);
