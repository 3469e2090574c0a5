import { randomBytes } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import { RATE_WINDOW } from '#evidence';
import { valueAt } from '#json-pointer';

import type { Target } from '#target';
import type { TakenBackObject } from '../client-service.ts';
import type { CreatedObjects } from '../created-objects.ts';
import type { Transport } from '../transport.ts';
import { listV1Objects, OWN_NAME_PATTERN, type V1CreatedObject } from './created-objects.ts';

const FIELDS = ['url', 'name', 'description', 'is_active'] as const;

/**
 * Deletes the documents a run uploaded and puts the webhook configuration back. Where the run has used the rate limit up, the end of its
 * window is waited for once.
 */
export async function takeBackV1(
  target: Target,
  created: CreatedObjects,
  transport: Pick<Transport, 'send'>,
  pause = (seconds: number): Promise<unknown> => wait(seconds * 1000),
): Promise<TakenBackObject[]> {
  const entries = listV1Objects(created);
  const { v1 } = target;
  if (v1 === undefined) return [];
  let waited = false;
  const send: SendRequest = async (method, path, body) => {
    const bytes = body === undefined ? undefined : Buffer.from(JSON.stringify(body));
    const request = {
      method,
      url: `${new URL(v1.address).origin}${path}`,
      headers: [
        ['accept', 'application/json'],
        ['authorization', `Bearer ${v1.token}`],
        ...(bytes === undefined ? [] : [['content-type', 'application/json'] as const]),
      ] as const,
      body: bytes,
    };
    const reply = await transport.send(request);
    if (reply.status !== 429 || waited) return reply;
    waited = true;
    await pause(RATE_WINDOW + 1);
    return transport.send(request);
  };
  return [...(await takeBackDocuments(entries, send)), ...(await takeBackWebhook(target, entries, send))];
}

type SendRequest = (method: string, path: string, body?: unknown) => ReturnType<Transport['send']>;

async function takeBackDocuments(entries: readonly V1CreatedObject[], send: SendRequest): Promise<TakenBackObject[]> {
  const uploads = entries.filter((one) => one.what === 'document');
  const returned: TakenBackObject[] = [];
  for (const path of new Set(uploads.map((one) => one.path))) {
    const here = uploads.filter((one) => one.path === path);
    const names = new Set(here.map(({ name }) => name));
    try {
      for (const { uuid, name } of await listDocuments(path, send)) {
        if (!names.has(name) || !OWN_NAME_PATTERN.test(name)) continue;
        const { status } = await send('DELETE', `${path}/${encodeURIComponent(uuid)}`);
        const restored = status < 300 || status === 404;
        returned.push({ what: 'document', id: uuid, restored, ...(restored ? {} : { reason: `answered ${status}` }) });
      }
    } catch (error) {
      // Where nothing is known to have been taken there may be no such list.
      if (here.every(({ asked }) => asked)) continue;
      returned.push({ what: 'document', id: path, restored: false, reason: (error as Error).message });
    }
  }
  return returned;
}

async function listDocuments(path: string, send: SendRequest): Promise<{ uuid: string; name: string }[]> {
  const found: { uuid: string; name: string }[] = [];
  for (let page = 1; page <= 100; page += 1) {
    const { status, body } = await send('GET', `${path}?per_page=100&page=${page}`);
    // The last page may have been full; one after it may be refused.
    if (page > 1 && status >= 400 && status < 500) break;
    if (status !== 200) throw new Error(`the list of documents was answered ${status}`);
    const rows: unknown = JSON.parse(body.toString('utf8'));
    if (!Array.isArray(rows)) throw new Error('the list of documents is no array');
    for (const row of rows)
      found.push({ uuid: String(valueAt(row, '/uuid')), name: String(valueAt(row, '/file_name')) });
    if (rows.length < 100) break;
  }
  return found;
}

async function takeBackWebhook(
  target: Target,
  entries: readonly V1CreatedObject[],
  send: SendRequest,
): Promise<TakenBackObject[]> {
  const changes = entries.filter((one) => one.what === 'webhook changed');
  if (changes.length === 0) return [];
  const sure = changes.some(({ asked }) => !asked);
  const path = `${new URL(target.v1!.address).pathname.replace(/\/$/, '')}/api/v1/webhooks`;
  const before = entries.find((one) => one.what === 'webhook')?.found;
  const failed = (reason: string): TakenBackObject[] => [
    { what: 'webhook', id: 'configuration', restored: false, reason },
  ];
  const ours = (one: Readonly<Record<string, unknown>>) => /\/assay/.test(String(one.url));
  try {
    const { status, body } = await send('GET', path);
    if (status !== 200) return sure ? failed(`reading it was answered ${status}`) : [];
    const now = JSON.parse(body.toString('utf8')) as Record<string, unknown>;
    const token = target.v1!.webhookToken;
    if (before !== undefined && !ours(before)) {
      if (FIELDS.every((field) => (now[field] ?? null) === (before[field] ?? null))) return [];
      if (token === undefined) return failed('v1.webhookToken is not in the target file');
      const back = Object.fromEntries(FIELDS.map((field) => [field, before[field] ?? null]));
      const { status: answered } = await send('PUT', path, { ...back, token });
      return answered < 300
        ? [{ what: 'webhook', id: 'configuration', restored: true }]
        : failed(`putting it back was answered ${answered}`);
    }
    // There was none, and none can be deleted: one that sends nothing is as near as it gets.
    if (now.is_active === false || (!sure && !ours(now))) return [];
    const silent = { url: now.url, name: now.name ?? null, description: now.description ?? null, is_active: false };
    const { status: answered } = await send('PUT', path, {
      ...silent,
      token: token ?? randomBytes(16).toString('hex'),
    });
    return failed(answered < 300 ? 'there was none; it is switched off' : `switching it off was answered ${answered}`);
  } catch (error) {
    return sure ? failed((error as Error).message) : [];
  }
}
