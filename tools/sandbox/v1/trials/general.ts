import type { Client } from './client.ts';
import { type Trial, trials } from './trial.ts';

const NOBODY = '00000000-0000-4000-8000-000000000000';
const lookup = 'transactions/iban-details?iban=DE89370400440532013000';
const media = (reply: { headers: Headers }) => reply.headers.get('content-type');

async function documentUuid(client: Client): Promise<string> {
  await client.upload();
  return (await client.send('GET', client.documents)).body[0].uuid;
}

/** Prefix, JSON, media type, identifiers. */
const general: Trial[] = [
  ...trials((client) => client.status('GET', 'auth'), 200, { 'v1-auth-not-under-the-prefix': 404 }),
  ...trials((client) => client.status('GET', lookup), 200, { 'v1-lookup-not-under-the-prefix': 404 }),
  ...trials(async (client) => client.status('DELETE', `${client.documents}/${await documentUuid(client)}`), 204, {
    'v1-document-delete-not-under-the-prefix': 404,
  }),
  ...trials(async (client) => typeof (await client.send('GET', '/nowhere')).body, 'object', {
    'v1-unknown-path-body-as-html': 'undefined',
  }),
  ...trials(async (client) => typeof (await client.list()).body, 'object', {
    'v1-list-body-with-trailing-comma': 'undefined',
  }),
  ...trials(async (client) => typeof (await client.send('GET', lookup)).body, 'object', {
    'v1-lookup-body-after-a-guard': 'undefined',
  }),
  ...trials(async (client) => media(await client.send('GET', lookup)), 'application/json; charset=utf-8', {
    'v1-answers-labelled-as-html': 'text/html; charset=utf-8',
    'v1-lookup-labelled-as-text': 'text/plain',
  }),
  ...trials(async (client) => media(await client.send('GET', '/nowhere')), 'application/json; charset=utf-8', {
    'v1-errors-labelled-as-problem': 'application/problem+json; charset=utf-8',
  }),
  ...trials(async (client) => (await client.create()).body.uuid.length, 36, { 'transaction-uuid-without-hyphens': 32 }),
  ...trials(async (client) => (await documentUuid(client)).length, 36, { 'document-uuid-in-five-other-groups': 35 }),
  ...trials(async (client) => (await client.webhook('POST')).body.uuid.length, 36, { 'webhook-uuid-one-short': 35 }),
];

/** A value that is no uuid, wherever one is due. */
const malformed: Trial[] = [
  ...trials(
    (client) => client.status('GET', 'transactions?account_uuid=x&date_from=2026-01-01&date_to=2026-01-02'),
    422,
    {
      'list-takes-any-account': 200,
    },
  ),
  ...trials(
    async (client) => client.status('GET', `transactions/${(await client.create()).body.uuid}?account_uuid=x`),
    422,
    { 'read-takes-any-account': 200 },
  ),
  ...trials(
    async (client) => {
      await client.create();
      return (await client.read('x')).status;
    },
    404,
    { 'read-takes-any-transaction': 200 },
  ),
  ...trials(
    async (client) => {
      await client.upload();
      return client.status('GET', `${client.documents}/x`);
    },
    404,
    { 'read-takes-any-document': 200 },
  ),
  ...trials(
    async (client) => {
      const body = { account_uuid: client.account, amount: 1, payment_details: 'x' };
      return client.status('POST', 'transactions?account_uuid=x', { body });
    },
    422,
    { 'create-takes-any-query-account': 201 },
  ),
  ...trials(async (client) => (await client.create({ account_uuid: 'x' })).status, 422, {
    'create-takes-any-body-account': 201,
  }),
];

const plainList = (client: Client, token: string | null) =>
  client.status('GET', `transactions?account_uuid=${client.account}&date_from=2026-01-01&date_to=2026-01-02`, {
    token,
  });
const without = { token: null };

