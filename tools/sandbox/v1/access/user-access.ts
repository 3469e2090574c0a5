import type { IncomingHttpHeaders } from 'node:http';
import { type ActiveLies, decision } from '../../decision.ts';
import { refuseMissing, V1Refusal } from '../wire/v1-refusal.ts';
import type { ApiUser, UserAccount } from './api-users.ts';
import { toldAtEach } from './told-at-each.ts';

/** What the caller sent to identify itself, and for what. */
interface Claim {
  readonly operation: string;
  readonly token: string | undefined;
  /** Whose token stands in the query, in a cookie or in a header of its own; only lies ask. */
  readonly inAddress: () => ApiUser | undefined;
  readonly inCookie: () => ApiUser | undefined;
  readonly inOtherHeader: () => ApiUser | undefined;
  readonly inBody: () => ApiUser | undefined;
  /** Whether the request has an id. */
  readonly hasId: boolean;
  /** Whether what is asked for was read before. */
  readonly wasRead: boolean;
  readonly users: readonly [ApiUser, ...ApiUser[]];
  /** What a list is asked for by; only lies ask. */
  readonly asked: (parameter: string) => string | null;
}

const nearly = ({ token, users }: Claim) =>
  users.find((user) => token !== undefined && token.length > 8 && user.token.startsWith(token));
/** Whether a page after the first is asked for. */
const isLater = ({ asked }: Claim) => Number(asked('page') ?? 1) !== 1;
const holder = ({ token, users }: Claim) => users.find((user) => user.token === token);

/** The token that an Authorization header brings. */
const readToken = decision({
  rule: 'V1-AUT-03',
  honest: (header: string) => /^bearer +(\S+) *$/i.exec(header)?.[1],
  lies: {
    'v1-token-of-another-scheme-accepted': (header) => /^\w+ +(\S+) *$/.exec(header)?.[1],
    'v1-token-as-user-of-basic-accepted': (header) =>
      /^basic +(\S+)$/i.test(header)
        ? Buffer.from(header.slice(6), 'base64').toString().split(':')[0]
        : /^bearer +(\S+) *$/i.exec(header)?.[1],
    'v1-token-without-a-scheme-accepted': (header) => /^(?:bearer +)?(\S+) *$/i.exec(header)?.[1],
  },
});

/** The first and the last signs of a token; only lies tell one by them. */
const endsOf = (token: string) => token.slice(0, 4) + token.slice(-4);

/** Whom a genuine token stands for; nobody for anything else. */
const identify = decision({
  rule: 'V1-AUT-03',
  honest: holder,
  lies: {
    ...toldAtEach('v1-token-cut-short-accepted', (claim: Claim, operation) =>
      claim.operation === operation ? nearly(claim) : holder(claim),
    ),
    'v1-token-that-says-null-accepted': (claim) =>
      claim.token === 'null' || claim.token === 'undefined' ? claim.users[0] : holder(claim),
    'v1-token-in-other-case-accepted': ({ token, users }) =>
      users.find((user) => user.token.toLowerCase() === token?.toLowerCase()),
    'v1-token-in-other-case-accepted-on-later-pages': (claim) =>
      isLater(claim)
        ? claim.users.find((user) => user.token.toLowerCase() === claim.token?.toLowerCase())
        : holder(claim),
    'v1-token-told-by-its-ends': ({ token = '', users }) =>
      users.find((user) => user.token.length === token.length && endsOf(user.token) === endsOf(token)),
    'v1-token-with-tail-accepted': ({ token, users }) => users.find((user) => token?.startsWith(user.token)),
    'v1-any-token-accepted-beside-a-request-id': (claim) => holder(claim) ?? (claim.hasId ? claim.users[0] : undefined),
    'v1-any-token-accepted-for-auth': (claim) =>
      holder(claim) ?? (claim.operation === 'getAuth' && claim.token !== undefined ? claim.users[0] : undefined),
    'v1-any-token-accepted-for-iban-details': (claim) =>
      holder(claim) ?? (claim.operation === 'getIbanDetails' && claim.token !== undefined ? claim.users[0] : undefined),
    'v1-any-token-accepted-for-document-read': (claim) =>
      holder(claim) ?? (claim.operation === 'readDocument' && claim.token !== undefined ? claim.users[0] : undefined),
  },
});

