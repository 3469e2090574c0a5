import { createHash, X509Certificate } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { findFileLeaks, JOURNAL, JournalFile } from '#evidence';
import { Trouble } from '#trouble';
import { findLongLine, findOversized, hashFile, listBundle } from './bundle-limits.ts';
import { type CmsSignature, checkSignature } from './cms-signature.ts';
import { printable } from './printable.ts';
import { recomputeOutcomes } from './recompute-outcomes.ts';
import { rejudgeAnswers } from './rejudge-answers.ts';
import { INSTRUCTIONS_FILE, SIGNATURE_FILE, STAMP_FILE, SUMS_FILE } from './sign-run.ts';
import { checkTimeStamp } from './time-stamp.ts';
import type { RunResult } from './types.ts';
import { writeVerifyInstructions } from './verify-instructions.ts';
import { drawRunFiles, readCompanions } from './write-report.ts';

/** The certificate that must have signed: itself as PEM, or its SHA-256 fingerprint. */
export type SignerPin = { readonly certificate: string } | { readonly fingerprint: string };

/** What a check of a run folder found. */
export interface RunVerification {
  readonly run: RunResult | undefined;
  /** What does not hold; empty when everything does. */
  readonly findings: readonly string[];
  /** What holds, one claim each. */
  readonly held: readonly string[];
  /** What the reader should know besides. */
  readonly notes: readonly string[];
}

/** How far a signing time may lie ahead, or before the end of its run, in milliseconds: clocks differ. */
const CLOCKS_DIFFER = 86_400_000;

/** What even a folder that holds does not show. */
const NOT_SHOWN =
  'not shown: that it was this service which answered, that it answers others the same, that the time of signing is true, and whatever the run left out';

/**
 * Checks a closed run folder, each step only when the one before holds, since what was not signed may be anything: sizes; signature, signer
 * and sums, no file missing or added; every file drawn anew from the journal and compared byte for byte, recorded answers held against the
 * contract once more, outcomes against the exchanges; no secret in any file.
 * @param now what a signing time is held against
 * @throws Trouble (usage) for a folder that is none or a pin that cannot be read; (incomplete) for a folder that was never signed
 */
export function verifyRun(folder: string, pin?: SignerPin, now = new Date()): RunVerification {
  const wanted = pin && fingerprintOf(pin);
  const names = listBundle(folder);
  if (!names.includes(SUMS_FILE) && !names.includes(SIGNATURE_FILE))
    throw new Trouble('incomplete', 'the run folder is not signed', {
      place: { file: folder },
      reason: names.includes(JOURNAL)
        ? 'the run was killed before its end, or is still going'
        : `it holds no ${JOURNAL}`,
      fix: 'assay report DIR --sign signs what is there',
    });
  const found: Found = { findings: [], held: [], notes: [] };
  const { findings, held, notes } = found;
  const stop = (run?: RunResult): RunVerification => ({ run, findings, held, notes });
  findings.push(...findOversized(folder, names, [SUMS_FILE, SIGNATURE_FILE, INSTRUCTIONS_FILE, STAMP_FILE]));
  if (findings.length > 0) return stop();
  const signature = checkSigner(folder, names, wanted, now, found);
  if (signature !== undefined) checkStamp(folder, names, signature, found);
  checkSums(folder, names, found);
  if (signature === undefined || findings.length > 0) return stop();
  for (const name of names) findings.push(...[findLongLine(folder, name)].filter((one) => one !== undefined));
  if (findings.length > 0) return stop();
  let run: RunResult | undefined;
  try {
    run = checkDrawing(folder, names, found);
    checkSigning(folder, run, signature, names.includes(STAMP_FILE), found);
  } catch (error) {
    findings.push(
      error instanceof Trouble
        ? `${error.message}${error.reason ? `: ${error.reason}` : ''}`
        : 'the journal cannot be read',
    );
  }
  if (findings.length > 0) return stop(run);
  for (const name of names)
    for (const { kind, line } of findFileLeaks(folder, name)) findings.push(`${name} line ${line} holds ${kind}`);
  if (findings.length === 0) notes.push(NOT_SHOWN);
  return stop(run);
}

interface Found {
  readonly findings: string[];
  readonly held: string[];
  readonly notes: string[];
}

