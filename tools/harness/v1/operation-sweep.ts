import { type ApiReply, UnarrangedError } from '#client';
import type { TargetNeed } from '#contract';
import type { V1Client, V1RequestOptions } from './v1-client.ts';

/** A request of one operation. */
export interface PreparedCall {
  readonly operation: string;
  readonly options: V1RequestOptions;
}

/** The operations of the v1 API in three groups, with what a target must offer before they can be called. */
export const OPERATION_GROUPS: readonly {
  readonly about: 'the account' | 'documents' | 'the webhook configuration';
  readonly needs: readonly TargetNeed[];
}[] = [
  { about: 'the account', needs: [] },
  { about: 'documents', needs: ['customer'] },
  { about: 'the webhook configuration', needs: [] },
];

type Group = (typeof OPERATION_GROUPS)[number]['about'];

/**
 * One request for each operation of a group, in order as it stands, about things that exist: a check varies one thing of it.
 * Sent unchanged they have effects; they are meant to be refused.
 * @throws Unarranged when the transaction, document or configuration they are about cannot be made
 */
export async function prepareCalls(v1: V1Client, group: Group): Promise<readonly PreparedCall[]> {
  const account = { account_uuid: v1.account };
  if (group === 'the account') {
    const uuid = await v1.readableTransaction();
    return [
      { operation: 'getAuth', options: {} },
      { operation: 'listTransactions', options: { query: { ...account, ...(await v1.recentDays()) } } },
      { operation: 'createTransaction', options: { query: account, body: v1.transferBody() } },
      { operation: 'readTransaction', options: { path: { uuid }, query: account } },
      { operation: 'getIbanDetails', options: { query: { iban: v1.iban } } },
    ];
  }
  if (group === 'documents') {
    const path = { document_uuid: await v1.arrangeDocument() };
    return [
      { operation: 'uploadDocument', options: { body: v1.documentBody() } },
      { operation: 'listDocuments', options: {} },
      { operation: 'readDocument', options: { path } },
      { operation: 'deleteDocument', options: { path } },
    ];
  }
  await configured(v1);
  const body = configurationBody(v1);
  return [
    { operation: 'createWebhook', options: { body } },
    { operation: 'readWebhook', options: {} },
    { operation: 'replaceWebhook', options: { body: { ...body, is_active: false } } },
  ];
}

/**
 * Calls each operation of a group once and takes away again what can be. The webhook configuration stays as it is: the two
 * operations that write it are called without a body.
 * @returns the answers in the order of sending, none of them judged
 */
export async function sweepOperations(v1: V1Client, group: Group): Promise<readonly ApiReply[]> {
  if (group === 'the account') {
    // A list behind a creation may be asked for more than once, until it shows it.
    const others = [await v1.listTransactions()];
    const created = await v1.createTransaction();
    const uuid = created.status === 201 ? created.object.uuid : undefined;
    others.push(created, await v1.send('getAuth'), await v1.send('getIbanDetails', { query: { iban: v1.iban } }));
    if (typeof uuid === 'string') return [...others, await v1.readTransaction(uuid)];
    // A 404 for a transaction that was never made would say nothing of the path.
    v1.leaveOut(`readTransaction: a valid transfer was answered ${created.status} without a uuid`);
    return others;
  }
  if (group === 'documents') {
    const body = v1.documentBody();
    const uploaded = await v1.send('uploadDocument', { body });
    const listed = await v1.send('listDocuments', { query: { filename: String(body.file_name) } });
    const found = listed.status === 200 && (listed.list()[0] as { uuid?: string } | undefined)?.uuid;
    if (!found) {
      v1.leaveOut(`readDocument and deleteDocument: an upload was answered ${uploaded.status}, and is not listed`);
      return [uploaded, listed];
    }
    const path = { document_uuid: found };
    return [uploaded, listed, await v1.send('readDocument', { path }), await v1.send('deleteDocument', { path })];
  }
  await configured(v1);
  return [
    await v1.send('createWebhook', { body: {} }),
    await v1.send('readWebhook'),
    await v1.send('replaceWebhook', { body: {} }),
  ];
}

/** Sends a request that is not served. */
export type Refusal = () => Promise<ApiReply>;

