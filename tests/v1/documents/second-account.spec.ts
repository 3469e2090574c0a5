import {
  attributeTo,
  type CustomerDocuments,
  expect,
  findContradictions,
  type ListedDocument,
  listUuids,
  mixCalls,
  requireEntries,
  requireSeen,
  rule,
  type Target,
  test,
} from '#harness';
import { DOCUMENT_TYPES, FRONT } from '../support/document-sheets.ts';
import { readSteadyEntries } from '../support/steady-entries.ts';

/** The second account. Where it is none of the customer, or takes no documents, the check ends here. */
async function openSecond(documents: CustomerDocuments, target: Target): Promise<string> {
  const second = target.v1!.secondAccount!;
  test.skip((await documents.list({}, second)).status !== 200, 'the second account is none of the customer');
  const { status } = (await documents.upload({}, second)).reply;
  test.skip(status !== 200, `a valid upload to the second account was answered ${status}`);
  return second;
}

test(
  'shows the page side of a card in either account, or in none',
  rule('V1-DOC-03', { needs: ['account.second'] }),
  async ({ documents, target }) => {
    const sheet = { type: 'identity_card', attachment: FRONT };
    const shown = [];
    for (const account of [undefined, await openSecond(documents, target)])
      shown.push((await documents.arrangeUpload(sheet, account)).page_type === 'front');
    expect(new Set(shown).size).toBe(1);
  },
);

test(
  'lists documents of the account in the path and of no other',
  rule('V1-DOC-07'),
  async ({ documents, target, v1 }) => {
    v1.leaveDefaultsUnsaid();
    const second = target.v1!.secondAccount!;
    test.skip((await documents.list({}, second)).status !== 200, 'the second account is none of the customer');
    const here = await documents.arrangeUpload({ type: 'passport' });
    const { reply, name } = await documents.upload({}, second);
    const there = (await documents.listAll({}, second)) as readonly ListedDocument[];
    const named = await documents.listAll({ filename: String(here.file_name) }, second);
    const typed = await documents.listAll({ type: 'passport' }, second);
    const usual = (await v1.send('listDocuments', { path: { account_uuid: second } })).list();
    await documents.arrangeUpload();
    // There may be no such pages, and in which order they come is not said.
    const later = [];
    for (const page of [2, 3]) later.push(await documents.list({ per_page: 1, page }, second));
    const all = [
      ...there,
      ...named,
      ...typed,
      ...usual,
      ...later.flatMap((one) => (one.status === 200 ? one.list() : [])),
    ];
    const ours = [here.uuid, ...listUuids(await documents.listAll())];
    expect(listUuids(all).filter((uuid) => ours.includes(uuid))).toEqual([]);
    expect(await documents.findByName(name)).toBeUndefined();
    if (reply.status === 200) expect(there.some(({ file_name }) => file_name === name)).toBe(true);
  },
);

test(
  'lists documents of the account in the path alone where both are listed at once',
  rule('V1-DOC-07'),
  async ({ documents, target, together }) => {
    const second = target.v1!.secondAccount!;
    test.skip((await documents.list({}, second)).status !== 200, 'the second account is none of the customer');
    const { uuid } = await documents.arrangeUpload();
    const isListed = listUuids(await documents.listAll()).includes(String(uuid));
    requireSeen(isListed || undefined, 'the document in the list of its account');
    const list = (account?: string) => () => documents.list({ per_page: 100 }, account);
    const { others } = await mixCalls(together, list(), list(second));
    // Whether as many are taken at once is not said.
    const taken = others.filter(({ status }) => status === 200);
    for (const reply of requireEntries(taken, 'lists of the second account'))
      expect(listUuids(reply.list())).not.toContain(uuid);
  },
);

test(
  'keeps each of two documents that are uploaded at once in its own account',
  rule('V1-DOC-07'),
  async ({ documents, target, together }) => {
    const accounts = [undefined, await openSecond(documents, target)];
    const uploads = await together(accounts.map((account) => () => documents.upload({}, account)));
    let seen = 0;
    for (const [i, account] of accounts.entries()) {
      const [own, other] = [uploads[i]!, uploads[1 - i]!];
      // What is in which list first shows a list that follows.
      if (own.reply.status === 200 && (await documents.findByName(own.name, {}, account)) !== undefined) seen += 1;
      const named = (await documents.listAll({}, account)).map((one) => Object(one).file_name);
      expect(named).not.toContain(other.name);
    }
    requireSeen(seen || undefined, 'a document in the list of its account');
  },
);

