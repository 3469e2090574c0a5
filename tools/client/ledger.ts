import { appendFileSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import type { Target } from '#target';
import type { Answered, Sent } from './transport.ts';

/** Something a run left at the target that can be taken back. */
export type Entry =
  | { readonly what: 'document'; readonly path: string; readonly name: string }
  | { readonly what: 'webhook'; readonly found: Readonly<Record<string, unknown>> }
  | { readonly what: 'webhook changed' };

/** Names that are ours: only what carries one is ever deleted. */
export const OURS = /^assay-/;

/** Remembers, across workers and their deaths, what a run has to take back: passively, from what its checks send anyway. */
export class Ledger {
  readonly #path: string | undefined;
  readonly #kept: Entry[] = [];

  /** @param folder where workers share; absent: in this process only */
  constructor(folder?: string) {
    this.#path = folder === undefined ? undefined : join(folder, 'ledger.ndjson');
  }

  /** Everything noted so far, by anyone. */
  entries(): readonly Entry[] {
    if (this.#path === undefined) return this.#kept;
    try {
      return readFileSync(this.#path, 'utf8')
        .split('\n')
        .flatMap((line) => parsed(line));
    } catch {
      return [];
    }
  }

  /** Takes note of one exchange. */
  note(target: Target, operation: string | undefined, sent: Sent, { status, body }: Answered): void {
    if (status >= 300 || target.v1 === undefined) return;
    const main = sent.headers.some(
      ([name, value]) => name.toLowerCase() === 'authorization' && value.endsWith(` ${target.v1?.token}`),
    );
    if (operation === 'uploadDocument') {
      const name = object(sent.body)?.file_name;
      if (typeof name === 'string' && OURS.test(name))
        this.#add({ what: 'document', path: new URL(sent.url).pathname, name });
    } else if (operation === 'readWebhook' && main && !this.entries().some(({ what }) => what !== 'document')) {
      const found = object(body);
      if (found !== undefined) this.#add({ what: 'webhook', found });
    } else if ((operation === 'createWebhook' || operation === 'replaceWebhook') && main) {
      if (!this.entries().some(({ what }) => what === 'webhook changed')) this.#add({ what: 'webhook changed' });
    }
  }

  /** Forgets everything: it was taken back, or said why not. */
  clear(): void {
    this.#kept.length = 0;
    if (this.#path !== undefined) rmSync(this.#path, { force: true });
  }

  #add(entry: Entry): void {
    if (this.#path === undefined) this.#kept.push(entry);
    else appendFileSync(this.#path, `${JSON.stringify(entry)}\n`, { mode: 0o600 });
  }
}

function parsed(line: string): Entry[] {
  try {
    return [JSON.parse(line) as Entry];
  } catch {
    return [];
  }
}

function object(bytes: Uint8Array | undefined): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(Buffer.from(bytes ?? []).toString('utf8'));
    return typeof value === 'object' && value !== null && !Array.isArray(value)
      ? (value as Record<string, unknown>)
      : undefined;
  } catch {
    return undefined;
  }
}
