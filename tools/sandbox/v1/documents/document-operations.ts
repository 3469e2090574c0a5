import { type ActiveLies, decision } from '../../decision.ts';
import { DAY } from '../../durations.ts';
import { decideMixUp } from '../../rush.ts';
import { isLike } from '../../sql-pattern.ts';
import type { UserAccount } from '../access/api-users.ts';
import { accountListed, pageListed } from '../access/lists-at-once.ts';
import { openAccount, openCustomer } from '../access/user-access.ts';
import type { V1Choices } from '../choices.ts';
import type { V1Call } from '../v1-call.ts';
import {
  type AnswerBody,
  answerBehind,
  createMemberShape,
  decideSuccess,
  partTwoWays,
  type V1Answer,
} from '../wire/answer-shape.ts';
import { createPager, type ListPage } from '../wire/list-paging.ts';
import { UUID_PATTERN } from '../wire/request-form.ts';
import { DOCUMENT_TYPES, type DocumentStore, type StoredDocument } from './document-store.ts';

const word = (rule: string, name: string) => ({
  rule,
  lies: {
    [`document-${name}-as-number`]: () => 3,
    [`document-${name}-null`]: () => null,
    [`document-${name}-as-list-on-read`]: (value: unknown, { place }: { place: string }) =>
      place === 'read' ? [value] : value,
  },
});

const members = createMemberShape({
  type: [word('V1-DOC-14', 'type'), { rule: 'V1-DOC-14', lies: { 'document-type-empty': () => '' } }],
  file_name: [
    word('V1-DOC-15', 'file-name'),
    {
      rule: 'V1-DOC-01',
      lies: {
        'document-file-name-in-lower-case-on-read': (value, { place }) =>
          place === 'read' ? String(value).toLowerCase() : value,
        'document-file-name-in-lower-case-in-list': (value, { place }) =>
          place === 'list' ? String(value).toLowerCase() : value,
      },
    },
  ],
  description: [
    word('V1-DOC-16', 'description'),
    {
      rule: 'V1-DOC-01',
      lies: {
        'document-description-cut-at-50-on-read': (value, { place }) =>
          place === 'read' ? String(value).slice(0, 50) : value,
        'document-description-cut-at-50-in-list': (value, { place }) =>
          place === 'list' ? String(value).slice(0, 50) : value,
        'document-description-in-lower-case-on-read': (value, { place }) =>
          place === 'read' ? String(value).toLowerCase() : value,
      },
    },
  ],
  page_type: {
    rule: 'V1-DOC-17',
    lies: {
      'page-side-as-number': () => 1,
      'page-side-empty': () => '',
      'page-side-false-for-null': (side) => side ?? false,
    },
  },
  created_at: [
    {
      rule: 'V1-DOC-18',
      lies: {
        'document-created-at-by-the-clock-of-another-zone': (value) =>
          new Date(Date.parse(String(value)) + 7_200_000).toISOString(),
      },
    },
    {
      rule: 'V1-DOC-25',
      lies: { 'document-created-at-without-zone': (value) => String(value).slice(0, 19) },
    },
    {
      rule: 'V1-DOC-18',
      lies: {
        'document-created-at-as-number': (value) => Date.parse(String(value)) / 1000,
        'document-created-at-a-week-early': (value) => new Date(Date.parse(String(value)) - 7 * DAY).toISOString(),
        'document-created-at-day-only': (value) => String(value).slice(0, 10),
        'document-created-at-without-zone-later-in-list': (value, { index }) =>
          index > 0 ? String(value).slice(0, 19).replace('T', ' ') : value,
      },
    },
  ],
  status: [word('V1-DOC-19', 'status'), { rule: 'V1-DOC-19', lies: { 'document-status-empty': () => '' } }],
});

const ways = createMemberShape({
  type: partTwoWays('V1-DOC-27', 'document-type', (value) => (value === 'passport' ? 'identity_card' : 'passport')),
  created_at: partTwoWays('V1-DOC-27', 'document-creation', (value) =>
    new Date(Date.parse(String(value)) + 1000).toISOString(),
  ),
  page_type: [
    partTwoWays('V1-DOC-27', 'page-side', (value) => (value === 'front' ? 'back' : 'front')),
    {
      rule: 'V1-DOC-27',
      lies: {
        'list-page-side-null': (side, { place }) => (place === 'list' ? null : side),
        'read-page-side-null': (side, { place }) => (place === 'read' ? null : side),
      },
    },
  ],
  status: partTwoWays('V1-DOC-27', 'document-status', (value) => `${value}_before`),
});

