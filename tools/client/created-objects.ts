import { appendFileSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { parseJsonText } from './json-text.ts';

/** Something a run left at the target that can be taken back; each service has kinds of its own. */
export interface CreatedObject {
  readonly what: string;
}

/** Remembers, across workers and their deaths, what a run has to take back: passively, from what its checks send anyway. */
export class CreatedObjects {
  readonly #path: string | undefined;
  readonly #entries: CreatedObject[] = [];

  /** @param folder where workers share; absent: in this process only */
  constructor(folder?: string) {
    this.#path = folder === undefined ? undefined : join(folder, 'created-objects.ndjson');
  }

  /** Everything noted so far, by anyone. */
  list(): readonly CreatedObject[] {
    if (this.#path === undefined) return this.#entries;
    try {
      return readFileSync(this.#path, 'utf8')
        .split('\n')
        .flatMap((line) => parsed(line));
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') return [];
      throw error;
    }
  }

  /** Takes note of one of them. */
  add(entry: CreatedObject): void {
    if (this.#path === undefined) this.#entries.push(entry);
    else appendFileSync(this.#path, `${JSON.stringify(entry)}\n`, { mode: 0o600 });
  }

  /** Forgets everything: it was taken back, or said why not. */
  clear(): void {
    this.#entries.length = 0;
    if (this.#path !== undefined) rmSync(this.#path, { force: true });
  }
}

function parsed(line: string): CreatedObject[] {
  // The last line may be cut short by the end of its worker.
  const entry = parseJsonText(line) as CreatedObject | undefined;
  return entry === undefined ? [] : [entry];
}
