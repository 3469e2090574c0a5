import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type CheckLine, findLeaks, JournalFile, type Line } from '#evidence';
import { Trouble } from '#trouble';
import { AnswerShapes, type AnswerTiming, answerTimings } from './answer-shapes.ts';
import { type ExchangeHead, indexJournal } from './journal-index.ts';
import { PROOF_FILE, readProof, renderProofFile } from './proof-file.ts';
import { judgeIndexedRun } from './run-result.ts';
import { readStoredFile } from './stored-file.ts';
import type { ProofFile, RunResult } from './types.ts';

/** Name of the file that a baseline consists of, beside its proof. */
export const BASELINE_FILE = 'baseline.json';

/** What of a run is worth keeping in order to compare later ones with it. */
export interface Baseline {
  readonly format: 'assay.baseline/1';
  readonly id: string;
  readonly startedAt: string;
  readonly verdict: RunResult['verdict'];
  readonly target: Pick<RunResult['target'], 'name' | 'kind'>;
  readonly suite: RunResult['suite'];
  readonly specs: RunResult['specs'];
  readonly counts: RunResult['counts']['rules'];
  /** Verdict of every rule; a skipped one with its reason, `skipped: card`. */
  readonly rules: Readonly<Record<string, string>>;
  /** What was seen in each hole, sorted. */
  readonly holes: Readonly<Record<string, readonly string[]>>;
  /** Members and types of the answers, by operation and status, sorted. */
  readonly shapes: Readonly<Record<string, readonly string[]>>;
  /** How long answers took, by operation. */
  readonly timing: Readonly<Record<string, AnswerTiming>>;
  /** Exchanges of each check that had any, by its id: what the first run of another target is planned with. Of an accepted run only. */
  readonly exchanges?: Readonly<Record<string, number>>;
}

/**
 * The part of a run that runs are compared by; of a run folder from its journal, of a baseline as it was written.
 * @throws Trouble (incomplete) for a folder that is neither, or a damaged journal; (usage) for a damaged baseline
 */
export function readBaseline(folder: string): Baseline {
  const words = { what: 'baseline', fix: 'accept a run anew' };
  return (
    readStoredFile(join(folder, BASELINE_FILE), 'assay.baseline/1', words) ?? baselineOfJournal(new JournalFile(folder))
  );
}

/** Verdict of every rule; a skipped one with its reason. */
export function verdictsOf({ rules }: RunResult): Record<string, string> {
  return Object.fromEntries(
    rules.map((rule) => [rule.id, rule.verdict === 'skipped' ? `skipped: ${rule.reason?.code}` : rule.verdict]),
  );
}

/** Whether a run was told to leave a rule out. @param verdict as {@link verdictsOf} writes it */
export function isUnselected(verdict: string | undefined): boolean {
  return verdict === 'skipped: unselected';
}

/** As {@link readBaseline}, from the lines of a journal. */
export function baselineOfJournal(lines: Iterable<Line>): Baseline {
  return judgeForBaseline(lines).baseline;
}

function judgeForBaseline(lines: Iterable<Line>): { run: RunResult; checks: readonly CheckLine[]; baseline: Baseline } {
  const shapes = new AnswerShapes();
  const shelf = indexJournal(lines, (exchange) => shapes.see(exchange));
  const run = judgeIndexedRun(shelf, {});
  return { run, checks: shelf.checks, baseline: baselineOfRun(run, shelf.exchanges, shapes) };
}

/** As {@link baselineOfJournal}, for a run that is judged already. */
export function baselineOfRun(run: RunResult, exchanges: readonly ExchangeHead[], shapes: AnswerShapes): Baseline {
  const { id, startedAt, verdict, suite, specs, target } = run;
  return {
    format: 'assay.baseline/1',
    id,
    startedAt,
    verdict,
    target: { name: target.name, kind: target.kind },
    suite,
    specs,
    counts: run.counts.rules,
    rules: verdictsOf(run),
    holes: Object.fromEntries(
      run.holes
        .filter(({ learned }) => learned.length > 0)
        .map((hole) => [hole.id, hole.learned.map(({ where, what }) => `${where} ${what}`).sort()]),
    ),
    shapes: shapes.list(),
    timing: answerTimings(exchanges),
  };
}

/**
 * Makes a run the baseline: what it is compared by, and what every lie came to.
 * @param to folder of the baseline; what it held before goes
 * @param proof by default the one in the run folder, when there is one
 * @throws Trouble (incomplete) for a run that is incomplete, or when a secret would be written
 */
export function acceptBaseline(folder: string, to: string, proof = readProof(folder)): Baseline {
  const { run, checks, baseline } = judgeForBaseline(new JournalFile(folder));
  const { complete, incompleteReason } = run;
  if (!complete)
    throw new Trouble('incomplete', 'an incomplete run cannot be the baseline', {
      place: { file: folder },
      ...(incompleteReason ? { reason: incompleteReason } : {}),
      fix: 'run again',
    });
  const asking = checks.filter(({ exchanges }) => exchanges > 0).sort((one, other) => (one.id < other.id ? -1 : 1));
  const accepted: Baseline = {
    ...baseline,
    exchanges: Object.fromEntries(asking.map(({ id, exchanges }) => [id, exchanges])),
  };
  const files: Record<string, string | undefined> = {
    [BASELINE_FILE]: `${JSON.stringify(accepted, undefined, 1)}\n`,
    [PROOF_FILE]: proof === undefined ? undefined : renderProofFile(lasting(proof)),
  };
  const [leak] = Object.entries(files).flatMap(([name, text]) => findLeaks(name, text ?? ''));
  if (leak) throw new Trouble('incomplete', `the baseline is withheld: ${leak.name} would hold ${leak.kind}`);
  mkdirSync(to, { recursive: true });
  for (const [name, text] of Object.entries(files)) {
    if (text === undefined) rmSync(join(to, name), { force: true });
    else writeFileSync(join(to, name), text);
  }
  return accepted;
}

/** A proof as it is committed: what was found in words, and whether anything was changed since, is known elsewhere. */
function lasting({ known, rules }: ProofFile): ProofFile {
  const kept = Object.entries(rules).map(([id, { stale: _, lies, ...rule }]) => [
    id,
    { ...rule, lies: lies.map(({ found: __, ...lie }) => lie) },
  ]);
  return { known, rules: Object.fromEntries(kept) };
}