const shown: typeof members = (activeLies, body, sight) => members(activeLies, ways(activeLies, body, sight), sight);

const byType = decision({
  rule: 'V1-DOC-05',
  honest: (document: StoredDocument, type: string | undefined, _name: string | undefined, _isFirst: boolean) =>
    type === undefined || document.type === type,
  lies: {
    'document-type-filter-ignored-in-second-account': (document, type, _name, isFirst) =>
      type === undefined || !isFirst || document.type === type,
    'document-type-filter-ignored-beside-name-in-second-account': (document, type, name, isFirst) =>
      type === undefined || (!isFirst && name !== undefined) || document.type === type,
    'document-type-filter-ignored-beside-name': (document, type, name) =>
      type === undefined || name !== undefined || document.type === type,
    'document-type-filter-ignored': () => true,
    'document-type-filter-takes-cards-for-each-other': (document, type) =>
      type === undefined || document.type === type || (type === 'identity_card' && document.type === 'drivers_license'),
    'document-type-filter-inverted': (document, type) => type === undefined || document.type !== type,
    'document-type-default-passport': (document, type) => document.type === (type ?? 'passport'),
  },
});

/** A type to filter by that there is not. */
const unknownType = decision({
  rule: 'V1-DOC-05',
  honest: (asked: unknown, { unknownWords, unknownFilter }: V1Choices) => ({
    isTaken: unknownWords === 'taken' && typeof asked === 'string',
    type: unknownFilter === 'ignored' && isUnknownType(asked) ? undefined : (asked as string | undefined),
  }),
  lies: {
    'document-type-filter-unknown-taken-for-passport': (asked) => ({ isTaken: isUnknownType(asked), type: 'passport' }),
  },
});

const isUnknownType = (asked: unknown): boolean => typeof asked === 'string' && !DOCUMENT_TYPES.includes(asked);

/** Whether the filter by type comes before pages are cut. */
const filtersFirst = decision({
  rule: 'V1-DOC-05',
  honest: (_isFirst: boolean) => true,
  lies: {
    'document-type-filter-after-paging': () => false,
    'document-type-filter-after-paging-in-second-account': (isFirst) => isFirst,
  },
});

const filtersEveryPage = decision({
  rule: 'V1-DOC-05',
  honest: (type: string | undefined, _page: ListPage) => type,
  lies: {
    'document-type-filter-ignored-without-a-page-size': (type, { beside }) => (beside.sized ? type : undefined),
    'document-type-filter-ignored-upwards': (type, { beside }) => (beside.upwards ? undefined : type),
    'document-type-filter-on-first-page-only-in-second-account': (type, { number, beside }) =>
      number > 1 && !beside.isFirst ? undefined : type,
    'document-type-filter-on-first-page-only': (type, { number }) => (number > 1 ? undefined : type),
    'document-type-filter-ignored-beside-an-order': (type, { beside }) => (beside.ordered ? undefined : type),
  },
});

/** Whether a filter finds a document of whatever age, in milliseconds. */
const findsOld = (rule: string, filter: string) =>
  decision({
    rule,
    honest: (_age: number) => true,
    lies: { [`document-${filter}-filter-finds-none-older-than-a-day`]: (age) => age < DAY },
  });
const typeFindsOld = findsOld('V1-DOC-05', 'type');
const nameFindsOld = findsOld('V1-DOC-06', 'name');

/** Whether the filter by file name comes before pages are cut. */
const seeksFirst = decision({
  rule: 'V1-DOC-06',
  honest: (_isFirst: boolean, _type: string | undefined) => true,
  lies: {
    'document-name-filter-after-paging-beside-a-type': (_isFirst, type) => type === undefined,
    'document-name-filter-after-paging': () => false,
    'document-name-filter-after-paging-in-second-account': (isFirst) => isFirst,
  },
});