function checkSigner(
  folder: string,
  names: readonly string[],
  wanted: string | undefined,
  now: Date,
  found: Found,
): CmsSignature | undefined {
  const missing = [SUMS_FILE, SIGNATURE_FILE].filter((name) => !names.includes(name));
  if (missing.length > 0) return void found.findings.push(`${missing.join(' and ')} missing`);
  try {
    const signature = checkSignature(readFileSync(join(folder, SIGNATURE_FILE)), readFileSync(join(folder, SUMS_FILE)));
    const { certificate, signedAt: at } = signature;
    const { fingerprint256, subject, validTo } = certificate;
    found.held.push(
      `${SUMS_FILE} is signed with SHA-256 by ${printable(subject.replace(/\n/g, ', '))}, ${at.toISOString()}`,
    );
    if (wanted === undefined)
      found.notes.push(
        `unpinned, integrity only: nobody vouches for the signer; compare ${fingerprint256} with what its owner says, or give --cert or --fingerprint`,
      );
    else if (bare(fingerprint256) === wanted) found.held.push(`the signer is the one you named, ${fingerprint256}`);
    else found.findings.push(`the signer is another than you named: ${fingerprint256}`);
    if (at.getTime() > now.getTime() + CLOCKS_DIFFER)
      found.findings.push(`the signing time lies ahead: ${at.toISOString()}, and it is ${now.toISOString()}`);
    if (Date.parse(validTo) < now.getTime()) found.notes.push(`the certificate has expired since, on ${validTo}`);
    return signature;
  } catch (error) {
    const reason = error instanceof RangeError ? error.message : 'it cannot be read';
    found.findings.push(`${SIGNATURE_FILE} does not hold: ${reason}`);
    return undefined;
  }
}

/** When the signature was there at the latest, by the word of an authority where there is one. */
function checkStamp(folder: string, names: readonly string[], { signedAt }: CmsSignature, found: Found): void {
  if (!names.includes(STAMP_FILE))
    return void found.notes.push('no authority stamped the time: it is the word of the signer alone');
  try {
    const digest = createHash('sha256')
      .update(readFileSync(join(folder, SIGNATURE_FILE)))
      .digest();
    const { certificate, stampedAt } = checkTimeStamp(readFileSync(join(folder, STAMP_FILE)), digest);
    const authority = printable(certificate.subject.replace(/\n/g, ', '));
    found.held.push(`the signature was there on ${stampedAt.toISOString()}, by the stamp of ${authority}`);
    found.notes.push(
      `whether ${authority} is an authority, and its chain, is not looked at: compare ${certificate.fingerprint256} with what it publishes`,
    );
    if (signedAt.getTime() > stampedAt.getTime() + CLOCKS_DIFFER)
      found.findings.push(`the signing time ${signedAt.toISOString()} lies after its stamp`);
  } catch (error) {
    found.findings.push(
      `${STAMP_FILE} does not hold: ${error instanceof RangeError ? error.message : 'it cannot be read'}`,
    );
  }
}

function checkSums(folder: string, names: readonly string[], found: Pick<Found, 'findings' | 'held'>): void {
  if (!names.includes(SUMS_FILE)) return;
  const text = readFileSync(join(folder, SUMS_FILE), 'utf8');
  const listed = new Map<string, string>();
  for (const line of text.split('\n').slice(0, -1)) {
    const match = /^([0-9a-f]{64}) {2}([^/\\]+)$/.exec(line);
    if (!match || listed.has(match[2]!))
      return void found.findings.push(`${SUMS_FILE} holds a line that does not belong there`);
    listed.set(match[2]!, match[1]!);
  }
  const there = names.filter((name) => ![SUMS_FILE, SIGNATURE_FILE, STAMP_FILE].includes(name));
  const wrong = [
    ...[...listed.keys()].filter((name) => !there.includes(name)).map((name) => `${printable(name)} is missing`),
    ...there.filter((name) => !listed.has(name)).map((name) => `${printable(name)} was added`),
  ];
  // Nobody waits for the sums of a folder that has other files than were signed.
  const sums = wrong.length > 0 ? [] : there.map((name) => ({ name, sum: hashFile(join(folder, name)) }));
  wrong.push(...sums.filter(({ name, sum }) => listed.get(name) !== sum).map(({ name }) => `${name} was changed`));
  if (wrong.length === 0 && text !== sums.map(({ name, sum }) => `${sum}  ${name}\n`).join(''))
    wrong.push(`${SUMS_FILE} is not as it was written`);
  if (wrong.length === 0) found.held.push(`${listed.size} files are as they were signed, none is missing or added`);
  found.findings.push(...wrong);
}

