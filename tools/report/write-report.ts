import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { readJournal } from '#evidence';
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

/**
 * Draws every file of a run folder from its journal alone. The same journal gives the same bytes: waivers are judged by the
 * day the run ended (or began, when it never ended), not by the day the page is drawn.
 * @returns the result of the run, as written to run.json
 * @throws Trouble (incomplete) when the folder holds no journal or a damaged one, (usage) when its proof file is damaged
 */
export function writeReport(folder: string, proof: ReadonlyMap<string, Proof> | undefined = readProof(folder)): Run {
  const shelf = shelve(readJournal(folder));
  const run = conclusion(shelf, proof === undefined ? {} : { proof });
  const files: Record<string, string | undefined> = {
    'run.json': `${JSON.stringify(run, undefined, 1)}\n`,
    'junit.xml': junit(run),
    'ctrf.json': ctrf(run),
    'summary.md': summary(run),
    'overlay.yaml': overlay(run, shelf.run.register),
    'index.html': page(run, shelf),
  };
  for (const [name, text] of Object.entries(files)) {
    if (text === undefined) rmSync(join(folder, name), { force: true });
    else writeFileSync(join(folder, name), text);
  }
  return run;
}

/** The files of a run folder that a signature covers, sorted by name; the sums and the signature itself are not among them. */
export function artifacts(folder: string): string[] {
  return readdirSync(folder, { withFileTypes: true })
    .filter((entry) => entry.isFile() && !entry.name.startsWith('SHA256SUMS'))
    .map(({ name }) => name)
    .sort();
}

function readProof(folder: string): ReadonlyMap<string, Proof> | undefined {
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
