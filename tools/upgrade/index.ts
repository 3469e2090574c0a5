/**
 * @module upgrade
 * Takes two descriptions of the services (and two versions of their documents, two runs, a changelog); gives what changed, what it
 * touches and whether it is safe to adopt, as data and as files. Reads files only, never live objects.
 * Imports contract, evidence and report (runs are compared there, and its page is of the same kind). The command line imports it.
 */
export { classify } from './classify.ts';
export { type DocumentDecision, readDecisions } from './documents/decisions.ts';
export { writeExample } from './example/write.ts';
export { fingerprintText, isFingerprint } from './fingerprint.ts';
export { equalCases, type GoldenCase, goldenCases } from './golden.ts';
export type { CheckRef } from './impact.ts';
export { headline } from './page/head.ts';
export { type Description, parseDescription, readDescription } from './read/description.ts';
export type { ChangeWaiver, JudgedChange, Reason, Upgrade, UpgradeFinding, Verdict } from './result.ts';
export * from './types.ts';
export { type Asked, upgrade } from './upgrade.ts';
export { writeUpgrade } from './write.ts';
