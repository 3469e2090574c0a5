import type { Target } from '#target';
import type { NotedRequest } from '../client-service.ts';
import type { CreatedObjects } from '../created-objects.ts';
import { parseJsonText } from '../json-text.ts';
import type { WireAnswer, WireRequest } from '../transport.ts';

/** Something a run left at the v1 service that can be taken back. */
export type V1CreatedObject =
  | { readonly what: 'document'; readonly path: string; readonly name: string; readonly asked?: true }
  | { readonly what: 'webhook'; readonly found: Readonly<Record<string, unknown>> }
  | { readonly what: 'webhook changed'; readonly asked?: true };

type WebhookChange = Extract<V1CreatedObject, { what: 'webhook changed' }>;
type CreatedByRequest = Exclude<V1CreatedObject, { what: 'webhook' }>;

/** Names that are ours: only what carries one is ever deleted. */
export const OWN_NAME_PATTERN = /^assay-/;

/** Everything noted so far, by anyone. */
export const listV1Objects = (created: CreatedObjects) => created.list() as readonly V1CreatedObject[];

/** Takes note of what is about to be sent: whether it was done is not known when its answer stays out, or nobody is left to read it. */
export function noteV1Request(created: CreatedObjects, noted: NotedRequest): void {
  for (const entry of createdBy(noted)) note(created, { ...entry, asked: true });
}

/** Takes note of one exchange. */
export function noteV1Answer(created: CreatedObjects, noted: NotedRequest, { status, body }: WireAnswer): void {
  const { target, operation, sent } = noted;
  if (status >= 300 || target.v1 === undefined) return;
  for (const entry of createdBy(noted)) note(created, entry);
  const known = () =>
    listV1Objects(created).some((one) => one.what === 'webhook' || (one.what === 'webhook changed' && !one.asked));
  if (operation !== 'readWebhook' || !isMain(target, sent) || known()) return;
  const found = object(body);
  if (found !== undefined) note(created, { what: 'webhook', found });
}

/** What a request leaves behind when it succeeds. */
function createdBy({ target, operation, sent }: NotedRequest): readonly CreatedByRequest[] {
  if (target.v1 === undefined) return [];
  if (operation === 'uploadDocument') {
    const name = object(sent.body)?.file_name;
    const ours = typeof name === 'string' && OWN_NAME_PATTERN.test(name);
    return ours ? [{ what: 'document', path: new URL(sent.url).pathname, name }] : [];
  }
  const changes = operation === 'createWebhook' || operation === 'replaceWebhook';
  return changes && isMain(target, sent) ? [{ what: 'webhook changed' }] : [];
}

function note(created: CreatedObjects, entry: V1CreatedObject): void {
  const again = (one: V1CreatedObject) =>
    one.what === 'webhook changed' && one.asked === (entry as WebhookChange).asked;
  if (entry.what === 'webhook changed' && listV1Objects(created).some(again)) return;
  created.add(entry);
}

/** Whether a request carries the main user's token. */
function isMain({ v1 }: Target, { headers }: WireRequest): boolean {
  return headers.some(([name, value]) => name.toLowerCase() === 'authorization' && value.endsWith(` ${v1?.token}`));
}

function object(bytes: Uint8Array | undefined): Record<string, unknown> | undefined {
  const value = parseJsonText(Buffer.from(bytes ?? []).toString('utf8'));
  return typeof value === 'object' && value !== null && !Array.isArray(value)
    ? (value as Record<string, unknown>)
    : undefined;
}