const wrongToken = decision({
  rule: 'V1-AUT-03',
  honest: (_token: string) => 401,
  lies: {
    'v1-wrong-token-answered-403': () => 403,
    'v1-wrong-token-answered-422': () => 422,
    'v1-long-wrong-token-answered-500': (token) => (token.length > 255 ? 500 : 401),
    'v1-wrong-token-with-a-sign-answered-500': (token) => (token.includes('%') ? 500 : 401),
  },
});

const noToken = decision({
  rule: 'V1-AUT-02',
  honest: (_claim: Claim): number | ApiUser => 401,
  lies: {
    ...toldAtEach('v1-token-in-the-address-accepted', ({ operation, inAddress }: Claim, at) =>
      operation === at ? (inAddress() ?? 401) : 401,
    ),
    ...toldAtEach('v1-token-in-a-header-of-its-own-accepted', ({ operation, inOtherHeader }: Claim, at) =>
      operation === at ? (inOtherHeader() ?? 401) : 401,
    ),
    ...Object.fromEntries(
      ['listTransactions', 'listDocuments'].map((at) => [
        `v1-missing-token-accepted-on-later-pages-at-${at}`,
        (claim: Claim) => (claim.operation === at && isLater(claim) ? claim.users[0] : 401),
      ]),
    ),
    ...Object.fromEntries(
      ['createTransaction', 'uploadDocument', 'replaceWebhook'].map((at) => [
        `v1-token-in-the-body-accepted-at-${at}`,
        ({ operation, inBody }: Claim) => (operation === at ? (inBody() ?? 401) : 401),
      ]),
    ),
    ...Object.fromEntries(
      ['readTransaction', 'readDocument'].map((at) => [
        `v1-what-was-read-before-open-to-all-at-${at}`,
        ({ operation, wasRead, users }: Claim) => (operation === at && wasRead ? users[0] : 401),
      ]),
    ),
    'v1-missing-token-accepted-beside-a-filter': ({ asked, users }) =>
      (asked('type') ?? asked('filename')) === null ? 401 : users[0],
    'v1-missing-token-accepted-beside-an-order': ({ asked, users }) =>
      (asked('sort') ?? asked('direction')) === null ? 401 : users[0],
    'v1-token-in-a-cookie-accepted': ({ inCookie }) => inCookie() ?? 401,
    'v1-missing-token-answered-403': () => 403,
    'v1-missing-token-answered-422': () => 422,
    'v1-missing-token-answered-404-for-documents': ({ operation }) => (/Document/.test(operation) ? 404 : 401),
    'v1-missing-token-accepted-for-iban-details': ({ operation, users }) =>
      operation === 'getIbanDetails' ? users[0] : 401,
    'v1-missing-token-accepted-for-webhook-read': ({ operation, users }) =>
      operation === 'readWebhook' ? users[0] : 401,
  },
});

/** Whether a genuine token opens the operation. */
const opens = decision({
  rule: 'V1-AUT-06',
  honest: (_operation: string, _wasForbidden: boolean) => true,
  lies: {
    'v1-valid-token-refused-where-another-was': (_operation, wasForbidden) => !wasForbidden,
    'v1-valid-token-refused-for-auth': (operation) => operation !== 'getAuth',
    'v1-valid-token-refused-for-iban-details': (operation) => operation !== 'getIbanDetails',
    'v1-valid-token-refused-for-document-delete': (operation) => operation !== 'deleteDocument',
    'v1-valid-token-refused-for-webhook-replace': (operation) => operation !== 'replaceWebhook',
  },
});