/** Tokens and rights. */
const authentication: Trial[] = [
  ...trials(
    async (client) => {
      const body = { account_uuid: client.account, amount: 1, payment_details: 'x' };
      const status = await client.status('POST', `transactions?account_uuid=${client.account}`, { body, token: null });
      return [status, (await client.list()).body.transactions.length];
    },
    [401, 0],
    { 'v1-transaction-created-despite-401': [401, 1] },
  ),
  ...trials(
    async (client) => {
      const path = `${client.documents}/${await documentUuid(client)}`;
      return [await client.status('DELETE', path, without), await client.status('GET', path)];
    },
    [401, 200],
    { 'v1-document-deleted-despite-401': [401, 404] },
  ),
  ...trials(
    async (client) => {
      const body = { type: 'passport', file_name: 'a.pdf' };
      const status = await client.status('POST', client.documents, { body, token: null });
      return [status, (await client.send('GET', client.documents)).body.length];
    },
    [401, 0],
    { 'v1-document-uploaded-despite-401': [401, 1] },
  ),
  ...trials(
    async (client) => {
      await client.webhook('POST');
      const body = { url: 'https://b.example/', token: 'U'.repeat(16), is_active: true };
      const status = await client.status('PUT', 'webhooks', { body, token: null });
      return [status, (await client.send('GET', 'webhooks')).body.url];
    },
    [401, 'https://a.example/hook'],
    { 'v1-webhook-replaced-despite-401': [401, 'https://b.example/'] },
  ),
  ...trials((client) => client.status('GET', 'auth', without), 401, {
    'v1-missing-token-answered-403': 403,
    'v1-missing-token-answered-422': 422,
  }),
  ...trials((client) => client.status('GET', client.documents, without), 401, {
    'v1-missing-token-answered-404-for-documents': 404,
  }),
  ...trials((client) => client.status('GET', lookup, without), 401, {
    'v1-missing-token-accepted-for-iban-details': 200,
  }),
  ...trials(
    async (client) => {
      await client.webhook('POST');
      return client.status('GET', 'webhooks', without);
    },
    401,
    { 'v1-missing-token-accepted-for-webhook-read': 200 },
  ),
  ...trials((client) => client.status('GET', 'auth', { token: 'wrong' }), 401, {
    'v1-wrong-token-answered-403': 403,
    'v1-wrong-token-answered-422': 422,
    'v1-any-token-accepted-for-auth': 200,
  }),
  ...trials((client) => client.status('GET', 'auth', { token: `${client.sandbox.credentials.v1.token}x` }), 401, {
    'v1-token-with-tail-accepted': 200,
  }),
  ...trials((client) => client.status('GET', lookup, { token: 'wrong' }), 401, {
    'v1-any-token-accepted-for-iban-details': 200,
  }),
  ...trials(
    async (client) => client.status('GET', `${client.documents}/${await documentUuid(client)}`, { token: 'wrong' }),
    401,
    { 'v1-any-token-accepted-for-document-read': 200 },
  ),
  ...trials((client) => client.status('GET', 'auth'), 200, { 'v1-valid-token-refused-for-auth': 401 }),
  ...trials((client) => client.status('GET', lookup), 200, { 'v1-valid-token-refused-for-iban-details': 401 }),
  ...trials(async (client) => client.status('DELETE', `${client.documents}/${await documentUuid(client)}`), 204, {
    'v1-valid-token-refused-for-document-delete': 401,
  }),
  ...trials(
    async (client) => {
      await client.webhook('POST');
      return (await client.webhook('PUT')).status;
    },
    200,
    { 'v1-valid-token-refused-for-webhook-replace': 401 },
  ),
  ...trials((client) => client.status('GET', 'auth'), 200, {
    'v1-auth-answered-201': 201,
    'v1-auth-answered-204': 204,
  }),
  ...trials(async (client) => (await client.send('GET', 'auth')).text === '', false, {
    'v1-auth-answered-without-information': true,
  }),
];

const stranger = (client: Client) => ({ token: client.sandbox.credentials.v1.unprivileged });
const rights: Trial[] = [
  ...trials((client) => plainList(client, client.sandbox.credentials.v1.unprivileged), 403, {
    'v1-no-rights-answered-404': 404,
    'v1-no-rights-answered-401': 401,
    'v1-no-rights-needed-to-list-transactions': 200,
  }),
  ...trials(async (client) => (await client.create({}, stranger(client))).status, 403, {
    'v1-no-rights-needed-to-create-transactions': 201,
  }),
  ...trials(
    async (client) => {
      const { uuid } = (await client.create()).body;
      return client.status('GET', `transactions/${uuid}?account_uuid=${client.account}`, stranger(client));
    },
    403,
    { 'v1-no-rights-needed-to-read-transactions': 200 },
  ),
  ...trials((client) => client.status('GET', client.documents, stranger(client)), 403, {
    'v1-no-rights-needed-to-list-documents': 200,
  }),
  ...trials(
    async (client) => client.status('GET', `${client.documents}/${await documentUuid(client)}`, stranger(client)),
    403,
    { 'v1-no-rights-needed-to-read-documents': 200 },
  ),
  ...trials(
    (client) =>
      client.status('POST', client.documents, { body: { type: 'passport', file_name: 'a.pdf' }, ...stranger(client) }),
    403,
    { 'v1-no-rights-needed-to-upload-documents': 200 },
  ),
  ...trials(
    async (client) => client.status('DELETE', `${client.documents}/${await documentUuid(client)}`, stranger(client)),
    403,
    { 'v1-no-rights-needed-to-delete-documents': 204 },
  ),
];