/**
 * Requests about a group that are to be refused, to be sent again and again: without a token, with one that has no rights, about an
 * account that there is not, without what is needed.
 * @throws Unarranged as {@link prepareCalls} does
 */
export async function prepareRefusals(v1: V1Client, group: Group): Promise<readonly Refusal[]> {
  const account_uuid = v1.freshUuid();
  const { unprivileged: token } = v1;
  return (await prepareCalls(v1, group)).flatMap(({ operation, options }) => {
    const elsewhere =
      group === 'documents'
        ? { path: { ...options.path, account_uuid } }
        : { query: { ...options.query, ...(options.query?.account_uuid === undefined ? {} : { account_uuid }) } };
    const body = options.body as object | undefined;
    const isAccountInBody = body !== undefined && 'account_uuid' in body;
    const changes: readonly V1RequestOptions[] = [
      { token: null },
      // With a token of its own it may well write a configuration.
      ...(token === undefined || group === 'the webhook configuration' ? [] : [{ token }]),
      ...(group === 'the webhook configuration'
        ? []
        : [{ ...elsewhere, ...(isAccountInBody ? { body: { ...body, account_uuid } } : {}) }]),
      ...(body === undefined ? [] : [{ body: {} }]),
      ...(operation === 'getIbanDetails' || operation === 'readTransaction' ? [{ query: {} }] : []),
      ...(operation.startsWith('list') ? [{ query: { ...options.query, per_page: 0 } }] : []),
    ];
    return changes.map((changed) => () => v1.send(operation, { ...options, ...changed, unmetered: true }));
  });
}

/**
 * Requests about a group that are right and fail inside the service, to be sent again and again while nobody else asks it.
 * @throws Unarranged as {@link prepareCalls} does; Unoffered from a request where the target cannot be made to fail
 */
export async function prepareFailures(v1: V1Client, group: Group): Promise<readonly Refusal[]> {
  return (await prepareCalls(v1, group)).flatMap(({ operation, options }) =>
    ([400, 500] as const).map((status) => async () => {
      await v1.triggerFault(status);
      return v1.send(operation, { ...options, unmetered: true });
    }),
  );
}

/**
 * One error of each kind that a caller can bring about alone: 401, 404 for a thing, 404 for a path, 422, whatever a body that is no JSON
 * is answered, and a path by a method that it does not have, where that says anything; 403 where a token has no rights.
 */
export async function provokeErrors(v1: V1Client): Promise<readonly ApiReply[]> {
  const { unprivileged: token } = v1;
  const odd = await v1.sendRaw('PUT', '/api/v1/auth');
  return [
    ...(odd.body.byteLength > 0 ? [odd] : []),
    await v1.send('getAuth', { token: null }),
    await v1.readTransaction(v1.freshUuid()),
    await v1.sendRaw('GET', `/api/v1/${v1.freshName()}`),
    await v1.listTransactions({ per_page: 0 }),
    await v1.send('createTransaction', { query: { account_uuid: v1.account }, body: '{"amount": 10,' }),
    ...(token === undefined ? [] : [await v1.listTransactions({}, { token })]),
  ];
}

/** Sees to it that there is a webhook configuration; one of our making sends nothing. @throws Unarranged when none can be made */
async function configured(v1: V1Client): Promise<void> {
  if ((await v1.findWebhook()) !== undefined) return;
  const body = configurationBody(v1);
  const { status } = await v1.send('createWebhook', { body });
  // Another check may have made one meanwhile.
  if (status !== 201 && (await v1.findWebhook()) !== undefined) return;
  if (status !== 201) throw new UnarrangedError(`a webhook configuration was answered ${status}`);
  await v1.send('replaceWebhook', { body: { ...body, is_active: false } });
}

function configurationBody(v1: V1Client): Record<string, unknown> {
  return { url: v1.webhookUrl('assay'), token: v1.freshToken(), name: null, description: null };
}

/** Answers by operation and status, for a message. */
export function describeReplies(replies: readonly ApiReply[]): string {
  return replies.map(({ operation = 'the unknown path', status }) => `${status} from ${operation}`).join(', ');
}