/** Whether a creation that was answered before is answered so again, whoever asks. */
export const repeatsForAll = decision({
  rule: 'V1-AUT-02',
  honest: (_header: string | undefined) => false,
  lies: { 'v1-repeat-without-a-token-answered-with-the-transaction': (header) => header === undefined },
});

/** Whether a creation that is answered 401 leaves its X-Request-ID to whoever sends it with a valid token. */
export const idIsForgottenWith401 = decision({
  rule: 'V1-AUT-01',
  honest: () => true,
  lies: { 'v1-creation-answered-401-taken-for-processed': () => false },
});

/** What lies look at of a request that was refused. */
interface RefusedRequest {
  readonly operation: string;
  header(name: string): string | undefined;
  /** Whether it was refused before, as it is. */
  isAgain(): boolean;
}

/** Operations that leave something behind, by what that is. */
const WORK = {
  'transaction-created': 'createTransaction',
  'document-deleted': 'deleteDocument',
  'document-uploaded': 'uploadDocument',
  'webhook-replaced': 'replaceWebhook',
};

/** One lie for each work, done all the same for a caller without a token, and one for a caller with a wrong one; and each when it comes again. */
const worksDespite401 = Object.fromEntries(
  Object.entries(WORK).flatMap(([work, at]) =>
    [true, false].flatMap((hasNone) => {
      const name = `v1-${work}-despite-401${hasNone ? '' : '-to-a-wrong-token'}`;
      const isMeant = (request: RefusedRequest) =>
        request.operation === at && (request.header('authorization') === undefined) === hasNone;
      return [
        [name, (request: RefusedRequest) => !isMeant(request)],
        [`${name}-that-comes-again`, (request: RefusedRequest) => !(isMeant(request) && request.isAgain())],
      ] as const;
    }),
  ),
);

/** Whether the work of an operation is left undone for whoever is not known; the answer is a 401 either way. */
export const skipsWorkUnauthenticated = decision({
  rule: 'V1-AUT-01',
  honest: (_request: RefusedRequest) => true,
  lies: worksDespite401,
});

/** Whether the work of an operation is left undone for a caller without rights; the answer is a 403 either way. */
export const skipsWorkWithoutRights = decision({
  rule: 'V1-AUT-04',
  honest: (_request: RefusedRequest, _isSecond: boolean) => true,
  lies: {
    'v1-document-of-second-account-deleted-despite-403': ({ operation }, isSecond) =>
      operation !== 'deleteDocument' || !isSecond,
    'v1-transaction-of-second-account-created-despite-403': ({ operation }, isSecond) =>
      operation !== 'createTransaction' || !isSecond,
    'v1-document-uploaded-to-second-account-despite-403': ({ operation }, isSecond) =>
      operation !== 'uploadDocument' || !isSecond,
    ...Object.fromEntries(
      (['transaction-created', 'document-deleted', 'document-uploaded'] as const).flatMap((work) => [
        [`v1-${work}-despite-403`, ({ operation }: RefusedRequest) => operation !== WORK[work]],
        [
          `v1-${work}-despite-403-to-what-comes-again`,
          (request: RefusedRequest) => !(request.operation === WORK[work] && request.isAgain()),
        ],
      ]),
    ),
  },
});

/** What a caller's rights are forgotten beside. */
export interface Beside {
  readonly isSwift?: () => boolean;
  readonly hasId?: boolean;
  /** Whether what is asked for was read before. */
  readonly wasRead?: boolean;
  /** Whether the query has a parameter. */
  readonly asks?: (parameter: string) => boolean;
  /** The status of the transaction that is asked for. */
  readonly status?: string | undefined;
}

