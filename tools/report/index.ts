/**
 * @module report
 * Takes a run folder's journal; gives the result of the run, the audit page and every other file of the folder, the words for
 * the terminal and the exit code. Imports contract types, evidence and trouble only, so that a page comes from files alone.
 * The command line imports it, and upgrade: it compares runs and its page is of the same kind.
 */
export { acceptBaseline, BASELINE_FILE, type Baseline, readBaseline } from './baseline.ts';
export { renderChatMessage } from './chat-message.ts';
export { compareRuns } from './compare-runs.ts';
export { renderCurl } from './exchange-forms/curl.ts';
export { renderHar } from './exchange-forms/har.ts';
export { renderPostman } from './exchange-forms/postman.ts';
export { exitCode } from './exit-code.ts';
export { renderGithubAnnotations, renderGithubOutputs } from './github-annotations.ts';
export { isJudged } from './judged-verdicts.ts';
export { pointLatest } from './point-latest.ts';
export { publishRuns } from './publish-runs.ts';
export type { PublishedRun } from './published-run.ts';
export { findSiblingRuns, writeHistory } from './run-history.ts';
export { judgeJournal, type ResultOptions } from './run-result.ts';
export { countSkipReasons } from './skip-reasons.ts';
/** A made-up run of any size with its proof, for measuring; loaded when asked for. */
export const largeSample = () => import('./sample-large.ts');
export { pageStyle } from './page/assets.ts';
export { renderComparePage } from './page/compare-page.ts';
export { escapeHtmlText, formatCount, Html, type HtmlPart, html } from './page/html.ts';
export { renderSection, renderTable } from './page/marks.ts';
export { type MutantOutcome, renderMutantPage } from './page/mutant-page.ts';
export { type PageFrame, renderFrame } from './page/page-frame.ts';
export { renderProofPage } from './page/proof-page.ts';
export { findPreviousRun, PREVIOUS_FILE } from './previous-run.ts';
export { printable } from './printable.ts';
export { PROOF_FILE, readProof, stateOfProof, testableRules, writeProof } from './proof-file.ts';
export { SIGN_OFF_DECISIONS, type SignOff, writeSignOff } from './sign-off.ts';
export {
  ephemeralSigner,
  makeRunKey,
  type RunSigner,
  SIGNATURE_FILE,
  STAMP_FILE,
  signerFromEnvironment,
  signerFromPair,
  signRun,
} from './sign-run.ts';
export { renderConclusion } from './terminal-conclusion.ts';
export { checkTimeStamp, writeStampRequest } from './time-stamp.ts';
export type * from './types.ts';
export { verdictWord } from './verdict-words.ts';
export { type RunVerification, type SignerPin, verifyRun } from './verify-run.ts';
export { type DrawingOptions, listArtifacts, writeReport } from './write-report.ts';
