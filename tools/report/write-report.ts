import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gate, gateFile, JOURNAL, type Leak, type Line, type Redactor, readJournal } from '#evidence';
import { Trouble } from '#trouble';
import { ctrf } from './ctrf.ts';
import { junit } from './junit.ts';
import { conclusion } from './model.ts';
import { overlay } from './overlay.ts';
import { page } from './page/page.ts';
import { shelve } from './shelf.ts';
import { summary } from './summary.ts';
import type { Proof, Run } from './types.ts';

/** Name of the file in which a proof leaves its lies for a run folder. */
export const PROOF = 'proof.json';

const DRAWN = new Set(['run.json', 'junit.xml', 'ctrf.json', 'summary.md', 'overlay.yaml', 'index.html']);

/** What drawing needs besides the journal. */
export interface Drawing {
  /** Lies told about each rule; by default what `proof.json` of the folder says. */
  readonly proof?: ReadonlyMap<string, Proof> | undefined;
  /** Knows the target's secrets, so that they are looked for by value as well. */
  readonly redactor?: Redactor | undefined;
  /** The run that writes this folder: when a secret is found, its journal goes too. */
  readonly own?: boolean;
}

/** A run's files by name, drawn and not yet written; undefined for one that must not be there. */
export type Drawn = Readonly<Record<string, string | undefined>>;

/**
 * Draws every file of a run from its journal alone. The same journal gives the same bytes: waivers are judged by the day the run
 * ended (or began, when it never ended), not by the day the page is drawn.
 * @param lines of the journal
 */
export function draw(lines: Iterable<Line>, proof?: ReadonlyMap<string, Proof>): { run: Run; files: Drawn } {
  const shelf = shelve(lines);
  const run = conclusion(shelf, proof === undefined ? {} : { proof });
  const files = {
    'run.json': `${JSON.stringify(run, undefined, 1)}\n`,
    'junit.xml': junit(run),
    'ctrf.json': ctrf(run),
    'summary.md': summary(run),
    'overlay.yaml': overlay(run, shelf.run.register),
    'index.html': page(run, shelf),
  };
  return { run, files };
}

/**
 * Draws the files of a run folder and writes them, unless the final bytes of any artifact hold a secret: then none is written.
 * @returns the result of the run, as written to run.json
 * @throws Trouble (incomplete) when the folder holds no journal or a damaged one, or an artifact is withheld; (usage) when its proof
 *   file is damaged
 */
export function writeReport(folder: string, drawing: Drawing = {}): Run {
  const leaks: Leak[] = [];
  for (const name of artifacts(folder)) if (!DRAWN.has(name)) leaks.push(...gateFile(folder, name, drawing.redactor));
  const { run, files } = draw(readJournal(folder), drawing.proof ?? readProof(folder));
  // What the page carries packed stands in the journal, which has just been looked through.
  for (const [name, text = ''] of Object.entries(files))
    leaks.push(...gate(name, text.replace(/(class="pack">)[^<]*/g, '$1'), drawing.redactor));
  if (leaks.length > 0) {
    for (const name of [...Object.keys(files), ...(drawing.own ? [JOURNAL] : [])])
      rmSync(join(folder, name), { force: true });
    throw withheld(folder, leaks);
  }
  for (const [name, text] of Object.entries(files)) {
    if (text === undefined) rmSync(join(folder, name), { force: true });
    else writeFileSync(join(folder, name), text);
  }
  return run;
}

function withheld(folder: string, leaks: readonly Leak[]): Trouble {
  const places = leaks.map(({ name, line, kind }) => `${name}${line > 0 ? ` line ${line}` : ''}: ${kind}`);
  return new Trouble('incomplete', 'the run folder is withheld: a secret would have been written', {
    place: { file: folder },
    reason: [...new Set(places)].join('; '),
    fix: 'nothing was kept; name the secret in the target file, or report what kind of text came through',
  });
}

/** The files of a run folder that a signature covers, sorted by name; the sums and the signature itself are not among them. */
export function artifacts(folder: string): string[] {
  return readdirSync(folder, { withFileTypes: true })
    .filter((entry) => entry.isFile() && !entry.name.startsWith('SHA256SUMS'))
    .map(({ name }) => name)
    .sort();
}

/**
 * The proof that lies beside a journal.
 * @throws Trouble (usage) when it is damaged
 */
export function readProof(folder: string): ReadonlyMap<string, Proof> | undefined {
  const file = join(folder, PROOF);
  if (!existsSync(file)) return undefined;
  try {
    return new Map(Object.entries(JSON.parse(readFileSync(file, 'utf8')) as Record<string, Proof>));
  } catch {
    throw new Trouble('usage', 'the proof is damaged', {
      place: { file },
      reason: 'it is not JSON',
      fix: 'prove again or remove the file',
    });
  }
}
