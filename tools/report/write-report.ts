import { closeSync, openSync, readdirSync, rmSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import {
  type ArtifactLeak,
  demandRunFolder,
  findFileLeaks,
  findLeaks,
  JOURNAL,
  JournalFile,
  type Line,
  type Redactor,
} from '#evidence';
import { Trouble } from '#trouble';
import { AnswerShapes } from './answer-shapes.ts';
import { type Baseline, baselineOfRun } from './baseline.ts';
import { compareRuns } from './compare-runs.ts';
import { renderCtrf } from './ctrf.ts';
import { indexJournal, type JournalIndex } from './journal-index.ts';
import { renderJunit } from './junit.ts';
import { keptPictures } from './kept-pictures.ts';
import { renderSummary } from './markdown-summary.ts';
import { renderOverlay } from './overlay.ts';
import { renderAuditPage } from './page/audit-page.ts';
import { isPack } from './page/pack-exchanges.ts';
import { readPreviousRun } from './previous-run.ts';
import { readProof } from './proof-file.ts';
import { type RunHistory, readHistory } from './run-history.ts';
import { judgeIndexedRun } from './run-result.ts';
import { readSignOff, type SignOff } from './sign-off.ts';
import type { ProofFile, RunResult } from './types.ts';

const DRAWN = new Set(['run.json', 'junit.xml', 'ctrf.json', 'summary.md', 'overlay.yaml', 'index.html']);

/** What lies beside a journal and is drawn with it. */
export interface RunCompanions {
  readonly proofs?: ProofFile | undefined;
  /** The run to compare with. */
  readonly previous?: Baseline | undefined;
  /** What a reviewer decided about the run. */
  readonly signOff?: SignOff | undefined;
  /** Runs to draw a trend from. */
  readonly history?: RunHistory | undefined;
}

/** What drawing needs besides the folder. */
export interface DrawingOptions {
  /** Knows the target's secrets, so that they are looked for by value as well. */
  readonly redactor?: Redactor | undefined;
  /** The run that writes this folder: when a secret is found, its journal goes too. */
  readonly ownsFolder?: boolean;
  /** A page before the last one: the journal was looked through line by line as it was written, and is as a whole at the end. */
  readonly isDraft?: boolean;
}

/** What a file holds, in pieces. */
export type DrawnFile = readonly (string | Buffer)[];

/** A run's files by name, drawn and not yet written; undefined for one that must not be there. */
export type DrawnFiles = Readonly<Record<string, DrawnFile | undefined>>;

/**
 * Draws every file of a run from its journal and what lies beside it. The same folder gives the same bytes: waivers are judged by
 * the day the run ended (or began, when it never ended), not by the day the page is drawn.
 * @param lines of the journal, which is gone through twice
 */
export function drawRunFiles(
  lines: readonly Line[] | JournalFile,
  { proofs, previous, history, signOff }: RunCompanions = {},
): { run: RunResult; journal: JournalIndex; files: DrawnFiles } {
  const shapes = new AnswerShapes();
  const shelf = indexJournal(lines, previous && ((exchange) => shapes.see(exchange)));
  const judged = judgeIndexedRun(shelf, proofs === undefined ? {} : { proofs });
  const run: RunResult = {
    ...judged,
    ...(previous !== undefined && {
      since: {
        ...compareRuns(previous, baselineOfRun(judged, shelf.exchanges, shapes)),
        fromStartedAt: previous.startedAt,
        fromVerdict: previous.verdict,
      },
    }),
    ...(signOff !== undefined && { signOff }),
  };
  const files = {
    'run.json': [JSON.stringify(run, undefined, 1), '\n'],
    'junit.xml': [renderJunit(run)],
    'ctrf.json': [renderCtrf(run)],
    'summary.md': [renderSummary(run)],
    'overlay.yaml': inPieces(renderOverlay(run, shelf.run.register)),
    'index.html': renderAuditPage(run, shelf, { history, previous }),
    ...Object.fromEntries([...keptPictures(shelf.pictures)].map(([name, bytes]) => [name, [bytes]])),
  };
  return { run, journal: shelf, files };
}

function inPieces(text: string | undefined): DrawnFile | undefined {
  return text === undefined ? undefined : [text];
}

/**
 * Draws the files of a run folder and writes them, unless the final bytes of any artifact hold a secret: then none is written.
 * @returns the result of the run, as written to run.json
 * @throws Trouble (incomplete) when the folder holds no journal or a damaged one, or an artifact is withheld; (usage) when what
 *   lies beside it is damaged
 */
export function writeReport(folder: string, drawing: DrawingOptions = {}): RunResult {
  demandRunFolder(folder);
  const leaks: ArtifactLeak[] = [];
  for (const name of listArtifacts(folder))
    if (!DRAWN.has(name) && !(drawing.isDraft && name === JOURNAL))
      leaks.push(...findFileLeaks(folder, name, drawing.redactor));
  const lines = new JournalFile(folder);
  const { run, files } = drawRunFiles(lines, readCompanions(folder, lines));
  // What the page carries packed stands in the journal, which was looked through: just now, or of a draft as it was written.
  for (const [name, pieces = []] of Object.entries(files))
    for (const piece of pieces) if (!isPack(piece)) leaks.push(...findLeaks(name, piece, drawing.redactor));
  if (leaks.length > 0) {
    for (const name of [...Object.keys(files), ...(drawing.ownsFolder ? [JOURNAL] : [])])
      rmSync(join(folder, name), { force: true });
    throw withheld(folder, leaks);
  }
  try {
    for (const [name, pieces] of Object.entries(files)) {
      if (pieces === undefined) rmSync(join(folder, name), { force: true });
      else writePieces(join(folder, name), pieces);
    }
  } catch (error) {
    // Half a page, or the page of an earlier moment, would say what is not so; the journal says it all.
    for (const name of Object.keys(files)) rmSync(join(folder, name), { force: true });
    throw error;
  }
  return run;
}

function writePieces(path: string, pieces: DrawnFile): void {
  const file = openSync(path, 'w');
  try {
    for (const piece of pieces) {
      const bytes = Buffer.from(piece);
      for (let at = 0; at < bytes.length; ) at += writeSync(file, bytes, at);
    }
  } finally {
    closeSync(file);
  }
}

function withheld(folder: string, leaks: readonly ArtifactLeak[]): Trouble {
  const places = leaks.map(({ name, line, kind }) => `${name}${line > 0 ? ` line ${line}` : ''}: ${kind}`);
  return new Trouble('incomplete', 'the run folder is withheld: a secret would have been written', {
    place: { file: folder },
    reason: [...new Set(places)].join('; '),
    fix: 'nothing was kept; name the secret in the target file, or report what kind of text came through',
  });
}

/** The files of a run folder that a signature covers, sorted by name; the sums and the signature itself are not among them. */
export function listArtifacts(folder: string): string[] {
  return readdirSync(folder, { withFileTypes: true })
    .filter((entry) => entry.isFile() && !entry.name.startsWith('SHA256SUMS'))
    .map(({ name }) => name)
    .sort();
}

/**
 * What lies beside a journal and is drawn with it.
 * @throws Trouble (usage) when any of it is damaged
 */
export function readCompanions(folder: string, lines: Iterable<Line>): RunCompanions {
  const [first] = lines;
  const id = first?.kind === 'run' ? first.id : '';
  return {
    proofs: readProof(folder),
    previous: readPreviousRun(folder),
    history: readHistory(folder),
    signOff: readSignOff(folder, id),
  };
}
