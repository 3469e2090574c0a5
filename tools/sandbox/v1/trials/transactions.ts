import type { Client } from './client.ts';
import { type Trial, trials } from './trial.ts';

const NOTE = 'Żółć Ünïcode';

/** Reads a transaction that has a value everywhere it can. */
async function read(client: Client) {
  const [uuid] = await client.insert({ date: '2026-03-02T09:30:00Z', amount: 12.5 });
  return (await client.read(uuid!)).body;
}

/** The older of two listed transactions. */
async function later(client: Client) {
  await client.insert({ date: '2026-03-02T09:30:00Z', amount: 12.5, count: 2 });
  return (await client.list()).body.transactions[1];
}

const member = (name: string, honest: unknown, lying: Readonly<Record<string, unknown>>) =>
  trials(async (client) => (await read(client))[name] ?? null, honest, lying);
const listed = (name: string, honest: unknown, lying: Readonly<Record<string, unknown>>) =>
  trials(async (client) => (await later(client))[name] ?? null, honest, lying);

const word = (name: string, lie: string, honest: string) => [
  ...member(name, honest, { [`transaction-${lie}-as-number`]: 1, [`transaction-${lie}-null`]: null }),
  ...listed(name, honest, { [`transaction-${lie}-as-list-later-in-list`]: [honest] }),
];
const note = (name: string, lie: string, honest: string | null) => [
  ...member(name, honest, {
    [`transaction-${lie}-as-number`]: 42,
    [`transaction-${lie}-as-list-on-read`]: [honest],
  }),
  ...trials(
    async (client) => (await client.create({ payment_details: undefined, payment_code: 'SALA' })).body[name],
    name === 'payment_code' ? 'SALA' : null,
    name === 'payment_code' ? {} : { [`transaction-${lie}-false-for-null`]: false },
  ),
];
const party = (name: string, lie: string, honest: string) =>
  trials(async (client) => (await read(client)).recipient[name] ?? null, honest, {
    [`party-${lie}-as-number`]: 7,
    [`party-${lie}-as-object`]: { text: honest },
    [`party-${lie}-null`]: null,
  });

