import { type Reply, Unarranged } from '#client';
import type { Need } from '#contract';
import type { Options, V1 } from './v1.ts';

/** A request of one operation. */
export interface Call {
  readonly operation: string;
  readonly options: Options;
}

/** The operations of the v1 API in three groups, with what a target must offer before they can be called. */
export const GROUPS: readonly {
  readonly about: 'the account' | 'documents' | 'the webhook configuration';
  readonly needs: readonly Need[];
}[] = [
  { about: 'the account', needs: [] },
  { about: 'documents', needs: ['customer'] },
  { about: 'the webhook configuration', needs: [] },
];

/** A webhook configuration but for its token; nobody can own this host (RFC 2606). */
const SHEET = { url: 'https://receiver.invalid/assay', name: null, description: null };

type Group = (typeof GROUPS)[number]['about'];

/**
 * One request for each operation of a group, in order as it stands, about things that exist: a check varies one thing of it.
 * Sent unchanged they have effects; they are meant to be refused.
 * @throws Unarranged when the transaction, document or configuration they are about cannot be made
 */
export async function calls(v1: V1, group: Group): Promise<readonly Call[]> {
  const account = { account_uuid: v1.account };
  if (group === 'the account') {
    const uuid = await v1.created();
    return [
      { operation: 'getAuth', options: {} },
      { operation: 'listTransactions', options: { query: { ...account, ...(await v1.days(-7, 2)) } } },
      { operation: 'createTransaction', options: { query: account, body: v1.transfer() } },
      { operation: 'readTransaction', options: { path: { uuid }, query: account } },
      { operation: 'getIbanDetails', options: { query: { iban: v1.iban } } },
    ];
  }
  if (group === 'documents') {
    const path = { document_uuid: await v1.uploaded() };
    return [
      { operation: 'uploadDocument', options: { body: v1.document() } },
      { operation: 'listDocuments', options: {} },
      { operation: 'readDocument', options: { path } },
      { operation: 'deleteDocument', options: { path } },
    ];
  }
  await configured(v1);
  const body = { url: 'https://receiver.invalid/assay', token: v1.secret(), name: null, description: null };
  return [
    { operation: 'createWebhook', options: { body } },
    { operation: 'readWebhook', options: {} },
    { operation: 'replaceWebhook', options: { body: { ...body, is_active: false } } },
  ];
}

/**
 * Calls each operation of a group once and takes away again what can be. The webhook configuration stays as it is: the two
 * operations that write it are called without a body.
 * @returns the answers, none of them judged
 */
export async function sweep(v1: V1, group: Group): Promise<readonly Reply[]> {
  const account = { account_uuid: v1.account };
  if (group === 'the account') {
    const created = await v1.create();
    const uuid = created.status === 201 ? String(created.object.uuid) : v1.uuid();
    return [
      await v1.send('getAuth'),
      created,
      await v1.list(),
      await v1.send('readTransaction', { path: { uuid }, query: account }),
      await v1.send('getIbanDetails', { query: { iban: v1.iban } }),
    ];
  }
  if (group === 'documents') {
    const body = v1.document();
    const uploaded = await v1.send('uploadDocument', { body });
    const listed = await v1.send('listDocuments', { query: { filename: String(body.file_name) } });
    const found = listed.status === 200 && (listed.list()[0] as { uuid?: string } | undefined)?.uuid;
    const path = { document_uuid: found || v1.uuid() };
    return [uploaded, listed, await v1.send('readDocument', { path }), await v1.send('deleteDocument', { path })];
  }
  await configured(v1);
  return [
    await v1.send('createWebhook', { body: {} }),
    await v1.send('readWebhook'),
    await v1.send('replaceWebhook', { body: {} }),
  ];
}

/** One error of each kind that a caller can bring about alone: 401, 404 for a thing, 404 for a path, 422. */
export async function faults(v1: V1): Promise<readonly Reply[]> {
  return [
    await v1.send('getAuth', { token: null }),
    await v1.send('readTransaction', { path: { uuid: v1.uuid() }, query: { account_uuid: v1.account } }),
    await v1.raw('GET', `/api/v1/${v1.word()}`),
    await v1.list({ per_page: 0 }),
  ];
}

/** Sees to it that there is a webhook configuration; one of our making sends nothing. @throws Unarranged when none can be made */
async function configured(v1: V1): Promise<void> {
  if ((await v1.send('readWebhook')).status === 200) return;
  const body = { ...SHEET, token: v1.secret() };
  const { status } = await v1.send('createWebhook', { body });
  if (status !== 201) throw new Unarranged(`a webhook configuration was answered ${status}`);
  await v1.send('replaceWebhook', { body: { ...body, is_active: false } });
}

/** Answers by operation and status, for a message. */
export function told(replies: readonly Reply[]): string {
  return replies.map(({ operation = 'the unknown path', status }) => `${status} from ${operation}`).join(', ');
}
