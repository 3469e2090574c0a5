import type { Client } from './client.ts';
import { type Trial, trials } from './trial.ts';

const sheet = { file_name: 'My Scan.PDF', type: 'identity_card', description: 'Front side' };

async function listed(client: Client, query = '') {
  return (await client.send('GET', `${client.documents}${query}`)).body;
}

/** Reads the one document that was uploaded. */
async function read(client: Client, change: Record<string, unknown> = {}) {
  await client.upload({ ...sheet, ...change });
  const [{ uuid }] = await listed(client);
  return client.send('GET', `${client.documents}/${uuid}`);
}

const member = (name: string, honest: unknown, lying: Readonly<Record<string, unknown>>) =>
  trials(async (client) => (await read(client)).body[name], honest, lying);
const word = (name: string, lie: string, honest: string) =>
  member(name, honest, {
    [`document-${lie}-as-number`]: 3,
    [`document-${lie}-null`]: null,
    [`document-${lie}-as-list-on-read`]: [honest],
  });
const upload = (change: Record<string, unknown>, honest: number, lying: Readonly<Record<string, unknown>>) =>
  trials(async (client) => (await client.upload(change)).status, honest, lying);
const created = async (client: Client, index: number) => {
  await client.upload();
  await client.upload();
  return /^\d{4}-\d\d-\d\dT[\d:.]+Z$/.test((await listed(client))[index].created_at);
};
const filtered = (query: string) => async (client: Client) => {
  for (const type of ['passport', 'drivers_license']) await client.upload({ type, file_name: `${type}.pdf` });
  return (await listed(client, query)).map(({ type }: { type: string }) => type).sort();
};
const both = ['drivers_license', 'passport'];

async function removed(client: Client) {
  const { uuid } = (await read(client)).body;
  await client.send('DELETE', `${client.documents}/${uuid}`);
  return [await client.status('GET', `${client.documents}/${uuid}`), (await listed(client)).length];
}

async function middle(client: Client) {
  for (const description of ['0', '1', '2']) await client.upload({ description });
  const all: { uuid: string; description: string }[] = await listed(client);
  const { uuid } = all.find(({ description }) => description === '1')!;
  return (await client.send('GET', `${client.documents}/${uuid}`)).body.description;
}

async function deletion(client: Client) {
  const { uuid } = (await read(client)).body;
  const { status, text } = await client.send('DELETE', `${client.documents}/${uuid}`);
  return [status, text === ''];
}