function checkDrawing(folder: string, names: readonly string[], found: Found): RunResult {
  const lines = new JournalFile(folder);
  const { run, journal, files } = drawRunFiles(lines, readCompanions(folder, lines));
  const wrong = Object.entries(files).flatMap(([name, pieces]) => {
    if (pieces === undefined) return names.includes(name) ? [`${name} is there, and the journal gives none`] : [];
    if (!names.includes(name)) return [`${name} is missing`];
    const drawn = createHash('sha256');
    for (const piece of pieces) drawn.update(piece);
    return hashFile(join(folder, name)) === drawn.digest('hex') ? [] : [`${name} is not what the journal gives`];
  });
  if (wrong.length === 0) found.held.push('every file drawn anew from the journal has the same bytes');
  else noteVersion(run, found);
  found.findings.push(...wrong);
  const again = rejudgeAnswers(journal);
  found.findings.push(...again.findings);
  if (again.known)
    found.held.push(`${again.judged} recorded answers judged again by the contract: ${again.findings.length} disagree`);
  else found.notes.push('the specs here are not those of the run: recorded answers were not judged again');
  if (run.signOff !== undefined) {
    const { name, date, decision } = run.signOff;
    found.notes.push(`${name} signed the run off on ${date}: ${decision}; by the word of whoever signed the folder`);
  }
  const { checks, settled, findings } = recomputeOutcomes(journal);
  found.findings.push(...findings);
  const against = findings.length === 0 ? 'none contradicts' : `${findings.length} contradict`;
  found.notes.push(
    `outcomes of ${checks} checks: ${against} the exchanges, ${settled} follow from them alone; the others rest on what the check compared, which only a run repeats`,
  );
  return run;
}

/** What the signer says of itself in the folder. */
function checkSigning(
  folder: string,
  run: RunResult,
  { certificate, signedAt }: CmsSignature,
  stamped: boolean,
  found: Found,
): void {
  const ended = Date.parse(run.finishedAt ?? run.startedAt);
  if (signedAt.getTime() < ended - CLOCKS_DIFFER)
    found.findings.push(`the signing time ${signedAt.toISOString()} lies before the end of the run`);
  const text = readFileSync(join(folder, INSTRUCTIONS_FILE), 'utf8');
  // Whoever signs the same sums once more leaves the instructions of the first signature, with its time.
  const named = new Date(1000 * Number(/ -attime (\d{1,11}) /.exec(text)?.[1]));
  const isValid = named.getTime() >= Date.parse(certificate.validFrom) && named <= signedAt;
  const facts = { fingerprint: certificate.fingerprint256, signedAt: isValid ? named : signedAt };
  const ours = [true, false].map((pinned) => writeVerifyInstructions({ run: run.id, pinned, stamped, ...facts }));
  if (ours.includes(text)) found.held.push(`${INSTRUCTIONS_FILE} is the one that belongs to this signature`);
  else {
    found.findings.push(`${INSTRUCTIONS_FILE} is not the one that belongs to this signature`);
    noteVersion(run, found);
  }
}

function noteVersion({ suite }: RunResult, found: Found): void {
  const commit = suite.commit ? ` at ${suite.commit}` : '';
  found.notes.push(
    `the run was made by version ${suite.version}${commit}; another version may write its files differently`,
  );
}

function fingerprintOf(pin: SignerPin): string {
  if ('fingerprint' in pin) {
    const found = bare(pin.fingerprint);
    if (/^[0-9a-f]{64}$/.test(found)) return found;
    throw new Trouble('usage', 'the fingerprint is not one of SHA-256', {
      reason: 'it is not 64 hex digits',
      fix: 'openssl x509 -noout -fingerprint -sha256 -in CERT',
    });
  }
  try {
    return bare(new X509Certificate(readFileSync(pin.certificate)).fingerprint256);
  } catch {
    throw new Trouble('usage', 'the certificate cannot be read', {
      place: { file: pin.certificate },
      fix: 'name a PEM file that holds one',
    });
  }
}

function bare(fingerprint: string): string {
  return fingerprint.replace(/[:\s]/g, '').toLowerCase();
}
