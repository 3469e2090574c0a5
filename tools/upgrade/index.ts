/**
 * @module upgrade
 * Takes two descriptions of the services (and two versions of their documents, two runs, a changelog); gives what changed, what it
 * touches and whether it is safe to adopt, as data and. Reads files only, never live objects.
 * Imports contract, evidence and report (runs are compared there, and its page is of the same kind). The command line imports it.
 */
export { classifyChanges } from './classify.ts';
export { type DocumentDecision, readDecisions } from './documents/decisions.ts';
export { writeExample } from './example/write.ts';
export { UPGRADE_EXIT_CODES } from './exit-codes.ts';
export { fingerprintText, isFingerprint } from './fingerprint.ts';
export { equalCases, type GoldenCase, goldenCases } from './golden.ts';
export type { CheckRef } from './impact.ts';
export { upgradeHeadline } from './page/head.ts';
export { type Description, parseDescription, readDescription } from './read/description.ts';
export { registerOfOwnRules } from './read/own-rules.ts';
export type {
  ChangeWaiver,
  JudgedChange,
  Upgrade,
  UpgradeFinding,
  UpgradeReason,
  UpgradeVerdict,
} from './result.ts';
export * from './types.ts';
export { judgeUpgrade, type UpgradeRequest } from './upgrade.ts';
export { writeUpgrade } from './write.ts';
