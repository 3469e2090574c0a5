import { decision } from '../../decision.ts';
import { decideMixUp } from '../../rush.ts';
import type { UserAccount } from '../access/api-users.ts';
import type { V1Call } from '../v1-call.ts';
import type { V1World } from '../v1-world.ts';
import { answerBehind, decideSuccess, type V1Answer } from '../wire/answer-shape.ts';
import { type RequestForm, UUID_PATTERN } from '../wire/request-form.ts';
import { resolveDocumentAccount } from './document-operations.ts';
import { DOCUMENT_TYPES, type DocumentDetails, type StoredDocument } from './document-store.ts';

const SIDES = ['front', 'back'];
const TWO_SIDED = ['identity_card', 'drivers_license'];

const typeNeeded = decision({
  rule: 'V1-DOC-20',
  honest: (_isNull: boolean, _isFirst: boolean) => true,
  lies: {
    'upload-without-type-accepted': () => false,
    'upload-to-second-account-without-type-accepted': (_isNull, isFirst) => isFirst,
    'upload-of-type-null-accepted': (isNull) => !isNull,
  },
});
const fileNameNeeded = decision({
  rule: 'V1-DOC-22',
  honest: (_hasAttachment: boolean, _isNull: boolean, _isFirst: boolean) => true,
  lies: {
    'upload-to-second-account-without-file-name-accepted': (_hasAttachment, _isNull, isFirst) => isFirst,
    'upload-without-file-name-accepted': () => false,
    'upload-of-file-name-null-accepted': (_hasAttachment, isNull) => !isNull,
    'upload-with-attachment-without-file-name-accepted': (hasAttachment) => !hasAttachment,
    'upload-without-attachment-or-file-name-accepted': (hasAttachment) => hasAttachment,
  },
});

const typeTaken = decision({
  rule: 'V1-DOC-02',
  honest: (_type: string, _isFirst: boolean) => true,
  lies: {
    'passport-refused-in-second-account': (type, isFirst) => type !== 'passport' || isFirst,
    'drivers-license-refused-in-second-account': (type, isFirst) => type !== 'drivers_license' || isFirst,
    'passport-refused': (type) => type !== 'passport',
    'identity-card-refused': (type) => type !== 'identity_card',
    'drivers-license-refused': (type) => type !== 'drivers_license',
  },
});

const sideTaken = decision({
  rule: 'V1-DOC-03',
  honest: (_type: string, _side: string) => true,
  lies: {
    'page-side-of-identity-card-refused': (type) => type !== 'identity_card',
    'page-side-of-drivers-license-refused': (type) => type !== 'drivers_license',
  },
});

/** The side that is kept. */
const sideKept = decision({
  rule: 'V1-DOC-03',
  honest: (side: string | null, _type: string, _isFirst: boolean) => side,
  lies: {
    'page-side-in-second-account-not-kept': (side, _type, isFirst) => (isFirst ? side : null),
    'page-side-back-kept-as-front': (side) => side && 'front',
    'page-side-of-drivers-license-not-kept': (side, type) => (type === 'drivers_license' ? null : side),
  },
});

const descriptionOptional = decision({
  rule: 'V1-DOC-21',
  honest: (_description: string | undefined, _type: string, _isFirst: boolean) => true,
  lies: {
    'upload-to-second-account-without-description-refused': (description, _type, isFirst) =>
      description !== undefined || isFirst,
    'upload-without-description-refused': (description) => description !== undefined,
    'upload-of-identity-card-without-description-refused': (description, type) =>
      description !== undefined || type !== 'identity_card',
  },
});

const sideNullable = decision({
  rule: 'V1-DOC-23',
  honest: (_side: unknown, _type: unknown) => true,
  lies: {
    'page-side-null-refused': (side) => side !== null,
    'page-side-null-of-a-drivers-license-refused': (side, type) => side !== null || type !== 'drivers_license',
  },
});

const attachmentTaken = decision({
  rule: 'V1-DOC-24',
  honest: (_content: Buffer | undefined) => true,
  lies: {
    'attachment-refused': (content) => content === undefined,
    'attachment-without-padding-refused': (content) => content === undefined || content.length % 3 !== 0,
    'attachment-of-two-paddings-refused': (content) => content === undefined || content.length % 3 !== 1,
    'attachment-above-1-kb-refused': (content) => content === undefined || content.length <= 1024,
  },
});