/** Upload, list, read, delete. */
export const documentTrials: readonly Trial[] = [
  ...member('type', 'identity_card', { 'document-type-replaced': 'other' }),
  ...member('file_name', 'My Scan.PDF', {
    'document-file-name-in-lower-case': 'my scan.pdf',
    'document-file-name-without-suffix': 'My Scan',
  }),
  ...member('description', 'Front side', { 'document-description-forgotten': '' }),
  ...trials(
    async (client) => (await read(client, { file_name: 'Stra\u00dfe.pdf' })).body.file_name,
    'Stra\u00dfe.pdf',
    {
      'document-file-name-without-accents': 'Stra_e.pdf',
    },
  ),
  ...trials(
    async (client) => {
      await client.upload();
      return (await listed(client)).length;
    },
    1,
    { 'document-not-kept': 0, 'document-kept-twice': 2 },
  ),
  ...upload({ type: 'passport' }, 200, { 'passport-refused': 422 }),
  ...upload({ type: 'identity_card' }, 200, { 'identity-card-refused': 422 }),
  ...upload({ type: 'drivers_license' }, 200, { 'drivers-license-refused': 422 }),
  ...upload({ type: 'identity_card', attachment: { content: 'AAAA', page_type: 'front' } }, 200, {
    'page-side-of-identity-card-refused': 422,
  }),
  ...upload({ type: 'drivers_license', attachment: { content: 'AAAA', page_type: 'front' } }, 200, {
    'page-side-of-drivers-license-refused': 422,
  }),
  ...trials(
    async (client) => {
      const { status, text } = await client.upload();
      return [status, text === ''];
    },
    [200, true],
    {
      'upload-answered-201': [201, true],
      'upload-answered-204': [204, true],
      'upload-answered-with-body': [200, false],
    },
  ),
  ...trials(filtered(''), both, { 'document-type-default-passport': ['passport'] }),
  ...trials(filtered('?type=passport'), ['passport'], {
    'document-type-filter-ignored': both,
    'document-type-filter-inverted': ['drivers_license'],
  }),
  ...trials(filtered('?filename=passport.pdf'), ['passport'], {
    'document-name-filter-ignored': both,
    'document-name-filter-finds-nothing': [],
    'document-name-filter-keeps-others': ['drivers_license'],
  }),
  ...trials(
    async (client) => {
      const path = `customers/${client.customer}/accounts/${client.second}/documents`;
      await client.send('POST', path, { body: { type: 'passport', file_name: 'a.pdf' } });
      return (await listed(client)).length;
    },
    0,
    { 'documents-of-every-account-listed': 1 },
  ),
  ...trials(async (client) => Array.isArray(await listed(client)), true, {
    'documents-in-a-wrapper': false,
    'documents-as-map': false,
  }),
  ...trials((client) => client.status('GET', client.documents), 200, { 'documents-answered-206': 206 }),
  ...trials(middle, '1', { 'document-read-gives-newest': '2', 'document-read-gives-oldest': '0' }),
  ...trials(async (client) => Array.isArray((await read(client)).body), false, { 'document-read-in-a-list': true }),
  ...trials(async (client) => (await read(client)).status, 200, { 'document-read-answered-201': 201 }),
  ...trials(async (client) => (await read(client)).text === '', false, { 'document-read-without-body': true }),
  ...trials(removed, [404, 0], {
    'deleted-document-still-there': [200, 1],
    'deleted-document-still-readable': [200, 0],
    'deleted-document-still-listed': [404, 1],
  }),
  ...trials(deletion, [204, true], {
    'delete-answered-200': [200, true],
    'delete-answered-202': [202, true],
    'delete-answered-200-with-body': [200, false],
  }),
  ...trials(
    async (client) => {
      await client.upload();
      await client.upload();
      const [one, other] = await listed(client);
      return one.uuid === other.uuid;
    },
    false,
    { 'document-uuid-used-twice': true },
  ),
  ...word('type', 'type', 'identity_card'),
  ...word('file_name', 'file-name', 'My Scan.PDF'),
  ...word('description', 'description', 'Front side'),
  ...word('status', 'status', 'pending'),
  ...member('page_type', null, { 'page-side-as-number': 1, 'page-side-false-for-null': false }),
  ...trials((client) => created(client, 0), true, {
    'document-created-at-as-number': false,
    'document-created-at-day-only': false,
  }),
  ...trials((client) => created(client, 1), true, { 'document-created-at-without-zone-later-in-list': false }),
  ...upload({ type: undefined }, 422, { 'upload-without-type-accepted': 200 }),
  ...upload({}, 200, { 'upload-without-description-refused': 422 }),
  ...upload({ file_name: undefined }, 422, { 'upload-without-file-name-accepted': 200 }),
  ...upload({ attachment: { content: 'AAAA', page_type: null } }, 200, { 'page-side-null-refused': 422 }),
  ...upload({ attachment: { content: 'A'.repeat(4000) } }, 200, {
    'attachment-refused': 422,
    'attachment-above-1-kb-refused': 422,
  }),
];

const details = async (client: Client, iban = 'DE89370400440532013000') =>
  client.send('GET', `transactions/iban-details?iban=${iban}`);
const detail = (name: string, iban: string, honest: unknown, lying: Readonly<Record<string, unknown>>) =>
  trials(async (client) => (await details(client, iban)).body[name], honest, lying);

const LISTED = 'DE89370400440532013000';
const UNLISTED = 'AT611904300234573201';

/** Bank lookup. */
export const lookupTrials: readonly Trial[] = [
  ...trials((client) => client.status('GET', 'transactions/iban-details'), 422, {
    'lookup-without-iban-accepted': 200,
  }),
  ...detail('is_valid', 'DE8937040044', false, { 'every-iban-valid': true, 'iban-length-unchecked': true }),
  ...detail('is_valid', 'XX89370400440532013000', false, { 'iban-country-unchecked': true }),
  ...detail('bank_bic', LISTED, 'COBADEFFXXX', {
    'bic-never-found': null,
    'bic-empty': '',
    'bic-as-list': ['COBADEFFXXX'],
  }),
  ...detail('bank_name', LISTED, 'Commerzbank', {
    'bank-name-never-found': null,
    'bank-name-empty': '',
    'bank-name-as-object': { text: 'Commerzbank' },
  }),
  ...trials(async (client) => (await details(client)).status, 200, {
    'lookup-answered-201': 201,
    'lookup-answered-204': 204,
  }),
  ...trials(async (client) => Array.isArray((await details(client)).body), false, { 'lookup-in-a-list': true }),
  ...detail('iban', LISTED, LISTED, {
    'lookup-shows-other-iban': 'GB29NWBK60161331926819',
    'lookup-masks-iban': '****3000',
    'lookup-cuts-iban': 'DE8937040044053201300',
  }),
  ...detail('is_valid', LISTED, true, {
    'validity-as-text': 'true',
    'validity-as-number': 1,
    'sound-iban-called-invalid': false,
  }),
  ...detail('bank_bic', UNLISTED, null, { 'bic-false-when-unlisted': false }),
  ...detail('bank_name', UNLISTED, null, { 'bank-name-false-when-unlisted': false }),
];
