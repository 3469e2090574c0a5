import { decision, type Faults } from '../decision.ts';
import { openAccount, openCustomer } from './access.ts';
import type { Call } from './call.ts';
import { type Document, TYPES } from './document.ts';
import { UUID } from './form.ts';
import { pager } from './page.ts';
import { type Answer, type Body, shape, success } from './shape.ts';

const word = (rule: string, name: string) => ({
  rule,
  lies: {
    [`document-${name}-as-number`]: () => 3,
    [`document-${name}-null`]: () => null,
    [`document-${name}-as-list-on-read`]: (value: unknown, { place }: { place: string }) =>
      place === 'read' ? [value] : value,
  },
});

const members = shape({
  type: word('V1-DOC-14', 'type'),
  file_name: word('V1-DOC-15', 'file-name'),
  description: word('V1-DOC-16', 'description'),
  page_type: {
    rule: 'V1-DOC-17',
    lies: { 'page-side-as-number': () => 1, 'page-side-false-for-null': (side) => side ?? false },
  },
  created_at: {
    rule: 'V1-DOC-18',
    lies: {
      'document-created-at-as-number': (value) => Date.parse(String(value)) / 1000,
      'document-created-at-day-only': (value) => String(value).slice(0, 10),
      'document-created-at-without-zone-later-in-list': (value, { index }) =>
        index > 0 ? String(value).slice(0, 19).replace('T', ' ') : value,
    },
  },
  status: word('V1-DOC-19', 'status'),
});

const byType = decision({
  rule: 'V1-DOC-05',
  honest: (document: Document, type: string | undefined) => type === undefined || document.type === type,
  lies: {
    'document-type-filter-ignored': () => true,
    'document-type-filter-inverted': (document, type) => type === undefined || document.type !== type,
    'document-type-default-passport': (document, type) => document.type === (type ?? 'passport'),
  },
});

const byName = decision({
  rule: 'V1-DOC-06',
  honest: (document: Document, name: string | undefined) => name === undefined || document.fileName === name,
  lies: {
    'document-name-filter-ignored': () => true,
    'document-name-filter-finds-nothing': (_document, name) => name === undefined,
    'document-name-filter-keeps-others': (document, name) => name === undefined || document.fileName !== name,
  },
});

const scope = decision({
  rule: 'V1-DOC-07',
  honest: (drawer: string): string | undefined => drawer,
  lies: { 'documents-of-every-account-listed': () => undefined },
});

const listed = success('V1-DOC-08', 200, {
  'documents-in-a-wrapper': (body) => ({ status: 200, body: { documents: body } }),
  'documents-as-map': (body) => ({ status: 200, body: { ...(body as unknown[]) } }),
  'documents-answered-206': (body) => ({ status: 206, body }),
});

const chosen = decision({
  rule: 'V1-DOC-09',
  honest: (asked: Document, _drawer: readonly Document[]) => asked,
  lies: {
    'document-read-gives-newest': (asked, drawer) => drawer.at(-1) ?? asked,
    'document-read-gives-oldest': (asked, drawer) => drawer[0] ?? asked,
  },
});

const read = success('V1-DOC-10', 200, {
  'document-read-in-a-list': (body) => ({ status: 200, body: [body] }),
  'document-read-answered-201': (body) => ({ status: 201, body }),
  'document-read-without-body': () => ({ status: 200, hollow: true }),
});

const deleted = success('V1-DOC-12', 204, {
  'delete-answered-200': () => ({ status: 200 }),
  'delete-answered-202': () => ({ status: 202 }),
  'delete-answered-200-with-body': () => ({ status: 200, body: { status: true } }),
});

/** Whether a malformed uuid in the path is refused. */
const malformed = decision({
  rule: 'V1-GEN-04',
  honest: (_drawer: readonly Document[]): Document | undefined => undefined,
  lies: { 'read-takes-any-document': (drawer) => drawer.at(-1) },
});

const pages = pager<Document>({
  name: 'documents',
  fields: {
    file_name: (one, other) => (one.fileName < other.fileName ? -1 : one.fileName > other.fileName ? 1 : 0),
    type: (one, other) => (one.type < other.type ? -1 : one.type > other.type ? 1 : 0),
  },
  instead: 'file_name',
});

function present(document: Document): Body {
  return {
    uuid: document.uuid,
    type: document.type,
    file_name: document.fileName,
    description: document.description,
    page_type: document.pageType,
    created_at: new Date(document.created).toISOString(),
    status: document.status,
  };
}

/**
 * The drawer of the customer and account in the path.
 * @throws Refusal 403 or 404 when the caller may not open it or there is none
 */
export function openDrawer({ world, operation, user, memory, path }: Call): string {
  openCustomer(world.faults, operation, user, memory.users, path['customer_uuid']!);
  const { uuid } = openAccount(world.faults, operation, user, memory.users, path['account_uuid']!);
  return uuid;
}

function find(faults: Faults, call: Call): Document {
  const drawer = openDrawer(call);
  const { cabinet } = call.memory;
  const uuid = call.path['document_uuid']!;
  const taken =
    call.operation === 'readDocument' && !UUID.test(uuid) ? malformed(faults, cabinet.list(drawer)) : undefined;
  return taken ?? cabinet.find(drawer, uuid);
}

/** One page of the documents in a drawer. */
export function listDocuments(call: Call): Answer {
  const { query, memory, world } = call;
  const { faults } = world;
  const drawer = openDrawer(call);
  const type = query.choice('type', TYPES);
  const name = query.text('filename');
  const { ascending, fileNames } = world.choices.v1;
  const page = pages.read(faults, query, ascending);
  query.settle();
  const filtered = memory.cabinet
    .list(scope(faults, drawer))
    .filter(
      (document) => byType(faults, document, type) && byName(faults, document, sought(document, name, fileNames)),
    );
  const body = pages
    .cut(faults, filtered, page, world.choices.v1)
    .map((document, index) => members(faults, present(document), { place: 'list', index }));
  return listed(faults, body);
}

/** The name to compare with: where a part is enough, the document's own when it holds the part. */
function sought({ fileName }: Document, name: string | undefined, how: 'equal' | 'contain'): string | undefined {
  return how === 'contain' && name !== undefined && fileName.includes(name) ? fileName : name;
}

/** The details of one document. */
export function readDocument(call: Call): Answer {
  const { faults } = call.world;
  const found = find(faults, call);
  const document = chosen(faults, found, call.memory.cabinet.list(found.drawer));
  return read(faults, members(faults, present(document), { place: 'read', index: 0 }));
}

/** Removes one document. */
export function deleteDocument(call: Call): Answer {
  const { faults } = call.world;
  call.memory.cabinet.remove(find(faults, call));
  return deleted(faults, undefined);
}