const uploaded = decideSuccess('V1-DOC-04', 200, {
  'upload-answered-201': () => ({ status: 201 }),
  'upload-answered-204': () => ({ status: 204 }),
  'upload-answered-with-body': () => ({ status: 200, body: { status: true } }),
});

/** The answer to an upload, by its account. */
const uploadedAlike = decision({
  rule: 'V1-DOC-04',
  honest: (answer: V1Answer, _isFirst: boolean, _content: Buffer | undefined) => answer,
  lies: {
    'upload-of-a-large-file-answered-with-body': (answer, _isFirst, content) =>
      content !== undefined && content.length > 50_000 ? { ...answer, body: { status: true } } : answer,
    'upload-to-second-account-answered-201': (answer, isFirst) => (isFirst ? answer : { ...answer, status: 201 }),
    'upload-to-second-account-answered-with-body': (answer, isFirst) =>
      isFirst ? answer : { ...answer, body: { status: true } },
  },
});

/** What of an upload has a value that there is not. */
type BogusField = 'type' | 'page_type' | 'content' | 'attachment';

const spoiltUpload = decision({
  rule: 'V1-DOC-04',
  honest: (_field: BogusField): 'refused' | 'refused and kept' | 'taken and dropped' => 'refused',
  lies: {
    'upload-of-unknown-type-refused-and-kept': (field) => (field === 'type' ? 'refused and kept' : 'refused'),
    'upload-of-unknown-type-taken-and-dropped': (field) => (field === 'type' ? 'taken and dropped' : 'refused'),
    'upload-of-unknown-page-side-refused-and-kept': (field) => (field === 'page_type' ? 'refused and kept' : 'refused'),
    'upload-of-broken-base64-refused-and-kept': (field) => (field === 'content' ? 'refused and kept' : 'refused'),
    'upload-of-an-attachment-in-words-refused-and-kept': (field) =>
      field === 'attachment' ? 'refused and kept' : 'refused',
    'upload-of-broken-base64-taken-and-dropped': (field) => (field === 'content' ? 'taken and dropped' : 'refused'),
  },
});

function findBogusField(form: RequestForm): BogusField | undefined {
  const { content, page_type: side } = form.object('attachment')?.all() ?? {};
  const type = form.get('type');
  if (typeof type === 'string' && !DOCUMENT_TYPES.includes(type)) return 'type';
  if (typeof side === 'string' && !SIDES.includes(side)) return 'page_type';
  if (typeof form.get('attachment') === 'string') return 'attachment';
  return typeof content === 'string' && !isBase64(content) ? 'content' : undefined;
}

function isBase64(text: string): boolean {
  return /^[A-Za-z0-9+/]*={0,2}$/.test(text) && text.length % 4 === 0;
}

function readContent(form: RequestForm): Buffer | undefined {
  const text = form.text('content');
  if (text === undefined) return undefined;
  if (isBase64(text)) return Buffer.from(text, 'base64');
  form.complain('content', 'The content field must be base64.');
  return undefined;
}

/** The description of an upload that gives none. */
const undescribed = decision({
  rule: 'V1-DOC-01',
  honest: (_last: string | undefined) => '',
  lies: {
    'description-left-out-is-the-last-one': (last) => last ?? '',
    'description-left-out-is-the-word-for-nothing': () => 'null',
  },
});

/** The side of what has none. */
const sideOfPassport = decision({
  rule: 'V1-DOC-03',
  honest: (_last: StoredDocument | undefined): string | null => null,
  lies: { 'page-side-of-the-upload-before-kept-with-a-passport': (last) => last?.pageType ?? null },
});

/** The side of a card that is sent without one. */
const sideLeftOut = decision({
  rule: 'V1-DOC-03',
  honest: (_last: StoredDocument | undefined): string | null => null,
  lies: { 'page-side-left-out-with-a-card-is-the-last-one': (last) => last?.pageType ?? null },
});

