/**
 * @module evidence
 * Takes exchanges, checks and observations; gives a run folder's journal, redacted before it is written, and reads it back; looks
 * at the final bytes of every artifact for what must not be there.
 * Imports the contract's types only. Client, harness, report, upgrade and proof may import it.
 */
export { isMaskedText } from './card-number.ts';
export { checkId } from './check-id.ts';
export { type DigestExchange, joinDigestExchange, openDigestExchange } from './digest-exchange.ts';
export { type ArtifactLeak, findFileLeaks, findLeaks } from './gate.ts';
export { JOURNAL, Journal, type JournalWriter } from './journal.ts';
export { demandRunFolder, JournalFile, parseJournal, readJournal } from './journal-file.ts';
export { inLetters } from './letters.ts';
export { MASK } from './mask.ts';
export { type CoveredPicture, coverPicture, isPlainPicture, type PictureBox } from './picture.ts';
export { type Bitmap, readPng, writePng } from './png.ts';
export { RATE_WINDOW, readRateHeaders } from './rate-headers.ts';
export { type ExchangeAsSent, type PageAsSeen, Recorder } from './recorder.ts';
export { Redactor, type SecretContent, type TargetSecrets } from './redact.ts';
export * from './types.ts';
export type { WatchedExchange } from './watched-exchange.ts';