const rights = decision({
  rule: 'V1-AUT-04',
  honest: (_operation: string, _page: number, _isFirst: boolean, _beside: Beside) => 403,
  lies: {
    ...Object.fromEntries(
      [
        ...['listTransactions', 'createTransaction', 'readTransaction'],
        ...['uploadDocument', 'listDocuments', 'readDocument', 'deleteDocument'],
      ].map((at) => [
        `v1-no-rights-needed-on-the-second-account-at-${at}`,
        (operation: string, _page: number, isFirst: boolean) => (operation === at && !isFirst ? 200 : 403),
      ]),
    ),
    'v1-no-rights-needed-to-create-over-swift': (_operation, _page, _isFirst, { isSwift }) => (isSwift?.() ? 200 : 403),
    'v1-no-rights-needed-to-create-beside-a-request-id': (_operation, _page, _isFirst, { hasId }) =>
      hasId ? 200 : 403,
    'v1-no-rights-needed-to-read-what-was-read-before': (operation, _page, _isFirst, { wasRead }) =>
      operation.startsWith('read') && wasRead ? 200 : 403,
    ...Object.fromEntries(
      ['type', 'filename', 'direction'].map((parameter) => [
        `v1-no-rights-needed-beside-a-${parameter}`,
        (_operation: string, _page: number, _isFirst: boolean, { asks }: Beside) => (asks?.(parameter) ? 200 : 403),
      ]),
    ),
    'v1-no-rights-needed-to-read-what-was-completed': (_operation, _page, _isFirst, { status }) =>
      status === 'completed' ? 200 : 403,
    'v1-no-rights-needed-on-later-pages-of-transactions': (operation, page) =>
      operation === 'listTransactions' && page > 1 ? 200 : 403,
    'v1-no-rights-needed-on-later-pages-of-documents': (operation, page) =>
      operation === 'listDocuments' && page > 1 ? 200 : 403,
    'v1-no-rights-answered-404': () => 404,
    'v1-no-rights-answered-401': () => 401,
    'v1-no-rights-needed-to-list-transactions': (operation) => (operation === 'listTransactions' ? 200 : 403),
    'v1-no-rights-needed-to-create-transactions': (operation) => (operation === 'createTransaction' ? 200 : 403),
    'v1-no-rights-needed-to-read-transactions': (operation) => (operation === 'readTransaction' ? 200 : 403),
    'v1-no-rights-needed-to-list-documents': (operation) => (operation === 'listDocuments' ? 200 : 403),
    'v1-no-rights-needed-to-read-documents': (operation) => (operation === 'readDocument' ? 200 : 403),
    'v1-no-rights-needed-to-upload-documents': (operation) => (operation === 'uploadDocument' ? 200 : 403),
    'v1-no-rights-needed-to-delete-documents': (operation) => (operation === 'deleteDocument' ? 200 : 403),
  },
});

const WORDS: Readonly<Record<number, string>> = {
  401: 'UNAUTHORIZED',
  403: 'NO_PERMISSION',
  404: 'NOT_FOUND',
  422: 'VALIDATION_ERROR',
  500: 'INTERNAL_SERVER_ERROR',
};

export function turnAway(status: number, reason: string): V1Refusal {
  return new V1Refusal(status, WORDS[status]!, status === 422 ? { authorization: [reason] } : [reason]);
}

/**
 * Finds out who is calling.
 * @param headers as they came
 * @param address as it was asked for
 * @param beside what else lies may look at: the body, and what became of the same before
 * @returns the user
 * @throws Refusal 401 for a missing token, another scheme or an unknown token
 */
export function authenticateUser(
  activeLies: ActiveLies,
  operation: string,
  { authorization = '', cookie = '', ...others }: IncomingHttpHeaders,
  users: readonly [ApiUser, ...ApiUser[]],
  address = '',
  beside: { readonly body?: string; readonly wasRead?: boolean; readonly wasForbidden?: boolean } = {},
): ApiUser {
  const token = readToken(activeLies, authorization);
  const within = (text: string) => users.find((user) => text.includes(user.token));
  const claim: Claim = {
    operation,
    token,
    inAddress: () => within(address),
    inCookie: () => within(cookie),
    inOtherHeader: () => within(Object.values(others).join(' ')),
    inBody: () => within(beside.body ?? ''),
    hasId: others['x-request-id'] !== undefined,
    wasRead: beside.wasRead ?? false,
    users,
    asked: (parameter) => new URLSearchParams(address.split('?')[1]).get(parameter),
  };
  if (token === undefined) {
    const verdict = noToken(activeLies, claim);
    if (typeof verdict !== 'number') return verdict;
    throw turnAway(verdict, 'An API token is required.');
  }
  const user = identify(activeLies, claim);
  if (user === undefined) throw turnAway(wrongToken(activeLies, token), 'The API token is not valid.');
  if (!opens(activeLies, operation, beside.wasForbidden ?? false)) throw turnAway(401, 'The API token is not valid.');
  return user;
}