test("keeps a document out of another account's path", rule('V1-DOC-26'), async ({ documents, target }) => {
  const second = target.v1!.secondAccount!;
  test.skip((await documents.list({}, second)).status !== 200, 'the second account is none of the customer');
  const { uuid } = await documents.arrangeUpload();
  expect((await documents.read(uuid, second)).status).not.toBe(200);
  await documents.remove(uuid, second);
  expect(await documents.read(uuid)).toAnswer(200);
});

test(
  "keeps a document of the second account out of the first one's path",
  rule('V1-DOC-26'),
  async ({ documents, target }) => {
    const second = await openSecond(documents, target);
    const { uuid } = await documents.arrangeUpload({}, second);
    expect((await documents.read(uuid)).status).not.toBe(200);
    await documents.remove(uuid);
    expect(await documents.read(uuid, second)).toAnswer(200);
  },
);

test(
  'keeps an upload to the second account, reads it there, and shows it in the list as it shows it by itself',
  rule('V1-DOC-01', 'V1-DOC-09', 'V1-DOC-13', 'V1-DOC-27', { needs: ['account.second'] }),
  async ({ documents, target, v1 }) => {
    const second = await openSecond(documents, target);
    const sheet = { file_name: `${v1.freshName()}-Of.It.PNG`, description: `Of the second account, ${v1.freshName()}` };
    await documents.upload(sheet, second);
    await documents.upload({}, second);
    const listed = await documents.findByName(sheet.file_name, {}, second);
    expect(listed ?? {}, 'V1-DOC-01').toMatchObject(sheet);
    const read = await documents.read(String(listed?.uuid), second);
    expect(read.object, 'V1-DOC-09').toMatchObject({ uuid: listed?.uuid, ...sheet });
    const list = () => documents.listAll({}, second);
    const steady = await readSteadyEntries(list, async (uuid) => (await documents.read(uuid, second)).object, 3);
    for (const one of steady) expect(findContradictions(one.listed, one.read), 'V1-DOC-27').toEqual([]);
    const { status } = (await documents.upload({ file_name: sheet.file_name })).reply;
    if (status !== 200) return v1.leaveOut(`the same file name in the first account: it was answered ${status}`);
    expect(await documents.read(String(listed?.uuid), second), 'V1-DOC-01').toAnswer(200);
    expect(listUuids(await list()), 'V1-DOC-01').toContain(listed?.uuid);
    expect((await documents.findByName(sheet.file_name))?.uuid, 'V1-DOC-13').not.toBe(listed?.uuid);
  },
);

test(
  'takes each type that is named in the second account',
  rule('V1-DOC-02', { needs: ['account.second'] }),
  async ({ documents, target }) => {
    const second = target.v1!.secondAccount!;
    const taken = [];
    for (const type of DOCUMENT_TYPES)
      if ((await documents.upload({ type }, second)).reply.status === 200) taken.push(type);
    // It may be none of the customer, or take none.
    test.skip(taken.length === 0, 'the second account takes no document');
    expect(taken).toEqual(DOCUMENT_TYPES);
  },
);

test(
  'answers an upload to the second account with 200 and nothing else',
  rule('V1-DOC-04', { needs: ['account.second'] }),
  async ({ documents, target }) => {
    const { reply } = await documents.upload({}, target.v1!.secondAccount!);
    expect(reply).not.toAnswer(500);
    // It may be none of the customer, or take none.
    test.skip(reply.status >= 400, `a valid upload to the second account was answered ${reply.status}`);
    expect(reply).toAnswer(200);
    expect(reply.body.byteLength).toBe(0);
  },
);