/** The members of a transaction. */
const shape: Trial[] = [
  ...trials(
    async (client) => {
      const [one, other] = [await client.create(), await client.create()];
      return one.body.uuid === other.body.uuid;
    },
    false,
    { 'transaction-uuid-used-twice': true },
  ),
  ...member('parent_transaction_uuid', null, {
    'transaction-parent-as-empty-text': '',
    'transaction-parent-as-number': 0,
    'transaction-parent-without-hyphens': '0f8fad5bd9cb469fa16570867728950e',
  }),
  ...word('status', 'status', 'pending'),
  ...member('aml_status', null, {
    'transaction-aml-status-still-shown': 'pending',
    'transaction-aml-status-shown-on-read': 'pending',
    'transaction-aml-status-as-number': 1,
  }),
  ...member('operation_date', '2026-03-02', {
    'transaction-operation-date-with-dots': '02.03.2026',
    'transaction-operation-date-with-time': '2026-03-02T00:00:00Z',
  }),
  ...listed('operation_date', '2026-03-02', { 'transaction-operation-date-impossible-later-in-list': '2026-02-30' }),
  ...member('operation_date_time', '2026-03-02T09:30:00.000Z', {
    'transaction-operation-time-without-t': '2026-03-02 at 09:30:00.000Z',
    'transaction-operation-time-as-number': 1772443800000,
  }),
  ...member('operation_date_unix', 1772443800, {
    'transaction-operation-unix-as-text': '1772443800',
    'transaction-operation-unix-with-fraction': 1772443800.5,
    'transaction-operation-unix-as-text-on-read': '1772443800',
    'transaction-operation-unix-in-milliseconds': 1772443800000,
  }),
  ...member('amount', 12.5, {
    'transaction-amount-as-text': '12.50',
    'transaction-amount-as-object': { value: 12.5 },
  }),
  ...listed('amount', 12.5, { 'transaction-amount-as-text-later-in-list': '12.50' }),
  ...member('currency', 'EUR', {
    'transaction-currency-lower-case': 'eur',
    'transaction-currency-as-sign': '€',
    'transaction-currency-numeric': '978',
  }),
  ...word('payment_type', 'payment-type', 'SEPA'),
  ...word('transaction_type', 'type', 'payment'),
  ...member('payment_urgency', 'NORMAL', {
    'transaction-urgency-as-number': 0,
    'transaction-urgency-as-list': ['NORMAL'],
  }),
  ...note('payment_details', 'details', 'Payment 1'),
  ...note('payment_code', 'code', null),
  ...trials(async (client) => (await client.create()).body.payment_code, null, {
    'transaction-code-false-for-null': false,
  }),
  ...note('end_to_end_ident', 'end-to-end', null),
  ...word('direction', 'direction', 'CREDIT'),
  ...note('document_number', 'document-number', null),
  ...member('created_at', 1772443800, {
    'transaction-created-at-as-iso-text': '2026-03-02T09:30:00.000Z',
    'transaction-created-at-with-fraction': 1772443800.25,
    'transaction-created-at-in-milliseconds': 1772443800000,
  }),
  ...listed('created_at', 1772443800, { 'transaction-created-at-as-text-later-in-list': '1772443800' }),
  ...trials(async (client) => Array.isArray((await read(client)).payer), false, { 'transaction-payer-as-list': true }),
  ...trials(async (client) => typeof (await read(client)).payer, 'object', { 'transaction-payer-as-text': 'string' }),
  ...trials(async (client) => typeof (await read(client)).recipient, 'object', {
    'transaction-recipient-as-text': 'string',
  }),
  ...trials(async (client) => Array.isArray((await later(client)).recipient), false, {
    'transaction-recipient-as-list-later-in-list': true,
  }),
  ...word('verification_of_payee', 'payee', 'MATCH'),
  ...party('name', 'name', 'First Account Holder'),
  ...party('iban', 'iban', 'NL20INGB0001234567'),
  ...party('address', 'address', '1 Example Street'),
  ...party('country_code', 'country-code', 'NL'),
  ...party('agency_id', 'agency-id', 'INGBNL2AXXX'),
  ...party('agency_name', 'agency-name', 'ING Bank'),
  ...party('agency_address', 'agency-address', '2 Example Street'),
  ...trials(
    async (client) => (await read(client)).payer.ultimate,
    { name: 'Someone' },
    {
      'transaction-ultimate-as-text': 'Someone',
      'transaction-ultimate-name-as-number': { name: 7 },
    },
  ),
  ...trials(async (client) => Array.isArray(await later(client)), false, { 'listed-transactions-in-lists': true }),
  ...trials(async (client) => typeof (await later(client)), 'object', { 'listed-transactions-as-text': 'string' }),
  ...trials(async (client) => Array.isArray(await read(client)), false, { 'read-transaction-in-a-list': true }),
];

const created = async (client: Client, change: Record<string, unknown>) => (await client.create(change)).status;
const accepted = (change: Record<string, unknown>, ...lies: string[]) =>
  trials((client) => created(client, change), 201, Object.fromEntries(lies.map((lie) => [lie, 422])));
const refused = (change: Record<string, unknown>, ...lies: string[]) =>
  trials((client) => created(client, change), 422, Object.fromEntries(lies.map((lie) => [lie, 201])));
const limit = (field: string, lie: string, most: number) => [
  ...accepted({ [field]: 'x'.repeat(most) }, `${lie}-limit-one-less`),
  ...accepted({ [field]: 'ж'.repeat(most - 1) }, `${lie}-limit-in-bytes`),
  ...accepted({ [field]: '𝔵'.repeat(most) }, `${lie}-limit-in-bytes`),
  ...refused({ [field]: 'x'.repeat(most + 1) }, `${lie}-limit-one-more`, `${lie}-limit-absent`),
];
const railed = async (client: Client, change: Record<string, unknown>) => {
  const { status, body } = await client.create(change);
  return status === 201 ? body.payment_type : status;
};
const shown = (name: string, sent: unknown, honest: unknown, lying: Readonly<Record<string, unknown>>) =>
  trials(async (client) => (await client.create({ [name]: sent })).body[name], honest, lying);

const requestId = '11111111-2222-4333-8444-555555555555';
const repeat = (client: Client) => client.create({}, { headers: { 'x-request-id': requestId } });
const entries = async (client: Client) => (await client.list('per_page=100')).body.transactions.length;

