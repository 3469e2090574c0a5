/** What a client of the published descriptions is made with; the newest that Node 20 runs. */
export const GENERATOR = { '@hey-api/openapi-ts': '0.95.0', typescript: '5.9.3', '@types/node': '20.19.43' } as const;

/** What the program below reads from its environment as JSON. */
export interface ClientSetting {
  readonly gateway: string;
  readonly v1: string;
  readonly requestor: { readonly id: number; readonly token: string };
  readonly signer: { readonly requestor: number; readonly consumerKey: string; readonly privateKey: string };
  readonly account: { readonly uuid: string; readonly token: string };
  readonly card: Readonly<Record<string, string>>;
}

/** What it prints. */
export interface ClientOutcome {
  readonly sale: { readonly status: number; readonly orderState: string; readonly final: boolean };
  readonly foreign: { readonly status: number; readonly errorCode: number; readonly correlated: boolean };
  readonly transfer: { readonly status: number; readonly orderState: string };
  readonly tampered: { readonly status: number; readonly errorCode: number };
  readonly list: {
    readonly status: number;
    readonly account: string;
    readonly transactions: number;
    readonly created: boolean;
  };
  readonly invalid: { readonly status: number; readonly message: string; readonly fields: readonly string[] };
}

/**
 * A program of somebody who has the published descriptions and nothing else: names and types come from the generated code, the signing
 * from what the security scheme `oauth` says. It compiles only where nothing of these types is lost.
 */
export const CLIENT_PROGRAM = `
import { createHash, createSign, randomUUID } from 'node:crypto';
import { createClient as createGatewayClient } from './gateway/client/index.js';
import { sale, transfer } from './gateway/sdk.gen.js';
import type { SaleRequest, StatusResponse, UnauthorizedError } from './gateway/types.gen.js';
import { createClient as createV1Client } from './v1/client/index.js';
import { createTransaction, listTransactions } from './v1/sdk.gen.js';
import type { Transaction, ValidationError } from './v1/types.gen.js';

const setting = JSON.parse(process.env.SETTING!);

// Does not compile where orderState is any text.
const CLOSED: string extends StatusResponse['orderState'] ? never : true = true;
// Nor does this where a state is missing or added.
const FINAL: Record<StatusResponse['orderState'], boolean> = {
  APPROVED: true, DECLINED: true, ERROR: true, FILTERED: true, PROCESSING: false, UNKNOWN: false, CHAIN_STEP: false,
};

const gateway = createGatewayClient({ baseUrl: setting.gateway, auth: () => setting.requestor.token });
const word = randomUUID();
const order = { orderMerchantId: word, orderAmount: '10.00', orderCurrencyCode: 'EUR', orderDescription: 'Two cups' };
const body: SaleRequest = {
  orderMerchantId: word,
  paymentMethod: 'CARD',
  order,
  browser: { ipAddress: '203.0.113.20', userAgent: 'Example/1.0' },
  card: setting.card,
};
const paid = await sale({ client: gateway, path: { requestorId: setting.requestor.id }, body });
if (paid.data === undefined) throw new Error(JSON.stringify(paid.error));

const foreign = await sale({ client: gateway, path: { requestorId: setting.signer.requestor }, body });
const refusal = foreign.error as UnauthorizedError;

const encode = (text: string) =>
  encodeURIComponent(text).replace(/[!'()*]/g, (one) => '%' + one.charCodeAt(0).toString(16).toUpperCase());

/** As the description of the security scheme says, step by step. */
function sign(method: string, url: URL, bytes: Uint8Array): string {
  const parameters: Record<string, string> = {
    oauth_body_hash: createHash('sha256').update(bytes).digest('base64'),
    oauth_consumer_key: setting.signer.consumerKey,
    oauth_nonce: randomUUID(),
    oauth_signature_method: 'RSA-SHA256',
    oauth_timestamp: String(Math.floor(Date.now() / 1000)),
    oauth_version: '1.0',
  };
  const pairs = Object.keys(parameters).sort().map((name) => name + '=' + encode(parameters[name]!));
  const base = [method.toUpperCase(), url.origin + url.pathname, pairs.join('&')].map(encode).join('&');
  const signature = createSign('RSA-SHA256').update(base, 'utf8').sign(setting.signer.privateKey, 'base64');
  const all = Object.entries({ ...parameters, oauth_signature: signature });
  return 'OAuth ' + all.map(([name, value]) => name + '="' + encode(value) + '"').join(', ');
}

const signing = createGatewayClient({ baseUrl: setting.gateway });
let tamper = false;
signing.interceptors.request.use(async (request) => {
  const bytes = new Uint8Array(await request.clone().arrayBuffer());
  request.headers.set('Authorization', sign(request.method, new URL(request.url), bytes));
  return tamper ? new Request(request, { body: '{}' }) : request;
});
const move = () =>
  transfer({
    client: signing,
    path: { requestorId: setting.signer.requestor },
    body: { order: { ...order, orderMerchantId: randomUUID() }, card: { cardNumber: setting.card.cardNumber } },
  });
const moved = await move();
if (moved.data === undefined) throw new Error(JSON.stringify(moved.error));
tamper = true;
const tampered = await move();

const v1 = createV1Client({ baseUrl: setting.v1, auth: () => setting.account.token });
const created = await createTransaction({
  client: v1,
  headers: { 'X-Request-ID': randomUUID() },
  query: { account_uuid: setting.account.uuid },
  body: {
    account_uuid: setting.account.uuid,
    amount: 10.25,
    recipient: { name: 'Ada Test', iban: 'DE89370400440532013000', country_code: 'DE' },
    payment_details: 'Invoice 42',
  },
});
if (created.data === undefined) throw new Error(JSON.stringify(created.error));
const listed = await listTransactions({
  client: v1,
  query: { account_uuid: setting.account.uuid, date_from: '2020-01-01', date_to: '2035-12-31', per_page: 5 },
});
if (listed.data === undefined) throw new Error(JSON.stringify(listed.error));
const transactions: Transaction[] = listed.data.transactions;
const invalid = await listTransactions({
  client: v1,
  query: { account_uuid: setting.account.uuid, date_from: '2020-01-01', date_to: '2035-12-31', per_page: 1000 },
});
const mistake = invalid.error as ValidationError;

console.log(
  JSON.stringify({
    sale: { status: paid.response.status, orderState: paid.data.orderState, final: CLOSED && FINAL[paid.data.orderState] },
    foreign: {
      status: foreign.response.status,
      errorCode: refusal.errorCode,
      correlated: String(refusal.errorCorrelationId).length > 0,
    },
    transfer: { status: moved.response.status, orderState: moved.data.orderState },
    tampered: { status: tampered.response.status, errorCode: (tampered.error as UnauthorizedError).errorCode },
    list: {
      status: listed.response.status,
      account: listed.data.account.uuid,
      transactions: transactions.length,
      created: transactions.some(({ uuid }) => uuid === created.data.uuid),
    },
    invalid: { status: invalid.response.status, message: mistake.message, fields: Object.keys(mistake.errors) },
  }),
);
`;