test(
  'lists documents of the second account by type and by file name',
  rule('V1-DOC-05', 'V1-DOC-06', { needs: ['account.second'] }),
  async ({ documents, target }) => {
    const second = await openSecond(documents, target);
    const passport = await documents.arrangeUpload({ type: 'passport' }, second);
    const card = await documents.arrangeUpload({ type: 'identity_card' }, second);
    const filename = String(passport.file_name);
    for (const [id, query] of [
      ['V1-DOC-05', { type: 'passport' }],
      ['V1-DOC-06', { filename }],
    ] as const) {
      const listed = listUuids(await documents.listAll(query, second));
      expect(listed, id).toContain(passport.uuid);
      expect(listed, id).not.toContain(card.uuid);
    }
    const others = listUuids(await documents.listAll({ type: 'identity_card', filename }, second));
    expect(others, 'V1-DOC-05').not.toContain(passport.uuid);
    const another = await documents.arrangeUpload({ type: 'passport' }, second);
    const both = listUuids(await documents.listAll({ type: 'passport', filename }, second));
    expect(both, 'V1-DOC-06').toContain(passport.uuid);
    expect(both, 'V1-DOC-06').not.toContain(another.uuid);
  },
);

test(
  'finds documents of the second account by type and by file name on a page of one, too',
  rule('V1-DOC-05', 'V1-DOC-06', { needs: ['account.second'] }),
  async ({ documents, target }) => {
    const second = await openSecond(documents, target);
    const cards = [await documents.arrangeUpload({ type: 'identity_card' }, second)];
    const passport = await documents.arrangeUpload({ type: 'passport' }, second);
    cards.push(await documents.arrangeUpload({ type: 'identity_card' }, second));
    const typed = await documents.list({ type: 'passport', per_page: 1 }, second);
    const shown = attributeTo('V1-DOC-05', () => listUuids(typed.list()));
    expect(shown, 'V1-DOC-05').toHaveLength(1);
    // The third of them all is a card; of passports alone there may be no third page.
    const later = await documents.list({ type: 'passport', per_page: 1, page: 3 }, second);
    const listed = [...shown, ...(later.status === 200 ? listUuids(later.list()) : [])];
    for (const { uuid } of cards) expect(listed, 'V1-DOC-05').not.toContain(uuid);
    const named = await documents.list({ filename: String(passport.file_name), per_page: 1 }, second);
    const found = attributeTo('V1-DOC-06', () => listUuids(named.list()));
    expect(found, 'V1-DOC-06').toEqual([passport.uuid]);
  },
);

test(
  'shows a deleted document of the second account nowhere and keeps the others',
  rule('V1-DOC-11', { needs: ['account.second'] }),
  async ({ documents, target, v1 }) => {
    const second = await openSecond(documents, target);
    const before = await documents.arrangeUpload({}, second);
    const [gone, kept] = [await documents.arrangeUpload({}, second), await documents.arrangeUpload({}, second)];
    // That two accounts may have documents of one name is not said.
    const name = String(gone.file_name);
    await documents.upload({ file_name: name });
    const namesake = await documents.findByName(name);
    await documents.remove(gone.uuid, second);
    expect((await documents.read(gone.uuid, second)).status).not.toBe(200);
    const listed = listUuids(await documents.listAll({}, second));
    expect(listed).not.toContain(gone.uuid);
    expect(listed).toEqual(expect.arrayContaining([before.uuid, kept.uuid]));
    if (namesake === undefined) return v1.leaveOut('a document of the same name in the first account: it takes none');
    expect(await documents.read(String(namesake.uuid))).toAnswer(200);
    expect((await documents.findByName(name))?.uuid).toBe(namesake.uuid);
  },
);

test(
  'answers a deletion in the second account with 204 and nothing else',
  rule('V1-DOC-12', { needs: ['account.second'] }),
  async ({ documents, target }) => {
    const second = await openSecond(documents, target);
    const reply = await documents.remove((await documents.arrangeUpload({}, second)).uuid, second);
    expect(reply).toAnswer(204);
    expect(reply.body.byteLength).toBe(0);
  },
);

test(
  'takes an upload without a description to the second account',
  rule('V1-DOC-21', { needs: ['account.second'] }),
  async ({ documents, target }) => {
    const second = await openSecond(documents, target);
    expect((await documents.upload({ description: undefined }, second)).reply).toAnswer(200);
  },
);

test(
  'refuses an upload to the second account without a type or a file name',
  rule('V1-DOC-20', 'V1-DOC-22', { needs: ['account.second'] }),
  async ({ documents, target }) => {
    const second = await openSecond(documents, target);
    expect((await documents.upload({ type: undefined }, second)).reply, 'V1-DOC-20').toBeFault(422);
    expect((await documents.upload({ file_name: undefined }, second)).reply, 'V1-DOC-22').toBeFault(422);
  },
);
