import { appendFileSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import type { Target } from '#target';
import { parseJsonText } from '../json-text.ts';
import type { WireAnswer, WireRequest } from '../transport.ts';

/** Something a run left at the target that can be taken back. */
export type CreatedObject =
  | { readonly what: 'document'; readonly path: string; readonly name: string; readonly asked?: true }
  | { readonly what: 'webhook'; readonly found: Readonly<Record<string, unknown>> }
  | { readonly what: 'webhook changed'; readonly asked?: true };

type Change = Extract<CreatedObject, { what: 'webhook changed' }>;
type Made = Exclude<CreatedObject, { what: 'webhook' }>;

/** Names that are ours: only what carries one is ever deleted. */
export const OWN_NAME_PATTERN = /^assay-/;

/** Remembers, across workers and their deaths, what a run has to take back: passively, from what its checks send anyway. */
export class CreatedObjects {
  readonly #path: string | undefined;
  readonly #kept: CreatedObject[] = [];

  /** @param folder where workers share; absent: in this process only */
  constructor(folder?: string) {
    this.#path = folder === undefined ? undefined : join(folder, 'ledger.ndjson');
  }

  /** Everything noted so far, by anyone. */
  list(): readonly CreatedObject[] {
    if (this.#path === undefined) return this.#kept;
    try {
      return readFileSync(this.#path, 'utf8')
        .split('\n')
        .flatMap((line) => parsed(line));
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') return [];
      throw error;
    }
  }

  /** Takes note of what is about to be sent: whether it was done is not known when its answer stays out, or nobody is left to read it. */
  noteRequest(target: Target, operation: string | undefined, sent: WireRequest): void {
    for (const entry of this.#made(target, operation, sent)) this.#add({ ...entry, asked: true });
  }

  /** Takes note of one exchange. */
  noteAnswer(target: Target, operation: string | undefined, sent: WireRequest, { status, body }: WireAnswer): void {
    if (status >= 300 || target.v1 === undefined) return;
    for (const entry of this.#made(target, operation, sent)) this.#add(entry);
    const known = () =>
      this.list().some((one) => one.what === 'webhook' || (one.what === 'webhook changed' && !one.asked));
    if (operation !== 'readWebhook' || !isMain(target, sent) || known()) return;
    const found = object(body);
    if (found !== undefined) this.#add({ what: 'webhook', found });
  }

  /** What a request leaves behind when it succeeds. */
  #made(target: Target, operation: string | undefined, sent: WireRequest): readonly Made[] {
    if (target.v1 === undefined) return [];
    if (operation === 'uploadDocument') {
      const name = object(sent.body)?.file_name;
      const ours = typeof name === 'string' && OWN_NAME_PATTERN.test(name);
      return ours ? [{ what: 'document', path: new URL(sent.url).pathname, name }] : [];
    }
    const changes = operation === 'createWebhook' || operation === 'replaceWebhook';
    return changes && isMain(target, sent) ? [{ what: 'webhook changed' }] : [];
  }

  /** Forgets everything: it was taken back, or said why not. */
  clear(): void {
    this.#kept.length = 0;
    if (this.#path !== undefined) rmSync(this.#path, { force: true });
  }

  #add(entry: CreatedObject): void {
    const again = (one: CreatedObject) => one.what === 'webhook changed' && one.asked === (entry as Change).asked;
    if (entry.what === 'webhook changed' && this.list().some(again)) return;
    if (this.#path === undefined) this.#kept.push(entry);
    else appendFileSync(this.#path, `${JSON.stringify(entry)}\n`, { mode: 0o600 });
  }
}

/** Whether a request carries the main user's token. */
function isMain({ v1 }: Target, { headers }: WireRequest): boolean {
  return headers.some(([name, value]) => name.toLowerCase() === 'authorization' && value.endsWith(` ${v1?.token}`));
}

function parsed(line: string): CreatedObject[] {
  // The last line may be cut short by the end of its worker.
  const entry = parseJsonText(line) as CreatedObject | undefined;
  return entry === undefined ? [] : [entry];
}

function object(bytes: Uint8Array | undefined): Record<string, unknown> | undefined {
  const value = parseJsonText(Buffer.from(bytes ?? []).toString('utf8'));
  return typeof value === 'object' && value !== null && !Array.isArray(value)
    ? (value as Record<string, unknown>)
    : undefined;
}
