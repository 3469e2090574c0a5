import { decision } from '../../decision.ts';
import { DAY } from '../../durations.ts';
import { isSecondsAgo } from '../../real-time.ts';
import { decideMixUp } from '../../rush.ts';
import type { UserAccount } from '../access/api-users.ts';
import type { V1World } from '../v1-world.ts';
import { drawIdentifier } from '../wire/identifiers.ts';
import { MISWRITTEN } from '../wire/miswritten-texts.ts';
import { refuseMissing } from '../wire/v1-refusal.ts';

/** Types that are taken; the document names the first three and says that there are more. */
export const DOCUMENT_TYPES = [
  'passport',
  'identity_card',
  'drivers_license',
  'residence_permit',
  'proof_of_address',
  'other',
];

/** A document in the documentStore; `account` is the customer's account it was put into. */
export interface StoredDocument {
  readonly uuid: string;
  readonly serial: number;
  readonly account: UserAccount;
  readonly created: number;
  /** The same in milliseconds of real time; only lies look at it. */
  readonly createdReally: number;
  readonly type: string;
  readonly fileName: string;
  readonly description: string;
  readonly pageType: string | null;
  readonly content: Buffer | undefined;
  readonly status: string;
}

/** What an upload says about its document. */
export type DocumentDetails = Pick<StoredDocument, 'type' | 'fileName' | 'description' | 'pageType' | 'content'>;

const fresh = decision({
  rule: 'V1-DOC-13',
  honest: (drawn: string, _last: string | undefined, _gone: string | undefined, _namesake: () => string | undefined) =>
    drawn,
  lies: {
    'document-uuid-of-the-namesake-in-the-other-account': (drawn, _last, _gone, namesake) => namesake() ?? drawn,
    'document-uuid-used-twice': (drawn, last) => last ?? drawn,
    'document-uuid-used-again-after-deletion': (drawn, _last, gone) => gone ?? drawn,
  },
});