/** The account that a uuid stands for which is none's. */
const almost = decision({
  rule: 'V1-TRL-07',
  honest: (_uuid: string, _own: readonly UserAccount[]): UserAccount | undefined => undefined,
  lies: {
    'account-told-by-all-but-the-first-digit': (uuid, own) =>
      own.find((one) => one.uuid.slice(1).toLowerCase() === uuid.slice(1).toLowerCase()),
  },
});

/** Whether an operation makes do with an account that there is not. */
const doesWithoutAccount = decision({
  rule: 'V1-ERR-04',
  honest: (_operation: string) => false,
  lies: {
    'v1-upload-to-an-unknown-account-taken': (operation) => operation === 'uploadDocument',
    'v1-list-of-an-unknown-account-shown': (operation) => operation === 'listTransactions',
  },
});

/** Whether an operation makes do with a customer that there is not. */
const doesWithoutCustomer = decision({
  rule: 'V1-ERR-04',
  honest: (_operation: string) => false,
  lies: Object.fromEntries(
    ['uploadDocument', 'listDocuments', 'readDocument', 'deleteDocument'].map((at) => [
      `v1-unknown-customer-taken-at-${at}`,
      (operation: string) => operation === at,
    ]),
  ),
});

/**
 * The account with this uuid, when the caller may use it.
 * @param page number of the page of a list that is asked for
 * @throws Refusal 404 when there is none, 403 when it belongs to someone else
 */
export function openAccount(
  activeLies: ActiveLies,
  operation: string,
  user: ApiUser,
  users: readonly ApiUser[],
  uuid: string,
  page = 1,
  beside: Beside = {},
): UserAccount {
  const own = user.accounts.get(uuid.toLowerCase());
  if (own !== undefined) return own;
  const foreign = findAccount(users, uuid);
  const [first] = user.accounts.values();
  const near = foreign === undefined ? almost(activeLies, uuid, [...user.accounts.values()]) : undefined;
  if (near !== undefined) return near;
  if (foreign === undefined && first !== undefined && doesWithoutAccount(activeLies, operation)) return first;
  if (foreign === undefined) throw refuseMissing('The account');
  const status = rights(activeLies, operation, page, foreign.isFirst, beside);
  if (status === 200) return foreign;
  throw turnAway(status, 'The account belongs to someone else.');
}

/** The account with this uuid, whoever owns it. */
function findAccount(users: readonly ApiUser[], uuid: string): UserAccount | undefined {
  return users.map(({ accounts }) => accounts.get(uuid.toLowerCase())).find((found) => found !== undefined);
}

/**
 * Checks that the caller may act for this customer.
 * @param account of the customer that is asked about
 * @throws Refusal 404 when there is no such customer, 403 when it belongs to someone else
 */
export function openCustomer(
  activeLies: ActiveLies,
  operation: string,
  user: ApiUser,
  users: readonly ApiUser[],
  uuid: string,
  account: string,
  page = 1,
  beside: Beside = {},
): void {
  if (user.customers.has(uuid.toLowerCase())) return;
  if (!users.some(({ customers }) => customers.has(uuid.toLowerCase()))) {
    if (doesWithoutCustomer(activeLies, operation)) return;
    throw refuseMissing('The customer');
  }
  const status = rights(activeLies, operation, page, findAccount(users, account)?.isFirst ?? false, beside);
  if (status !== 200) throw turnAway(status, 'The customer belongs to someone else.');
}