const unknown = (client: Client) => client.read(NOBODY);
const nowhere = (client: Client) => client.send('GET', '/nowhere');
const invalid = (client: Client) => client.create({ amount: 0 });
const row = (reply: { status: number; body: { message: string } }) => [reply.status, reply.body.message];

/** Error table and error body. */
const errors: Trial[] = [
  ...trials(async (client) => row(await client.send('GET', 'auth', without)), [401, 'UNAUTHORIZED'], {
    'v1-unauthorized-message-lower-case': [401, 'unauthorized'],
    'v1-unauthorized-message-in-words': [401, 'Unauthenticated.'],
  }),
  ...trials(
    async (client) => row(await client.send('GET', client.documents, stranger(client))),
    [403, 'NO_PERMISSION'],
    {
      'v1-no-permission-message-forbidden': [403, 'FORBIDDEN'],
      'v1-no-permission-message-unauthorized': [403, 'UNAUTHORIZED'],
    },
  ),
  ...trials(async (client) => row(await unknown(client)), [404, 'NOT_FOUND'], {
    'v1-unknown-thing-answered-400': [400, 'NOT_FOUND'],
    'v1-unknown-thing-answered-422': [422, 'NOT_FOUND'],
    'v1-unknown-thing-message-in-words': [404, 'No query results.'],
  }),
  ...trials(async (client) => row(await nowhere(client)), [404, 'NOT_FOUND'], {
    'v1-unknown-path-answered-400': [400, 'NOT_FOUND'],
    'v1-unknown-path-answered-405': [405, 'NOT_FOUND'],
    'v1-unknown-path-message-in-words': [404, 'The route could not be found.'],
  }),
  ...trials(async (client) => row(await invalid(client)), [422, 'VALIDATION_ERROR'], {
    'v1-invalid-answered-400': [400, 'VALIDATION_ERROR'],
    'v1-invalid-answered-200': [200, 'VALIDATION_ERROR'],
    'v1-invalid-message-in-words': [422, 'The given data was invalid.'],
  }),
  ...trials(async (client) => Object.keys((await nowhere(client)).body).join(), 'status,status_code,message,errors', {
    'v1-error-without-status': 'status_code,message,errors',
    'v1-error-without-status-code': 'status,message,errors',
    'v1-error-without-message': 'status,status_code,errors',
    'v1-error-without-errors': 'status,status_code,message',
    'v1-unknown-path-without-errors': 'status,status_code,message',
    'v1-error-in-a-wrapper': 'error',
  }),
  ...trials(async (client) => (await nowhere(client)).body.status, false, {
    'v1-error-status-true': true,
    'v1-error-status-as-text': 'false',
    'v1-error-status-true-on-404': true,
  }),
  ...trials(async (client) => (await invalid(client)).body.status_code, 422, {
    'v1-error-code-always-400': 400,
    'v1-error-code-as-text': '422',
    'v1-error-code-of-422-says-400': 400,
  }),
  ...trials(async (client) => (await nowhere(client)).body.message, 'NOT_FOUND', {
    'v1-error-message-as-list': ['NOT_FOUND'],
    'v1-error-message-null': null,
  }),
  ...trials(async (client) => (await nowhere(client)).body.errors, ['The endpoint does not exist.'], {
    'v1-errors-as-text': '["The endpoint does not exist."]',
    'v1-errors-null': null,
    'v1-listed-errors-as-map': { error: ['The endpoint does not exist.'] },
    'v1-listed-errors-as-objects': [{ detail: 'The endpoint does not exist.' }],
  }),
  ...trials(
    async (client) => (await invalid(client)).body.errors,
    { amount: ['The amount field must be greater than 0.'] },
    {
      'v1-validation-errors-as-list': ['The amount field must be greater than 0.'],
      'v1-validation-errors-single-texts': { amount: 'The amount field must be greater than 0.' },
      'v1-validation-errors-without-field-names': { input: ['The amount field must be greater than 0.'] },
      'v1-validation-errors-first-field-renamed': { _amount: ['The amount field must be greater than 0.'] },
    },
  ),
];

export const generalTrials: readonly Trial[] = [...general, ...malformed, ...authentication, ...rights, ...errors];