function readSheet(
  { activeLies, choices: free }: V1World,
  form: RequestForm,
  last: StoredDocument | undefined,
  isFirst: boolean,
): DocumentDetails {
  const word = (from: RequestForm, name: string, known: readonly string[], options: object) =>
    free.unknownWords === 'taken' ? from.text(name, options) : from.choice(name, known, options);
  const needsType = typeNeeded(activeLies, form.raw('type') === null, isFirst);
  const type = word(form, 'type', DOCUMENT_TYPES, { required: needsType, nullable: !needsType }) ?? 'other';
  const attachment = form.object('attachment');
  const required = fileNameNeeded(activeLies, attachment !== undefined, form.raw('file_name') === null, isFirst);
  const fileName = form.text('file_name', { required, nullable: !required }) ?? 'unnamed';
  const description = form.text('description');
  const content = attachment && readContent(attachment);
  const side = attachment && word(attachment, 'page_type', SIDES, { nullable: true });
  if (content === undefined && free.attachment === 'needed')
    form.complain('attachment.content', 'The attachment.content field is required.');
  if (side !== undefined && type === 'passport' && free.passportSides === 'refused')
    attachment?.complain('page_type', 'A passport has no sides.');
  if (!typeTaken(activeLies, type, isFirst)) form.complain('type', 'The selected type is not accepted.');
  if (!descriptionOptional(activeLies, description, type, isFirst))
    form.complain('description', 'The description field is required.');
  if (side !== undefined && !sideTaken(activeLies, type, side))
    attachment?.complain('page_type', 'The page_type field is not accepted for this type.');
  if (attachment !== undefined && !sideNullable(activeLies, attachment.raw('page_type'), type))
    attachment.complain('page_type', 'The page_type field is required.');
  if (!attachmentTaken(activeLies, content)) form.complain('attachment', 'The attachment field is not accepted.');
  const pageType = TWO_SIDED.includes(type)
    ? sideKept(activeLies, side ?? sideLeftOut(activeLies, last), type, isFirst)
    : sideOfPassport(activeLies, last);
  return { type, fileName, description: description ?? undescribed(activeLies, last?.description), pageType, content };
}

/** The document in whose place another one of its file name is put. */
const replaced = decision({
  rule: 'V1-DOC-01',
  honest: (
    _namesake: StoredDocument | undefined,
    _elsewhere: StoredDocument | undefined,
    _others: readonly StoredDocument[],
    _sheet: DocumentDetails,
  ): StoredDocument | undefined => undefined,
  lies: {
    'upload-replaces-the-one-of-its-file-name': (namesake) => namesake,
    'upload-replaces-the-namesake-of-the-other-account': (_namesake, elsewhere) => elsewhere,
    'upload-replaces-the-same-side-of-its-kind-of-card': (_namesake, _elsewhere, others, { type, pageType }) =>
      others.find((one) => one.type === type && one.pageType === pageType && pageType !== null),
    'upload-replaces-the-one-of-its-file-name-in-other-letters': (_namesake, _elsewhere, others, { fileName }) =>
      others.find((one) => one.fileName !== fileName && one.fileName.toLowerCase() === fileName.toLowerCase()),
  },
});

/** Whether a file name can be given to a document, by whether one of its account has or had it. */
const nameFree = decision({
  rule: 'V1-DOC-11',
  honest: (_wasGiven: boolean) => true,
  lies: { 'name-of-a-deleted-document-never-free-again': (wasGiven) => !wasGiven },
});

/** What is kept of an upload whose file name a document had that was deleted. */
const asBefore = decision({
  rule: 'V1-DOC-01',
  honest: (sheet: DocumentDetails, _gone: StoredDocument | undefined): DocumentDetails => sheet,
  lies: {
    'upload-under-the-name-of-a-deleted-one-described-as-that': (sheet, gone) => ({
      ...sheet,
      description: gone?.description ?? sheet.description,
    }),
    'upload-under-the-name-of-a-deleted-one-of-the-type-of-that': (sheet, gone) => ({
      ...sheet,
      type: gone?.type ?? sheet.type,
    }),
  },
});

/** How many milliseconds an upload goes on in which others of its file name are not kept. */
const standsForNamesakes = decideMixUp('V1-DOC-01', 'uploads-at-once-of-one-name-kept-once');

