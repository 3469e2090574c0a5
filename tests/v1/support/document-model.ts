import fc from 'fast-check';
import { type CustomerDocuments, expect, type ListedDocument, listUuids, UnarrangedError } from '#harness';
import { DOCUMENT_TYPES } from './document-sheets.ts';

/** What should be in the drawer, by uuid. */
type Drawer = Map<string, ListedDocument>;
type Step = fc.AsyncCommand<Drawer, CustomerDocuments>;

/** A document of the drawer, chosen by a number; a different one for every step that asks. */
const chosen = (drawer: Drawer, nth: number): [string, ListedDocument] => [...drawer][nth % drawer.size]!;

class Upload implements Step {
  readonly sheet: ListedDocument;
  readonly word: () => string;
  constructor(sheet: ListedDocument, word: () => string) {
    this.sheet = sheet;
    this.word = word;
  }
  check = () => true;
  async run(drawer: Drawer, documents: CustomerDocuments): Promise<void> {
    const sheet = { ...this.sheet, file_name: `${this.word()}.png` };
    await documents.upload(sheet);
    const entry = await documents.findByName(sheet.file_name);
    if (entry === undefined) throw new UnarrangedError('an uploaded document is not listed under its name');
    expect(entry, 'V1-DOC-01').toMatchObject(sheet);
    drawer.set(String(entry.uuid), sheet);
  }
  toString = () => `Upload(${JSON.stringify(this.sheet)})`;
}

class Read implements Step {
  readonly nth: number;
  constructor(nth: number) {
    this.nth = nth;
  }
  check = (drawer: Readonly<Drawer>) => drawer.size > 0;
  async run(drawer: Drawer, documents: CustomerDocuments): Promise<void> {
    const [uuid, sheet] = chosen(drawer, this.nth);
    expect((await documents.read(uuid)).object, 'V1-DOC-09').toMatchObject({ uuid, ...sheet });
  }
  toString = () => `Read(${this.nth})`;
}

class Delete implements Step {
  readonly nth: number;
  constructor(nth: number) {
    this.nth = nth;
  }
  check = (drawer: Readonly<Drawer>) => drawer.size > 0;
  async run(drawer: Drawer, documents: CustomerDocuments): Promise<void> {
    const [uuid] = chosen(drawer, this.nth);
    await documents.remove(uuid);
    drawer.delete(uuid);
    expect((await documents.read(uuid)).status, 'V1-DOC-11').not.toBe(200);
    expect(listUuids(await documents.listAll()), 'V1-DOC-11').not.toContain(uuid);
  }
  toString = () => `Delete(${this.nth})`;
}

class ListType implements Step {
  readonly type: string;
  constructor(type: string) {
    this.type = type;
  }
  check = () => true;
  async run(drawer: Drawer, documents: CustomerDocuments): Promise<void> {
    const listed = listUuids(await documents.listAll({ type: this.type }));
    const [wanted, others] = [true, false].map((is) =>
      [...drawer].filter(([, { type }]) => (type === this.type) === is).map(([uuid]) => uuid),
    );
    expect(listed, 'V1-DOC-05').toEqual(expect.arrayContaining(wanted!));
    expect(
      listed.filter((uuid) => others!.includes(uuid)),
      'V1-DOC-05',
    ).toEqual([]);
  }
  toString = () => `ListType(${this.type})`;
}

class ListName implements Step {
  readonly nth: number;
  constructor(nth: number) {
    this.nth = nth;
  }
  check = (drawer: Readonly<Drawer>) => drawer.size > 0;
  async run(drawer: Drawer, documents: CustomerDocuments): Promise<void> {
    const [uuid, { file_name: name }] = chosen(drawer, this.nth);
    const ours = listUuids(await documents.listAll({ filename: String(name) })).filter((one) => drawer.has(one));
    expect(ours, 'V1-DOC-06').toEqual([uuid]);
  }
  toString = () => `ListName(${this.nth})`;
}

/**
 * Sequences of steps against a drawer of documents.
 * @param word a fresh word for each file name
 */
export function documentCommands(word: () => string): fc.Arbitrary<Iterable<Step>> {
  const nth = fc.nat({ max: 7 });
  const description = fc.stringMatching(/^[A-Za-zÀ-ÖØ-öø-ÿ0-9]([A-Za-zÀ-ÖØ-öø-ÿ0-9 .,:-]{0,60}[A-Za-z0-9])?$/);
  const sheet = fc.record({ type: fc.constantFrom(...DOCUMENT_TYPES), description });
  return fc.commands<Drawer, CustomerDocuments, false>(
    [
      sheet.map((one) => new Upload(one, word)),
      sheet.map((one) => new Upload(one, word)),
      nth.map((one) => new Read(one)),
      nth.map((one) => new Delete(one)),
      fc.constantFrom(...DOCUMENT_TYPES).map((type) => new ListType(type)),
      nth.map((one) => new ListName(one)),
    ],
    { maxCommands: 8 },
  );
}
