/**
 * @module report
 * Takes a run folder's journal; gives the result of the run, the audit page and every other file of the folder, the words for
 * the terminal and the exit code. Imports contract types, evidence and trouble only, so that a page comes from files alone.
 * The command line imports it, and upgrade: it compares runs and its page is of the same kind.
 */
export { accept, BASELINE, type Baseline, promiseOf, readBaseline } from './baseline.ts';
export { type Comparison, compare } from './compare.ts';
export { exitCode } from './exit-code.ts';
export { layHistory, siblings } from './history.ts';
export { pointLatest } from './latest.ts';
export { type Options, summarise } from './model.ts';
/** A made-up run of any size with its proof, for measuring; loaded when asked for. */
export const largeSample = () => import('./sample-large.ts');
export { style } from './page/assets.ts';
export { type Frame, frame } from './page/frame.ts';
export { escaped, Html, html, type Part, plural } from './page/html.ts';
export { section, table } from './page/marks.ts';
export { proofPage } from './page/proof-page.ts';
export { PREVIOUS, previousOf } from './previous.ts';
export { PROOF, readProof } from './proof.ts';
export { type Signer, sign, signerFrom, signerOf } from './sign.ts';
export { conclude } from './terminal.ts';
export type * from './types.ts';
export { type Pin, type Verified, verifyRun } from './verify.ts';
export { artifacts, type Drawing, writeReport } from './write-report.ts';