/** The name to filter by on a page. */
const nameOnEveryPage = decision({
  rule: 'V1-DOC-06',
  honest: (name: string | undefined, _page: ListPage) => name,
  lies: {
    'document-name-filter-ignored-without-a-page-size': (name, { beside }) => (beside.sized ? name : undefined),
    'document-name-filter-ignored-upwards': (name, { beside }) => (beside.upwards ? undefined : name),
    'document-name-filter-on-first-page-only': (name, { number }) => (number > 1 ? undefined : name),
    'document-name-filter-ignored-beside-an-order': (name, { beside }) => (beside.ordered ? undefined : name),
  },
});

const byName = decision({
  rule: 'V1-DOC-06',
  honest: (document: StoredDocument, name: string | undefined, _type: string | undefined, _isFirst: boolean) =>
    name === undefined || document.fileName === name,
  lies: {
    'document-name-filter-ignored-in-second-account': (document, name, _type, isFirst) =>
      name === undefined || !isFirst || document.fileName === name,
    'document-name-filter-ignored-beside-type-in-second-account': (document, name, type, isFirst) =>
      name === undefined || (type !== undefined && !isFirst) || document.fileName === name,
    'document-name-filter-ignored-beside-type': (document, name, type) =>
      name === undefined || type !== undefined || document.fileName === name,
    'document-name-filter-ignored': () => true,
    'document-name-filter-looks-into-descriptions': (document, name) =>
      name === undefined || document.fileName === name || document.description.includes(name),
    'document-name-filter-finds-no-apostrophes': (document, name) =>
      name === undefined || (document.fileName === name && !name.includes("'")),
    'document-name-filter-cut-at-a-semicolon': (document, name) =>
      name === undefined || document.fileName === name.replace(/;.*/, ''),
    'document-name-filter-takes-a-comma-for-or': (document, name) =>
      name === undefined || name.split(',').includes(document.fileName),
    'document-name-filter-takes-a-percent-sign-for-any-signs': (document, name) =>
      name === undefined || isLike(document.fileName, name),
    'document-name-filter-finds-no-letters-outside-latin-1': (document, name) =>
      name === undefined || (document.fileName === name && /^[ -\u00ff]*$/.test(name)),
    'document-name-filter-decoded-twice': (document, name) =>
      name === undefined || document.fileName === name.replace(/%25/g, '%'),
    'document-name-filter-cut-at-a-number-sign': (document, name) =>
      name === undefined || document.fileName === name.replace(/#.*/, ''),
    'document-name-filter-finds-no-accents': (document, name) =>
      name === undefined || (document.fileName === name && /^[ -~]*$/.test(name)),
    'document-name-filter-with-one-blank-for-several': (document, name) =>
      name === undefined || document.fileName === name.replace(/ +/g, ' '),
    'document-name-filter-finds-no-blanks': (document, name) =>
      name === undefined || (document.fileName === name && !name.includes(' ')),
    'document-name-filter-finds-no-signs': (document, name) =>
      name === undefined || (document.fileName === name && !/[+&]/.test(name)),
    'document-name-filter-finds-no-brackets': (document, name) =>
      name === undefined || (document.fileName === name && !/[()]/.test(name)),
    'document-name-filter-finds-no-long-names': (document, name) =>
      name === undefined || (document.fileName === name && name.length <= 64),
    'document-name-filter-goes-by-64-letters': (document, name) =>
      name === undefined || document.fileName.slice(0, 64) === name.slice(0, 64),
    'document-name-filter-takes-an-underscore-for-any-sign': (document, name) =>
      name === undefined || document.fileName.replace(/[^a-z0-9]/gi, '_') === name.replace(/[^a-z0-9]/gi, '_'),
    'document-name-filter-finds-nothing': (_document, name) => name === undefined,
    'document-name-filter-keeps-others': (document, name) => name === undefined || document.fileName !== name,
  },
});

const scope = decision({
  rule: 'V1-DOC-07',
  honest: (account: UserAccount, _page: ListPage): UserAccount | undefined => account,
  lies: {
    'documents-of-every-account-listed-without-a-page-size': (account, { beside }) =>
      beside.sized ? account : undefined,
    'documents-of-every-account-listed': () => undefined,
    'documents-of-every-account-listed-on-later-pages': (account, { number }) => (number > 1 ? undefined : account),
    'documents-of-every-account-listed-beside-a-filter': (account, { beside }) =>
      beside.filtered ? undefined : account,
    'documents-of-every-account-listed-beside-a-type': (account, { beside }) => (beside.typed ? undefined : account),
  },
});

/** The account that a document has to be in; none in particular for undefined. */
const reach = decision({
  rule: 'V1-DOC-26',
  honest: (account: UserAccount, _operation: string): UserAccount | undefined => account,
  lies: {
    'document-of-second-account-read-by-way-of-first': (account, operation) =>
      operation === 'readDocument' && account.isFirst ? undefined : account,
    'document-of-second-account-deleted-by-way-of-first': (account, operation) =>
      operation === 'deleteDocument' && account.isFirst ? undefined : account,
    'document-read-by-way-of-any-account': (account, operation) => (operation === 'readDocument' ? undefined : account),
    'document-deleted-by-way-of-any-account': (account, operation) =>
      operation === 'deleteDocument' ? undefined : account,
  },
});

const listed = decideSuccess('V1-DOC-08', 200, {
  'documents-in-a-wrapper': (body) => ({ status: 200, body: { documents: body } }),
  'documents-as-map': (body) => ({ status: 200, body: { ...(body as unknown[]) } }),
  'documents-answered-206': (body) => ({ status: 206, body }),
  'documents-answered-404-when-there-are-none': (body) => ({
    status: (body as unknown[]).length === 0 ? 404 : 200,
    body,
  }),
});

const chosen = decision({
  rule: 'V1-DOC-09',
  honest: (asked: StoredDocument, _drawer: readonly StoredDocument[], _isFirst: boolean, _uuid: string) => asked,
  lies: {
    'document-read-in-other-letters-gives-oldest': (asked, account, _isFirst, uuid) =>
      uuid === uuid.toLowerCase() ? asked : (account[0] ?? asked),
    'document-read-in-second-account-gives-newest': (asked, account, isFirst) =>
      isFirst ? asked : (account.at(-1) ?? asked),
    'document-read-gives-newest': (asked, account) => account.at(-1) ?? asked,
    'document-read-gives-oldest': (asked, account) => account[0] ?? asked,
  },
});

const read = decideSuccess('V1-DOC-10', 200, {
  'document-read-in-a-list': (body) => ({ status: 200, body: [body] }),
  'document-read-answered-201': (body) => ({ status: 201, body }),
  'document-read-without-body': () => ({ status: 200, labelledEmpty: true }),
  'document-read-without-creation-time': (body) => ({ status: 200, body: { ...Object(body), created_at: undefined } }),
});

const deleted = decideSuccess('V1-DOC-12', 204, {
  'delete-answered-200': () => ({ status: 200 }),
  'delete-answered-202': () => ({ status: 202 }),
  'delete-answered-200-with-body': () => ({ status: 200, body: { status: true } }),
});

/** The status that says that a document is deleted. */
const deletedAs = decision({
  rule: 'V1-DOC-12',
  honest: (status: number, _type: string, _isFirst: boolean, _side: string | null) => status,
  lies: {
    'delete-of-a-drivers-license-answered-200': (status, type) => (type === 'drivers_license' ? 200 : status),
    'delete-of-a-side-answered-200': (status, _type, _isFirst, side) => (side === null ? status : 200),
    'delete-in-second-account-answered-200': (status, _type, isFirst) => (isFirst ? status : 200),
  },
});

/** Whether a malformed uuid in the path is refused. */
const malformed = decision({
  rule: 'V1-GEN-04',
  honest: (_drawer: readonly StoredDocument[]): StoredDocument | undefined => undefined,
  lies: { 'read-takes-any-document': (account) => account.at(-1) },
});

const pages = createPager<StoredDocument>({
  name: 'documents',
  fields: {
    file_name: (one, other) => (one.fileName < other.fileName ? -1 : one.fileName > other.fileName ? 1 : 0),
    type: (one, other) => (one.type < other.type ? -1 : one.type > other.type ? 1 : 0),
  },
  instead: 'file_name',
  filters: ['type', 'filename'],
});

/** A document as it is kept, by its age in milliseconds. */
const kept = decision({
  rule: 'V1-DOC-01',
  honest: (document: StoredDocument, _age: number) => document,
  lies: {
    'document-file-name-cut-at-200': (document) => ({ ...document, fileName: document.fileName.slice(0, 200) }),
    'document-description-cut-at-500': (document) => ({
      ...document,
      description: document.description.slice(0, 500),
    }),
    'document-description-forgotten-after-a-day': (document, age) =>
      age < DAY ? document : { ...document, description: '' },
    'document-description-cut-at-50-after-a-day': (document, age) =>
      age < DAY ? document : { ...document, description: document.description.slice(0, 50) },
    'document-type-other-after-a-day': (document, age) => (age < DAY ? document : { ...document, type: 'other' }),
  },
});

function present(document: StoredDocument, { noDescription }: V1Choices): AnswerBody {
  return {
    uuid: document.uuid,
    type: document.type,
    file_name: document.fileName,
    description: document.description === '' && noDescription === 'null' ? null : document.description,
    page_type: document.pageType,
    created_at: new Date(document.created).toISOString(),
    status: document.status,
  };
}

/**
 * The account of the customer and account in the path.
 * @throws Refusal 403 or 404 when the caller may not open it or there is none
 */
export function resolveDocumentAccount({ world, operation, user, v1State, path, query, wasRead }: V1Call): UserAccount {
  const page = Number(query.get('page') ?? 1);
  const customer_uuid = path['customer_uuid'] ?? '';
  const account_uuid = path['account_uuid'] ?? '';
  const beside = { wasRead, asks: (name: string) => query.get(name) !== undefined };
  openCustomer(world.activeLies, operation, user, v1State.users, customer_uuid, account_uuid, page, beside);
  return openAccount(world.activeLies, operation, user, v1State.users, account_uuid, page, beside);
}

/** What is read that was deleted, where it was read before. */
const stillRead = decision({
  rule: 'V1-DOC-11',
  honest: (_gone: StoredDocument | undefined): StoredDocument | undefined => undefined,
  lies: { 'deleted-document-still-readable-where-it-was-read': (gone) => gone },
});

/** The uuid of the path, as it is looked for. */
const soughtUuid = decision({
  rule: 'V1-GEN-04',
  honest: (uuid: string, _operation: string) => uuid,
  lies: {
    'read-takes-a-document-with-more-behind-its-uuid': (uuid, operation) =>
      operation === 'readDocument' ? uuid.slice(0, 36) : uuid,
    'deletion-takes-a-document-with-more-behind-its-uuid': (uuid, operation) =>
      operation === 'deleteDocument' ? uuid.slice(0, 36) : uuid,
  },
});

function find(activeLies: ActiveLies, call: V1Call): StoredDocument {
  const account = resolveDocumentAccount(call);
  const { documentStore } = call.v1State;
  const uuid = soughtUuid(activeLies, call.path['document_uuid']!, call.operation);
  const isRead = call.operation === 'readDocument' && call.wasRead;
  const gone = isRead ? documentStore.gone(account).find((one) => one.uuid === uuid) : undefined;
  const still = stillRead(activeLies, gone);
  if (still !== undefined) return still;
  const taken =
    call.operation === 'readDocument' && !UUID_PATTERN.test(uuid)
      ? malformed(activeLies, documentStore.list(account))
      : undefined;
  return taken ?? documentStore.find(reach(activeLies, account, call.operation), uuid, call.operation);
}

/** What was deleted and is taken out of a page only when that is cut. */
const cutOut = decision({
  rule: 'V1-PAG-01',
  honest: (_gone: readonly StoredDocument[]): readonly StoredDocument[] => [],
  lies: { 'deleted-documents-cut-out-of-their-page': (gone) => gone },
});

/** How often a document is listed. */
const copies = decision({
  rule: 'V1-DOC-13',
  honest: (_document: StoredDocument, _beside: ListPage['beside']) => 1,
  lies: {
    'documents-with-a-side-listed-twice': ({ pageType }) => (pageType === null ? 1 : 2),
    'documents-not-described-listed-twice': ({ description }) => (description === '' ? 2 : 1),
    'documents-listed-twice-by-type-and-name': (_document, { named, typed }) => (named && typed ? 2 : 1),
    'documents-listed-twice-upwards': (_document, { upwards }) => (upwards ? 2 : 1),
    'documents-of-second-account-listed-twice': ({ account }) => (account.isFirst ? 1 : 2),
  },
});

/** How many milliseconds a list by type goes on in which others are of that type. */
const lendsItsType = decideMixUp('V1-DOC-05', 'document-lists-by-type-at-once-mixed');

/** What was deleted and is listed all the same. */
const stillThere = decision({
  rule: 'V1-DOC-11',
  honest: (_gone: readonly StoredDocument[], _page: ListPage): readonly StoredDocument[] => [],
  lies: {
    'deleted-documents-still-listed-by-type-and-name': (gone, { beside }) => (beside.named && beside.typed ? gone : []),
    'deleted-documents-still-listed-without-a-page-size': (gone, { beside }) => (beside.sized ? [] : gone),
    'deleted-documents-still-on-later-pages': (gone, { number }) => (number > 1 ? gone : []),
    'deleted-documents-still-listed-upwards': (gone, { beside }) => (beside.upwards ? gone : []),
  },
});

/** Whether a document is on a page, by its age in milliseconds. */
const staysOnPages = decision({
  rule: 'V1-DOC-01',
  honest: (_age: number, _page: ListPage) => true,
  lies: { 'documents-of-yesterday-not-on-later-pages': (age, { number }) => number <= 1 || age < DAY },
});

/** What was listed when that was asked for before; only a lie remembers it. */
const listedBefore = new WeakMap<DocumentStore, Map<string, readonly StoredDocument[]>>();

/** What is listed, whatever was listed when the same was asked for before. */
const listedNow = decision({
  rule: 'V1-DOC-11',
  honest: (there: readonly StoredDocument[], _store: DocumentStore, _asked: string): readonly StoredDocument[] => there,
  lies: {
    'deleted-documents-listed-until-the-next-upload': (there, store, asked) => {
      const known = listedBefore.get(store) ?? new Map<string, readonly StoredDocument[]>();
      listedBefore.set(store, known);
      const before = known.get(asked);
      const isNewer = there.some((one) => before?.includes(one) === false);
      if (before !== undefined && !isNewer && !asked.includes('100')) return before;
      known.set(asked, there);
      return there;
    },
  },
});

/** One page of the documents in an account. */
export function listDocuments(call: V1Call): V1Answer {
  const { query, v1State, world } = call;
  const { activeLies } = world;
  const account = resolveDocumentAccount(call);
  const unknown = unknownType(activeLies, query.get('type'), world.choices);
  const own = unknown.isTaken ? unknown.type : query.choice('type', DOCUMENT_TYPES);
  const typed =
    own === undefined ? { value: own, lasts: 0 } : v1State.rush.lend(activeLies, 'list by type', lendsItsType, own);
  const type = typed.value;
  const { fileNames } = world.choices;
  const { isFirst } = account;
  const asked = pages.read(activeLies, query, world.choices, isFirst);
  const { page, lasts: turns } = pageListed(activeLies, v1State.rush, 'documents', asked);
  const name = nameOnEveryPage(activeLies, query.text('filename'), page);
  query.refuseComplaints();
  const { value: listing, lasts } = accountListed(activeLies, v1State.rush, 'documents', account);
  const wanted = filtersEveryPage(activeLies, type, page);
  const gone = cutOut(activeLies, v1State.documentStore.gone(account));
  const { documentStore } = v1State;
  const question = JSON.stringify([account.uuid, query.all()]);
  const there = listedNow(activeLies, documentStore.list(scope(activeLies, listing, page)), documentStore, question);
  const still = stillThere(activeLies, v1State.documentStore.gone(account), page);
  const wholeList = [...there, ...still, ...gone].flatMap((one) =>
    Array<StoredDocument>(copies(activeLies, one, page.beside)).fill(one),
  );
  const age = ({ created }: StoredDocument) => world.clock.now() - created;
  const filtered = wholeList.filter(
    (document) =>
      staysOnPages(activeLies, age(document), page) &&
      (wanted === undefined || typeFindsOld(activeLies, age(document))) &&
      (name === undefined || nameFindsOld(activeLies, age(document))) &&
      (!filtersFirst(activeLies, isFirst) || byType(activeLies, document, wanted, name, isFirst)) &&
      (!seeksFirst(activeLies, isFirst, type) ||
        byName(activeLies, document, sought(document, name, fileNames), wanted, isFirst)),
  );
  const body = pages
    .cut(activeLies, filtered, page, world.choices)
    .filter((document) => !gone.includes(document))
    .filter((document) => filtersFirst(activeLies, isFirst) || byType(activeLies, document, type, name, isFirst))
    .filter((document) => seeksFirst(activeLies, isFirst, type) || name === undefined || document.fileName === name)
    .map((document) => entry(activeLies, document, v1State.documentStore.list(account).at(-1), page))
    .map((document, index) =>
      shown(activeLies, present(seen(call, document, 'list'), world.choices), { place: 'list', index }),
    );
  return answerBehind(arrayed(activeLies, listed(activeLies, body), page), Math.max(lasts, turns, typed.lasts));
}

/** Whether documents come in an array, whatever was asked for. */
const arrayed = decision({
  rule: 'V1-DOC-08',
  honest: (answer: V1Answer, _page: ListPage) => answer,
  lies: {
    'documents-as-map-on-later-pages': (answer, { number }) =>
      number > 1 ? { ...answer, body: { ...(answer.body as unknown[]) } } : answer,
    'documents-upwards-as-map': (answer, { beside }) =>
      beside.upwards ? { ...answer, body: { ...(answer.body as unknown[]) } } : answer,
  },
});

/** What an entry shows where others are left out, or stand before. */
const entry = decision({
  rule: 'V1-DOC-27',
  honest: (document: StoredDocument, _newest: StoredDocument | undefined, _page: ListPage) => document,
  lies: {
    'document-list-upwards-shows-another-status': (document, _newest, { beside }) =>
      beside.upwards ? { ...document, status: 'approved' } : document,
    'document-list-without-a-page-size-shows-another-status': (document, _newest, { beside }) =>
      beside.sized ? document : { ...document, status: 'approved' },
    'document-list-by-type-and-name-shows-another-status': (document, _newest, { beside }) =>
      beside.named && beside.typed ? { ...document, status: 'approved' } : document,
    'document-list-beside-a-filter-shows-the-newest-description': (document, newest, { beside }) =>
      beside.filtered ? { ...document, description: newest?.description ?? '' } : document,
    'document-list-beside-a-filter-shows-any-side-as-back': (document, _newest, { beside }) =>
      beside.filtered ? { ...document, pageType: document.pageType && 'back' } : document,
    'document-list-of-second-account-shows-another-status': (document) =>
      document.account.isFirst ? document : { ...document, status: 'approved' },
    'document-list-beside-a-filter-shows-another-status': (document, _newest, { beside }) =>
      beside.filtered ? { ...document, status: 'approved' } : document,
    'document-list-shows-any-side-as-back-on-later-pages': (document, _newest, { number }) =>
      number > 1 ? { ...document, pageType: document.pageType && 'back' } : document,
    'document-list-shows-another-status-on-later-pages': (document, _newest, { number }) =>
      number > 1 ? { ...document, status: 'approved' } : document,
    'document-list-shows-the-newest-description-on-later-pages': (document, newest, { number }) =>
      number > 1 ? { ...document, description: newest?.description ?? '' } : document,
    'document-list-shows-the-newest-type-on-later-pages': (document, newest, { number }) =>
      number > 1 ? { ...document, type: newest?.type ?? document.type } : document,
  },
});

/** A document with the creation that is shown of it. */
const created = decision({
  rule: 'V1-DOC-27',
  honest: (document: StoredDocument, _now: number, _place: 'list' | 'read', _latest: StoredDocument | undefined) =>
    document,
  lies: {
    'document-creation-touched-by-the-next-upload': (document, _now, _place, latest) => ({
      ...document,
      created: latest?.created ?? document.created,
    }),
    'document-creation-at-midnight-after-a-day': (document, now) =>
      now - document.created < DAY ? document : { ...document, created: document.created - (document.created % DAY) },
    'document-creation-always-now': (document, now) => ({ ...document, created: now }),
    'read-document-creation-of-now': (document, now, place) =>
      place === 'list' ? document : { ...document, created: now - ((now - document.created) % 1000) },
  },
});

/** A document as it is shown at the moment. */
function seen({ world: { activeLies, clock }, v1State }: V1Call, document: StoredDocument, place: 'list' | 'read') {
  const now = clock.now();
  const latest = v1State.documentStore.list(document.account).at(-1);
  return created(activeLies, kept(activeLies, document, now - document.created), now, place, latest);
}

/** The name to compare with: where a part is enough, the document's own when it holds the part. */
function sought({ fileName }: StoredDocument, name: string | undefined, how: 'equal' | 'contain'): string | undefined {
  return how === 'contain' && name !== undefined && fileName.includes(name) ? fileName : name;
}

/** How many milliseconds a reading goes on in which others are answered with another document. */
const readingsMixed = decideMixUp('V1-DOC-09', 'document-readings-at-once-mixed');

/** The page side that a reading shows. */
const sideRead = decision({
  rule: 'V1-DOC-03',
  honest: (document: StoredDocument) => document,
  lies: {
    'page-side-of-drivers-license-listed-and-not-read': (document) =>
      document.type === 'drivers_license' ? { ...document, pageType: null } : document,
  },
});

/** The details of one document. */
export function readDocument(call: V1Call): V1Answer {
  const { activeLies } = call.world;
  const found = find(activeLies, call);
  const beside = call.v1State.documentStore.list(found.account);
  const document = chosen(activeLies, found, beside, found.account.isFirst, call.path['document_uuid']!);
  const { lasts, isAtOnce } = call.v1State.rush.begin(activeLies, 'document reading', readingsMixed);
  const side = sideRead(activeLies, seen(call, (isAtOnce && beside[0]) || document, 'read'));
  const body = present(side, call.world.choices);
  return answerBehind(read(activeLies, shown(activeLies, body, { place: 'read', index: 0 })), lasts);
}

/** Whether a document that was deleted is one that does not exist. */
const goneIsMissing = decision({
  rule: 'V1-ERR-04',
  honest: () => true,
  lies: { 'second-deletion-answered-204': () => false },
});

/** Whether a document stays where the customer of the path is none of the caller's. */
const customerGuards = decision({
  rule: 'V1-ERR-04',
  honest: () => true,
  lies: { 'document-deleted-despite-404-of-its-customer': () => false },
});

/** What goes where there is no document to delete. */
const goesInstead = decision({
  rule: 'V1-DOC-01',
  honest: (_drawer: readonly StoredDocument[]): StoredDocument | undefined => undefined,
  lies: { 'deletion-of-what-is-not-there-takes-the-newest': (drawer) => drawer.at(-1) },
});

/** The document to delete. */
function findDeleted(activeLies: ActiveLies, call: V1Call): StoredDocument {
  try {
    return find(activeLies, call);
  } catch (refusal) {
    const { documentStore } = call.v1State;
    const instead = goesInstead(activeLies, documentStore.list(resolveDocumentAccount(call)));
    if (instead !== undefined) documentStore.remove(instead);
    throw refusal;
  }
}

/** Removes one document. */
export function deleteDocument(call: V1Call): V1Answer {
  const { activeLies } = call.world;
  const { documentStore } = call.v1State;
  const uuid = call.path['document_uuid']!;
  const again = documentStore.isGone(uuid) && !goneIsMissing(activeLies);
  const isOfCaller = call.user.customers.has(String(call.path['customer_uuid']).toLowerCase());
  if (!isOfCaller && !customerGuards(activeLies)) documentStore.remove(documentStore.find(undefined, uuid));
  const document = again ? undefined : findDeleted(activeLies, call);
  const late = document === undefined ? 0 : documentStore.remove(document);
  const answer = deleted(activeLies, undefined);
  const { type = '', account, pageType = null } = document ?? {};
  const status = deletedAs(activeLies, answer.status, type, account?.isFirst ?? true, pageType);
  return answerBehind({ ...answer, status }, late);
}
