import { closeSync, fstatSync, ftruncateSync, mkdirSync, openSync, writeSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { TracedMessage } from '#contract';
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

  /** Writes one redacted line. @param text the line as JSON, where it is at hand */
  write(line: Redacted<Line>, text?: string): void {
    const { size } = fstatSync(this.#fd);
    const kept = size > this.#budget ? withoutBulk(line) : line;
    if (kept === undefined) return;
    this.#append(`${(kept === line ? text : undefined) ?? JSON.stringify(kept)}\n`, size);
  }

  /** Writes a whole line or none: half of one, on a disk that is full, would damage what others write behind it. */
  #append(line: string, size: number): void {
    const bytes = Buffer.from(line);
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
