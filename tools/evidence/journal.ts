import { closeSync, existsSync, fstatSync, ftruncateSync, mkdirSync, openSync, readFileSync, writeSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { TracedMessage } from '#contract';
import { Trouble } from '#trouble';
import type { Line, Message, Redacted, TraceLine } from './types.ts';

/** Name of the journal inside a run folder. */
export const JOURNAL = 'evidence.ndjson';

/** Bytes of evidence that a run writes in full, all its processes together. */
const BUDGET = 128 * 1024 * 1024;

/** A line that a spent budget has room for: an exchange without its bodies, nothing of what was merely learned. */
function withoutBulk(line: Redacted<Line>): Redacted<Line> | undefined {
  if (line.kind === 'learned') return undefined;
  if (line.kind !== 'exchange') return line;
  const bare = ({ body, ...message }: Message): Message => (body === undefined ? message : { ...message, cut: true });
  const { request, response } = line;
  return {
    ...line,
    request: { ...bare(request), method: request.method, url: request.url },
    ...(response === undefined ? {} : { response: { ...bare(response), status: response.status } }),
  };
}

/** What a recorder writes to. */
export type JournalWriter = Pick<Journal, 'write' | 'note'>;

/** Appends lines to a run's journal. Several processes may append: a line is one write in append mode. */
export class Journal {
  readonly #fd: number;
  readonly #budget: number;
  readonly #traces = new Map<string, { traced: TracedMessage; exchanges: string[] }>();

  /**
   * @param folder run folder; made when missing
   * @param budget bytes the journal may hold before bodies and learned lines are left out; what became of the checks is always written
   */
  constructor(folder: string, budget = BUDGET) {
    this.#budget = budget;
    const file = join(folder, JOURNAL);
    mkdirSync(dirname(file), { recursive: true });
    this.#fd = openSync(file, 'a');
  }

  /** Writes one redacted line. */
  write(line: Redacted<Line>): void {
    const kept = fstatSync(this.#fd).size > this.#budget ? withoutBulk(line) : line;
    if (kept !== undefined) this.#append(`${JSON.stringify(kept)}\n`);
  }

  /** Writes a whole line or none: half of one, on a disk that is full, would damage what others write behind it. */
  #append(line: string): void {
    const bytes = Buffer.from(line);
    const { size } = fstatSync(this.#fd);
    const written = writeSync(this.#fd, bytes);
    if (written === bytes.length) return;
    if (fstatSync(this.#fd).size === size + written) ftruncateSync(this.#fd, size);
    throw Object.assign(new Error(`ENOSPC: ${written} of ${bytes.length} bytes of a line written`), { code: 'ENOSPC' });
  }

  /**
   * Writes what an exchange met in the spec, and keeps those that meet the same until the journal is closed: there are many. A worker
   * that is shot leaves at least the first of each. It names places of the spec, no values.
   */
  note(traced: TracedMessage, exchange: string): void {
    const { api, operation, side, status, at } = traced;
    const key = [api, operation, side, status, ...at].join('\n');
    const known = this.#traces.get(key);
    if (known) known.exchanges.push(exchange);
    else {
      this.#traces.set(key, { traced, exchanges: [] });
      this.#trace(traced, [exchange]);
    }
  }

  /** Writes what was noted and closes the file. */
  close(): void {
    for (const { traced, exchanges } of this.#traces.values()) if (exchanges.length > 0) this.#trace(traced, exchanges);
    closeSync(this.#fd);
  }

  #trace(traced: TracedMessage, exchanges: readonly string[]): void {
    const line: TraceLine = { kind: 'trace', ...traced, exchanges };
    this.write(line as Redacted<Line>);
  }
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
 * Reads a run folder's journal; a last line cut short by a crash is left out.
 * @throws Trouble as {@link demandRunFolder} does; (incomplete) when a line in the middle is damaged, with its number
 */
export function readJournal(folder: string): Line[] {
  demandRunFolder(folder);
  const file = join(folder, JOURNAL);
  return parseJournal(readFileSync(file, 'utf8'), file);
}

/**
 * Reads the text of a journal; a last line cut short by a crash is left out.
 * @param file its name, for the trouble
 * @throws Trouble (incomplete) when a line in the middle is damaged, with its number
 */
export function parseJournal(text: string, file = JOURNAL): Line[] {
  const rows = text.split('\n');
  const lines: Line[] = [];
  rows.forEach((row, index) => {
    if (row === '') return;
    try {
      lines.push(JSON.parse(row) as Line);
    } catch {
      if (index === rows.length - 1) return;
      throw new Trouble('incomplete', 'the journal is damaged', {
        place: { file, line: index + 1 },
        reason: 'the line is not JSON',
        fix: 'restore the file or run again',
      });
    }
  });
  if (lines[0]?.kind !== 'run') {
    throw new Trouble('incomplete', 'the journal does not begin with its run line', {
      place: { file, line: 1 },
      fix: 'restore the file or run again',
    });
  }
  return lines;
}
