import { X509Certificate } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gateFile, JOURNAL, readJournal } from '#evidence';
import { Trouble } from '#trouble';
import { checkSignature } from './cms-signature.ts';
import { rejudgeAnswers } from './rejudge-answers.ts';
import { SIGNATURE_FILE, SUMS_FILE, writeSums } from './sign-run.ts';
import type { RunResult } from './types.ts';
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

/**
 * Checks a closed run folder: signature, signer, sums, no file missing or added, every file drawn anew from the journal and compared
 * byte for byte, recorded answers held against the contract once more, no secret in any file.
 * @throws Trouble (usage) for a folder that is none or a pin that cannot be read; (incomplete) for a folder that was never signed
 */
export function verifyRun(folder: string, pin?: SignerPin): RunVerification {
  const wanted = pin && fingerprintOf(pin);
  const names = list(folder);
  if (!names.includes(SUMS_FILE) && !names.includes(SIGNATURE_FILE))
    throw new Trouble('incomplete', 'the run folder is not signed', {
      place: { file: folder },
      reason: names.includes(JOURNAL)
        ? 'the run was killed before its end, or is still going'
        : `it holds no ${JOURNAL}`,
      fix: 'assay report DIR --sign signs what is there',
    });
  const findings: string[] = [];
  const held: string[] = [];
  const notes: string[] = [];
  checkSigner(folder, names, wanted, { findings, held, notes });
  checkSums(folder, names, { findings, held });
  let run: RunResult | undefined;
  try {
    run = checkDrawing(folder, names, { findings, held, notes });
  } catch (error) {
    findings.push(
      error instanceof Trouble
        ? `${error.message}${error.reason ? `: ${error.reason}` : ''}`
        : 'the journal cannot be read',
    );
  }
  for (const name of names)
    for (const { kind, line } of gateFile(folder, name)) findings.push(`${name} line ${line} holds ${kind}`);
  return { run, findings, held, notes };
}

interface Found {
  readonly findings: string[];
  readonly held: string[];
  readonly notes: string[];
}

function checkSigner(folder: string, names: readonly string[], wanted: string | undefined, found: Found): void {
  const missing = [SUMS_FILE, SIGNATURE_FILE].filter((name) => !names.includes(name));
  if (missing.length > 0) return void found.findings.push(`${missing.join(' and ')} missing`);
  try {
    const { certificate, signedAt: at } = checkSignature(
      readFileSync(join(folder, SIGNATURE_FILE)),
      readFileSync(join(folder, SUMS_FILE)),
    );
    const { fingerprint256, subject, validTo } = certificate;
    found.held.push(`${SUMS_FILE} is signed with SHA-256 by ${subject.replace(/\n/g, ', ')}, ${at.toISOString()}`);
    if (wanted === undefined)
      found.notes.push(
        `unpinned, integrity only: nobody vouches for the signer; compare ${fingerprint256} with what its owner says, or give --cert or --fingerprint`,
      );
    else if (bare(fingerprint256) === wanted) found.held.push(`the signer is the one you named, ${fingerprint256}`);
    else found.findings.push(`the signer is another than you named: ${fingerprint256}`);
    if (Date.parse(validTo) < Date.now()) found.notes.push(`the certificate has expired since, on ${validTo}`);
  } catch (error) {
    const reason = error instanceof RangeError ? error.message : 'it cannot be read';
    found.findings.push(`${SIGNATURE_FILE} does not hold: ${reason}`);
  }
}

function checkSums(folder: string, names: readonly string[], found: Pick<Found, 'findings' | 'held'>): void {
  if (!names.includes(SUMS_FILE)) return;
  const said = readFileSync(join(folder, SUMS_FILE), 'utf8');
  const listed = new Map<string, string>();
  for (const line of said.split('\n').slice(0, -1)) {
    const match = /^([0-9a-f]{64}) {2}([^/\\]+)$/.exec(line);
    if (!match || listed.has(match[2]!))
      return void found.findings.push(`${SUMS_FILE} holds a line that does not belong there`);
    listed.set(match[2]!, match[1]!);
  }
  const there = new Map(
    writeSums(folder)
      .split('\n')
      .slice(0, -1)
      .map((line) => [line.slice(66), line.slice(0, 64)]),
  );
  const wrong = [
    ...[...listed].filter(([name]) => !there.has(name)).map(([name]) => `${name} is missing`),
    ...[...listed]
      .filter(([name, sum]) => there.has(name) && there.get(name) !== sum)
      .map(([name]) => `${name} was changed`),
    ...names
      .filter((name) => name !== SUMS_FILE && name !== SIGNATURE_FILE && !listed.has(name))
      .map((name) => `${name} was added`),
  ];
  if (wrong.length === 0 && said !== writeSums(folder)) wrong.push(`${SUMS_FILE} is not as it was written`);
  if (wrong.length === 0) found.held.push(`${listed.size} files are as they were signed, none is missing or added`);
  found.findings.push(...wrong);
}

function checkDrawing(folder: string, names: readonly string[], found: Found): RunResult {
  const lines = readJournal(folder);
  const { run, files } = drawRunFiles(lines, readCompanions(folder));
  const wrong = Object.entries(files).flatMap(([name, text]) => {
    if (text === undefined) return names.includes(name) ? [`${name} is there, and the journal gives none`] : [];
    if (!names.includes(name)) return [`${name} is missing`];
    return readFileSync(join(folder, name)).equals(Buffer.from(text)) ? [] : [`${name} is not what the journal gives`];
  });
  if (wrong.length === 0) found.held.push('every file drawn anew from the journal has the same bytes');
  else
    found.notes.push(
      `the run was made by version ${run.suite.version}${run.suite.commit ? ` at ${run.suite.commit}` : ''}; another version may draw differently`,
    );
  found.findings.push(...wrong);
  const again = rejudgeAnswers(lines);
  found.findings.push(...again.findings);
  if (again.known)
    found.held.push(`${again.judged} recorded answers judged again by the contract: ${again.findings.length} disagree`);
  else found.notes.push('the specs here are not those of the run: recorded answers were not judged again');
  return run;
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

function list(folder: string): string[] {
  if (!existsSync(folder))
    throw new Trouble('usage', 'there is no such folder', {
      place: { file: folder },
      fix: 'name a folder below reports/',
    });
  const entries = readdirSync(folder, { withFileTypes: true });
  // A folder or a link is no file that a sum could cover.
  const odd = entries.find((entry) => !entry.isFile());
  if (odd)
    throw new Trouble('usage', 'a run folder holds files only', {
      place: { file: join(folder, odd.name) },
      fix: 'name a run folder',
    });
  return entries.map(({ name }) => name).sort();
}