/** How many milliseconds an upload goes on in which others get its uuid. */
const sharesUuid = decideMixUp('V1-DOC-13', 'uploads-at-once-share-a-uuid');

/** How many milliseconds an upload goes on in which others are kept with its type and description. */
const mixesOthers = decideMixUp('V1-DOC-01', 'uploads-at-once-mixed');

/** How many milliseconds an upload goes on in which others are kept in its account. */
const lendsItsAccount = decideMixUp('V1-DOC-07', 'uploads-at-once-kept-in-one-account');

/** Whether an upload that names an account or a customer there is not leaves nothing. */
const isUndone = decision({
  rule: 'V1-ERR-04',
  honest: (_isCustomerKnown: boolean) => true,
  lies: {
    'upload-kept-despite-404-of-its-account': (isCustomerKnown) => !isCustomerKnown,
    'upload-kept-despite-404-of-its-customer': (isCustomerKnown) => isCustomerKnown,
  },
});

/** The account to upload to. */
function resolveTarget(call: V1Call): UserAccount {
  try {
    return resolveDocumentAccount(call);
  } catch (refusal) {
    const { world, v1State, user, path } = call;
    const isCustomerKnown = user.customers.has(String(path['customer_uuid']).toLowerCase());
    const [first] = user.accounts.values();
    if (
      first !== undefined &&
      UUID_PATTERN.test(String(path['account_uuid'])) &&
      !isUndone(world.activeLies, isCustomerKnown)
    )
      v1State.documentStore.store(first, readSheet(world, call.body(), undefined, true));
    throw refusal;
  }
}

/** Puts a document into the account of the path. */
export function uploadDocument(call: V1Call): V1Answer {
  const { world, v1State } = call;
  const account = resolveTarget(call);
  const form = call.body();
  const sheet = readSheet(world, form, v1State.documentStore.list().at(-1), account.isFirst);
  const bogus = findBogusField(form);
  const fate = bogus === undefined ? 'refused' : spoiltUpload(world.activeLies, bogus);
  if (fate === 'taken and dropped') return uploaded(world.activeLies, undefined);
  if (fate === 'refused and kept') v1State.documentStore.store(account, sheet);
  const isNamesake = ({ fileName }: StoredDocument) => fileName === sheet.fileName;
  const namesake = v1State.documentStore.list(account).find(isNamesake);
  const wasGiven = namesake !== undefined || v1State.documentStore.gone(account).some(isNamesake);
  const isTaken = world.choices.sameFileName === 'refused' && namesake !== undefined;
  if (isTaken || !nameFree(world.activeLies, wasGiven)) form.complain('file_name', 'There is such a document.');
  form.refuseComplaints();
  const { activeLies } = world;
  const mixUps = [sharesUuid, mixesOthers, lendsItsAccount, standsForNamesakes];
  const { lasts, isAtOnce } = v1State.rush.begin(activeLies, 'upload', ...mixUps);
  const isStoodFor = isAtOnce && standsForNamesakes(activeLies) > 0 && namesake !== undefined;
  if (isStoodFor) return answerBehind(uploaded(activeLies, undefined), lasts);
  const before = isAtOnce ? v1State.documentStore.list(account).at(-1) : undefined;
  const beside = before && mixesOthers(activeLies) > 0 ? { type: before.type, description: before.description } : {};
  const shared = sharesUuid(activeLies) > 0 ? before?.uuid : undefined;
  const elsewhere = v1State.documentStore.list().find((one) => one.account !== account && isNamesake(one));
  const old = replaced(activeLies, namesake, elsewhere, v1State.documentStore.list(account), sheet);
  if (old !== undefined) v1State.documentStore.remove(old);
  const latest = isAtOnce && lendsItsAccount(activeLies) > 0 ? v1State.documentStore.list().at(-1) : undefined;
  const deletedNamesake = v1State.documentStore.gone(account).findLast(isNamesake);
  v1State.documentStore.store(
    latest?.account ?? account,
    { ...asBefore(activeLies, sheet, deletedNamesake), ...beside },
    shared,
  );
  return answerBehind(
    uploadedAlike(activeLies, uploaded(activeLies, undefined), account.isFirst, sheet.content),
    lasts,
  );
}