/** Creation. */
const create: Trial[] = [
  ...trials(
    (client) =>
      client.status('POST', 'transactions', { body: { account_uuid: client.account, amount: 1, payment_code: 'x' } }),
    422,
    { 'create-without-query-account-accepted': 201 },
  ),
  ...refused({ account_uuid: undefined }, 'create-without-body-account-accepted'),
  ...accepted({}, 'create-needs-request-id'),
  ...trials(
    async (client) => {
      for (let i = 0; i < 3; i += 1) await repeat(client);
      return entries(client);
    },
    1,
    { 'repeat-processed-again': 3, 'second-repeat-processed-again': 2 },
  ),
  ...trials(
    async (client) => {
      await Promise.all([repeat(client), repeat(client), repeat(client)]);
      return entries(client);
    },
    1,
    { 'repeat-at-once-processed-again': 3 },
  ),
  ...shown('amount', 12.34, 12.34, { 'created-amount-rounded': 12, 'created-amount-one-cent-less': 12.33 }),
  ...shown('payment_details', NOTE, NOTE, { 'created-details-without-accents': '???? ?n?code' }),
  ...shown('payment_details', 'y'.repeat(40), 'y'.repeat(40), { 'created-details-cut-at-35': 'y'.repeat(35) }),
  ...shown('payment_code', 'sala', 'sala', { 'created-code-in-capitals': 'SALA' }),
  ...shown('end_to_end_ident', 'E2E-1', 'E2E-1', { 'created-ident-replaced': 'NOTPROVIDED' }),
  ...trials(
    async (client) => {
      const iban = 'DE89370400440532013000';
      return (await client.create({ recipient: { name: 'Alan Test', iban } })).body.recipient.iban === iban;
    },
    true,
    { 'created-recipient-with-iban-of-payer': false },
  ),
  ...trials(async (client) => (await client.read((await client.create()).body.uuid)).body.amount, 10.25, {
    'read-amount-one-cent-more': 10.26,
  }),
  ...trials(
    async (client) =>
      (await client.read((await client.create({ end_to_end_ident: 'E2E-1' })).body.uuid)).body.end_to_end_ident,
    'E2E-1',
    { 'read-ident-replaced': 'NOTPROVIDED' },
  ),
  ...trials(
    async (client) => {
      await client.create();
      return (await client.list()).body.transactions[0].amount;
    },
    10.25,
    { 'list-amount-one-cent-more': 10.26 },
  ),
  ...trials(async (client) => (await client.read((await client.create()).body.uuid)).status, 200, {
    'created-transaction-not-readable': 404,
  }),
  ...trials(
    async (client) => {
      await client.create();
      return entries(client);
    },
    1,
    { 'created-transaction-not-listed': 0 },
  ),
  ...refused({ payment_details: undefined }, 'create-without-details-and-code-accepted'),
  ...refused({ payment_details: null, payment_code: null }, 'create-with-both-null-accepted'),
  ...trials(
    async (client) =>
      Object.keys((await client.create({ amount: 0 })).body)
        .slice(4)
        .join(),
    '',
    { 'refusal-carries-payment-state': 'payment_status', 'refusal-carries-transaction': 'transaction' },
  ),
  ...trials((client) => created(client, {}), 201, { 'created-answered-200': 200, 'created-answered-202': 202 }),
  ...trials(async (client) => typeof (await client.create()).body, 'object', {
    'created-without-body': 'undefined',
  }),
  ...refused({ amount: undefined }, 'create-without-amount-accepted'),
  ...refused({ amount: 'ten' }, 'v1-amount-in-words-accepted'),
  ...refused({ amount: 0 }, 'transfer-amount-zero-accepted'),
  ...refused({ amount: -0.01 }, 'transfer-amount-below-zero-accepted'),
  ...accepted({ amount: 0.01 }, 'transfer-amount-of-one-cent-refused'),
  ...refused({ amount: 1.005 }, 'transfer-amount-three-decimals-accepted', 'transfer-amount-any-decimals-accepted'),
  ...accepted({ amount: 0.07 }, 'transfer-amount-two-decimals-refused'),
  ...accepted({ payer: { ultimate: { name: 'Someone' } } }, 'transfer-ultimate-payer-refused'),
  ...accepted({ recipient: { ultimate: { name: 'Someone' } } }, 'transfer-ultimate-recipient-refused'),
  ...accepted({ recipient: { bank: { bic: 'COBADEFFXXX' } } }, 'transfer-recipient-bank-refused'),
  ...accepted({ recipient: { address: '1 Example Street' } }, 'transfer-recipient-address-refused'),
  ...limit('payment_details', 'details', 140),
  ...limit('payment_code', 'code', 35),
  ...limit('end_to_end_ident', 'ident', 35),
  ...accepted({}, 'transfer-details-alone-refused'),
  ...accepted({ payment_code: null }, 'transfer-details-with-null-code-refused'),
  ...accepted({ payment_details: undefined, payment_code: 'x' }, 'transfer-code-alone-refused'),
  ...accepted({ payment_details: null, payment_code: 'x' }, 'transfer-code-with-null-details-refused'),
  ...accepted({}, 'transfer-ident-left-out-refused'),
  ...accepted({ end_to_end_ident: null }, 'transfer-ident-null-refused'),
  ...trials((client) => railed(client, { payment_type: 'sepa' }), 'SEPA', {
    'sepa-refused': 422,
    'sepa-goes-over-swift': 'SWIFT',
  }),
  ...trials((client) => railed(client, { payment_type: 'swift' }), 'SWIFT', {
    'swift-refused': 422,
    'swift-goes-over-sepa': 'SEPA',
  }),
  ...trials((client) => railed(client, { payment_type: 'card' }), 422, { 'other-rails-accepted': 'SEPA' }),
  ...trials((client) => railed(client, {}), 'SEPA', { 'rails-default-swift': 'SWIFT', 'rails-left-out-refused': 422 }),
  ...trials((client) => railed(client, { payment_type: null }), 'SEPA', { 'rails-null-means-swift': 'SWIFT' }),
];

