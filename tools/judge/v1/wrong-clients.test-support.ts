import { floodV1 } from '../honest-clients.test-support.ts';
import type { ScriptedClient } from '../scripted-client.test-support.ts';
import { type WrongClient, wrongClient } from '../wrong-client.test-support.ts';

const PERIOD = { date_from: '2026-01-01', date_to: '2026-12-31' };

const list = (client: ScriptedClient, query: Record<string, string | number | undefined>) =>
  client.v1('GET', '/transactions', { query: { account_uuid: client.account, ...PERIOD, ...query } });

const upload = (client: ScriptedClient, changes: object) =>
  client.v1('POST', client.documents, { body: { type: 'passport', file_name: 'p.pdf', ...changes } });

const configure = (client: ScriptedClient, changes: Readonly<Record<string, unknown>>) =>
  client.v1('POST', '/webhooks', { body: client.webhook(changes) });

/** Clients of the v1 service that break one rule each. */
export const WRONG_V1_CLIENTS: readonly WrongClient[] = [
  wrongClient('V1-CRQ-01', 'sends no token', (client) =>
    client.v1('GET', '/auth', { headers: { authorization: undefined } }),
  ),
  wrongClient('V1-CRQ-02', 'accepts anything', (client) => client.v1('GET', '/auth', { headers: { accept: '*/*' } })),
  wrongClient('V1-CRQ-03', 'sends a form', (client) => client.v1('PUT', '/webhooks', { raw: 'is_active=1' })),
  wrongClient('V1-CRQ-04', 'reads a transaction by its number', (client) =>
    client.v1('GET', '/transactions/17', { query: { account_uuid: client.account } }),
  ),
  wrongClient('V1-CRQ-05', 'lists no account', (client) => list(client, { account_uuid: undefined })),
  wrongClient('V1-CRQ-06', 'lists from the beginning', (client) => list(client, { date_from: undefined })),
  wrongClient('V1-CRQ-06', 'writes dates as it speaks them', (client) => list(client, { date_to: '31.12.2026' })),
  wrongClient('V1-CRQ-07', 'wants all at once', (client) => list(client, { per_page: 1000 })),
  wrongClient('V1-CRQ-08', 'counts pages from zero', (client) => list(client, { page: 0 })),
  wrongClient('V1-CRQ-09', 'reads a transaction of no account', (client) =>
    client.v1('GET', `/transactions/${crypto.randomUUID()}`),
  ),
  wrongClient('V1-CRQ-10', 'looks up nothing', (client) => client.v1('GET', '/transactions/iban-details')),
  wrongClient('V1-CTR-01', 'names no account in the query', (client) => client.createTransfer({}, { query: {} })),
  wrongClient('V1-CTR-02', 'names no account in the body', (client) =>
    client.createTransfer({ account_uuid: undefined }),
  ),
  wrongClient('V1-CTR-03', 'sends nothing', (client) => client.createTransfer({ amount: 0 })),
  wrongClient('V1-CTR-03', 'writes the amount as text', (client) => client.createTransfer({ amount: '12.50' })),
  wrongClient('V1-CTR-04', 'sends parts of a cent', (client) => client.createTransfer({ amount: 0.125 })),
  wrongClient('V1-CTR-05', 'tells a story', (client) => client.createTransfer({ payment_details: 'x'.repeat(141) })),
  wrongClient('V1-CTR-06', 'sends a long code', (client) => client.createTransfer({ payment_code: 'x'.repeat(36) })),
  wrongClient('V1-CTR-07', 'says nothing of what it is for', (client) =>
    client.createTransfer({ payment_details: null }),
  ),
  wrongClient('V1-CTR-08', 'sends a long identification', (client) =>
    client.createTransfer({ end_to_end_ident: 'x'.repeat(36) }),
  ),
  wrongClient('V1-CTR-09', 'wants it instantly', (client) => client.createTransfer({ payment_type: 'SEPA_INSTANT' })),
  wrongClient('V1-CTR-10', 'counts its requests', (client) =>
    client.createTransfer({}, { headers: { 'x-request-id': '17' } }),
  ),
  wrongClient('V1-CDO-01', 'uploads something', (client) => upload(client, { type: undefined })),
  wrongClient('V1-CDO-02', 'uploads a file without a name', (client) => upload(client, { file_name: undefined })),
  wrongClient('V1-CDO-03', 'writes the file as it is', (client) =>
    upload(client, { attachment: { content: '%PDF-1.7 …' } }),
  ),
  wrongClient('V1-CWH-01', 'has no address', (client) => configure(client, { url: undefined })),
  wrongClient('V1-CWH-01', 'has a long address', (client) =>
    configure(client, { url: `https://shop.example/${'x'.repeat(240)}` }),
  ),
  wrongClient('V1-CWH-02', 'has a short token', (client) => configure(client, { token: 'short' })),
  wrongClient('V1-CWH-03', 'has a long name', (client) => configure(client, { name: 'x'.repeat(256) })),
  wrongClient('V1-CWH-04', 'has much to say', (client) => configure(client, { description: 'x'.repeat(501) })),
  wrongClient('V1-CWH-05', 'replaces without a word on being active', (client) =>
    client.v1('PUT', '/webhooks', { body: client.webhook() }),
  ),
  wrongClient('V1-CWH-06', 'makes an active one', (client) => configure(client, { is_active: true })),
  wrongClient('V1-CWH-07', 'makes one at every start', async (client) => {
    for (let i = 0; i < 2; i += 1) await configure(client, {});
  }),
  wrongClient('V1-CWH-08', 'answers deliveries with 200', async (client) => {
    client.world.answers = () => 200;
    await configure(client, {});
    await client.createTransfer();
    await client.wait(1);
  }),
  wrongClient('V1-CLM-01', 'asks as fast as it can', (client) => floodV1(client, 501)),
  wrongClient('V1-CLM-02', 'asks again at once after a 429', async (client) => {
    await client.world.unwatched(() => floodV1(client, 520));
    await client.v1('GET', '/auth');
    await client.wait(5);
    await client.v1('GET', '/auth');
  }),
  wrongClient('V1-CMY-01', 'tries again as if it were new', async (client) => {
    client.world.loseAnswer();
    await client.createTransfer({}, { headers: { 'x-request-id': crypto.randomUUID() } });
    await client.createTransfer({}, { headers: { 'x-request-id': crypto.randomUUID() } });
  }),
  wrongClient('V1-CMY-01', 'tries again without an id', async (client) => {
    client.world.loseAnswer();
    await client.createTransfer();
    await client.createTransfer();
  }),
  wrongClient('V1-CMY-02', 'keeps its request id', async (client) => {
    const id = { headers: { 'x-request-id': crypto.randomUUID() } };
    await client.createTransfer({ amount: 1 }, id);
    await client.createTransfer({ amount: 2 }, id);
  }),
];