const stored = decision({
  rule: 'V1-DOC-01',
  honest: (sheet: DocumentDetails, _isFirst: boolean): DocumentDetails | undefined => sheet,
  lies: {
    'documents-of-second-account-not-kept': (sheet, isFirst) => (isFirst ? sheet : undefined),
    'document-description-forgotten-in-second-account': (sheet, isFirst) =>
      isFirst ? sheet : { ...sheet, description: '' },
    'document-type-replaced': (sheet) => ({ ...sheet, type: 'other' }),
    'document-file-name-in-lower-case': (sheet) => ({ ...sheet, fileName: sheet.fileName.toLowerCase() }),
    'document-file-name-without-suffix': (sheet) => ({ ...sheet, fileName: sheet.fileName.replace(/\.[^.]*$/, '') }),
    'document-file-name-with-the-suffix-of-its-content': (sheet) =>
      sheet.content?.subarray(1, 4).toString() === 'PNG'
        ? { ...sheet, fileName: sheet.fileName.replace(/\.jpg$/, '.png') }
        : sheet,
    'document-file-name-without-accents': (sheet) => ({ ...sheet, fileName: sheet.fileName.replace(/[^ -~]/gu, '_') }),
    'document-description-escaped': (sheet) => ({ ...sheet, description: sheet.description.replace(/&/g, '&amp;') }),
    'document-file-name-without-what-stands-between-its-points': (sheet) => ({
      ...sheet,
      fileName: sheet.fileName.replace(/\..*(\.[^.]*)$/, '$1'),
    }),
    'document-file-name-without-apostrophes': (sheet) => ({ ...sheet, fileName: sheet.fileName.replace(/'/g, '') }),
    'document-file-name-never-without-a-suffix': (sheet) => ({
      ...sheet,
      fileName: sheet.fileName.includes('.') ? sheet.fileName : `${sheet.fileName}.png`,
    }),
    'document-file-name-without-spaces': (sheet) => ({ ...sheet, fileName: sheet.fileName.replace(/ /g, '_') }),
    'document-file-name-cut-at-64': (sheet) => ({ ...sheet, fileName: sheet.fileName.slice(0, 64) }),
    'document-description-cut-at-four-byte-letters': (sheet) => ({
      ...sheet,
      description: sheet.description.replace(/[\u{10000}-\u{10ffff}].*/su, ''),
    }),
    'document-description-cut-at-255': (sheet) => ({ ...sheet, description: sheet.description.slice(0, 255) }),
    'undescribed-document-type-replaced': (sheet) => (sheet.description === '' ? { ...sheet, type: 'other' } : sheet),
    'undescribed-document-file-name-in-lower-case': (sheet) =>
      sheet.description === '' ? { ...sheet, fileName: sheet.fileName.toLowerCase() } : sheet,
    'undescribed-document-not-kept': (sheet) => (sheet.description === '' ? undefined : sheet),
    'document-description-forgotten-beside-a-side': (sheet) =>
      sheet.pageType === null ? sheet : { ...sheet, description: '' },
    'document-description-forgotten-without-a-file': (sheet) =>
      sheet.content === undefined ? { ...sheet, description: '' } : sheet,
    'document-description-forgotten': (sheet) => ({ ...sheet, description: '' }),
    ...Object.fromEntries(
      Object.entries(MISWRITTEN).map(([how, miswrite]) => [
        `document-description-${how}`,
        (sheet: DocumentDetails) => ({ ...sheet, description: miswrite(sheet.description) }),
      ]),
    ),
    'document-file-name-outside-latin-1-as-question-marks': (sheet) => ({
      ...sheet,
      fileName: MISWRITTEN['outside-latin-1-as-question-marks']!(sheet.fileName),
    }),
    'document-file-name-with-one-blank-for-several': (sheet) => ({
      ...sheet,
      fileName: MISWRITTEN['with-one-blank-for-several']!(sheet.fileName),
    }),
    'document-not-kept': () => undefined,
  },
});

/** How often an upload is kept. */
const copies = decision({
  rule: 'V1-DOC-01',
  honest: (_serial: number, _sheet: DocumentDetails) => 1,
  lies: {
    'document-kept-twice': () => 2,
    'undescribed-document-kept-twice': (_serial, { description }) => (description === '' ? 2 : 1),
    'drivers-license-kept-twice': (_serial, { type }) => (type === 'drivers_license' ? 2 : 1),
    'one-upload-in-ten-not-kept': (serial) => (serial % 10 === 7 ? 0 : 1),
  },
});

/** How a removed document can still be met. */
const removal = decision({
  rule: 'V1-DOC-11',
  honest: (_document: StoredDocument) => ({ readable: false, listed: false }),
  lies: {
    'deleted-document-of-second-account-still-readable': ({ account }) => ({
      readable: !account.isFirst,
      listed: false,
    }),
    'deleted-document-of-second-account-still-listed': ({ account }) => ({ readable: false, listed: !account.isFirst }),
    'deleted-document-with-a-side-still-readable': ({ pageType }) => ({ readable: pageType !== null, listed: false }),
    'deleted-undescribed-document-still-readable': ({ description }) => ({
      readable: description === '',
      listed: false,
    }),
    'deleted-undescribed-document-still-listed': ({ description }) => ({ readable: false, listed: description === '' }),
    'deleted-document-still-there': () => ({ readable: true, listed: true }),
    'deleted-document-still-readable': () => ({ readable: true, listed: false }),
    'deleted-document-still-listed': () => ({ readable: false, listed: true }),
  },
});

/** How many milliseconds later a document is out, and others are as they were when its deletion was asked for. */
const removedLate = decideMixUp('V1-DOC-11', 'deletions-at-once-undo-each-other');

/** How many milliseconds a deletion goes on in which uploads are lost. */
const losesUploads = decideMixUp('V1-DOC-01', 'upload-beside-a-deletion-at-once-lost');

/** Whether a document of a certain age, in milliseconds, goes when it is deleted. */
const goes = decision({
  rule: 'V1-DOC-11',
  honest: (_age: number) => true,
  lies: { 'documents-of-yesterday-not-deleted': (age) => age < DAY },
});

/** What goes with a document that is deleted. */
const removed = decision({
  rule: 'V1-DOC-11',
  honest: (_other: StoredDocument, _gone: StoredDocument) => false,
  lies: {
    'deletion-takes-the-namesake-of-the-other-account': (other, gone) =>
      other.account !== gone.account && other.fileName === gone.fileName,
    'deletion-takes-other-sides-of-its-kind-of-card': (other, gone) =>
      other.account === gone.account && other.type === gone.type && other.pageType !== null && gone.pageType !== null,
    'deletion-takes-documents-of-the-same-name': (other, gone) =>
      other.account === gone.account && other.fileName === gone.fileName,
    'deletion-in-second-account-takes-the-one-before': (other, gone) =>
      other.serial === gone.serial - 1 && !gone.account.isFirst,
    'deletion-takes-the-one-before': (other, gone) => other.serial === gone.serial - 1,
  },
});

/** Whether a document is still there, by its age in milliseconds, and by when it was created in real time. */
const lasts = decision({
  rule: 'V1-DOC-01',
  honest: (_age: number, _at: number) => true,
  lies: {
    'documents-gone-after-a-moment': (_age, at) => !isSecondsAgo(at),
    'documents-gone-after-a-day': (age) => age < DAY,
    'documents-gone-after-a-week': (age) => age < 7 * DAY,
  },
});

/** Where a document is looked for by its uuid, oldest first. */
const searched = decision({
  rule: 'V1-DOC-01',
  honest: (all: readonly StoredDocument[]) => all,
  lies: { 'documents-behind-fifteen-others-not-found': (all) => all.slice(-15) },
});

/** Whether a document is the one of a uuid. */
const isMeant = {
  readDocument: decision({
    rule: 'V1-DOC-09',
    honest: (uuid: string, asked: string) => uuid === asked,
    lies: {
      'document-read-told-by-all-but-the-last-digit': (uuid, asked) => uuid.slice(0, -1) === asked.slice(0, -1),
      'document-read-told-by-all-but-the-first-digit': (uuid, asked) => uuid.slice(1) === asked.slice(1),
    },
  }),
  deleteDocument: decision({
    rule: 'V1-DOC-01',
    honest: (uuid: string, asked: string) => uuid === asked,
    lies: { 'deletion-told-by-all-but-the-first-digit': (uuid, asked) => uuid.slice(1) === asked.slice(1) },
  }),
};

/** Whether a document that was removed is back, by the milliseconds since, and by when that was in real time. */
const returns = decision({
  rule: 'V1-DOC-11',
  honest: (_since: number, _at: number) => false,
  lies: {
    'deleted-documents-back-after-a-day': (since) => since >= DAY,
    'deleted-documents-back-after-a-moment': (_since, at) => isSecondsAgo(at),
  },
});

/** Every document of every customer's account. */
export class DocumentStore {
  readonly #world: V1World;
  #listed: StoredDocument[] = [];
  #readable: StoredDocument[] = [];
  #serial = 0;
  #uploads = 0;
  readonly #gone = new Set<string>();
  #removed: { readonly document: StoredDocument; readonly at: number; readonly began: number }[] = [];

  constructor(world: V1World) {
    this.#world = world;
  }

  /**
   * Puts a document into an account.
   * @param shared its uuid, where it is not to have one of its own
   */
  store(account: UserAccount, sheet: DocumentDetails, shared?: string): void {
    const { activeLies, clock } = this.#world;
    this.#uploads += 1;
    const namesake = () => this.#listed.find((one) => one.account !== account && one.fileName === sheet.fileName)?.uuid;
    for (let copy = 0; copy < copies(activeLies, this.#uploads, sheet); copy += 1) {
      const drawn = shared ?? drawIdentifier(this.#world, 'document');
      const uuid = fresh(activeLies, drawn, this.#listed.at(-1)?.uuid, this.#removed.at(-1)?.document.uuid, namesake);
      const kept = stored(activeLies, sheet, account.isFirst);
      if (kept === undefined) return;
      this.#serial += 1;
      const document = {
        ...kept,
        uuid,
        serial: this.#serial,
        account,
        created: clock.now(),
        createdReally: performance.now(),
        status: 'pending',
      };
      this.#listed.push(document);
      this.#readable.push(document);
    }
  }

  /** The documents of an account; of all accounts when none is named. */
  list(account?: UserAccount): readonly StoredDocument[] {
    return this.#there(this.#listed).filter((document) => (account ?? document.account) === document.account);
  }

  /** The documents of an account that were taken out. */
  gone(account: UserAccount): readonly StoredDocument[] {
    return this.#removed.map(({ document }) => document).filter((document) => document.account === account);
  }

  /** @throws Refusal 404 when the account, or none where none is named, holds no such document */
  find(account: UserAccount | undefined, uuid: string, operation?: string): StoredDocument {
    const asked = uuid.toLowerCase();
    const is = isMeant[operation === 'deleteDocument' ? operation : 'readDocument'];
    const found = searched(this.#world.activeLies, this.#there(this.#readable)).find(
      (document) =>
        is(this.#world.activeLies, document.uuid, asked) && (account ?? document.account) === document.account,
    );
    if (found === undefined) throw refuseMissing('The document');
    return found;
  }

  /** Whether a document was there and was taken out. */
  isGone(uuid: string): boolean {
    return this.#gone.has(uuid.toLowerCase());
  }

  /** Takes a document out. @returns in how many milliseconds it will be out */
  remove(document: StoredDocument): number {
    const age = this.#world.clock.now() - document.created;
    if (!goes(this.#world.activeLies, age)) return 0;
    this.#gone.add(document.uuid);
    this.#removed.push({ document, at: this.#world.clock.now(), began: performance.now() });
    const still = removal(this.#world.activeLies, document);
    const goesAlong = (other: StoredDocument) => removed(this.#world.activeLies, other, document);
    const without = (kept: StoredDocument[]) => kept.filter((other) => other !== document && !goesAlong(other));
    const readable = still.readable ? this.#readable : without(this.#readable);
    const listed = still.listed ? this.#listed : without(this.#listed);
    const losing = losesUploads(this.#world.activeLies);
    const late = Math.max(removedLate(this.#world.activeLies), losing);
    const last = this.#serial;
    const keep = (kept: StoredDocument[]) => without(kept).filter(({ serial }) => serial <= last);
    const take = () => {
      this.#readable = losing > 0 ? keep(this.#readable) : readable;
      this.#listed = losing > 0 ? keep(this.#listed) : listed;
    };
    if (late === 0) take();
    else setTimeout(take, late).unref();
    return late;
  }

  /** Forgets everything. */
  reset(): void {
    this.#listed = [];
    this.#readable = [];
    this.#removed = [];
  }

  /** Those of some documents that last, and those that are back. */
  #there(kept: readonly StoredDocument[]): readonly StoredDocument[] {
    const { activeLies, clock } = this.#world;
    if (activeLies.size === 0) return kept;
    const back = this.#removed.filter(({ at, began }) => returns(activeLies, clock.now() - at, began));
    const lasting = kept.filter(({ created, createdReally }) =>
      lasts(activeLies, clock.now() - created, createdReally),
    );
    return [...lasting, ...back.map(({ document }) => document)];
  }
}
