import { existsSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { Trouble } from '#trouble';
import { readWholeLines } from './file-lines.ts';
import { JOURNAL } from './journal.ts';
import type { Line } from './types.ts';

/**
 * A run folder's journal as it is now, to be gone through any number of times and never in memory as a whole; what is appended
 * meanwhile is left out, and so is a last line cut short by a crash.
 */
export class JournalFile implements Iterable<Line> {
  readonly #file: string;
  readonly #size: number;

  /** @throws Trouble (usage) when there is no such folder, (incomplete) when it holds no journal */
  constructor(folder: string) {
    demandRunFolder(folder);
    this.#file = join(folder, JOURNAL);
    this.#size = statSync(this.#file).size;
  }

  /** @throws Trouble (incomplete) when a line in the middle is damaged, with its number, or the first is no run line */
  [Symbol.iterator](): Iterator<Line> {
    return parseRows(readRows(this.#file, this.#size), this.#file);
  }
}

/**
 * Reads a run folder's journal whole; a last line cut short by a crash is left out.
 * @throws Trouble as {@link demandRunFolder} does; (incomplete) when a line in the middle is damaged, with its number
 */
export function readJournal(folder: string): Line[] {
  return [...new JournalFile(folder)];
}

/** @throws Trouble (usage) when there is no such folder, (incomplete) when it holds no journal */
export function demandRunFolder(folder: string): void {
  const place = { file: folder };
  const fix = 'name a folder below reports/';
  if (!existsSync(folder)) throw new Trouble('usage', 'there is no such folder', { place, fix });
  if (existsSync(join(folder, JOURNAL))) return;
  throw new Trouble('incomplete', 'this is not a run folder', { place, reason: `it holds no ${JOURNAL}`, fix });
}

/**
 * Reads the text of a journal; a last line cut short by a crash is left out.
 * @param file its name, for the trouble
 * @throws Trouble (incomplete) when a line in the middle is damaged, with its number
 */
export function parseJournal(text: string, file = JOURNAL): Line[] {
  return [...parseRows(text.split('\n'), file)];
}

/** As {@link parseJournal}, row by row: the last is what stands behind the last end of a line. */
function* parseRows(rows: Iterable<string>, file: string): Generator<Line> {
  let number = 0;
  let damaged: number | undefined;
  let isFirst = true;
  for (const row of rows) {
    if (damaged !== undefined) throw damagedLine(file, damaged);
    number += 1;
    if (row === '') continue;
    let line: Line;
    try {
      line = JSON.parse(row) as Line;
    } catch {
      damaged = number;
      continue;
    }
    if (isFirst && line?.kind !== 'run') throw headless(file);
    isFirst = false;
    yield line;
  }
  if (isFirst) throw headless(file);
}

function* readRows(file: string, size: number): Generator<string> {
  let isWhole = true;
  for (const lines of readWholeLines(file, size)) {
    isWhole = lines.endsWith('\n');
    const rows = lines.split('\n');
    if (isWhole) rows.pop();
    yield* rows;
  }
  // As splitting the whole text would: nothing stands behind the last line.
  if (isWhole) yield '';
}

function damagedLine(file: string, line: number): Trouble {
  return new Trouble('incomplete', 'the journal is damaged', {
    place: { file, line },
    reason: 'the line is not JSON',
    fix: 'restore the file or run again',
  });
}

function headless(file: string): Trouble {
  return new Trouble('incomplete', 'the journal does not begin with its run line', {
    place: { file, line: 1 },
    fix: 'restore the file or run again',
  });
}