async function second(client: Client): Promise<unknown> {
  const uuids = await client.insert({ count: 3 });
  return uuids.indexOf((await client.read(uuids[1]!)).body.uuid);
}

const range = (from: string, to: string) => async (client: Client) => {
  await client.insert({ date: '2026-03-10T12:00:00Z' });
  const query = `account_uuid=${client.account}&date_from=${from}&date_to=${to}`;
  const { status, body } = await client.send('GET', `transactions?${query}`);
  return status === 200 ? body.transactions.length : status;
};
const without = (name: string) => (client: Client) => {
  const all = { account_uuid: client.account, date_from: '2026-01-01', date_to: '2026-01-02' };
  const query = new URLSearchParams(Object.entries(all).filter(([key]) => key !== name));
  return client.status('GET', `transactions?${query}`);
};

/** History and single read. */
const history: Trial[] = [
  ...trials(without('account_uuid'), 422, { 'list-without-account-accepted': 200 }),
  ...trials(without('date_from'), 422, { 'list-without-date-from-accepted': 200 }),
  ...trials(without('date_to'), 422, { 'list-without-date-to-accepted': 200 }),
  ...trials(range('2026-03-12', '2026-03-20'), 0, { 'date-from-a-week-early': 1, 'date-from-ignored': 1 }),
  ...trials(range('2026-03-01', '2026-03-08'), 0, { 'date-to-a-week-late': 1, 'date-to-ignored': 1 }),
  ...trials(range('2026-03-10', '2026-03-10'), 1, { 'plain-days-refused': 422 }),
  ...trials(range('soon', '2026-03-12'), 422, { 'any-text-as-day': 1 }),
  ...trials(range('2026-02-30', '2026-03-12'), 422, { 'impossible-day-accepted': 1 }),
  ...trials(
    async (client) => {
      await client.insert({ account_uuid: client.second });
      return entries(client);
    },
    0,
    { 'list-of-every-account': 1 },
  ),
  ...trials(async (client) => (await client.list()).body.account.uuid === client.account, true, {
    'list-names-another-account': false,
  }),
  ...trials(async (client) => Object.keys((await client.list()).body).join(), 'account,transactions', {
    'list-without-account': 'transactions',
    'list-without-transactions': 'account',
    'list-as-bare-array': '',
  }),
  ...trials(async (client) => Array.isArray((await client.list()).body.transactions), true, {
    'list-transactions-as-map': false,
  }),
  ...trials(async (client) => (await client.list()).status, 200, { 'list-answered-206': 206 }),
  ...trials(async (client) => client.status('GET', `transactions/${(await client.create()).body.uuid}`), 422, {
    'read-without-account-accepted': 200,
  }),
  ...trials(second, 1, { 'read-gives-newest': 2, 'read-gives-oldest': 0 }),
  ...trials(async (client) => (await client.read((await client.create()).body.uuid)).status, 200, {
    'read-answered-201': 201,
    'read-answered-206': 206,
  }),
  ...trials(async (client) => (await client.read((await client.create()).body.uuid)).text === '', false, {
    'read-without-body': true,
  }),
];

export const transactionTrials: readonly Trial[] = [...shape, ...create, ...history];
